"""Live torch modules: their weights are taken over where that gives the same answers, else they are called."""
from __future__ import annotations

import copy
import hashlib
import inspect
import io
import itertools
import math
from typing import Any, Callable, Iterator, Optional, Sequence, Union

import numpy as np
import torch
from numpy.typing import NDArray

from rnnalf import _core, _options
from rnnalf._automaton import symbols_of

TOLERANCE = 1e-5
Scores = NDArray[np.float64]
Call = Callable[[NDArray[np.int64]], Any]

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


# ------------------------------------------------------------ calling the module


class ModuleError(ValueError):
    """Why a module cannot be used, as a sentence."""


def refuse_unusable_weights(module: Any) -> None:
    """Raises ValueError that names the parameter and what to do."""
    for name, parameter in module.named_parameters():
        if parameter.device.type == "meta":
            raise ValueError(f"torch module: parameter '{name}' is on the meta device and has no values. Load the weights first")
        if parameter.dtype in (torch.float16, torch.bfloat16) and parameter.device.type == "cpu":
            raise ValueError(f"torch module: parameter '{name}' has type {parameter.dtype}, with which torch computes little on "
                             "the CPU. Use model.float()")
        if not torch.isfinite(parameter).all():
            raise ValueError(f"torch module: parameter '{name}' contains NaN or infinity. The training diverged, or the file "
                             "is damaged")


