"""Live torch modules: their weights are taken over where that gives the same answers, else they are called."""
from __future__ import annotations

import copy
import hashlib
import io
import itertools
import math
from typing import Any, Iterator, Optional, Union

import numpy as np
import torch
from numpy.typing import NDArray

from rnnalf import _core, _options
from rnnalf._torch_live import Call, LiveModule, Scores

TOLERANCE = 1e-5

# Tried in this order where the module's parts do not say what happens between them.
POOLINGS = ("last", "mean", "max", "sum", "mean+max", "max+mean", "last+mean+max", "last+max+mean")
ACTIVATIONS = (None, "none", "relu", "tanh", "sigmoid", "leaky-relu", "elu", "gelu", "gelu-tanh", "silu", "hard-sigmoid",
               "softsign")


def network_of_module(module: Any, call: Optional[Call], output: Optional[str],
                      options: dict[str, object]) -> _core.Network:
    """See rnnalf.network.

    >>> class Last(torch.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.rnn, self.head = torch.nn.GRU(2, 3, batch_first=True), torch.nn.Linear(3, 4)
    ...     def forward(self, words):
    ...         return self.head(self.rnn(words)[0][:, -1])
    >>> network = network_of_module(Last(), None, None, {"alphabet": "ab"})
    >>> network.classes, network.summary()["cell"], network.summary()["calls_python"]
    (4, 'gru', False)
    """
    if output not in (None, "logit", "probability"):
        raise ValueError(f"output: expected 'logit' or 'probability', found {output!r}")
    live = LiveModule(module, call, options)
    exact = _exact(live, call, options)
    words = random_words(live.symbol_count)
    taken, why_not = _taken_over(module, words, exact, output, options)
    if taken is None and call is None:
        taken = _traced(live, exact, words, output, options)
    return taken if taken is not None else called(live, exact, words, output, options, why_not)


def _exact(live: LiveModule, call: Optional[Call], options: dict[str, object]) -> LiveModule:
    """The module in double precision, where rounding does not grow with the word; as it is where that cannot be."""
    if call is not None:
        return live
    try:
        return LiveModule(copy.deepcopy(live.module).double(), None, options)
    except Exception:  # noqa: BLE001: whatever a module does that cannot be copied, or computes with floats of its own
        return live


def random_words(symbols: int, seed: int = 1) -> list[tuple[int, ...]]:
    """Every word of one symbol (up to 64), and words of all lengths up to 20 and of 60.

    >>> [len(word) for word in random_words(2)][:5], len(random_words(2))
    ([1, 1, 2, 2, 2], 102)
    """
    random = np.random.default_rng(seed)
    words: list[tuple[int, ...]] = [(symbol,) for symbol in range(min(symbols, 64))]
    for length in [*range(2, 21), 60]:
        words += [tuple(map(int, random.integers(symbols, size=length))) for _ in range(5)]
    return words


# ------------------------------------------------------------ what scores mean


def probabilities(scores: Scores, accept_class: Optional[int], output: Optional[str]) -> Iterator[tuple[str, Scores]]:
    """The readings that scores allow, each with the probability of accept of every word; of classes, with that of its
    class.

    >>> [(reading, shares.round(2).tolist()) for reading, shares in probabilities(np.array([0.0, 1.0]), 0, None)]
    [('logit', [0.5, 0.73]), ('probability', [0.0, 1.0])]
    """
    if scores.ndim == 1:
        if output != "probability":
            yield "logit", 1 / (1 + np.exp(-np.clip(scores, -500, 500)))
        if output != "logit" and ((0 <= scores) & (scores <= 1)).all():
            yield "probability", scores
        return
    of = (np.arange(len(scores)), scores.argmax(axis=1) if accept_class is None else accept_class)
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    yield "logit", (shifted / shifted.sum(axis=1, keepdims=True))[of]
    if are_shares(scores):
        yield "probability", scores[of]


def are_shares(scores: Scores) -> bool:
    """Whether the scores of each word are probabilities of several classes."""
    return bool(((0 <= scores) & (scores <= 1)).all() and np.allclose(scores.sum(axis=1), 1, atol=1e-4))


