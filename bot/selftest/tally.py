"""What a crash test counts."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Tally:
    """What was counted."""

    kills: int = 0
    at_random: int = 0
    busy: int = 0  # random kills that left something half done
    messages: int = 0
    lost: int = 0
    doubled: int = 0
    uncertain: int = 0
    uncertain_arrived: int = 0  # sent again by itself, each of these would be there twice
    half_annotated: int = 0
    orphaned: int = 0
    out_of_step: int = 0
    returned: int = 0
    damaged: int = 0
    missed: int = 0  # kills that were ordered and whose place was not reached
    points: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> int:
        """How much there is that should not be."""
        harm = self.half_annotated + self.orphaned + self.out_of_step + self.returned + self.damaged
        return self.lost + self.doubled + harm + self.missed

    def note(self, name: str, count: int, why: str) -> None:
        """Count something that should not be, and say why, without words of anybody's."""
        if count:
            setattr(self, name, getattr(self, name) + count)
            self.faults.append(f"{name}: {why}")