class LiveModule:
    """Runs words through a module, in batches of words of one length, without gradients and in eval mode."""

    def __init__(self, module: Any, call: Optional[Call], options: dict[str, object]) -> None:
        self.module = module
        given = options.get("alphabet")
        self.recurrent = [part for part in module.modules() if isinstance(part, torch.nn.RNNBase)]
        embedding = next((part for part in module.modules() if isinstance(part, torch.nn.Embedding)), None)
        inputs = (embedding.num_embeddings if embedding is not None
                  else self.recurrent[0].input_size if self.recurrent else 0)
        if given is not None:
            self.symbols = symbols_of(given)  # type: ignore[arg-type]
        else:
            if inputs == 0:
                raise ValueError("alphabet: expected the symbols, found none; this module has neither an "
                                 "embedding nor a recurrent layer that would say how many there are")
            self.symbols = [str(symbol) for symbol in range(inputs)]
        self.symbol_count = len(self.symbols)
        self._width = self.recurrent[0].input_size if self.recurrent else self.symbol_count
        parameter = next(module.parameters(), None)
        self._device = parameter.device if parameter is not None else "cpu"
        self._type = parameter.dtype if parameter is not None else torch.float32
        self._captured: list[Any] = []
        self._begin: list[Any] = []  # states that the recurrent layers start in, in the order of their calls
        self._batch_first = True  # of what forward() returns
        self._after_each = False  # it returns one score after each symbol: shape (words, length)
        self._call = self._checked(call) if call is not None else self._found_out(embedding is not None, inputs)

    def scores(self, words: Sequence[tuple[int, ...]]) -> Scores:
        """Shape (words,) or (words, classes)."""
        return self.run(words)[0]

    def run(self, words: Sequence[tuple[int, ...]]) -> tuple[Scores, NDArray[np.float64]]:
        """Scores, and the last states of the recurrent layers, a row each."""
        scores: Optional[Scores] = None
        states: Optional[NDArray[np.float64]] = None
        for length in sorted({len(word) for word in words}):
            rows = [i for i, word in enumerate(words) if len(word) == length]
            batch = np.array([words[i] for i in rows], dtype=np.int64).reshape(len(rows), length)
            some, reached = self._run_batch(batch)
            if scores is not None and some.shape[1:] != scores.shape[1:]:
                raise ValueError("torch module: expected as many scores for words of every length, found shapes "
                                 f"{scores.shape[1:]} and {some.shape[1:]}")
            if scores is None or states is None:
                scores = np.empty((len(words), *some.shape[1:]))
                states = np.empty((len(words), reached.shape[1]))
            scores[rows] = some
            states[rows] = reached
        assert scores is not None and states is not None
        return scores, states

    def _run_batch(self, batch: NDArray[np.int64]) -> tuple[Scores, NDArray[np.float64]]:
        self._captured = []
        hooks = [part.register_forward_hook(self._capture) for part in self.recurrent]
        if self._begin:
            hooks += [part.register_forward_pre_hook(self._start) for part in self.recurrent]
        training = self.module.training
        self.module.eval()
        try:
            with torch.no_grad():
                scores = normalised(self._call(batch), batch.shape[0], batch.shape[1], self._batch_first)
        finally:
            self.module.train(training)
            for hook in hooks:
                hook.remove()
        if scores is None:
            raise ModuleError(f"For {len(batch)} words it does not return finite scores of shape ({len(batch)},) or "
                              f"({len(batch)}, classes).")
        if self._after_each:
            scores = scores[:, -1] if scores.ndim == 2 else scores
        return scores, self._states(len(batch))

    def _capture(self, part: Any, inputs: Any, result: Any) -> None:
        reached = result[1]
        self._captured += list(reached) if isinstance(reached, tuple) else [reached]

    def _start(self, part: Any, inputs: Any) -> Any:
        count = 2 if isinstance(part, torch.nn.LSTM) else 1
        begin, self._begin = self._begin[:count], self._begin[count:]
        return inputs[0], tuple(begin) if count == 2 else begin[0]

    def run_from(self, states: NDArray[np.float64],
                 symbols: NDArray[np.int64]) -> tuple[Scores, NDArray[np.float64]]:
        """One symbol each, with the recurrent layers started in these states (as `run` returned them)."""
        self._begin, at = [], 0
        for layers, width in self._shapes:
            part = states[:, at:at + layers * width].reshape(len(states), layers, width).transpose(1, 0, 2)
            self._begin.append(torch.tensor(np.ascontiguousarray(part), dtype=self._type, device=self._device))
            at += layers * width
        try:
            return self._run_batch(symbols[:, None])
        finally:
            self._begin = []

    def _states(self, count: int) -> NDArray[np.float64]:
        """What the hooks saw, where it has a column for every word."""
        self._shapes = [(reached.shape[0], reached.shape[2]) for reached in self._captured if reached.dim() == 3]
        parts = [np.empty((count, 0))]
        for reached in self._captured:
            array = _array(reached)
            if array.ndim == 3 and array.shape[1] == count:
                parts.append(array.transpose(1, 0, 2).reshape(count, -1))
        return np.concatenate(parts, axis=1)

    # -------------------------------------------------------- how forward() wants its words

    def _checked(self, call: Call) -> Call:
        def as_told(batch: NDArray[np.int64]) -> Any:
            return call(batch)
        self._call = as_told
        if self._row_by_row():
            return as_told
        raise ValueError("call: expected scores of shape (words,) or (words, classes), the same for a word alone "
                         "and among others; found others")

    def _found_out(self, embeds: bool, inputs: int) -> Call:
        """How forward() takes words: found by trying, on words whose number is not their length."""
        refuse_unusable_weights(self.module)
        batch_first = [getattr(part, "batch_first", True) for part in self.recurrent] or [True]
        layouts = [True, False] if batch_first[0] else [False, True]
        failures: list[Exception] = []
        for as_indices, first, second in itertools.product([True, False] if embeds else [False, True], layouts,
                                                           self._second_arguments()):
            self._call, self._batch_first = self._convention(as_indices, first, second), first
            try:
                if self._row_by_row():
                    return self._call
                failures.append(self._why_not_row_by_row())
            except Exception as error:  # noqa: BLE001: a wrong guess may raise anything
                failures.append(error)
        if 0 < inputs < self.symbol_count:
            raise ValueError(f"alphabet: {self.symbol_count} symbols, but the module's "
                             f"{'embedding' if embeds else 'first recurrent layer'} takes at most {inputs}")
        # A module that could be run says more about itself than an exception of a wrong guess.
        cause = next((failure for failure in failures if isinstance(failure, ModuleError)), failures[0])
        what = str(cause) if isinstance(cause, ModuleError) else f"It raises {type(cause).__name__}: {cause}."
        raise ValueError(f"torch module: forward() cannot be used as it is. {what} Pass call=, a function from an integer "
                         "array of shape (words, length) to scores of shape (words,) or (words, classes)") from cause

    def _second_arguments(self) -> list[Optional[str]]:
        """What a second argument that forward() requires may be."""
        try:
            parameters = list(inspect.signature(self.module.forward).parameters.values())
        except (TypeError, ValueError):
            return [None]
        required = [one for one in parameters if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
        return ["lengths", "hidden"] if len(required) == 2 else [None]

    def _convention(self, as_indices: bool, batch_first: bool, second: Optional[str]) -> Call:
        def run(batch: NDArray[np.int64]) -> Any:
            words = torch.from_numpy(batch).to(self._device)
            if not as_indices:
                words = torch.nn.functional.one_hot(words, self._width).to(self._type)
            words = words if batch_first else words.transpose(0, 1)
            if second is None:
                return self.module(words)
            return self.module(words, torch.full((len(batch),), batch.shape[1]) if second == "lengths"
                               else self._zero_state(len(batch)))
        return run

    def _zero_state(self, count: int) -> Any:
        """The initial state of the first recurrent layer, as torch's own modules take it."""
        part = self.recurrent[0]
        zeros = torch.zeros(part.num_layers * (2 if part.bidirectional else 1), count, part.hidden_size,
                            dtype=self._type, device=self._device)
        return (zeros, zeros.clone()) if isinstance(part, torch.nn.LSTM) else zeros

    def _why_not_row_by_row(self) -> ModuleError:
        batch = np.random.default_rng(2).integers(self.symbol_count, size=(7, 5))
        if not np.array_equal(self._run_batch(batch)[0], self._run_batch(batch)[0]):
            return ModuleError("It gives the same words different scores, even in eval mode (dropout as a function, noise, "
                               "or a random initial state).")
        return ModuleError("A word has other scores alone than in a batch (normalisation over the batch, or words padded to "
                           "the longest).")

    def _row_by_row(self) -> bool:
        """Whether a word has the same scores alone and among others. Also tells scores after each symbol from
        classes: there are as many as symbols."""
        batch = np.random.default_rng(2).integers(self.symbol_count, size=(7, 5))
        self._after_each = False
        self._after_each = all(self._run_batch(batch[:, :length])[0].shape == (7, length) for length in (3, 5))
        together, _ = self._run_batch(batch)
        alone = np.concatenate([self._run_batch(word[None])[0] for word in batch])
        return together.shape == alone.shape and bool(np.allclose(together, alone, atol=1e-4))


def _array(tensor: Any) -> NDArray[np.float64]:
    if isinstance(tensor, torch.Tensor):
        tensor = tensor.detach().to("cpu", torch.float64).numpy()
    return np.asarray(tensor, dtype=np.float64)


def normalised(result: Any, words: int, length: int, batch_first: bool) -> Optional[Scores]:
    """Scores of shape (words,) or (words, classes) of what forward() returned; of scores after every symbol
    the last; None where it is something else."""
    if isinstance(result, (tuple, list)) and len(result) > 0:
        result = result[0]
    try:
        scores = _array(result)
    except (TypeError, ValueError):
        return None
    if scores.ndim == 3 and batch_first and scores.shape[:2] == (words, length):
        scores = scores[:, -1]
    elif scores.ndim == 3 and not batch_first and scores.shape[:2] == (length, words):
        scores = scores[-1]
    elif scores.ndim == 3 and 1 in (scores.shape[0], scores.shape[1]):
        scores = scores.reshape(-1, scores.shape[2])
    if scores.ndim == 0 and words == 1:
        scores = scores.reshape(1)
    if scores.ndim == 1 and words == 1 and len(scores) > 1:
        scores = scores.reshape(1, -1)
    if scores.ndim not in (1, 2) or scores.shape[0] != words or not np.isfinite(scores).all():
        return None
    return scores[:, 0] if scores.ndim == 2 and scores.shape[1] == 1 else scores


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
    given = dict(options, alphabet=options.get("alphabet", live.symbols))
    # The check is about words as the module reads them.
    shown = {name: given.pop(name) for name in ("begin", "end", "over", "empty_word") if name in given}
    # Told by name, an option is not tried otherwise.
    poolings = POOLINGS if "head_from" not in given else (given["head_from"],)
    activations = ACTIVATIONS if "activation" not in given else (given["activation"],)
    for pooling, activation in itertools.product(poolings, activations):
        wanted = dict(given, head_from=pooling, activation=activation)
        try:
            in_doubles = _core.read_network(file.getvalue(), name, _options.texts(dict(wanted, precision="double")), 0)
        except ValueError as error:
            refusal = refusal or str(error)
            continue
        answer, probability = in_doubles.classify(words)
        for (_, theirs), their_answers in zip(readings, answers):
            distance = float(np.abs(probability - theirs).max())
            best = min(best, distance)
            if distance <= TOLERANCE and (answer == their_answers).all():
                asked = _options.texts({**wanted, **shown})
                return _core.read_network(file.getvalue(), name, asked, len(words)), ""
    if best < math.inf:
        refusal = f"it is not what its weights say in any usual arrangement: scores are {best:.1g} apart at best"
    return None, refusal


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
