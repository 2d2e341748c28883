"""Seeds into the three stores, through the memory's port, each with its audience."""

from __future__ import annotations

from bot.bench.scenario import OWNER_NAME, Scenario, Seed, account_of, joint, marker, name_of, person_of
from bot.bench.stage import Stage, moment
from engine.audience import OWNER_ONLY, Audience, derived_audience
from engine.ids import ContainerId, EventId, FactId, MessageId, SessionId
from engine.items import EventState, RawEdge, RawFact, RawMessage, RawSession
from engine.store import NewFact, Transaction


class Garden:
    """What is planted so far, and for whom; events that were recorded are put in by whoever recorded them.

    `recorded` None stands for something refused: whatever is derived from it is for the owner alone.
    """

    def __init__(self, scenario: Scenario, stage: Stage) -> None:
        """Nothing is planted yet."""
        self._scenario = scenario
        self._stage = stage
        self._audiences: dict[str, Audience] = {}
        self._sources: dict[str, tuple[MessageId, ...]] = {}

    def recorded(self, item: str, audience: Audience | None, message: MessageId) -> None:
        """An event is done with."""
        self._audiences[item] = audience or OWNER_ONLY
        self._sources[item] = () if audience is None else (message,)

    async def plant(self) -> None:
        """Plant every seed whose sources are there and that is not."""
        if not self._ready():
            return
        async with self._stage.context.store.transaction() as tx:
            while ready := self._ready():
                for seed in ready:
                    await self._plant(tx, seed)

    def _ready(self) -> list[Seed]:
        done = set(self._audiences)
        return [s for s in self._scenario.seeds if s.id not in done and set(s.derived_from) <= done]

    def audience(self, seed: Seed) -> Audience:
        """The audience as given; of a derived item what its sources leave; without either the owner alone."""
        if seed.derived_from or seed.audience is None:
            sources = derived_audience(self._audiences[i] for i in seed.derived_from)
            return joint(seed.audience, sources)
        return seed.audience

    async def _plant(self, tx: Transaction, seed: Seed) -> None:
        audience = self.audience(seed)
        teller = _teller(audience)
        home = self._scenario.turn.channel if seed.store == "recent" else f"seed:{seed.id}"
        at = moment(seed.at)
        session = RawSession(
            SessionId(f"s:{seed.id}"),
            ContainerId(home),
            audience,
            at,
            at,
            messages=1,
            closed=True,
            annotated=True,
        )
        message = RawMessage(
            id=MessageId(f"m:{seed.id}"),
            container=session.container,
            session=session.id,
            sender=person_of(teller),
            account=account_of(teller),
            text=seed.text,
            sent_at=at,
            audience=audience,
        )
        sources = tuple(m for i in seed.derived_from for m in self._sources[i])
        self._audiences[seed.id] = audience
        self._sources[seed.id] = sources or (message.id,)
        await tx.put_session(session)
        if seed.store == "recent" or not sources:
            await tx.record(message, event=f"seed:{seed.id}")
        if seed.store != "recent":
            await self._know(tx, seed, message)

    async def _know(self, tx: Transaction, seed: Seed, message: RawMessage) -> None:
        """A fact, and its edge in the entity graph if that is where the item lives."""
        context = self._stage.context
        fact = RawFact(
            id=FactId(seed.id),
            event=EventState(EventId(f"e:{seed.id}"), frozenset({message.sender})),
            session=message.session,
            container=message.container,
            sources=self._sources[seed.id],
            text=seed.text,
            teller=message.sender,
            said_at=message.sent_at,
            audience=message.audience,
        )
        vector = (await context.embedder.passages([seed.words]))[0]
        edges = [_edge(seed, fact)] if seed.store == "graph" else []
        await tx.put_facts(
            message.session,
            [NewFact(fact, context.reader.tokens(seed.words), vector, context.embedder.name)],
            edges,
            [],
        )


def _edge(seed: Seed, fact: RawFact) -> RawEdge:
    """The predicate carries the marker, so that names stay names and the edge is found in a context by itself."""
    subject, predicate, target = seed.edge or (name_of(fact.teller), "noted", seed.words)
    return RawEdge(fact.id, subject, f"{marker(seed.id)} {predicate}", target)


def _teller(audience: Audience) -> str:
    """Who told it: somebody among those who heard it, the owner if nobody else did."""
    names = sorted(name_of(person) for person in audience.members)
    return next((name for name in names if name != OWNER_NAME), OWNER_NAME)
