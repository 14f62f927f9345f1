# Made by python3 -m rnnalf._stubs; the options come from the library's tables.
import datetime
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from rnnalf._automaton import Alphabet, Path, Word
from rnnalf._automaton import Dfa as Dfa
from rnnalf._judgement import Certification as Certification
from rnnalf._judgement import Comparison as Comparison
from rnnalf._judgement import Evaluation as Evaluation
from rnnalf._networks import Model
from rnnalf._networks import Network as Network
from rnnalf._networks import acceptor as acceptor
from rnnalf._run import Agreement as Agreement
from rnnalf._run import Evidence as Evidence
from rnnalf._run import Family as Family
from rnnalf._run import FoundWord as FoundWord
from rnnalf._run import Run as Run
from rnnalf._use_cases import Automaton
from rnnalf._use_cases import learners as learners
from rnnalf._use_cases import oracles as oracles

__version__: str
__all__: list[str]
_Seconds = Union[float, str, datetime.timedelta]

def load(
    path: Path,
    *,
    alphabet: Optional[Alphabet] = ...,
    vocabulary: Optional[Path] = ...,
    begin: Optional[Alphabet] = ...,
    end: Optional[Alphabet] = ...,
    over: Optional[Alphabet] = ...,
    cell: Optional[str] = ...,
    head_from: Optional[str] = ...,
    activation: Union[None, str, Sequence[str]] = ...,
    probes: Optional[Path] = ...,
    classes: Optional[Alphabet] = ...,
    accept_class: Union[None, int, str] = ...,
    empty_word: Union[None, bool, int, str] = ...,
    precision: str = ...,
) -> Network: ...

def network(
    model: Model,
    *,
    call: Optional[Callable[[NDArray[np.int64]], Any]] = ...,
    output: Optional[str] = ...,
    alphabet: Optional[Alphabet] = ...,
    vocabulary: Optional[Path] = ...,
    begin: Optional[Alphabet] = ...,
    end: Optional[Alphabet] = ...,
    over: Optional[Alphabet] = ...,
    cell: Optional[str] = ...,
    head_from: Optional[str] = ...,
    activation: Union[None, str, Sequence[str]] = ...,
    probes: Optional[Path] = ...,
    classes: Optional[Alphabet] = ...,
    accept_class: Union[None, int, str] = ...,
    empty_word: Union[None, bool, int, str] = ...,
    precision: str = ...,
) -> Network: ...

def extract(
    model: Model,
    *,
    target: Optional[Automaton] = ...,
    samples: Iterable[Word] = ...,
    progress: object = ...,
    on_hypothesis: Optional[Callable[[int, Dfa, float], object]] = ...,
    call: Optional[Callable[[NDArray[np.int64]], Any]] = ...,
    output: Optional[str] = ...,
    alphabet: Optional[Alphabet] = ...,
    vocabulary: Optional[Path] = ...,
    begin: Optional[Alphabet] = ...,
    end: Optional[Alphabet] = ...,
    over: Optional[Alphabet] = ...,
    cell: Optional[str] = ...,
    head_from: Optional[str] = ...,
    activation: Union[None, str, Sequence[str]] = ...,
    probes: Optional[Path] = ...,
    classes: Optional[Alphabet] = ...,
    accept_class: Union[None, int, str] = ...,
    empty_word: Union[None, bool, int, str] = ...,
    precision: str = ...,
    learner: str = ...,
    oracle: str = ...,
    oracle_mode: str = ...,
    preset: Optional[str] = ...,
    method: str = ...,
    time_limit: _Seconds = ...,
    max_states: Optional[int] = ...,
    max_queries: Optional[int] = ...,
    max_rounds: Optional[int] = ...,
    max_steps: Optional[int] = ...,
    memory_limit: Union[int, str] = ...,
    seed: int = ...,
    threads: int = ...,
    tolerance: float = ...,
    price: float = ...,
    until: str = ...,
    alike_symbols: int = ...,
    exact: bool = ...,
) -> Run: ...

