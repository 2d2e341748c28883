"""The sealed context: the exact bytes that the wording step is given, their digest, and how they came about.

Everything the writer of a reply may know is in here, and everything in here passed the gate. The bytes are a pure
function of the released values, so two stores that differ only in withheld items seal the same bytes (law P5).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256

from engine.annotation import Language
from engine.audience import Audience
from engine.ids import FactId, MessageId, PersonId, TurnId
from engine.items import LinkKind
from engine.release import ReleasedEdge, ReleasedMessage
from engine.storyline import Projection

NO_CLAIM = "Do not claim that this is all there is to know."


@dataclass(frozen=True, slots=True)
class ContextFact:
    """One line of the story: node number, words, teller's name as the owner gave it, times, how relevant it is.

    `own` says that the asker told it. `similarity` is the cosine of query and fact (None without an embedder); both
    numbers use the query, the item and statistics of the admissible set only.
    """

    node: int
    id: FactId
    text: str = field(repr=False)
    teller: PersonId
    teller_name: str = field(repr=False)
    said_at: datetime
    when: datetime | None
    when_is_day: bool
    score: float
    similarity: float | None
    own: bool = False


@dataclass(frozen=True, slots=True)
class SealedContext:
    """What the wording step sees, and nothing else.

    Args:
        asker: the asker's name as the owner gave it, or empty.
        question: the asker's message.
        facts: released facts in the order of the projected storyline.
        edges: (left node, kind, right node), surviving `because` and `but` edges.
        graph: released edges of the entity graph.
        recent: admissible recent messages of this container, in order of time, with the sender's name.
        viewers: `V↑` this was judged for.
    """

    turn: TurnId
    language: Language
    owner_name: str = field(repr=False)
    zone: str
    now: datetime
    asker: str = field(repr=False)
    to_owner: bool
    question: str = field(repr=False)
    facts: tuple[ContextFact, ...]
    edges: tuple[tuple[int, LinkKind, int], ...]
    graph: tuple[ReleasedEdge, ...]
    recent: tuple[tuple[str, ReleasedMessage], ...] = field(repr=False)
    viewers: Audience
    policy_version: int

    @property
    def empty(self) -> bool:
        """Whether `M_auth` is empty: then the answer is the deflection."""
        return not self.facts

    @property
    def payload(self) -> bytes:
        """The exact bytes: canonical JSON, UTF-8."""
        return json.dumps(self._plain(), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, hexadecimal."""
        return sha256(self.payload).hexdigest()

    @property
    def item_ids(self) -> tuple[FactId | MessageId, ...]:
        """Every item in the context."""
        return (*(f.id for f in self.facts), *(m.id for _, m in self.recent))

    def _plain(self) -> dict[str, object]:
        """The bytes' content. Ids and the policy version stay out: they could tell how much else there is."""
        return {
            "rule": NO_CLAIM,
            "language": self.language,
            "owner": self.owner_name,
            "now": self.now.isoformat(),
            "zone": self.zone,
            "asker": self.asker,
            "question": self.question,
            "story": [_line(fact) for fact in self.facts],
            "because_but": [[left, str(kind), right] for left, kind, right in self.edges],
            "graph": [[e.subject, e.predicate, e.object] for e in self.graph],
            "recent": [[name, m.sent_at.isoformat(), m.text] for name, m in self.recent],
        }


def _line(fact: ContextFact) -> dict[str, object]:
    """A whole day is the moment at which it begins on the owner's clock: which day that is, the zone says."""
    return {
        "node": fact.node,
        "text": fact.text,
        "teller": fact.teller_name,
        "own": fact.own,
        "said": fact.said_at.isoformat(),
        "when": None if fact.when is None else fact.when.astimezone(UTC).isoformat(),
        "whole_day": fact.when_is_day,
    }


@dataclass(frozen=True, slots=True)
class Ranked:
    """How a released fact ranks for a query: fused score, and the cosine if there is an embedder."""

    score: float
    similarity: float | None = None


def seal(
    *,
    turn: TurnId,
    language: Language,
    owner_name: str,
    zone: str,
    now: datetime,
    asker: str,
    asker_id: PersonId | None = None,
    to_owner: bool,
    question: str,
    projection: Projection,
    ranks: Mapping[FactId, Ranked],
    names: Mapping[PersonId, str],
    graph: Sequence[ReleasedEdge],
    recent: Sequence[ReleasedMessage],
    viewers: Audience,
    policy_version: int,
) -> SealedContext:
    """Seal a context out of released values alone.

    `names` are names that the owner gave; a person without one is shown as an empty name.
    """
    facts = tuple(
        ContextFact(
            node.number, node.fact.id, node.fact.text, node.fact.teller, names.get(node.fact.teller, ""),
            node.fact.said_at, node.fact.when, node.fact.when_is_day,
            ranks.get(node.fact.id, Ranked(0.0)).score, ranks.get(node.fact.id, Ranked(0.0)).similarity,
            asker_id is not None and node.fact.teller == asker_id,
        )
        for node in projection.nodes
    )  # fmt: skip
    shown = tuple((names.get(m.sender, ""), m) for m in recent)
    edges = tuple((edge.left, edge.kind, edge.right) for edge in projection.edges)
    return SealedContext(
        turn, language, owner_name, zone, now, asker, to_owner, question, facts, edges, tuple(graph), shown,
        viewers, policy_version,
    )  # fmt: skip
