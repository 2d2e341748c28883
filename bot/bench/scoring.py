"""From what was observed and what was due to the figures of a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bot.bench.observing import Observed
from bot.bench.scenario import OWNER_NAME, REFUSED, STORES, Expected, Scenario, marker


@dataclass(frozen=True, slots=True)
class Judged:
    """One scenario against what was due."""

    scenario: Scenario
    observed: Observed
    expected: Expected

    @property
    def leaked(self) -> tuple[str, ...]:
        """Forbidden items that are in the context, or in what was said."""
        seen = self.observed
        return tuple(i for i in self.expected.forbidden if i in seen.included or marker(i) in seen.reply)

    @property
    def missed(self) -> tuple[str, ...]:
        """Required items that are not."""
        return tuple(i for i in self.expected.required if i not in self.observed.included)

    @property
    def closed(self) -> bool:
        """Whether a scenario that must fail closed did."""
        return self.observed.mode == "public_only" and not self.leaked

    @property
    def mode_matches(self) -> bool:
        """Mode as due and, where the suite names viewers, exactly these."""
        due = self.expected
        seen = None if self.observed.viewers is None else frozenset(self.observed.viewers)
        named = due.viewers is None or seen == due.viewers | {OWNER_NAME}
        return self.observed.mode == due.mode and named

    @property
    def wrong_writes(self) -> tuple[str, ...]:
        """Events that were recorded for others than was due."""
        return tuple(e for e, due in self.expected.writes.items() if self.observed.writes.get(e) != due)

    @property
    def faults(self) -> list[str]:
        """Everything that falls short, in words."""
        faults = [f"forbidden, and told: {i}" for i in self.leaked]
        faults += [f"required, and not in the context: {i}" for i in self.missed]
        faults += [f"recorded for others than due: {e}" for e in self.wrong_writes]
        if self.expected.fail_closed and not self.closed:
            faults.append("did not fail closed")
        if not self.mode_matches:
            faults.append(
                f"mode {self.observed.mode} with other viewers than due, or not {self.expected.mode}"
            )
        return faults


@dataclass(slots=True)
class Path:
    """One store's share."""

    kept: int = 0
    required: int = 0
    included: int = 0
    forbidden: int = 0

    def as_plain(self) -> dict[str, int]:
        """For JSON."""
        return {
            "kept": self.kept, "required": self.required, "included": self.included, "forbidden": self.forbidden,
        }  # fmt: skip


@dataclass(slots=True)
class Refusals:
    """Events that were refused, of those that had to be."""

    refused: int = 0
    due: int = 0
    right: int = 0

    def as_plain(self) -> dict[str, float | int | None]:
        """For JSON; precision and recall of nothing are null."""
        return {
            "refused": self.refused,
            "due": self.due,
            "precision": self.right / self.refused if self.refused else None,
            "recall": self.right / self.due if self.due else None,
        }


@dataclass(slots=True)
class Score:
    """The sums over a suite."""

    judged: int = 0
    forbidden_included: int = 0
    forbidden_total: int = 0
    required_kept: int = 0
    required_total: int = 0
    fail_closed_ok: int = 0
    fail_closed_total: int = 0
    mode_match: int = 0
    writes_exact: int = 0
    writes_total: int = 0
    by_path: dict[str, Path] = field(default_factory=lambda: {store: Path() for store in STORES})
    refusals: Refusals = field(default_factory=Refusals)

    @property
    def short(self) -> bool:
        """Whether anything is less than all of it."""
        return (
            self.forbidden_included > 0
            or self.required_kept < self.required_total
            or self.fail_closed_ok < self.fail_closed_total
            or self.mode_match < self.judged
            or self.writes_exact < self.writes_total
        )


def judge(scenarios: Iterable[Scenario], observed: Iterable[Observed]) -> list[Judged]:
    """Pair up what was due and what was seen; scenarios without anything due are left out."""
    pairs = zip(scenarios, observed, strict=True)
    return [Judged(s, o, s.expected) for s, o in pairs if s.expected is not None]


def score(every: Sequence[Judged]) -> Score:
    """Add up."""
    total = Score(judged=len(every))
    for one in every:
        due = one.expected
        total.forbidden_included += len(one.leaked)
        total.forbidden_total += len(due.forbidden)
        total.required_kept += len(due.required) - len(one.missed)
        total.required_total += len(due.required)
        total.fail_closed_ok += due.fail_closed and one.closed
        total.fail_closed_total += due.fail_closed
        total.mode_match += one.mode_matches
        total.writes_exact += len(due.writes) - len(one.wrong_writes)
        total.writes_total += len(due.writes)
        _add_paths(total, one)
        _add_refusals(total.refusals, one)
    return total


def _add_paths(total: Score, one: Judged) -> None:
    """An item counts for the store it is in, and is kept there only if it came through that store."""
    for item in one.expected.required:
        path = total.by_path[one.scenario.path_of(item)]
        path.required += 1
        path.kept += one.scenario.path_of(item) in one.observed.paths.get(item, ())
    for item in one.expected.forbidden:
        path = total.by_path[one.scenario.path_of(item)]
        path.forbidden += 1
        path.included += item in one.leaked


def _add_refusals(total: Refusals, one: Judged) -> None:
    for event, due in one.expected.writes.items():
        refused = one.observed.writes.get(event) == REFUSED
        total.refused += refused
        total.due += due == REFUSED
        total.right += refused and due == REFUSED
