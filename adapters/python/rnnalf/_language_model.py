"""Language models: networks that predict the next symbol, and the probabilistic automata that are made of them."""
from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Callable, Iterable, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rnnalf import _core, _display, _options
from rnnalf._automaton import Alphabet, Path, Word, symbols_of


class Pdfa:
    """A probabilistic deterministic automaton: in every state probabilities of the symbols and of the end.

    >>> coin = Pdfa("ab", [[0, 0]], [[0.25, 0.25, 0.5]])
    >>> coin.probability("ab"), coin.next("ab")["b"]
    (0.03125, 0.25)
    """

    def __init__(self, alphabet: Alphabet, transitions: Sequence[Sequence[int]],
                 probabilities: Sequence[Sequence[float]], initial: int = 0) -> None:
        self._core = _core.Pdfa(symbols_of(alphabet), [[int(to) for to in row] for row in transitions],
                                [[float(p) for p in row] for row in probabilities], initial)

    @classmethod
    def _of(cls, core: _core.Pdfa) -> Pdfa:
        made = cls.__new__(cls)
        made._core = core
        return made

    @classmethod
    def load(cls, path: Path) -> Pdfa:
        """From a file of JSON or PAutomaC's form; the extension says which: .json, .pautomac or .txt."""
        name = os.fsdecode(path)
        text = pathlib.Path(name).read_text(encoding="utf-8")
        return cls._of(_core.Pdfa.parse(text, pathlib.Path(name).suffix[1:], name))

    def save(self, path: Path) -> None:
        """As .json, .pautomac, .txt (PAutomaC) or .dot."""
        name = pathlib.Path(os.fsdecode(path))
        name.write_text(self._core.text(name.suffix[1:]), encoding="utf-8")

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The symbols, without those that begin and end words."""
        return tuple(self._core.alphabet)

    @property
    def initial(self) -> int:
        """The initial state."""
        return self._core.initial

    @property
    def transitions(self) -> NDArray[np.int64]:
        """The successors: a row per state, a column per symbol."""
        return self._core.transitions()

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """A row per state: of each symbol, and of the end. Each row sums to 1."""
        return self._core.probabilities()

    def log_probability(self, word: Word) -> float:
        """The natural logarithm of `probability`; -inf where it is 0."""
        return self._core.log_probability(word)

    def probability(self, word: Word) -> float:
        """Of the word and of its end."""
        return float(np.exp(self._core.log_probability(word)))

    def next(self, word: Word) -> dict[Optional[str], float]:
        """The probabilities of what comes after a prefix: of each symbol, and under None of the end."""
        row = self.probabilities[self._core.run(word)]
        return dict(zip([*self.alphabet, None], row.tolist()))

    def sample(self, n: int, seed: int = 1) -> list[str]:
        """Random words."""
        return self._core.sample(n, seed)

    def most_probable(self, n: int = 10) -> list[tuple[str, float]]:
        """Words with their probabilities, most probable first."""
        return self._core.most_probable(n)

    def perplexity(self, words: Iterable[Word]) -> float:
        """exp of the mean negative log-probability per symbol, ends included."""
        return self._core.perplexity(_options.listed("words", words, "words"))

    def as_language_model(self) -> LanguageModel:
        """The automaton as an exact teacher, such as for `extract(..., method="quant:q=1000000")`."""
        return LanguageModel(_core.language_model_of_pdfa(self._core))

    def __len__(self) -> int:
        return self._core.size

    def __repr__(self) -> str:
        return f"Pdfa({len(self)} states over {' '.join(self.alphabet[:12])})"


class LanguageModel:
    """A network whose outputs are probabilities of the next symbol: made by `language_model`, or by
    `load(path, language_model=True)`."""

    def __init__(self, core: _core.LanguageModel) -> None:
        self._core = core

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The symbols of words, without those that begin and end them."""
        return tuple(self._core.alphabet)

    def log_probabilities(self, words: Iterable[Word]) -> NDArray[np.float64]:
        """Natural logarithms of the probabilities that the network gives to words with their ends."""
        return self._core.log_probabilities(_options.listed("words", words, "words"))

    def probability(self, word: Word) -> float:
        """Of one word and its end."""
        return float(np.exp(self.log_probabilities([word])[0]))

    def compare_with(self, pdfa: Pdfa, *, words: Iterable[Word] = (), n: int = 2000, seed: int = 1) -> dict[str, Any]:
        """How close an automaton is: decades on n sampled and n uniform words and on given ones, perplexities,
        KL divergence per symbol, word error rate, NDCG, the worst words and loops (docs/language-models.md)."""
        judged: dict[str, Any] = json.loads(
            self._core.judge(pdfa._core, _options.listed("words", words, "words"), n, seed))
        return judged

    def __repr__(self) -> str:
        return f"LanguageModel({self._core.name} over {' '.join(self.alphabet[:12])})"


