"""Networks that can be asked: from files, from live torch modules, from functions on numpy arrays."""
from __future__ import annotations

import os
import sys
from typing import Any, Callable, Iterable, Optional, TypeAlias, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rnnalf import _core, _options
from rnnalf._automaton import Alphabet, Path, Word, symbols_of


class Network:
    """A network as a teacher: made by `load`, `network` or `acceptor`.

    >>> net = load("examples/networks/tomita5_rnn30.onnx")
    >>> net.accepts("0110"), net.accepts("011")
    (True, False)
    >>> net
    Network(examples/networks/tomita5_rnn30.onnx: elman-tanh, state size 30, over 0 1)
    """

    def __init__(self, core: _core.Network, file: Optional[str] = None) -> None:
        self._core = core
        self._file = file

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The symbols, in the order of the network's inputs."""
        return tuple(self._core.alphabet)

    @property
    def info(self) -> dict[str, Any]:
        """What is known about it: name, cell, layers, state_size, alphabet, what is assumed, ..."""
        return self._core.summary()

    def accepts(self, word: Word) -> bool:
        """The network's answer for a word; of a network that accepts and rejects."""
        if self.classes > 2:
            raise ValueError(f"expected a network that accepts and rejects, found one of {self.classes} classes; "
                             "ask for its answer, or say accept_class where it is made")
        return self.answer(word) == 1

    def answer(self, word: Word) -> int:
        """1 for accept and 0 for reject, or the class of the word."""
        return int(self._core.classify([word])[0][0])

    @property
    def classes(self) -> int:
        """2: it accepts and rejects. More: every class is an answer of its own."""
        return self._core.classes

    @property
    def class_names(self) -> tuple[str, ...]:
        """What the classes are called, where there are more than two; empty: by their numbers."""
        return tuple(self._core.class_names)

    def probability(self, word: Word) -> float:
        """The probability of accept that the network gives a word; of more classes, that of its answer."""
        return float(self._core.classify([word])[1][0])

    def classify(self, words: Iterable[Word]) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """Answers and probabilities of many words, which are run together. Answers are booleans, or classes where
        there are more than two. Where the numbers of the network are not finite, the probability is nan and the
        answer False, or -1 for a class.

        >>> net = load("examples/networks/tomita5_rnn30.onnx")
        >>> net.classify(["", "01", "0011"])[0]
        array([ True, False,  True])
        """
        answers, probabilities = self._core.classify(words)
        return answers == 1 if self.classes == 2 else answers, probabilities

    def r_states(self, words: Iterable[Word]) -> NDArray[np.float64]:
        """The state vectors after the words, a row each: all layers, for an LSTM hidden and cell part."""
        return self._core.r_states(words)

    def __repr__(self) -> str:
        info = self.info
        symbols = " ".join(self.alphabet[:12]) + (" ..." if len(self.alphabet) > 12 else "")
        return f"Network({info['name']}: {info['cell']}, state size {info['state_size']}, over {symbols})"


#: What can be a teacher: a Network, the name of a network file, or a torch module.
Model: TypeAlias = Union[Network, Path, Any]


@_options.takes_options(_options.NETWORK)
def load(path: Path, **options: object) -> Any:
    """Reads a network file of ONNX, PyTorch, safetensors or Keras; the format is told from the content.
    Nothing in the file is run. Raises ValueError with file, place, expected and found for what is none.
    With language_model=True it is a LanguageModel, else a Network.

    >>> net = load("examples/networks/tomita5_rnn30.onnx", alphabet=["zero", "one"])
    >>> net.accepts("zero one one zero"), net.info["cell"]
    (True, 'elman-tanh')
    """
    _options.refuse_unknown("load", options, _options.names(_options.NETWORK))
    if options.get("language_model"):
        from rnnalf import _language_model
        return _language_model.load_language_model(path, options)
    name = os.fspath(path)
    with open(name, "rb") as file:
        content = file.read()
    _require_files(options)
    return Network(_core.read_network(content, os.fsdecode(name), _options.texts(options), 0), os.fsdecode(name))


def _require_files(options: dict[str, object]) -> None:
    """Python's own error where a file next to the network is missing."""
    for name in ("vocabulary", "probes"):
        path = options.get(name)
        if isinstance(path, (str, os.PathLike)):
            open(path, "rb").close()


