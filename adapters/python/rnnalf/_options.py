"""Keyword arguments from the library's option tables: names, ranges and help texts are written there, once."""
from __future__ import annotations

import datetime
import difflib
import inspect
import os
from typing import Any, Callable, Iterable, Mapping, NamedTuple, Optional, Sequence, TypeVar

from rnnalf import _core


class Option(NamedTuple):
    """One option, as the library describes it."""

    name: str
    value: str  #: what to call its value; empty: a flag
    help: str
    default: object  #: "none" where nothing is the default


NETWORK = [Option(*row) for row in _core.network_options()]
EXTRACTION = [Option(*row) for row in _core.extraction_options()]
EVALUATION = [Option(*row) for row in _core.evaluation_options()]
CERTIFICATION = [Option(*row) for row in _core.certification_options()]
COMPARISON = [Option(*row) for row in _core.comparison_options()]


#: Options whose values are names with blanks between them.
LISTS_OF_NAMES = ("alphabet", "classes", "begin", "end", "over", "letters")


def names(*tables: Iterable[Option]) -> set[str]:
    """Of all options of the tables."""
    return {option.name for table in tables for option in table}


def refuse_unknown(function: str, given: Mapping[str, object], known: set[str]) -> None:
    """As Python does for a function whose parameters are written out."""
    for name in given:
        if name not in known:
            meant = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {meant[0]!r}?" if meant else f"options are {', '.join(sorted(known))}"
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}; {hint}")


def chosen(given: Mapping[str, object], *tables: Iterable[Option]) -> dict[str, object]:
    """Those of the tables."""
    known = names(*tables)
    return {name: value for name, value in given.items() if name in known}


def texts(given: Mapping[str, object]) -> list[tuple[str, str]]:
    """Names and values as the library reads them. None means that the option was not given.

    >>> texts({"time_limit": 2.5, "max_states": None, "exact": True, "alphabet": ["a", "bc"]})
    [('time-limit', '2.5'), ('exact', 'true'), ('alphabet', 'a bc ')]
    """
    return [(name.replace("_", "-"), _text(name, value))
            for name, value in given.items() if value is not None]


def _text(name: str, value: object) -> str:
    if name == "empty_word" and isinstance(value, bool):
        return "accept" if value else "reject"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, datetime.timedelta):
        return repr(value.total_seconds())
    if isinstance(value, Sequence):
        parts = [_text(name, part) for part in value]
        # The blank at the end says that blanks separate, also where there is one symbol alone.
        return " ".join(parts) + " " if name in LISTS_OF_NAMES else ",".join(parts)
    if hasattr(value, "item"):  # a number of numpy
        value = value.item()
    return repr(value)


def listed(name: str, values: Any, what: str) -> list[Any]:
    """Several values, or one text alone.

    >>> listed("learners", "lstar", "names"), listed("learners", ("lstar", "ttt"), "names")
    (['lstar'], ['lstar', 'ttt'])
    """
    if isinstance(values, (str, os.PathLike)):
        return [values]
    try:
        return list(values)
    except TypeError:
        raise TypeError(f"{name}: expected {what}, found {values!r}") from None


F = TypeVar("F", bound=Callable[..., object])


def takes_options(*tables: Iterable[Option], without: Sequence[str] = ()) -> Callable[[F], F]:
    """Gives a function with **options the signature and the documentation of all options."""

    def described(function: F) -> F:
        options = [option for table in tables for option in table if option.name not in without]
        signature = inspect.signature(function)
        fixed = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        added = [inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY,
                                   default=default_of(option)) for option in options]
        setattr(function, "__signature__", signature.replace(parameters=fixed + added))
        lines = [f"    {option.name}: {option.help}" for option in options]
        function.__doc__ = (function.__doc__ or "").rstrip() + "\n\n    Options:\n\n" + "\n".join(lines) + "\n"
        return function

    return described


def default_of(option: Option) -> Optional[object]:
    """As Python writes it."""
    if option.name == "empty_word" or option.default == "none":
        return None
    return option.default
