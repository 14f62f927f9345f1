"""Writes __init__.pyi, where every option is a keyword argument with a type: python3 -m rnnalf._stubs > FILE.

Options come from the library's tables, so that none is written twice; a test compares the file with this.
"""
from __future__ import annotations

from rnnalf import _options

HEAD = '''# Made by python3 -m rnnalf._stubs; the options come from the library's tables.
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
'''

# name, parameters before the options, tables, options left out, result
FUNCTIONS: tuple[tuple[str, list[str], list[list[_options.Option]], tuple[str, ...], str], ...] = (
    ("load", ["path: Path"], [_options.NETWORK], (), "Any"),
    ("network", ["model: Model"], [_options.NETWORK], (), "Network"),
    ("extract", ["model: Model"], [_options.NETWORK, _options.EXTRACTION], (), "Any"),
    ("evaluate", ["model: Model", "dfa: Automaton"], [_options.NETWORK, _options.EVALUATION], (), "Evaluation"),
    ("certify", ["model: Model", "dfa: Automaton"], [_options.NETWORK, _options.CERTIFICATION], (),
     "Certification"),
    ("compare", ["networks: Union[Model, Iterable[Model], Mapping[str, Model]]"],
     [_options.COMPARISON, _options.NETWORK, _options.EXTRACTION],
     ("learner", "oracle", "method", "certify", "plotted_r_states"), "Comparison"),
)

OF_MODULES = ["call: Optional[Callable[[NDArray[np.int64]], Any]] = ...", "output: Optional[str] = ..."]
PROGRESS = "progress: object = ..."
KEYWORDS: dict[str, list[str]] = {
    "load": [],
    "network": OF_MODULES,
    "extract": ["target: Optional[Automaton] = ...", "samples: Union[str, Iterable[Word]] = ...",
                PROGRESS,
                "on_hypothesis: Optional[Callable[[int, Dfa, float], object]] = ...", *OF_MODULES],
    "evaluate": ["target: Optional[Automaton] = ...", "words: Union[str, Iterable[Word]] = ...", PROGRESS, *OF_MODULES],
    "certify": [PROGRESS, *OF_MODULES],
    "compare": ["learners: Union[str, Sequence[str]] = ...", "oracles: Union[str, Sequence[str]] = ...",
                "methods: Union[str, Sequence[str]] = ...", "targets: Optional[Mapping[str, Path]] = ...",
                "samples: Union[str, Iterable[str]] = ...",
                "store: Optional[Path] = ...", PROGRESS, *OF_MODULES],
}


def type_of(option: _options.Option) -> str:
    """The type of an option's values, from its default and the name of its values.

    >>> type_of(_options.Option("max_states", "N", "", "none"))
    'Optional[int]'
    """
    named = {"empty_word": "Union[None, bool, int, str]", "activation": "Union[None, str, Sequence[str]]",
             "accept_class": "Union[None, int, str]",
             **{name: "Optional[Alphabet]" for name in _options.LISTS_OF_NAMES}}
    if option.name in named:
        return named[option.name]
    by_value = {"": "bool", "D": "Optional[_Seconds]", "B": "Union[int, str]", "N,N...": "Union[str, Sequence[int]]",
                "FILE": "Optional[Path]", "N": "int", "P": "float", "T": "float"}
    kind = by_value.get(option.value, "str")
    if isinstance(option.default, str) and kind == "float":
        kind = "str"  # a choice that is called P as well
    optional = option.default == "none" and not kind.startswith("Optional")
    return f"Optional[{kind}]" if optional else kind


def stubs() -> str:
    """The text of __init__.pyi."""
    text = HEAD
    for name, parameters, tables, left_out, result in FUNCTIONS:
        options = [f"{option.name}: {type_of(option)} = ..." for table in tables for option in table
                   if option.name not in left_out]
        lines = [*parameters, "*", *KEYWORDS[name], *options]
        text += f"\ndef {name}(\n" + "".join(f"    {line},\n" for line in lines) + f") -> {result}: ...\n"
    return text


if __name__ == "__main__":
    print(stubs(), end="")
