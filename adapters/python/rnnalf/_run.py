"""What an extraction returns."""
from __future__ import annotations

import dataclasses
import json
import pathlib
import shutil
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from rnnalf import _core, _display
from rnnalf._automaton import Dfa, Path
from rnnalf._certification import Certification


@dataclasses.dataclass(frozen=True)
class FoundWord:
    """A word on which the network and an automaton differ."""

    word: str
    network: int  #: the network's answer, a boolean or a class; the automaton gives another one
    probability: Optional[float] = None  #: of accept, where it was asked for
    target: Optional[int] = None  #: the answer of the language the network was meant to learn
    oracle: str = ""  #: who found it
    how: str = ""  #: what it is made of, such as "1 (01)^23 0"

    @property
    def is_error(self) -> bool:
        """Whether the network errs here: its answer is not the target's."""
        return self.target is not None and self.target != self.network


@dataclasses.dataclass(frozen=True)
class Evidence:
    """What one oracle looked at."""

    oracle: str
    words_tested: int
    claim: str  #: the most that may be said
    end: str  #: `none-found`, `counterexample`, or `stopped` by a limit
    counterexample: Optional[str]
    data: dict[str, Any]  #: what was looked at: its `kind`, and lengths and counts of that kind


@dataclasses.dataclass(frozen=True)
class Family:
    """A rule behind words on which network and result differ: prefix loop^k suffix for k from `first` to `last`."""

    prefix: str
    loop: str
    suffix: str
    first: int
    last: Optional[int]  #: None: for every k that was tried
    network: int
    words: int  #: known words that it explains


@dataclasses.dataclass(frozen=True)
class Agreement:
    """On which share of some words the result and the network agree."""

    lengths: NDArray[np.int64]  #: of random words
    words: NDArray[np.int64]  #: how many there were of each length
    shares: NDArray[np.float64]  #: for each length
    language_lengths: NDArray[np.int64]  #: of words like those of the network's language, where an answer is rare
    language_shares: NDArray[np.float64]
    pumped: float  #: of words p u^k s
    explains_up_to: int  #: the length up to which the result agrees on all but the tolerance of the words
    assured: float  #: of the words of each of these lengths, the share that agrees at least, with 99 % confidence

    @property
    def overall(self) -> float:
        """Of the random words of all lengths."""
        total = int(self.words.sum())
        return float((self.shares * self.words).sum() / total) if total else 1.0


@dataclasses.dataclass(frozen=True)
class NotMeasured:
    """In the place of an Agreement: why there is none. It is false.

    >>> bool(NotMeasured("the run ended (time-limit) before agreement was measured"))
    False
    """

    reason: str

    def __bool__(self) -> bool:
        return False


class KeptRun:
    """A run that comes out of a pickle: what it said when it went in, by the names of the library's own."""

    def __init__(self, run: Run) -> None:
        core = run._core
        self._dfas, self._result, self._target = run.hypotheses, core.result(), run.target
        self._verdict, self._sentence, self._is_refuted = core.verdict(), core.sentence(), core.is_refuted()
        self._proof = core.proof()
        self._agreement, self._json, self._text, self._html = core.agreement(), core.json(), run.summary(), run.to_html()

    def dfa(self) -> _core.Dfa:
        return self._dfas[self._result]._core

    def hypotheses(self) -> list[_core.Dfa]:
        return [dfa._core for dfa in self._dfas]

    def target(self) -> Optional[_core.Dfa]:
        return self._target._core if self._target is not None else None

    def verdict(self) -> str:
        return self._verdict

    def sentence(self) -> str:
        return self._sentence

    def is_refuted(self) -> bool:
        return self._is_refuted

    def result(self) -> int:
        return self._result

    def agreement(self) -> Optional[dict[str, Any]]:
        return self._agreement

    def proof(self) -> Optional[dict[str, Any]]:
        return self._proof

    def json(self) -> str:
        return self._json

    def text(self, width: int, colour: bool) -> str:
        return self._text

    def html(self, network: object, call: str, draw: object) -> str:
        return self._html


