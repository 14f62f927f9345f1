"""The automata that come out of networks, and go into everything else."""
from __future__ import annotations

import importlib
import io
import os
import pathlib
import warnings
from typing import Any, Optional, Sequence, TypeAlias, Union

import numpy as np
from numpy.typing import NDArray

from rnnalf import _core, _display

#: A text as the alphabet writes words ("0110"; with longer symbols "get put get"), or a sequence of
#: symbols, or of their positions in the alphabet. Words that rnnalf returns are texts.
Word: TypeAlias = Union[str, Sequence[str], Sequence[int], NDArray[np.int64]]
Alphabet: TypeAlias = Union[str, Sequence[str]]
Path: TypeAlias = Union[str, os.PathLike[str]]


def symbols_of(alphabet: Alphabet) -> list[str]:
    """The symbols: a text is split at blanks if there are any, else into its characters."""
    if isinstance(alphabet, str):
        return alphabet.split() if " " in alphabet else list(alphabet)
    try:
        return list(alphabet)
    except TypeError:
        raise TypeError(f"alphabet: expected symbols, found {alphabet!r}") from None


class Dfa:
    """A complete deterministic finite automaton with named symbols, or a Moore machine: each state has an answer,
    which is 1 (accept) or 0 (reject), or one of more classes. A value: nothing changes it.

    >>> even = Dfa("ab", transitions=[[1, 0], [0, 1]], accepting=[True, False])
    >>> even.accepts("abab"), even.accepts(["a", "b"])
    (True, False)
    >>> even
    Dfa(2 states, 1 accepting, over a b)
    """

    def __init__(self, alphabet: Alphabet, transitions: Union[Sequence[Sequence[int]], NDArray[Any]],
                 accepting: Union[Sequence[int], NDArray[Any]], initial: int = 0,
                 classes: Union[int, str, Sequence[str]] = 2) -> None:
        """transitions[state][symbol] is a state; accepting[state] a boolean, or a class. classes: how many, or their
        names, three or more.

        >>> machine = Dfa("ab", [[1, 0], [2, 1], [0, 2]], accepting=[0, 1, 2], classes="low middle high")
        >>> machine.class_names[machine.answer("aab")]
        'high'
        """
        names = classes.split() if isinstance(classes, str) else [] if isinstance(classes, int) else list(classes)
        self._core = _core.Dfa(symbols_of(alphabet), [[_whole("transitions", to) for to in row] for row in transitions],
                               [_whole("accepting", answer) for answer in accepting],
                               classes if isinstance(classes, int) else len(names), names, initial)

    @classmethod
    def _of(cls, core: _core.Dfa) -> Dfa:
        made = cls.__new__(cls)
        made._core = core
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Automata can be pickled and copied.

        >>> import copy
        >>> copy.deepcopy(Dfa("ab", [[1, 0], [0, 1]], accepting=[True, False]))
        Dfa(2 states, 1 accepting, over a b)
        """
        classes = self.class_names or self.classes
        return Dfa, (self.alphabet, self.transitions, self.answers, self.initial, classes)

    # ------------------------------------------------------------ files

    @classmethod
    def load(cls, path: Path) -> Dfa:
        """Reads a file: .dot (Graphviz, LearnLib, AALpy), .json (also of a whole run) or .alf (libalf).

        >>> Dfa.load("examples/networks/tomita5_rnn30.target.dot")
        Dfa(4 states, 1 accepting, over 0 1)
        """
        file = pathlib.Path(path)
        format = _format_of(file)
        return cls.parse(file.read_text(encoding="utf-8", errors="replace"), format, file=os.fspath(path))

    @classmethod
    def parse(cls, text: str, format: str = "dot", file: str = "text") -> Dfa:
        """Reads a text; `file` is what error messages call it. Transitions that are missing lead to a
        rejecting state, with a warning."""
        core, note = _core.Dfa.parse(text, format, file)
        if note:
            warnings.warn(note, stacklevel=2)
        return cls._of(core)

    def save(self, path: Path) -> None:
        """Writes a file: .dot, .json, .alf, or a picture, which Graphviz draws: .svg, .pdf, .png."""
        file = pathlib.Path(path)
        if file.suffix in _display.PICTURES:
            file.write_bytes(_display.graphviz(self._core.picture_dot(), self.size, extension=file.suffix))
        else:
            file.write_text(self.to_text(_format_of(file, others=_display.PICTURES)), encoding="utf-8")

    def to_text(self, format: str = "dot") -> str:
        """As dot, json or alf. Equal automata are equal texts."""
        return self._core.text(format)

    # ------------------------------------------------------------ the automaton

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The symbols, in order."""
        return tuple(self._core.alphabet)

    @property
    def size(self) -> int:
        """The number of states, which are 0, 1, ..., size - 1."""
        return self._core.size

    def __len__(self) -> int:
        return self._core.size

    @property
    def states(self) -> range:
        """The states."""
        return range(self._core.size)

    @property
    def initial(self) -> int:
        """The state of the empty word."""
        return self._core.initial

    @property
    def transitions(self) -> NDArray[np.int64]:
        """Shape (states, symbols): where each symbol leads."""
        return self._core.transitions()

    @property
    def accepting(self) -> NDArray[np.bool_]:
        """Shape (states,); of a DFA."""
        self._require_dfa()
        return np.asarray(self._core.answers() == 1)

    @property
    def answers(self) -> NDArray[np.int64]:
        """Shape (states,): 1 for accept and 0 for reject, or classes."""
        return self._core.answers()

    @property
    def classes(self) -> int:
        """2: it accepts and rejects. More: it is a Moore machine."""
        return self._core.classes

    @property
    def class_names(self) -> tuple[str, ...]:
        """What the classes of a Moore machine are called; empty: by their numbers."""
        return tuple(self._core.class_names)

    def accepts(self, word: Word) -> bool:
        """Whether the word is in the language; of a DFA."""
        self._require_dfa()
        return self._core.answer(word) == 1

    def answer(self, word: Word) -> int:
        """1 for accept and 0 for reject, or the class of the word."""
        return self._core.answer(word)

    def _require_dfa(self) -> None:
        if self.classes > 2:
            raise ValueError(f"expected an automaton that accepts and rejects, found one of {self.classes} classes; "
                             "ask for answers")

    def run(self, word: Word) -> int:
        """The state that the word leads to."""
        return self._core.run(word)

    def symbols(self, word: Word) -> tuple[str, ...]:
        """The word as its symbols."""
        return tuple(self._core.symbols(word))

    def access_words(self) -> list[Optional[str]]:
        """For each state the first word, shorter ones first, that leads to it; None: there is none."""
        return self._core.access_words()

    def minimised(self) -> Dfa:
        """The smallest automaton of this language; states are numbered as a breadth-first walk meets them."""
        return Dfa._of(self._core.minimised())

    def over(self, alphabet: Alphabet) -> Dfa:
        """The same language with the symbols in this order."""
        return Dfa._of(self._core.over(symbols_of(alphabet)))

    def separating_word(self, other: Dfa) -> Optional[str]:
        """The first word, shorter ones first, on which the two differ; None: they are equivalent. Classes are matched
        by name where both have names.

        >>> even = Dfa("ab", [[1, 0], [0, 1]], accepting=[True, False])
        >>> odd = Dfa("ab", [[1, 0], [0, 1]], accepting=[False, True])
        >>> even.separating_word(odd)
        ''
        """
        return self._core.separating_word(other._core)

    def equivalent(self, other: Dfa) -> bool:
        """Whether the two have the same language, whatever their states and the order of their symbols."""
        return self.separating_word(other) is None

    def __eq__(self, other: object) -> bool:
        """Whether the two have the same language over the same symbols."""
        if not isinstance(other, Dfa):
            return NotImplemented
        return set(self.alphabet) == set(other.alphabet) and self.equivalent(other)

    def __hash__(self) -> int:
        # Without the answers: equal automata may have their classes in another order.
        order = sorted(self.alphabet)
        return hash((tuple(order), self.over(order).minimised().transitions.tobytes()))

    # ------------------------------------------------------------ AALpy

    def to_aalpy(self) -> Any:
        """The same automaton as AALpy's Dfa; of more than two classes, as its MooreMachine."""
        from rnnalf import aalpy
        return aalpy.to_aalpy(self)

    @classmethod
    def from_aalpy(cls, machine: Any, alphabet: Optional[Alphabet] = None) -> Dfa:
        """An automaton of AALpy; without an alphabet, its symbols in the order of their names.
        Transitions of a DFA that are missing lead to a rejecting state. Outputs of a Moore machine are numbers
        of classes, or else their names."""
        from rnnalf import aalpy
        return aalpy.from_aalpy(machine, alphabet)

    # ------------------------------------------------------------ to look at

    def to_svg(self) -> str:
        """A picture, drawn by Graphviz; parallel transitions are one arrow."""
        return _display.graphviz(self._core.picture_dot(), self.size).decode()

    def plot(self, ax: Any = None) -> Any:
        """Draws the automaton on axes of matplotlib, with Graphviz; returns the axes."""
        ax = ax if ax is not None else _display.new_axes()
        picture = _display.graphviz(self._core.picture_dot(), self.size, extension=".png")
        ax.imshow(importlib.import_module("matplotlib.image").imread(io.BytesIO(picture)))
        ax.set_axis_off()
        return ax

    def _repr_svg_(self) -> Optional[str]:
        try:
            return self.to_svg()
        except (OSError, ValueError):
            return None  # the text below is shown instead

    def table(self, width: int = 80) -> str:
        """The transitions as a text table; empty where that is too large to be read."""
        return self._core.table(width)

    def __repr__(self) -> str:
        symbols = " ".join(self.alphabet[:12]) + (" ..." if len(self.alphabet) > 12 else "")
        states = "1 state" if self.size == 1 else f"{self.size} states"
        answers = f"{self.classes} classes" if self.classes > 2 else f"{int(self.accepting.sum())} accepting"
        return f"Dfa({states}, {answers}, over {symbols})"


def _whole(what: str, value: Any) -> int:
    """A whole number or a boolean, of Python or numpy. Nothing is rounded."""
    try:
        number = int(value)
        if number == value and number >= 0:
            return number
    except (TypeError, ValueError, OverflowError):
        pass
    raise ValueError(f"{what}: expected whole numbers from 0 on, found {value!r}")


def _format_of(file: pathlib.Path, others: Sequence[str] = ()) -> str:
    """Of the automaton; `others` are endings that the caller writes itself."""
    known = [".dot", ".json", ".alf"]
    if file.suffix not in known:
        expected = [*others, *known] if others else known
        raise ValueError(f"{file}: expected the extension {', '.join(expected[:-1])} or {expected[-1]}, "
                         f"found {file.suffix!r}")
    return file.suffix[1:]