def acceptor(initial: ArrayLike,
             step: Callable[[NDArray[Any], NDArray[np.int64]], ArrayLike],
             accepts: Callable[[NDArray[Any]], ArrayLike], *,
             alphabet: Alphabet, name: str = "acceptor", empty_word: Optional[bool] = None,
             begin: Optional[Alphabet] = None, end: Optional[Alphabet] = None,
             over: Optional[Alphabet] = None, classes: Optional[Alphabet] = None) -> Network:
    """A network of functions on numpy arrays, a row for each of n states of d numbers.

    initial: the d numbers of the state after the empty word; float32 makes all states float32
    step(states, symbols): the states after one symbol more; shapes (n, d) and (n,), the symbols as
        their positions in the alphabet; returns shape (n, d)
    accepts(states): shape (n,), booleans, or numbers (log odds) that accept where they are above 0; or
        shape (n, k), a score (as in front of a softmax) for each of k answers, of which the highest is given:
        of two, the second accepts; of more, each is a class
    empty_word: the answer for the empty word; None: that of `accepts`
    begin, end, over: as for `load`: symbols around every word, and those that words are made of
    classes: names of the classes, where there are more than two

    Functions and arrays belong to the extraction while it runs: `step` and `accepts` are called from a thread of their
    own, never from two at once. What is bound to one thread (a GPU stream, a database connection, an event loop)
    must be made inside of them.

    A row of a result must depend on that row of the arguments alone. The functions are called with
    many rows at a time. Where the same row can give other last bits in another batch (as products of
    matrices do in numpy), a word whose score is that close to the threshold may be answered both ways.

    >>> import numpy as np
    >>> balance = acceptor([0.0], lambda states, symbols: states + np.where(symbols == 0, 1, -1)[:, None],
    ...                    lambda states: states[:, 0] % 3 == 0, alphabet="()")
    >>> balance.accepts("((("), balance.accepts("(()")
    (True, False)
    >>> modulo = acceptor([0.0], lambda states, symbols: (states + 1) % 3,
    ...                   lambda states: -(states - np.arange(3)) ** 2, alphabet="a", classes="none one two")
    >>> [modulo.class_names[modulo.answer("a" * length)] for length in range(4)]
    ['none', 'one', 'two', 'none']
    """
    options = _options.texts({"empty_word": empty_word, "begin": begin, "end": end, "over": over,
                              "classes": classes})
    return Network(_core.network_of_functions(initial, step, accepts, symbols_of(alphabet), name,
                                              "Python functions", options))


def is_model(model: object) -> bool:
    """Whether it is one model, and not several: a module of torch may be a sequence, too."""
    torch = sys.modules.get("torch")
    return (isinstance(model, (Network, str, os.PathLike))
            or (torch is not None and isinstance(model, torch.nn.Module)))


@_options.takes_options(_options.NETWORK)
def network(model: Model, *, call: Optional[Callable[[NDArray[np.int64]], Any]] = None,
            output: Optional[str] = None, **options: object) -> Network:
    """The network of a file name or a torch module, ready to be asked; a Network is returned as it is.

    A torch module is run on random words. Where the library's own inference with the module's weights
    gives the same scores (to 1e-5) and answers, the weights are taken over; otherwise the module itself
    is called. `network(...).info` says which, and why.

    call: for a torch module whose forward() takes something else than words: a function from an integer
        array of shape (words, length) to scores of shape (words,) or (words, classes)
    output: "logit" or "probability", where the scores of a module that is called do not say it

    Of two scores the second accepts; of more, each is a class, unless `accept_class` says which one accepts.

    >>> net = network("examples/networks/tomita5_rnn30.onnx")
    >>> network(net) is net, net.classes
    (True, 2)
    """
    _options.refuse_unknown("network", options, _options.names(_options.NETWORK))
    given = {name: value for name, value in options.items() if value is not None}
    if isinstance(model, Network):
        if given or call is not None or output is not None:
            name = next(iter([*given, "call" if call is not None else "output"]))
            raise ValueError(f"{name}: expected it where the network was made, found it beside a Network")
        return model
    if isinstance(model, (str, os.PathLike)):
        read: Network = load(model, **options)
        return read
    if is_model(model):
        from rnnalf import _torch
        return Network(_torch.network_of_module(model, call, output, given))
    raise TypeError("expected a file name, a torch module or a Network (see rnnalf.acceptor), "
                    f"found {type(model).__name__}")