class Run:
    """One extraction with all that is known about it.

    >>> import rnnalf
    >>> run = rnnalf.extract("examples/networks/tomita5_rnn30.onnx")
    >>> run.dfa, run.verdict, run.exceptions
    (Dfa(4 states, 1 accepting, over 0 1), 'none-found', [])
    >>> float(run.agreement.shares.min())
    1.0
    """

    def __init__(self, core: Union[_core.Run, KeptRun], network: Optional[_core.Network], call: str) -> None:
        self._core = core
        self._network = network
        self._call = call
        self._dict: Optional[dict[str, Any]] = None

    @property
    def dfa(self) -> Dfa:
        """The result: the automaton whose states pay for themselves."""
        return Dfa._of(self._core.dfa())

    @property
    def hypotheses(self) -> list[Dfa]:
        """All hypotheses of the learner, in order; `result` is the position of the result."""
        return [Dfa._of(one) for one in self._core.hypotheses()]

    @property
    def result(self) -> int:
        """The position of the result among the hypotheses."""
        return self._core.result()

    @property
    def target(self) -> Optional[Dfa]:
        """The language the network was meant to learn, where it was given."""
        core = self._core.target()
        return Dfa._of(core) if core is not None else None

    @property
    def verdict(self) -> str:
        """`none-found`: no oracle found a counterexample; `settled`: larger automata were not worth it; else the limit
        that ended the run: `time-limit`, `max-states`, `max-queries`, `max-rounds`, `max-steps`,
        `memory-limit`, `interrupted`."""
        return self._core.verdict()

    @property
    def ended(self) -> str:
        """How learning ended: `no-counterexample` to the last hypothesis, `not-worth-it`, `limit`, `interrupt`; of
        a baseline `complete`."""
        return str(self._data["ended"])

    @property
    def chosen(self) -> str:
        """Why the result is the hypothesis that it is: `last`, or `smaller` than the last one and as good."""
        return str(self._data["chosen"])

    @property
    def finding(self) -> str:
        """The result in one sentence."""
        return self._core.sentence()

    @property
    def is_refuted(self) -> bool:
        """Whether words are known on which the result and the network differ."""
        return self._core.is_refuted()

    @property
    def agreement(self) -> Union[Agreement, NotMeasured]:
        """How far the result agrees with the network; where that was not measured, a `NotMeasured` with the reason."""
        measured = self._core.agreement()
        if measured is None:
            limited = self.ended in ("limit", "interrupt")
            return NotMeasured(f"the run ended ({self.verdict}) before agreement was measured" if limited else
                               "the automaton covers only some words, so agreement was not measured")
        uniform, language = measured["uniform"], measured["language"]
        return Agreement(uniform[:, 0], uniform[:, 1], _shares(uniform), language[:, 0], _shares(language),
                         measured["pumped"], measured["horizon"], measured["assured"])

    @property
    def proof(self) -> Optional[Certification]:
        """What the search for a proof came to; None where nobody asked for one (certify=True)."""
        found = self._core.proof()
        return Certification(**found) if found is not None else None

    @property
    def exceptions(self) -> list[FoundWord]:
        """Known words on which the result and the network differ, shortest first."""
        return [self._found(record) for record in self._data["exceptions"]]

    @property
    def counterexamples(self) -> list[FoundWord]:
        """The words that the learner was given, in order."""
        return [self._found(record) for record in self._data["counterexamples"]]

    @property
    def families(self) -> list[Family]:
        """Rules behind the exceptions."""
        return [Family(self._text(one["prefix"]), self._text(one["loop"]), self._text(one["suffix"]), one["from"],
                       one["to"], one["network"], one["words"]) for one in self._data["families"]]

    @property
    def evidence(self) -> list[Evidence]:
        """What each oracle says of the result."""
        def of(oracle: str, words_tested: int, claim: str, end: str, counterexample: Optional[list[str]],
               **data: Any) -> Evidence:
            word = self._text(counterexample) if counterexample is not None else None
            return Evidence(oracle, words_tested, claim, end, word, data)

        return [of(**one) for one in self._data["evidence"]]

    @property
    def statistics(self) -> dict[str, Any]:
        """Queries, steps of the network, seconds, ..."""
        return dict(self._data["statistics"])

    @property
    def options(self) -> dict[str, Any]:
        """All options as they were used, defaults included."""
        return dict(self._data["options"])

    @property
    def reproducible(self) -> bool:
        """Whether no clock decided anything: network, options and seed give this run again."""
        return bool(self._data["reproducible"])

    def to_dict(self) -> dict[str, Any]:
        """The run as plain values: what `rnnalf extract --json` writes, format rnnalf.extraction/2."""
        content: dict[str, Any] = json.loads(self._core.json())
        return content

    def summary(self, width: int = 80, colour: bool = False) -> str:
        """What `rnnalf extract` prints."""
        return self._core.text(width, colour)

    def to_html(self) -> str:
        """One page to open in a browser: hypotheses, words to walk, plots. It makes no requests."""
        return self._core.html(self._network, self._call, _display.drawn)

    def __reduce__(self) -> tuple[Any, ...]:
        """Runs can be pickled, to be sent to another process or kept for later. The summary is then that for 80
        columns, and the page what it was."""
        return Run, (KeptRun(self), None, self._call)

    def __deepcopy__(self, memo: object) -> Run:
        return self  # nothing changes it

    def __copy__(self) -> Run:
        return self

    def save(self, path: Path) -> None:
        """Writes a file: .html (the page), .json (everything), or the result as .dot, .alf, .svg, .pdf or .png."""
        file = pathlib.Path(path)
        if file.suffix == ".html":
            file.write_text(self.to_html(), encoding="utf-8")
        elif file.suffix == ".json":
            file.write_text(self._core.json(), encoding="utf-8")
        elif file.suffix in (".dot", ".alf", *_display.PICTURES):
            self.dfa.save(file)
        else:
            raise ValueError(f"{file}: the extension selects the format: .html, .json, .dot, .alf, .svg, .pdf or .png")

    def plot(self, ax: Any = None) -> Any:
        """Plots the share of words on which network and result agree, by length, on axes of matplotlib; returns the
        axes. Lines: random words, and words near the language where an answer is rare."""
        measured = self.agreement
        if not isinstance(measured, Agreement):
            raise ValueError(f"plot: {measured.reason}")
        ax = ax if ax is not None else _display.new_axes()
        ax.plot(measured.lengths, 100 * measured.shares, label=f"random words ({int(measured.words.sum()):,})")
        if len(measured.language_lengths):
            ax.plot(measured.language_lengths, 100 * measured.language_shares, ".", label="words near the language")
        ax.set_xlabel("word length")
        ax.set_ylabel("words on which both agree (%)")
        ax.legend()
        return ax

    def __repr__(self) -> str:
        return self.summary(shutil.get_terminal_size().columns).rstrip("\n")

    def _repr_html_(self) -> str:
        return _display.in_frame(self.to_html())

    @property
    def _data(self) -> dict[str, Any]:
        if self._dict is None:
            self._dict = self.to_dict()
        return self._dict

    def _text(self, symbols: list[str]) -> str:
        compact = all(len(symbol) == 1 for symbol in self._data["network"]["alphabet"])
        return ("" if compact else " ").join(symbols)

    def _found(self, record: dict[str, Any]) -> FoundWord:
        return FoundWord(self._text(record["word"]), record["network"], record.get("probability"), record["target"],
                         record.get("oracle", ""), record.get("how", ""))


def _shares(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    words = counts[:, 1]
    return np.divide(counts[:, 2], words, out=np.ones(len(counts)), where=words > 0)
