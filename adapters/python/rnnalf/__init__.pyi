# Made by python3 -m rnnalf._stubs; the options come from the library's tables.
import datetime
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from rnnalf._automaton import Alphabet, Path, Word
from rnnalf._automaton import Dfa as Dfa
from rnnalf._certification import Certification as Certification
from rnnalf._judgement import Comparison as Comparison
from rnnalf._judgement import Evaluation as Evaluation
from rnnalf._language_model import LanguageModel as LanguageModel
from rnnalf._language_model import LanguageModelRun as LanguageModelRun
from rnnalf._language_model import Pdfa as Pdfa
from rnnalf._language_model import language_model as language_model
from rnnalf._networks import Model
from rnnalf._networks import Network as Network
from rnnalf._networks import acceptor as acceptor
from rnnalf._run import Agreement as Agreement
from rnnalf._run import Evidence as Evidence
from rnnalf._run import Family as Family
from rnnalf._run import FoundWord as FoundWord
from rnnalf._run import NotMeasured as NotMeasured
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
    language_model: bool = ...,
) -> Any: ...

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
    language_model: bool = ...,
) -> Network: ...

def extract(
    model: Model,
    *,
    target: Optional[Automaton] = ...,
    samples: Union[str, Iterable[Word]] = ...,
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
    language_model: bool = ...,
    learner: str = ...,
    oracle: str = ...,
    oracle_mode: str = ...,
    preset: Optional[str] = ...,
    method: str = ...,
    time_limit: Optional[_Seconds] = ...,
    max_states: Optional[int] = ...,
    max_queries: Optional[int] = ...,
    max_rounds: Optional[int] = ...,
    max_steps: Optional[int] = ...,
    memory_limit: Union[int, str] = ...,
    seed: int = ...,
    threads: int = ...,
    tolerance: float = ...,
    price: float = ...,
    unsure: str = ...,
    until: str = ...,
    alike_symbols: int = ...,
    exact: bool = ...,
    certify: bool = ...,
    plotted_r_states: int = ...,
) -> Any: ...

def evaluate(
    model: Model,
    dfa: Automaton,
    *,
    target: Optional[Automaton] = ...,
    words: Union[str, Iterable[Word]] = ...,
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
    language_model: bool = ...,
    lengths: Union[str, Sequence[int]] = ...,
    per_length: int = ...,
    pumped: int = ...,
    pumped_length: int = ...,
    exhaustive: int = ...,
    seed: int = ...,
    threads: int = ...,
    time_limit: Optional[_Seconds] = ...,
) -> Evaluation: ...

def certify(
    model: Model,
    dfa: Automaton,
    *,
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
    language_model: bool = ...,
    max_run: Optional[int] = ...,
    max_length: Optional[int] = ...,
    letters: Optional[Alphabet] = ...,
    time_limit: Optional[_Seconds] = ...,
    memory_limit: Optional[Union[int, str]] = ...,
    threads: int = ...,
    seed: int = ...,
) -> Certification: ...

def compare(
    networks: Union[Model, Iterable[Model], Mapping[str, Model]],
    *,
    learners: Union[str, Sequence[str]] = ...,
    oracles: Union[str, Sequence[str]] = ...,
    methods: Union[str, Sequence[str]] = ...,
    targets: Optional[Mapping[str, Path]] = ...,
    samples: Union[str, Iterable[str]] = ...,
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
    language_model: bool = ...,
    oracle_mode: str = ...,
    preset: Optional[str] = ...,
    time_limit: Optional[_Seconds] = ...,
    max_states: Optional[int] = ...,
    max_queries: Optional[int] = ...,
    max_rounds: Optional[int] = ...,
    max_steps: Optional[int] = ...,
    memory_limit: Union[int, str] = ...,
    seed: int = ...,
    threads: int = ...,
    tolerance: float = ...,
    price: float = ...,
    unsure: str = ...,
    until: str = ...,
    alike_symbols: int = ...,
    exact: bool = ...,
) -> Comparison: ...