def _accept_class(scores: Scores, options: dict[str, object]) -> Optional[int]:
    """The class that means accept; None: each of them is an answer of its own."""
    names = _class_names(options)
    if scores.ndim == 1:
        if names:
            raise ValueError("classes: expected several scores of each word to name, found one")
        return 0
    classes = scores.shape[1]
    if names and len(names) != classes:
        raise ValueError(f"classes: expected {classes} names, one for each score, found {len(names)}")
    chosen: Any = options.get("accept_class")
    if chosen is None and classes > 2:
        return None
    if chosen in names:
        return int(names.index(chosen))
    number = 1 if chosen is None else int(chosen) if str(chosen).isdigit() else -1
    if not 0 <= number < classes:
        raise ValueError(f"accept_class: expected a class below {classes}, found {chosen!r}")
    return number


def _class_names(options: dict[str, object]) -> list[str]:
    given: Any = options.get("classes") or []
    return given.split() if isinstance(given, str) else list(given)


def decisions(scores: Scores, accept_class: Optional[int], reading: str) -> NDArray[np.int64]:
    """The module's own answers: 1 for accept and 0 for reject, or classes."""
    if scores.ndim == 1:
        return np.asarray(scores > (0 if reading == "logit" else 0.5), dtype=np.int64)
    if accept_class is None:
        return np.asarray(scores.argmax(axis=1), dtype=np.int64)
    others = np.delete(scores, accept_class, axis=1).max(axis=1)
    return np.asarray(scores[:, accept_class] > others, dtype=np.int64)


# ------------------------------------------------------------ taking the weights over


def skeleton(module: Any) -> Any:
    """The module's tree with torch's own modules in it, the user's classes replaced by plain containers: a file
    of it holds weights and the kinds of torch's modules, whatever the user's classes are."""
    if type(module).__module__.split(".")[0] == "torch" and not module._modules:
        return module
    plain = torch.nn.Module()
    plain._parameters = module._parameters
    plain._buffers = module._buffers
    plain._modules = type(module._modules)((name, skeleton(part)) for name, part in module._modules.items()
                                           if part is not None)
    return plain


def _taken_over(module: Any, words: list[tuple[int, ...]], live: LiveModule, output: Optional[str],
                options: dict[str, object]) -> tuple[Optional[_core.Network], str]:
    """The library's own network, where it answers as the live module does; else None, and why."""
    scores = live.scores(words)
    file = io.BytesIO()
    try:
        torch.save(skeleton(module), file)
    except Exception as error:  # a part that cannot be pickled: whatever it raises
        return None, f"its parts cannot be saved: {error}"
    accept_class = _accept_class(scores, options)
    readings = list(probabilities(scores, accept_class, output))
    answers = [decisions(scores, accept_class, reading) for reading, _ in readings]
    name = f"{type(module).__name__} (torch)"
    refusal = ""
    best = math.inf
    given, shown = _asked(live, options)
    # Told by name, an option is not tried otherwise.
    poolings = POOLINGS if "head_from" not in given else (given["head_from"],)
    activations = ACTIVATIONS if "activation" not in given else (given["activation"],)
    for pooling, activation in itertools.product(poolings, activations):
        wanted = dict(given, head_from=pooling, activation=activation)
        try:
            in_doubles = _as_read(file.getvalue(), name, wanted, live)
        except ValueError as error:
            refusal = refusal or str(error)
            continue
        distance = _distance(in_doubles, words, readings, answers)
        best = min(best, distance)
        if distance <= TOLERANCE:
            return _core.read_network(file.getvalue(), name, _options.texts({**wanted, **shown}), len(words)), ""
    if best < math.inf:
        refusal = f"it is not what its weights say in any usual arrangement: scores are {best:.1g} apart at best"
    return None, refusal


def _asked(live: LiveModule, options: dict[str, object]) -> tuple[dict[str, object], dict[str, object]]:
    """The options of a reader, and those about words: the check is about words as the module reads them."""
    given = dict(options, alphabet=options.get("alphabet", live.symbols))
    return given, {name: given.pop(name) for name in ("begin", "end", "over", "empty_word") if name in given}


def _as_read(file: bytes, name: str, wanted: dict[str, object], live: LiveModule) -> _core.Network:
    """The network of a file in double precision, over all symbols, padding among them."""
    return _core.read_network(file, name, _options.texts(dict(wanted, precision="double", over=live.symbols)), 0)


