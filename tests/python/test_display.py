"""What is shown: progress on a terminal and in a notebook, pictures, pages in frames."""
import io
import shutil
import sys
import types

import pytest

import rnnalf
from rnnalf import _display

NOW = {"seconds": 2.0, "states": 3, "rounds": 1, "queries": 10, "steps": 20, "a_states": 4, "activity": "learner"}


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown_at_once(how):
    shown = _display.ShownProgress(how)
    shown._next = 0.0
    return shown


def test_a_terminal_has_one_line_that_is_taken_away(monkeypatch):
    terminal = Terminal()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stderr", terminal)
    with shown_at_once("auto") as shown:
        shown.callback(NOW)
    assert terminal.getvalue() == "\r" + _display.line(NOW)[:79] + "\033[K" + "\r\033[K"


def test_a_file_has_no_progress(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert _display.ShownProgress("auto").callback is None
    assert _display.ShownProgress("none").callback is None


class ZMQInteractiveShell:
    """Jupyter's."""


class Shell(ZMQInteractiveShell):
    """Colab's, derived from it."""


class TerminalInteractiveShell:
    """IPython's on a terminal."""


@pytest.mark.parametrize("shell, is_notebook", [(ZMQInteractiveShell, True), (Shell, True),
                                                (TerminalInteractiveShell, False), (lambda: None, False)])
def test_a_notebook_is_told_by_its_shell(monkeypatch, shell, is_notebook):
    ipython = types.ModuleType("IPython")
    ipython.get_ipython = shell
    ipython_display = types.ModuleType("IPython.display")
    ipython_display.display = print
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", ipython_display)
    assert (_display.notebook() is not None) == is_notebook


def test_a_notebook_has_a_line_that_changes_and_vanishes(monkeypatch):
    contents = []

    class Handle:
        def update(self, content, raw):
            contents.append(content["text/plain"])

    def display(content, raw, display_id):
        contents.append(content["text/plain"])
        return Handle()

    ipython = types.ModuleType("IPython")
    ipython.get_ipython = ZMQInteractiveShell
    ipython_display = types.ModuleType("IPython.display")
    ipython_display.display = display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", ipython_display)
    with shown_at_once("auto") as shown:
        shown.callback(NOW)
        shown._next = 0.0
        shown.callback(dict(NOW, states=1))
    assert contents == [_display.line(NOW), _display.line(dict(NOW, states=1)), ""]
    assert "1 state," in contents[1]


def test_a_page_in_a_frame_cannot_leave_it():
    frame = _display.in_frame('<p title="x">&</p>')
    assert 'srcdoc="&lt;p title=&quot;x&quot;&gt;&amp;&lt;/p&gt;"' in frame
    assert 'sandbox="allow-scripts"' in frame and "allow-same-origin" not in frame


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_an_automaton_draws_itself(tmp_path):
    dfa = rnnalf.Dfa("ab", [[1, 0], [0, 1]], [True, False])
    assert all(f'id="s{state}"' in dfa._repr_svg_() for state in dfa.states)
    dfa.save(tmp_path / "dfa.svg")
    assert (tmp_path / "dfa.svg").read_text() == dfa.to_svg()


def test_without_graphviz_an_automaton_is_a_text(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    dfa = rnnalf.Dfa("ab", [[1, 0], [0, 1]], [True, False])
    assert dfa._repr_svg_() is None and repr(dfa) == "Dfa(2 states, 1 accepting, over a b)"
    with pytest.raises(FileNotFoundError, match="Debian package graphviz"):
        dfa.to_svg()
