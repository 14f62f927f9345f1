"""What is shown while something runs and after it: in a terminal, in a notebook."""
from __future__ import annotations

import html
import importlib
import shutil
import subprocess
import sys
import time
from types import TracebackType
from typing import Any, Callable, Optional

MOST_FOR_DOT = 50  # states; larger automata are drawn by sfdp
MOST_FOR_SFDP = 1000


PICTURES = (".svg", ".pdf", ".png")


def graphviz(dot: str, states: int, seconds: float = 5, extension: str = ".svg") -> bytes:
    """The picture that Graphviz draws. Raises OSError where it is not installed, ValueError where it fails."""
    if states > MOST_FOR_SFDP:
        raise ValueError(f"picture: expected a DFA of at most {MOST_FOR_SFDP} states, found {states}")
    program = "dot" if states <= MOST_FOR_DOT else "sfdp"
    try:
        done = subprocess.run([program, "-T" + {".png": "png:cairo"}.get(extension, extension[1:])], input=dot.encode(),
                              capture_output=True, timeout=seconds)
    except FileNotFoundError:
        raise FileNotFoundError(f"graphviz: expected the program '{program}' (Debian package graphviz), "
                                "found none") from None
    except subprocess.TimeoutExpired:
        raise ValueError(f"graphviz: '{program}' did not finish within {seconds} s") from None
    if done.returncode != 0:
        raise ValueError(f"graphviz: '{program}' failed: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def drawn(dot: str, seconds: float) -> Optional[str]:
    """The SVG for a page; None where Graphviz cannot draw it, and the page draws it itself."""
    try:
        return graphviz(dot, 0, seconds).decode()
    except (OSError, ValueError):
        return None


def new_axes() -> Any:
    """Axes of matplotlib. Raises ImportError with what to do where it is not installed."""
    try:
        return importlib.import_module("matplotlib.pyplot").subplots()[1]
    except ImportError:
        raise ImportError("plot: matplotlib is not installed; save(\"automaton.pdf\") draws without it") from None


def in_frame(page: str, height: int = 640) -> str:
    """A whole page inside of a notebook, where it can neither see nor change anything."""
    return (f'<iframe sandbox="allow-scripts" style="width: 100%; height: {height}px; border: 0" '
            f'srcdoc="{html.escape(page, quote=True)}"></iframe>')


def notebook() -> Optional[Callable[..., Any]]:
    """IPython's `display` in a notebook; None elsewhere."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    # By the name of any of its classes: Colab's shell, for one, is derived from Jupyter's.
    if all(kind.__name__ != "ZMQInteractiveShell" for kind in type(shell).__mro__):
        return None
    display: Callable[..., Any] = importlib.import_module("IPython.display").display
    return display


def notebook_bar() -> Any:
    """A line of tqdm, where that is installed; None elsewhere."""
    try:
        return importlib.import_module("tqdm.notebook").tqdm(bar_format="{desc}", leave=False)
    except ImportError:  # tqdm itself, or the widgets that it needs
        return None


def line(now: dict[str, Any]) -> str:
    """How far a run is.

    >>> line({"seconds": 2.25, "states": 4, "rounds": 3, "queries": 1200, "steps": 56789, "activity": "pumping"})
    '2.2 s: 4 states, round 3, 1,200 queries, 56,789 steps of the network; pumping'
    """
    states = "1 state" if now["states"] == 1 else f"{now['states']:,} states"
    return (f"{now['seconds']:.1f} s: {states}, round {now['rounds']:,}, {now['queries']:,} queries, "
            f"{now['steps']:,} steps of the network; {now['activity']}")


class ShownProgress:
    """Shows how far a run is, and takes it away at the end: `auto` on a terminal and in a notebook,
    `none` nowhere, or a function that is called with a dictionary ten times a second."""

    def __init__(self, how: object) -> None:
        if not (how in ("auto", "none") or callable(how) or how is None or isinstance(how, bool)):
            raise ValueError(f"progress: expected 'auto', 'none' or a function, found {how!r}")
        self._shown = False
        self._handle: Any = None
        self._bar: Any = None
        self.callback: Optional[Callable[[dict[str, Any]], object]] = None
        if callable(how):
            self.callback = how
        elif how in ("auto", True):
            self._display = notebook()
            if self._display is not None:
                self.callback = self._in_notebook
                self._bar = notebook_bar()
            elif sys.stderr is not None and sys.stderr.isatty():
                self.callback = self._on_terminal
        self._next = time.monotonic() + 0.5

    def _due(self) -> bool:
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + 0.2
        return True

    def _on_terminal(self, now: dict[str, Any]) -> None:
        if self._due():
            width = shutil.get_terminal_size().columns - 1
            sys.stderr.write("\r" + line(now)[:width] + "\033[K")
            sys.stderr.flush()
            self._shown = True

    def _in_notebook(self, now: dict[str, Any]) -> None:
        if self._due() and self._display is not None:
            content = {"text/plain": line(now)}
            if self._bar is not None:
                self._bar.set_description_str(line(now))
            elif self._handle is None:
                self._handle = self._display(content, raw=True, display_id=True)
            else:
                self._handle.update(content, raw=True)

    def __enter__(self) -> ShownProgress:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if self._shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
        if self._bar is not None:
            self._bar.close()
        if self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)
