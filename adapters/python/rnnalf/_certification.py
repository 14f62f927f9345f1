"""What a search for a proof returns."""
from __future__ import annotations

import dataclasses
import pathlib
from typing import Optional

from rnnalf._automaton import Path


@dataclasses.dataclass(frozen=True, repr=False)
class Certification:
    """What a search for a proof came to, that network and automaton agree on all words."""

    verdict: str  #: `certified`, `refuted` or `open`
    certificate: Optional[str]  #: JSON, for rnnalf-check; where certified
    counterexample: Optional[str]  #: a word; where refuted
    images: int  #: of sets of R-states, computed
    open_states: list[int]  #: states of the minimal automaton whose sets did not close
    weaker: Optional[str]  #: a certificate about fewer words, where open
    outside_weaker: Optional[str]  #: a shortest word that it says nothing about
    agreed_length: Optional[int]  #: all words up to this length were run: they agree
    limit: Optional[str]  #: what ended the search

    @property
    def certified(self) -> bool:
        """Whether there is a proof."""
        return self.verdict == "certified"

    def save(self, path: Path) -> None:
        """Writes the certificate (or the weaker one) for rnnalf-check. Raises ValueError where there is none."""
        certificate = self.certificate if self.certificate is not None else self.weaker
        if certificate is None:
            raise ValueError(f"certificate: expected one, found none; the verdict is {self.verdict}")
        pathlib.Path(path).write_text(certificate, encoding="utf-8")

    def __repr__(self) -> str:
        if self.verdict == "certified":
            return "Certification(certified: network and automaton agree on all words of the claim)"
        if self.verdict == "refuted":
            return f"Certification(refuted: network and automaton differ on {self.counterexample!r})"
        known = f"; all words of up to {self.agreed_length} symbols agree" if self.agreed_length is not None else ""
        return f"Certification(open: no proof was found{known})"
