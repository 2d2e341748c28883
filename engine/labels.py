"""Labels, conjunction and ceiling (EP-Mem B.3-B.5; privacy-model §3).

A lattice has depths `0..N`: `L0` the owner only, `Li-domain` for `1 <= i <= N-2` (every intermediate rank
is split over the domains), `L(N-1)` the outer circle, `LN` the public. Smaller depth is *deeper*: more private.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from engine.errors import PolicyFault, UnknownLabel


@dataclass(frozen=True, slots=True, order=True)
class Label:
    """A depth, and a domain on the intermediate ranks."""

    depth: int
    domain: str | None = None

    def __str__(self) -> str:
        """`L1-work`, `L0`, `L4`: how it is stored, typed and shown."""
        return f"L{self.depth}" if self.domain is None else f"L{self.depth}-{self.domain}"

    def __and__(self, other: Label) -> Label:
        """Conjunction (B.4): `L0` if either is `L0` or both have domains that differ; else the deeper one.

        Associative, commutative and idempotent as long as every intermediate rank carries a domain.
        """
        if self.depth == 0 or other.depth == 0:
            return L0
        if self.domain is not None and other.domain is not None and self.domain != other.domain:
            return L0
        return self if self.depth <= other.depth else other

    def opens(self, fact_label: Label) -> bool:
        """Whether a contact holding this label is in `R^ℓ` of the fact's label: `c & ℓ = c`."""
        return self.depth > 0 and self & fact_label == self


L0 = Label(0)


def ceiling(labels: Iterable[Label]) -> Label | None:
    """Conjunction of many (B.5). None for no labels at all: an empty bundle has no ceiling and is denied."""
    result: Label | None = None
    for label in labels:
        result = label if result is None else result & label
    return result


@lru_cache(maxsize=64)
def _labels(depth: int, domains: tuple[str, ...]) -> tuple[Label, ...]:
    middle = (Label(rank, domain) for rank in range(1, depth - 1) for domain in domains)
    return (L0, *middle, *(Label(rank) for rank in sorted({max(1, depth - 1), depth})))


@dataclass(frozen=True, slots=True)
class Lattice:
    """The labels a policy may use.

    Args:
        depth: `N >= 2` (default 4).
        domains: names of the domains (default `life`, `work`); none allowed when `N < 3`.

    Raises:
        PolicyFault: if the two do not make a lattice.
    """

    depth: int = 4
    domains: tuple[str, ...] = ("life", "work")

    def __post_init__(self) -> None:
        """Check the shape."""
        if self.depth < 2:  # noqa: PLR2004 - the model's N >= 2
            raise PolicyFault(f"depth {self.depth} is too small", fix="use 2 or more")
        if self.depth < 3 and self.domains:  # noqa: PLR2004
            raise PolicyFault("a lattice of depth 2 has no rank to split", fix="remove the domains")
        if self.depth >= 3 and not self.domains:  # noqa: PLR2004
            raise PolicyFault("intermediate ranks need at least one domain", fix="name a domain")

    @property
    def public(self) -> Label:
        """`LN`."""
        return Label(self.depth)

    def labels(self) -> tuple[Label, ...]:
        """Every label, from `L0` to `LN`."""
        return _labels(self.depth, self.domains)

    def parse(self, text: str) -> Label:
        """The label of this name, whatever its case.

        Raises:
            UnknownLabel: with the valid names, if the lattice has none like it.
        """
        wanted = text.strip().lower()
        for label in self.labels():
            if str(label).lower() == wanted:
                return label
        names = ", ".join(str(label) for label in self.labels())
        raise UnknownLabel(f"no label {text.strip()!r}", fix=f"one of {names}")
