"""Live torch modules as functions of words: how forward() takes them is found by trying."""
from __future__ import annotations

import contextlib
import inspect
import io
import itertools
import warnings
from typing import Any, Callable, Iterator, Optional, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from rnnalf._automaton import symbols_of

Scores = NDArray[np.float64]
Call = Callable[[NDArray[np.int64]], Any]


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
            self._first, self._second, self._as_indices = first, second, as_indices
            self._call, self._batch_first = self._convention, first
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
        return ["lengths", "hidden", "steps"] if len(required) == 2 else [None]

    def _convention(self, batch: NDArray[np.int64]) -> Any:
        if self._second != "steps":
            return self.module(*self._arguments(batch))
        state = self._zero_state(len(batch))
        scores = None
        for symbols in batch.T:
            scores, state = self.module(self._words(symbols), state)
        return scores

    def _words(self, batch: NDArray[np.int64]) -> Any:
        words = torch.from_numpy(batch).to(self._device)
        return words if self._as_indices else torch.nn.functional.one_hot(words, self._width).to(self._type)

    def _arguments(self, batch: NDArray[np.int64]) -> tuple[Any, ...]:
        if self._second == "steps":
            return self._words(batch[:, 0]), self._zero_state(len(batch))
        words = self._words(batch)
        words = words if self._first else words.transpose(0, 1)
        if self._second == "lengths":
            return words, torch.full((len(batch),), batch.shape[1])
        return (words, self._zero_state(len(batch))) if self._second == "hidden" else (words,)

    def exports(self) -> Iterator[bytes]:
        """The module as ONNX: with its loops, where torch can script it, then traced on one word. Nothing where torch
        cannot export it."""
        arguments = self._arguments(np.arange(5)[None] % self.symbol_count)
        names = ["x", "more"][:len(arguments)]
        axis = 1 if self._first else 0
        training = self.module.training
        self.module.eval()
        try:
            for prepare in (torch.jit.script, lambda module: module):
                file = io.BytesIO()
                try:
                    with torch.no_grad(), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                        warnings.simplefilter("ignore")
                        torch.onnx.export(prepare(self.module), arguments, file, opset_version=15, input_names=names,
                                          dynamic_axes=None if self._second == "steps" else {"x": {axis: "time"}})
                except Exception:  # noqa: BLE001: whatever torch raises on what it cannot export
                    continue
                yield file.getvalue()
        finally:
            self.module.train(training)

    def _zero_state(self, count: int) -> Any:
        """The initial state of the first recurrent layer, as torch's own modules take it; of a cell written by hand,
        zeros of its `hidden_size`."""
        if not self.recurrent:
            return torch.zeros(count, self.module.hidden_size, dtype=self._type, device=self._device)
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