def _distance(network: _core.Network, words: list[tuple[int, ...]], readings: list[tuple[str, Scores]],
              answers: list[NDArray[np.int64]]) -> float:
    """How far apart probabilities are at most, by the best reading; infinite where the answer to a word differs."""
    answer, probability = network.classify(words)
    return min((float(np.abs(probability - theirs).max()) for (_, theirs), their_answers in zip(readings, answers)
                if (answer == their_answers).all() and np.isfinite(probability).all()), default=math.inf)


# ------------------------------------------------------------ tracing it


def _traced(live: LiveModule, exact: LiveModule, words: list[tuple[int, ...]], output: Optional[str],
            options: dict[str, object]) -> Optional[_core.Network]:
    """The library's own network of what torch exports, where it answers as the live module does."""
    scores = exact.scores(words)
    accept_class = _accept_class(scores, options)
    readings = list(probabilities(scores, accept_class, output))
    answers = [decisions(scores, accept_class, reading) for reading, _ in readings]
    name = f"{type(live.module).__name__} (torch)"
    given, shown = _asked(live, options)
    wanted = {key: value for key, value in given.items() if key not in ("head_from", "activation", "cell")}
    for file in live.exports():
        try:
            found = _as_read(file, name, wanted, live)
        except ValueError:
            continue
        if _distance(found, words, readings, answers) <= TOLERANCE:
            return _core.read_network(file, name, _options.texts({**wanted, **shown}), len(words))
    return None


# ------------------------------------------------------------ calling it for every word


def called(live: LiveModule, exact: LiveModule, words: list[tuple[int, ...]], output: Optional[str],
           options: dict[str, object], why_not: str) -> _core.Network:
    """The module itself as the network: symbol by symbol where that gives the same scores, else every word is run
    from its start."""
    scores = exact.scores(words)
    usable = {"begin", "end", "over", "empty_word"}
    unusable = sorted(set(options) - usable - {"alphabet", "classes", "accept_class"})
    if unusable:
        raise ValueError(f"{unusable[0]}: the module itself is called ({why_not}), which it cannot change")
    accept_class = _accept_class(scores, options)
    if output is None and scores.ndim == 1 and ((0 <= scores) & (scores <= 1)).all():
        raise ValueError("output: expected 'logit' or 'probability', found neither; all scores of the module lie "
                         "between 0 and 1, and either could be meant")
    if output is None and scores.ndim == 2 and are_shares(scores):
        output = "probability"
    empty_word = options.get("empty_word")
    meaning = Meaning(accept_class, output or "logit")
    never_empty = empty_word is not None or options.get("begin") is not None
    empty_score = np.zeros_like(meaning.kept(scores[:1])) if never_empty else _score_of_empty_word(live, meaning)
    steps = _can_be_stepped(exact, words, scores)
    network: Union[SteppedModule, RerunModule] = (SteppedModule(live, meaning, empty_score) if steps
                                                  else RerunModule(live, meaning, empty_score))
    how = "symbol by symbol" if steps else "every word from its start"
    about = {name: options.get(name) for name in sorted(usable)}
    if accept_class is None:
        about["classes"] = _class_names(options) or None
    return _core.network_of_functions(network.initial, network.step, network.accepts, live.symbols,
                                      f"{type(live.module).__name__} (torch)",
                                      f"torch module, called {how} ({why_not})", _options.texts(about))


class Meaning:
    """How scores become what rnnalf.acceptor takes: a column of margins, above 0 where the module accepts, or a column
    for each class."""

    def __init__(self, accept_class: Optional[int], reading: str) -> None:
        self._accept_class = accept_class
        self._reading = reading

    def kept(self, scores: Scores) -> Scores:
        """Shape (words, 1), log odds where there is one score or two; or (words, classes)."""
        if self._reading == "probability":
            certain = np.clip(scores, 1e-12, 1 - 1e-12)
            scores = np.log(certain / (1 - certain)) if scores.ndim == 1 else np.log(certain)
        if scores.ndim == 1:
            return scores[:, None]
        if self._accept_class is None:
            return scores
        others = np.delete(scores, self._accept_class, axis=1).max(axis=1)
        return np.asarray(scores[:, self._accept_class] - others)[:, None]