class LanguageModelRun:
    """What `extract` returns for a language model."""

    def __init__(self, core: _core.LanguageModelRun) -> None:
        self._core = core
        self.pdfa = Pdfa._of(core.pdfa())

    @property
    def data(self) -> dict[str, Any]:
        """The whole run, as `rnnalf extract --json` writes it."""
        data: dict[str, Any] = json.loads(self._core.json())
        return data

    @property
    def judgement(self) -> dict[str, Any]:
        """How close the automaton is, as of `LanguageModel.compare_with`."""
        return dict(self.data["judgement"])

    @property
    def verdict(self) -> str:
        """`settled`, or the limit that ended the run."""
        return str(self.data["verdict"])

    def save(self, path: Path) -> None:
        """The whole run as JSON."""
        pathlib.Path(os.fsdecode(path)).write_text(self._core.json(), encoding="utf-8")

    def __repr__(self) -> str:
        return self._core.text(80)


def language_model(initial: ArrayLike,
                   step: Callable[[NDArray[Any], NDArray[np.int64]], ArrayLike],
                   log_probabilities: Callable[[NDArray[Any]], ArrayLike], *,
                   alphabet: Alphabet, name: str = "language model", begin: Optional[Alphabet] = None,
                   end: Optional[Alphabet] = None, over: Optional[Alphabet] = None) -> LanguageModel:
    """A language model of functions on numpy arrays, a row for each of n states of d numbers.

    initial, step: as for `acceptor`
    log_probabilities(states): shape (n, k): natural logarithms of the probabilities of the next symbol, -inf
        for what is impossible; of all symbols of the alphabet where `end` names the one that ends words, else
        of all and, the last, of the end. Each row's exponentials sum to 1
    begin, end, over: as for `load`: symbols around every word, and those that words are made of

    >>> import numpy as np
    >>> last = language_model([2], lambda states, symbols: symbols[:, None],
    ...                       lambda states: np.log([[.2, .6, .2], [.6, .2, .2], [.4, .4, .2]])[states[:, 0].astype(int)],
    ...                       alphabet="ab")
    >>> round(last.probability("ab"), 3)
    0.048
    """

    def scores(states: NDArray[Any]) -> NDArray[np.float64]:
        logs = np.asarray(log_probabilities(states), dtype=float)
        if logs.ndim != 2 or len(logs) != len(states):
            raise ValueError(f"log_probabilities: expected shape ({len(states)}, k), found {logs.shape}")
        sums = np.exp(logs).sum(axis=1)
        if not np.allclose(sums, 1, atol=1e-3):  # also where one is nan
            wrong = sums[~np.isclose(sums, 1, atol=1e-3)][0]
            raise ValueError("log_probabilities: expected rows whose exponentials sum to 1, found one with the "
                             f"sum {wrong:.6g}")
        return np.maximum(logs, -1e4)  # exp gives 0, and differences stay finite

    options = _options.texts({"begin": begin, "end": end, "over": over})
    return LanguageModel(_core.language_model_of_functions(initial, step, scores, symbols_of(alphabet), name, options))


def load_language_model(path: Path, options: dict[str, object]) -> LanguageModel:
    """Of a file; the options are those of `load`."""
    name = os.fspath(path)
    open(name, "rb").close()  # Python's own error where there is no such file
    given = {key: value for key, value in options.items() if key != "language_model"}
    return LanguageModel(_core.read_language_model(os.fsdecode(name), _options.texts(given)))


def extract_pdfa(model: LanguageModel, chosen: dict[str, object], samples: object,
                 progress: object) -> LanguageModelRun:
    """The use case `extract` on a language model."""
    with _display.ShownProgress(progress) as shown:
        return LanguageModelRun(_core.extract_pdfa(model._core, _options.texts(chosen),
                                                   _options.listed("samples", samples, "words"), shown.callback))
