"""rnnalf and AALpy: a network as AALpy's SUL, the library's oracles as its Oracle, automata both ways.

>>> from aalpy.learning_algs import run_KV
>>> sul = NetworkSUL("examples/networks/tomita5_rnn30.onnx")
>>> machine = run_KV(sul.alphabet, sul, NetworkOracle(sul), "dfa", print_level=0)
>>> from_aalpy(machine, sul.alphabet)
Dfa(4 states, 1 accepting, over 0 1)
"""
from __future__ import annotations

from typing import Any, Iterable, Optional, Sequence, Union

from aalpy.automata import Dfa as AalpyDfa
from aalpy.automata import DfaState, MooreMachine, MooreState
from aalpy.base import SUL, Oracle

from rnnalf import _core, _options
from rnnalf._automaton import Alphabet, Dfa, Word, symbols_of
from rnnalf._networks import Model, network


#: What NetworkOracle asks unless told otherwise. A learner of AALpy continues until its oracle finds nothing, and most networks
#: leave their language on long words: the chain of rnnalf.extract, which settles instead, would keep it learning for ever.
DEFAULT_ORACLE = "samples,abstraction,random:max-length=14"


class NetworkSUL(SUL):  # type: ignore[misc]
    """A network as AALpy's system under learning. Every prefix is run once.

    model: as for rnnalf.extract; options: those of rnnalf.network and, for the oracle, `oracle`
        (DEFAULT_ORACLE), `oracle_mode`, `seed`, `threads` of rnnalf.extract
    """

    def __init__(self, model: Model, *, samples: Iterable[Word] = (), **options: object) -> None:
        super().__init__()
        asked = [row for row in _options.EXTRACTION if row.name in ("oracle", "oracle_mode", "seed", "threads")]
        _options.refuse_unknown("NetworkSUL", options, _options.names(_options.NETWORK, asked) | {"call", "output"})
        about_oracles: dict[str, object] = {"oracle": DEFAULT_ORACLE, **_options.chosen(options, asked)}
        about = {name: value for name, value in options.items() if name not in about_oracles}
        self.network = network(model, **about)  # type: ignore[arg-type]
        self.alphabet = list(self.network.alphabet)
        self.teacher = _core.Teacher(self.network._core, _options.texts(about_oracles), list(samples))
        self._word: list[str] = []

    def _answers(self, word: Sequence[str]) -> list[Union[bool, int]]:
        """For the empty word, then after each symbol: booleans, or the classes of a network of more than two."""
        answers = self.teacher.answers(word)
        return [answer == 1 for answer in answers] if self.network.classes == 2 else list(answers)

    def query(self, word: Sequence[str]) -> list[Union[bool, int]]:
        """The network's answer after each symbol; for the empty word, its one answer."""
        answers = self._answers(word)
        self.num_queries += 1
        self.num_steps += len(word)
        return answers[1:] if word else answers

    def pre(self) -> None:
        """Begins a word."""
        self._word = []

    def post(self) -> None:
        """Ends it."""

    def step(self, letter: Optional[str]) -> Union[bool, int]:
        """The network's answer after one symbol more."""
        if letter is not None:
            self._word.append(letter)
        return self._answers(self._word)[-1]


class NetworkOracle(Oracle):  # type: ignore[misc]
    """The oracles of a NetworkSUL (the abstraction-based one among them) for AALpy's learners.

    time_limit: seconds that one equivalence query may take; None: as long as it takes
    """

    def __init__(self, sul: NetworkSUL, *, time_limit: Optional[float] = None) -> None:
        super().__init__(sul.alphabet, sul)
        self._sul = sul
        self._time_limit = time_limit
        self.stopped = False  #: whether the time ended the last search: None was returned without an answer then

    def find_cex(self, hypothesis: Any) -> Optional[tuple[str, ...]]:
        """A word on which network and hypothesis differ; None: the oracles found none."""
        teacher = self._sul.teacher
        before = teacher.steps
        word, self.stopped = teacher.find(from_aalpy(hypothesis, self._sul.alphabet)._core, self._time_limit)
        self.num_queries += 1
        self.num_steps += teacher.steps - before
        return word


def to_aalpy(dfa: Dfa) -> Any:
    """See Dfa.to_aalpy.

    >>> even = to_aalpy(Dfa("ab", transitions=[[1, 0], [0, 1]], accepting=[True, False]))
    >>> even.step("a"), even.step("b"), even.step("a")
    (False, False, True)
    """
    answers, transitions = dfa.answers.tolist(), dfa.transitions.tolist()
    is_dfa = dfa.classes == 2
    outputs = dfa.class_names or range(dfa.classes)
    states = [DfaState(f"s{state}", answers[state] == 1) if is_dfa else MooreState(f"s{state}", outputs[answers[state]])
              for state in dfa.states]
    for state in dfa.states:
        for symbol, to in zip(dfa.alphabet, transitions[state]):
            states[state].transitions[symbol] = states[to]
    machine = (AalpyDfa if is_dfa else MooreMachine)(states[dfa.initial], states)
    machine.compute_prefixes()
    return machine


def from_aalpy(machine: Any, alphabet: Optional[Alphabet] = None) -> Dfa:
    """See Dfa.from_aalpy."""
    if alphabet is None:
        symbols = sorted({symbol for state in machine.states for symbol in state.transitions}, key=str)
    else:
        symbols = list(symbols_of(alphabet))
    position = {id(state): number for number, state in enumerate(machine.states)}
    sink = len(machine.states)
    table = [[position[id(state.transitions[symbol])] if symbol in state.transitions else sink
              for symbol in symbols] for state in machine.states]
    is_dfa = isinstance(machine, AalpyDfa)
    outputs = [state.is_accepting if is_dfa else state.output for state in machine.states]
    names = _names(outputs)
    answers = [names.index(output) if names else _answer(output) for output in outputs]
    if any(sink in row for row in table):
        if not is_dfa:
            raise ValueError("expected a Moore machine with a transition for every symbol, found one that lacks some")
        table.append([sink] * len(symbols))
        answers.append(0)
    count = max(2, 1 + max(answers))
    return Dfa([str(symbol) for symbol in symbols], table, answers, position[id(machine.initial_state)],
               classes=names or count)


def _names(outputs: Sequence[Any]) -> list[str]:
    """Of classes, where some output is a name: in order, and three at least, as two are no accept and reject."""
    if not any(isinstance(output, str) and not output.isdigit() for output in outputs):
        return []
    names = sorted(map(str, set(outputs)))
    return names + [str(number) for number in range(len(names), 3)]


def _answer(output: Any) -> int:
    """An output of AALpy: a boolean, or the number of a class, which its files keep as text."""
    try:
        answer = int(output)
    except (TypeError, ValueError):
        answer = -1
    if answer < 0:
        raise ValueError(f"expected the number of a class as output, found {output!r}")
    return answer
