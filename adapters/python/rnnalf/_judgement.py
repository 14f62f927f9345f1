"""What evaluate, certify and compare return."""
from __future__ import annotations

import json
import pathlib
import shutil
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from rnnalf import _core, _display, _options
from rnnalf._automaton import Path
from rnnalf._run import FoundWord


class Evaluation:
    """How far an automaton is from a network, and both from the language that was meant."""

    def __init__(self, found: dict[str, Any]) -> None:
        self._found = found

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Of the uniform words."""
        return np.array([one["length"] for one in self._found["by_length"]], dtype=np.int64)

    @property
    def shares(self) -> NDArray[np.float64]:
        """For each length, the share of words on which network and automaton agree."""
        return self._by_length("network_dfa")

    @property
    def network_target(self) -> NDArray[np.float64]:
        """The same of network and target; empty without one."""
        return self._by_length("network_target")

    @property
    def dfa_target(self) -> NDArray[np.float64]:
        """The same of automaton and target; empty without one."""
        return self._by_length("dfa_target")

    @property
    def accepted(self) -> NDArray[np.float64]:
        """The share of words that the network accepts: near 0 or 1 these words say little."""
        return self._by_length("accepted")

    @property
    def pumped(self) -> Optional[float]:
        """Of words p u^k s: the share on which network and automaton agree."""
        return self._share("pumped")

    @property
    def given(self) -> Optional[float]:
        """The same of the given words."""
        return self._share("given")

    @property
    def exhaustive(self) -> Optional[float]:
        """The same of all words of up to `exhaustive_length` symbols."""
        return self._share("exhaustive")

    @property
    def exhaustive_length(self) -> Optional[int]:
        """The largest length of which all words were compared."""
        length: Optional[int] = self._found["exhaustive_length"]
        return length

    @property
    def disagreements(self) -> list[FoundWord]:
        """The shortest words found on which network and automaton differ."""
        return [FoundWord(**one) for one in self._found["disagreements"]]

    @property
    def equals_target(self) -> Optional[bool]:
        """Whether automaton and target have the same language, exactly; None without a target."""
        equal: Optional[bool] = self._found["equal_to_target"]
        return equal

    @property
    def separating_word(self) -> Optional[str]:
        """The first word on which automaton and target differ."""
        word: Optional[str] = self._found["separating_word"]
        return word

    @property
    def complete(self) -> bool:
        """False: a limit or Ctrl-C ended it; what is there is whole."""
        return bool(self._found["complete"])

    def to_dict(self) -> dict[str, Any]:
        """As plain values: counts of words."""
        return dict(self._found)

    def __repr__(self) -> str:
        worst = f"{100 * self.shares.min():.2f} % or more" if len(self.shares) else "nothing measured"
        longest = f" on words of up to {self.lengths.max()} symbols" if len(self.lengths) else ""
        words = [one.word for one in self.disagreements[:3]]
        differ = f"; differ on {', '.join(map(repr, words))}" if words else "; no word found on which they differ"
        return f"Evaluation({worst} agreement{longest}{differ})"

    def _by_length(self, what: str) -> NDArray[np.float64]:
        rows = [one for one in self._found["by_length"] if what in one]
        return np.array([one[what] / one["words"] if one["words"] else 1.0 for one in rows])

    def _share(self, part: str) -> Optional[float]:
        counts = self._found[part]
        if counts is None or counts["words"] == 0:
            return None
        return float(counts["network_dfa"] / counts["words"])


class Comparison:
    """Many extractions, measured alike: a cell for each."""

    def __init__(self, core: _core.Comparison, planned: int) -> None:
        self._core = core
        self._planned = planned

    @property
    def complete(self) -> bool:
        """False: Ctrl-C ended it; the extractions that were finished are there."""
        return len(self) == self._planned

    @property
    def cells(self) -> list[dict[str, Any]]:
        """What was run and what came out, as plain values."""
        return [json.loads(line) for line in self._core.cells()]

    def __len__(self) -> int:
        return len(self._core.cells())

    def __reduce__(self) -> tuple[Any, ...]:
        return _comparison_of, (self._core.cells(), self._planned)

    def to_csv(self) -> str:
        """A line for each cell."""
        return self._core.csv()

    def to_pandas(self) -> Any:
        """A row for each cell, as in the CSV."""
        import io

        import pandas
        return pandas.read_csv(io.StringIO(self._core.csv()))

    def to_latex(self, columns: Union[str, Sequence[str]] = ()) -> str:
        """The table for LaTeX, with booktabs; `columns` are names of the CSV."""
        return self._core.latex(_options.listed("columns", columns, "names"))

    def to_html(self) -> str:
        """One page to open in a browser."""
        return self._core.html()

    def table(self, columns: Union[str, Sequence[str]] = (), width: int = 120) -> str:
        """As text: one row for all repetitions."""
        return self._core.text(_options.listed("columns", columns, "names"), width)

    def save(self, path: Path) -> None:
        """Writes a file: .html, .csv, .tex or .json."""
        file = pathlib.Path(path)
        writers: dict[str, Callable[[], str]] = {
            ".html": self.to_html, ".csv": self.to_csv, ".tex": self.to_latex, ".json": self._core.json}
        if file.suffix not in writers:
            raise ValueError(f"{file}: expected the extension .html, .csv, .tex or .json, found {file.suffix!r}")
        file.write_text(writers[file.suffix](), encoding="utf-8")

    def __repr__(self) -> str:
        table = self.table(width=shutil.get_terminal_size().columns).rstrip("\n")
        return table if self.complete else f"{table}\ninterrupted: {len(self)} of {self._planned} extractions"

    def _repr_html_(self) -> str:
        return _display.in_frame(self.to_html())


def _comparison_of(cells: list[str], planned: int) -> Comparison:
    """What comes out of a pickle."""
    return Comparison(_core.Comparison(cells), planned)