def evaluate(
    model: Model,
    dfa: Automaton,
    *,
    target: Optional[Automaton] = ...,
    words: Iterable[Word] = ...,
    time_limit: Optional[float] = ...,
    threads: int = ...,
    progress: object = ...,
    call: Optional[Callable[[NDArray[np.int64]], Any]] = ...,
    output: Optional[str] = ...,
    alphabet: Optional[Alphabet] = ...,
    vocabulary: Optional[Path] = ...,
    begin: Optional[Alphabet] = ...,
    end: Optional[Alphabet] = ...,
    over: Optional[Alphabet] = ...,
    cell: Optional[str] = ...,
    head_from: Optional[str] = ...,
    activation: Union[None, str, Sequence[str]] = ...,
    probes: Optional[Path] = ...,
    classes: Optional[Alphabet] = ...,
    accept_class: Union[None, int, str] = ...,
    empty_word: Union[None, bool, int, str] = ...,
    precision: str = ...,
    lengths: Union[str, Sequence[int]] = ...,
    per_length: int = ...,
    pumped: int = ...,
    pumped_length: int = ...,
    exhaustive: int = ...,
    seed: int = ...,
) -> Evaluation: ...

def certify(
    model: Model,
    dfa: Automaton,
    *,
    time_limit: Optional[float] = ...,
    max_run: int = ...,
    max_length: int = ...,
    letters: Optional[Alphabet] = ...,
    seed: int = ...,
    threads: int = ...,
    progress: object = ...,
    call: Optional[Callable[[NDArray[np.int64]], Any]] = ...,
    output: Optional[str] = ...,
    alphabet: Optional[Alphabet] = ...,
    vocabulary: Optional[Path] = ...,
    begin: Optional[Alphabet] = ...,
    end: Optional[Alphabet] = ...,
    over: Optional[Alphabet] = ...,
    cell: Optional[str] = ...,
    head_from: Optional[str] = ...,
    activation: Union[None, str, Sequence[str]] = ...,
    probes: Optional[Path] = ...,
    classes: Optional[Alphabet] = ...,
    accept_class: Union[None, int, str] = ...,
    empty_word: Union[None, bool, int, str] = ...,
    precision: str = ...,
) -> Certification: ...

def compare(
    networks: Union[Iterable[Model], Mapping[str, Model]],
    *,
    learners: Sequence[str] = ...,
    oracles: Sequence[str] = ...,
    methods: Sequence[str] = ...,
    targets: Optional[Mapping[str, Path]] = ...,
    samples: Iterable[str] = ...,
    store: Optional[Path] = ...,
    progress: object = ...,
    call: Optional[Callable[[NDArray[np.int64]], Any]] = ...,
    output: Optional[str] = ...,
    lengths: Union[str, Sequence[int]] = ...,
    per_length: int = ...,
    repeat: int = ...,
    alphabet: Optional[Alphabet] = ...,
    vocabulary: Optional[Path] = ...,
    begin: Optional[Alphabet] = ...,
    end: Optional[Alphabet] = ...,
    over: Optional[Alphabet] = ...,
    cell: Optional[str] = ...,
    head_from: Optional[str] = ...,
    activation: Union[None, str, Sequence[str]] = ...,
    probes: Optional[Path] = ...,
    classes: Optional[Alphabet] = ...,
    accept_class: Union[None, int, str] = ...,
    empty_word: Union[None, bool, int, str] = ...,
    precision: str = ...,
    oracle_mode: str = ...,
    preset: Optional[str] = ...,
    time_limit: _Seconds = ...,
    max_states: Optional[int] = ...,
    max_queries: Optional[int] = ...,
    max_rounds: Optional[int] = ...,
    max_steps: Optional[int] = ...,
    memory_limit: Union[int, str] = ...,
    seed: int = ...,
    threads: int = ...,
    tolerance: float = ...,
    price: float = ...,
    until: str = ...,
    alike_symbols: int = ...,
    exact: bool = ...,
) -> Comparison: ...