def judged(kept: Scores) -> Scores:
    """What `accepts` of rnnalf.acceptor returns of what Meaning.kept gave."""
    return kept[:, 0] if kept.shape[1] == 1 else kept


def _score_of_empty_word(live: LiveModule, meaning: Meaning) -> Scores:
    try:
        return meaning.kept(live.scores([()]))
    except Exception as error:  # noqa: BLE001: whatever a module raises on words without symbols
        raise ValueError("empty_word: expected True or False, because the module cannot be run on the empty word "
                         f"({error})") from None


def _can_be_stepped(exact: LiveModule, words: list[tuple[int, ...]], scores: Scores) -> bool:
    """Whether a word has the same scores when the recurrent layers are started again after every symbol."""
    if not exact.recurrent:
        return False
    try:
        for length in sorted({len(word) for word in words}):
            rows = [i for i, word in enumerate(words) if len(word) == length]
            batch = np.array([words[i] for i in rows], dtype=np.int64)
            found, states = exact.run([(int(symbol),) for symbol in batch[:, 0]])
            for symbols in batch.T[1:]:
                found, states = exact.run_from(states, symbols)
            if not np.allclose(found, scores[rows], rtol=0, atol=TOLERANCE):
                return False
    except Exception:  # noqa: BLE001: a module that starts its layers itself, or calls them in ways of its own
        return False
    return True


class SteppedModule:
    """A module as an acceptor whose R-states are [1 before the first symbol and 0 after it, the scores, the states of
    the recurrent layers]."""

    def __init__(self, live: LiveModule, meaning: Meaning, empty_score: Scores) -> None:
        self._live = live
        self._meaning = meaning
        self._scores = slice(1, 1 + empty_score.shape[1])
        _, states = live.run([(0,)])
        self.initial = np.concatenate([[1], empty_score[0], np.zeros(states.shape[1])])

    def step(self, states: NDArray[np.float64], symbols: NDArray[np.int64]) -> NDArray[np.float64]:
        """Runs each symbol from its state; first symbols as the module itself begins."""
        rows = np.empty_like(states)
        first = states[:, 0] == 1
        if first.any():
            rows[first] = self._rows(*self._live.run([(symbol,) for symbol in symbols[first].tolist()]))
        if not first.all():
            rows[~first] = self._rows(*self._live.run_from(states[~first, self._scores.stop:], symbols[~first]))
        return rows

    def accepts(self, states: NDArray[np.float64]) -> NDArray[np.float64]:
        """The scores, which are known."""
        return judged(states[:, self._scores])

    def _rows(self, scores: Scores, states: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.column_stack([np.zeros(len(scores)), self._meaning.kept(scores), states])


class RerunModule:
    """A module as an acceptor whose R-states are words: [a number that tells the word, its scores, the states
    of the recurrent layers after it]. That number is smaller than 1e-6, so that it does not count where R-states
    are compared."""

    def __init__(self, live: LiveModule, meaning: Meaning, empty_score: Scores) -> None:
        self._live = live
        self._meaning = meaning
        self._scores = slice(1, 1 + empty_score.shape[1])
        self._words: dict[float, tuple[int, ...]] = {}
        _, states = live.run([(0,)])
        self.initial = np.concatenate([[self._number(())], empty_score[0], np.zeros(states.shape[1])])

    def step(self, states: NDArray[np.float64], symbols: NDArray[np.int64]) -> NDArray[np.float64]:
        """Runs each word with its new symbol."""
        words = [self._words[number] + (symbol,) for number, symbol in zip(states[:, 0].tolist(), symbols.tolist())]
        scores, reached = self._live.run(words)
        numbers = [self._number(word) for word in words]
        return np.column_stack([numbers, self._meaning.kept(scores), reached])

    def accepts(self, states: NDArray[np.float64]) -> NDArray[np.float64]:
        """The scores, which are known."""
        return judged(states[:, self._scores])

    def _number(self, word: tuple[int, ...]) -> float:
        digest = hashlib.blake2b(np.array(word, dtype=np.int64).tobytes(), digest_size=8).digest()
        number = int.from_bytes(digest, "little") >> 12
        while self._words.setdefault(number * 2.0**-72, word) != word:
            number = (number + 1) % 2**52
        return number * 2.0**-72
