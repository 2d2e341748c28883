"""What has happened since a backup outlives its restore: what was forgotten, closed, handled and sent."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from engine.audience import EVERYONE, OWNER_ONLY
from engine.cards import Card, CardKind, FactCard, ProposalCard, ShareProposal
from engine.errors import BadInput, StoreFault
from engine.items import Basis, Colour, ListEntry
from engine.mailroom import Arrival, Room, Sending, State
from engine.shown import Shown
from engine.store import Scope
from storage import SqlStore, Vault
from storage.audit import audit
from storage.backups.archive import Archive
from storage.backups.comparison import digest_of_rows
from storage.backups.copies import copies_of
from storage.backups.placement import put_in_place
from storage.backups.restore import Choice, Outcome, is_there, reconcile, unpack
from storage.backups.snapshot import Wanted, back_up
from storage.engines import opened
from tests.storage.conftest import filled_server

NOW = datetime(2026, 6, 1, tzinfo=UTC)
BOB, ANN = "telegram:2", "telegram:3"
ZONE = Scope(OWNER_ONLY)


class Glass(Vault):
    """A vault that hides nothing, to see what is left on the disk."""

    def _close(self, plain: bytes, place: bytes) -> bytes:
        return plain

    def _disclose(self, data: bytes, place: bytes) -> bytes:
        return data


async def nothing() -> None:
    """Nothing happens."""


@dataclass
class Scene:
    """A memory, a backup of it, and what is done meanwhile."""

    vault: Vault
    folder: Path
    url: str

    async def change(self, act: Callable[[object], Awaitable[object]]) -> None:
        """Do something in the present memory."""
        async with self.store() as store, store.transaction() as tx:
            await act(tx)

    @asynccontextmanager
    async def store(self):
        """The memory, open."""
        store = await SqlStore.open(self.url, self.vault)
        try:
            yield store
        finally:
            await store.close()

    async def back_up(self) -> None:
        await back_up(Wanted(self.url, b"", "0.1", NOW), self.vault, self.folder / "backup", force=True)

    async def restore(
        self, *, to: str = "", meanwhile: Callable[[], Awaitable[None]] = nothing, **choice
    ) -> Outcome:
        """What `tact restore` does, without asking; the memory holds together afterwards."""
        url = to or self.url
        work = self.folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        database = await unpack(Archive(self.folder / "backup", self.vault), self.vault, work)
        present = url if await is_there(url) else ""
        chosen = Choice(present, ("telegram:1",), NOW, dead_notes=("claim",), **choice)
        outcome = await reconcile(database, self.vault, chosen)
        await meanwhile()
        await put_in_place(database, self.vault, url, lambda _done, _total: None, outcome.seen)
        shutil.rmtree(work)
        store = await SqlStore.open(url, self.vault)
        async with store.transaction() as tx:
            assert await audit(tx) == []
        await store.close()
        return outcome


BOTH = pytest.mark.parametrize(
    "place", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)], indirect=True
)
"""A test on each back end; the others are about what is the same on both, and use a file."""


@pytest.fixture
def place(request: pytest.FixtureRequest, memory: Path) -> str:
    on_server = getattr(request, "param", "sqlite") == "postgresql"
    return request.getfixturevalue("postgres_memory") if on_server else str(memory)


@pytest.fixture
async def scene(place: str, memory: Path, vault, tmp_path: Path) -> Scene:
    """A memory with rows in every table, on each back end, and a backup of it."""
    if place != str(memory):
        await filled_server(memory, place)
    made = Scene(vault, tmp_path, place)
    await made.back_up()
    return made


async def _fact(scene: Scene, name: str):
    async with scene.store() as store, store.transaction() as tx:
        return next(iter(await tx.facts([name], ZONE)), None)


@BOTH
async def test_what_was_forgotten_since_is_forgotten_again_with_its_copies(scene):
    await scene.change(lambda tx: tx.forget(facts=["f1"], at=NOW))
    outcome = await scene.restore()
    assert (outcome.facts, outcome.messages) == (1, 2)
    async with scene.store() as store, store.transaction() as tx:
        assert await tx.facts(["f1"], ZONE) == []
        assert await tx.message("m1", ZONE) is None
        assert await tx.message("r1", ZONE) is None
        turn = await tx.turn("t1")
        assert (turn.question, turn.payload, turn.reply, turn.forgotten) == ("", b"", "", True)
        assert {s.text for s in await tx.sendings(State.UNCERTAIN)} <= {""}
        assert (await tx.message("m2", ZONE)).text == "鲍勃喜欢红茶。"
        assert not await tx.record(replace(await tx.message("m2", ZONE), id="m1"), event="anew")


async def test_what_was_forgotten_of_what_the_backup_has_not_stays_forgotten(scene):
    await scene.change(lambda tx: tx.forget(facts=["f77"], messages=["m77"], at=NOW))
    await scene.restore()
    async with scene.store() as store, store.transaction() as tx:
        assert not await tx.record(replace(await tx.message("m2", ZONE), id="m77"), event="anew")


async def test_no_byte_of_what_was_forgotten_is_left_in_the_folder(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    scene = Scene(Glass(bytes(32)), tmp_path, str(folder / "tact.db"))
    sys.path.insert(0, str(Path(__file__).parent / "filled"))
    try:
        from make import fill  # noqa: PLC0415
    finally:
        sys.path.pop(0)
    async with scene.store() as store:
        await fill(store)
    await scene.back_up()
    needles = (b"Borealis", b"borealis", b"On Friday", b"When is it?")
    async with scene.store() as store:
        async with store.transaction() as tx:
            await tx.forget(facts=["f1"], at=NOW)
        assert await store.finish_forgetting()
    await scene.restore()
    held = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert {name: [n for n in needles if n in data] for name, data in held.items()} == {"tact.db": []}
    assert "红茶".encode() in held["tact.db"]


async def test_nothing_decided_since_gives_back_what_was_there(scene):
    before = await _fact(scene, "f1")
    outcome = await scene.restore()
    assert (outcome.newer, outcome.kept, outcome.marks, outcome.policy.version) == (True, False, 0, 2)
    assert await _fact(scene, "f1") == before


async def _narrow(tx) -> None:
    policy = await tx.policy()
    await tx.save_policy(replace(policy, contacts={**policy.contacts, BOB: ()}), NOW)


@BOTH
async def test_a_policy_that_was_narrowed_since_stays(scene):
    await scene.change(_narrow)
    outcome = await scene.restore()
    assert (outcome.kept, outcome.before.version, outcome.policy.version) == (True, 3, 3)
    async with scene.store() as store, store.transaction() as tx:
        assert (await tx.policy()).contacts[BOB] == ()
        assert (await tx.policy_at(2)).contacts[BOB] != ()


async def test_the_backups_policy_counts_if_the_owner_says_so_under_a_new_number(scene):
    await scene.change(_narrow)
    outcome = await scene.restore(theirs=True)
    assert (outcome.kept, outcome.before.version, outcome.policy.version) == (False, 3, 4)
    async with scene.store() as store, store.transaction() as tx:
        assert (await tx.policy()).contacts[BOB] != ()
        assert (await tx.policy_at(3)).contacts[BOB] == ()


@BOTH
async def test_who_was_barred_since_stays_barred_and_who_was_let_in_stays_in(scene):
    async def act(tx) -> None:
        await tx.list_person(ListEntry(Colour.BLACK, BOB, Basis.BLOCK, "o", NOW), fact="f1")
        await tx.list_person(ListEntry(Colour.WHITE, ANN, Basis.GRANT, "o", NOW), fact="f1")
        await tx.list_person(ListEntry(Colour.BLACK, BOB, Basis.BLOCK, "o", NOW), event="e3")

    await scene.change(act)
    before = {name: set((await _fact(scene, name)).lists) for name in ("f1", "f3")}
    await scene.restore()
    assert {name: set((await _fact(scene, name)).lists) for name in ("f1", "f3")} == before
    assert ListEntry(Colour.BLACK, BOB, Basis.BLOCK, "o", NOW) in before["f1"] & before["f3"]


async def test_marks_that_were_given_since_stay_and_can_be_taken_back_on_the_owners_word(scene):
    async def act(tx) -> None:
        (fact,) = await tx.facts(["f1"], ZONE)
        await tx.change_fact(replace(fact, confirmed=None, kept_private=True, category="unauthorised"))

    await scene.change(act)
    outcome = await scene.restore()
    fact = await _fact(scene, "f1")
    assert (fact.confirmed, fact.kept_private, fact.category, outcome.marks) == (
        None,
        True,
        "unauthorised",
        1,
    )
    await scene.restore(theirs=True)
    fact = await _fact(scene, "f1")
    assert (fact.confirmed is None, fact.kept_private, fact.category) == (False, False, "work")


async def test_a_fact_that_was_given_up_since_opens_nothing(scene):
    async def act(tx) -> None:
        await tx.put_facts("s1", [], [], [])

    await scene.change(act)
    await scene.restore()
    fact = await _fact(scene, "f1")
    assert (fact.text, fact.confirmed, fact.settled) == ("The Borealis launch is on Friday.", None, False)
    assert {e.colour for e in fact.lists} == {Colour.BLACK}


async def test_a_fact_whose_words_are_others_now_opens_nothing(scene):
    from engine.items import EventState, RawFact  # noqa: PLC0415
    from engine.store import NewFact  # noqa: PLC0415

    other = RawFact("f1", EventState("e1"), "s1", "telegram:-100", ("m1",), "Other words.", "o", NOW, OWNER_ONLY,
                    confirmed=NOW, secret=True)  # fmt: skip
    await scene.change(lambda tx: tx.put_facts("s1", [NewFact(other, ("other",))], [], []))
    await scene.restore()
    fact = await _fact(scene, "f1")
    assert (fact.text, fact.confirmed, fact.secret) == ("The Borealis launch is on Friday.", None, True)
    assert {e.colour for e in fact.lists} == {Colour.BLACK}


async def test_names_and_owners_are_those_of_now(scene):
    async def act(tx) -> None:
        await tx.call(BOB, "Robert")
        await tx.see("telegram:9", "New", NOW, "telegram:-100")

    await scene.change(act)
    await scene.restore()
    async with scene.store() as store, store.transaction() as tx:
        people = await tx.people()
    assert people.names[BOB] == ("Robert", "Bob")
    assert people.owners == {"telegram:1"}
    assert "telegram:9" in people.seen


async def test_an_account_that_is_the_owners_no_longer_is_nobodys_after_a_restore(scene):
    await scene.change(lambda tx: tx.own("telegram:11"))
    await scene.back_up()
    await scene.restore()
    async with scene.store() as store, store.transaction() as tx:
        assert (await tx.people()).owners == {"telegram:1"}


async def _states(scene: Scene) -> dict[str, str]:
    async with scene.store() as store, store.transaction() as tx:
        return {s.key: s.state for state in State for s in await tx.sendings(state)}


async def test_what_was_on_its_way_is_not_sent_again_in_a_new_place(scene, tmp_path):
    outcome = await scene.restore(to=str(tmp_path / "new.db"))
    assert (outcome.mail.uncertain, outcome.mail.unhandled) == (3, 1)
    there = replace(scene, url=str(tmp_path / "new.db"))
    assert await _states(there) == {
        "t1/reply#0": State.SENT,
        **{f"t1/reply#{n}": State.UNCERTAIN for n in (1, 2, 3)},
    }
    async with there.store() as store, store.transaction() as tx:
        assert await tx.arrivals() == []
        assert not await tx.keep_arrival(Arrival("telegram:8", "again"))
        assert {card.kind for card in await tx.cards()} == {CardKind.FACT}
        assert await tx.note("claim:telegram") == ""
        assert (await tx.room("telegram:-100")).known == {"telegram:2", "telegram:3"}


async def test_a_memory_that_was_moved_goes_on_where_it_was(scene, tmp_path):
    await scene.restore(to=str(tmp_path / "new.db"), moved=True)
    there = replace(scene, url=str(tmp_path / "new.db"))
    assert sorted(set((await _states(there)).values())) == ["pending", "sending", "sent", "waiting"]
    async with there.store() as store, store.transaction() as tx:
        assert [arrival.key for arrival in await tx.arrivals()] == ["telegram:8"]


@BOTH
@pytest.mark.parametrize("act", ["forget", "send", "policy", "name"])
async def test_what_happens_after_the_comparison_is_not_overwritten(scene, act):
    """A Tact comes and goes while the owner is asked: nothing is restored, and what it did stays."""

    async def done(tx) -> None:
        await {
            "forget": lambda: tx.forget(facts=["f1"], at=NOW),
            "send": lambda: tx.put_sending(Sending("t1/reply#1", "telegram:-100", "", State.SENT)),
            "policy": lambda: _save_again(tx),
            "name": lambda: tx.call(BOB, "Bobby"),
        }[act]()

    async def meanwhile() -> None:
        await scene.change(done)

    before = await _rows(scene)
    with pytest.raises(BadInput, match="something has happened in this memory"):
        await scene.restore(meanwhile=meanwhile)
    after = await _rows(scene)
    assert after != before
    await scene.restore()
    if act == "forget":
        assert await _fact(scene, "f1") is None


async def _save_again(tx) -> None:
    await tx.save_policy(await tx.policy(), NOW)


async def _rows(scene) -> str:
    async with opened(scene.url) as engine, engine.connect() as connection:
        return await digest_of_rows(connection)


@BOTH
async def test_the_present_memory_knows_what_was_sent_and_handled_since(scene):
    async def act(tx) -> None:
        await tx.put_sending(Sending("t1/reply#1", "telegram:-100", "", State.SENT))
        await tx.put_sending(Sending("t2/reply#0", "telegram:-100", "later", State.UNCERTAIN, ("f3",)))
        await tx.finish_arrival("telegram:8")
        await tx.keep_arrival(Arrival("telegram:9", "waits"))
        await tx.record(replace(await tx.message("m3", ZONE), id="m9"), event="event m9")
        await tx.put_card(Card("c1", NOW, FactCard(()), done=True))
        await tx.put_card(Card("c3", NOW, ProposalCard(ShareProposal(("f3",)), "share")))
        await tx.put_note("mode:telegram:-100", "never")
        await tx.put_room(Room("telegram:-100", frozenset({"telegram:2"}), changes=7))
        await tx.keep_version("m1", "m3")
        await tx.keep_move("telegram:-99", "telegram:-100")
        await tx.put_shown(Shown("telegram:-100:5", "telegram:-100", NOW, mine=True, link="t.me/5"))
        await tx.save_policy(await tx.policy(), NOW)

    await scene.change(act)
    outcome = await scene.restore()
    assert (outcome.mail.uncertain, outcome.mail.unhandled) == (0, 0)
    states = await _states(scene)
    assert (states["t1/reply#1"], states["t2/reply#0"]) == (State.SENT, State.UNCERTAIN)
    async with scene.store() as store, store.transaction() as tx:
        assert [(a.key, a.payload) for a in await tx.arrivals()] == [("telegram:9", "waits")]
        assert not await tx.keep_arrival(Arrival("telegram:8", "again"))
        assert await tx.recorded("event m9") == "m9"
        assert await tx.message("m9", Scope(EVERYONE)) is None
        assert [card.id for card in await tx.cards()] == ["c3"]
        assert await tx.note("mode:telegram:-100") == "never"
        assert await tx.room("telegram:-100") == Room("telegram:-100", frozenset({"telegram:2"}), changes=7)
        assert await tx.versions(["m3"]) == [("m1", "m3")]
        assert await tx.moved_from("telegram:-100") == ["telegram:-99"]
        assert [one.link for one in await tx.still_shown()] == ["t.me/5"]
        (kept,) = [s for s in await tx.sendings(State.UNCERTAIN) if s.text == "later"]
        assert kept.used == ("f3",)


async def test_what_a_restore_leaves_behind_is_no_damage_and_comes_back_with_a_newer_backup(scene, tmp_path):
    """Restored twice over, and then forwards again; a message that is gone for no reason is still told of."""
    older = tmp_path / "older"
    shutil.copy(tmp_path / "backup", older)
    for name in ("m8", "m9"):
        await scene.change(partial(_heard, name=name))
        await scene.back_up()
        newest = (tmp_path / "backup").read_bytes()
        shutil.copy(older, tmp_path / "backup")
        await scene.restore()
        await scene.restore()
    (tmp_path / "backup").write_bytes(newest)
    await scene.restore()
    async with scene.store() as store, store.transaction() as tx:
        assert (await tx.message("m9", ZONE)).text == (await tx.message("m3", ZONE)).text
        assert await tx.message("m8", ZONE) is None
    with closing(sqlite3.connect(scene.url)) as connection:
        connection.execute("DELETE FROM messages WHERE id = 'm9'")
        connection.commit()
    async with scene.store() as store, store.transaction() as tx:
        assert "m9 is not in messages" in {fault.what for fault in await audit(tx)}


async def _heard(tx, name: str) -> None:
    await tx.record(replace(await tx.message("m3", ZONE), id=name), event=f"event {name}")


async def test_a_newer_backup_over_an_older_memory_is_taken_as_it_is(scene, tmp_path):
    older = tmp_path / "older"
    shutil.copy(tmp_path / "backup", older)

    async def act(tx) -> None:
        await _narrow(tx)
        await tx.list_person(ListEntry(Colour.WHITE, ANN, Basis.GRANT, "o", NOW), fact="f1")
        (fact,) = await tx.facts(["f1"], ZONE)
        await tx.change_fact(replace(fact, confirmed=NOW))

    await scene.change(act)
    newer = await _fact(scene, "f1")
    await scene.back_up()
    shutil.copy(tmp_path / "backup", tmp_path / "newer")
    shutil.copy(older, tmp_path / "backup")
    await scene.restore(theirs=True)
    shutil.copy(tmp_path / "newer", tmp_path / "backup")
    there = replace(scene, url=str(tmp_path / "there.db"))
    shutil.copy(older, tmp_path / "backup")
    await there.restore()
    shutil.copy(tmp_path / "newer", tmp_path / "backup")
    outcome = await there.restore()
    assert (outcome.newer, outcome.policy.version) == (True, 3)
    assert await _fact(there, "f1") == newer


async def test_memories_that_went_two_ways_keep_the_present_decisions(scene, tmp_path):
    """The present one was narrowed in its own way after both had begun alike."""
    way = replace(scene, url=str(tmp_path / "way.db"), folder=tmp_path / "way")
    way.folder.mkdir()
    shutil.copy(tmp_path / "backup", way.folder / "backup")
    await way.restore()

    async def widen(tx) -> None:
        policy = await tx.policy()
        await tx.save_policy(replace(policy, owner_name="Another"), NOW + timedelta(1))
        await tx.list_person(ListEntry(Colour.WHITE, ANN, Basis.GRANT, "o", NOW), fact="f3")

    await way.change(widen)
    await way.back_up()
    shutil.copy(way.folder / "backup", tmp_path / "backup")
    await scene.change(_narrow)
    outcome = await scene.restore()
    assert (outcome.kept, outcome.policy.version, outcome.policy.owner_name) == (True, 4, "Mia")
    assert outcome.policy.contacts[BOB] == ()
    assert (await _fact(scene, "f3")).lists == ()


async def test_another_memory_or_another_key_in_the_way_is_said_plainly(scene, vault, tmp_path):
    other = replace(scene, url=str(tmp_path / "other.db"))

    async def begin(tx) -> None:
        from engine.policy import Policy  # noqa: PLC0415

        await tx.save_policy(Policy(), NOW)

    await other.change(begin)
    before = (tmp_path / "other.db").read_bytes()
    with pytest.raises(BadInput, match="not the one that this backup was made of"):
        await scene.restore(to=other.url)
    assert (tmp_path / "other.db").read_bytes() == before
    foreign = Scene(Vault(bytes(32)), tmp_path, str(tmp_path / "foreign.db"))
    await foreign.change(begin)
    with pytest.raises(BadInput, match="made with another key"):
        await scene.restore(to=foreign.url)


async def test_a_memory_that_somebody_has_open_is_not_replaced(memory, vault, tmp_path):
    scene = Scene(vault, tmp_path, str(memory))
    await scene.back_up()
    async with scene.store() as store:
        async with store.transaction() as tx:
            await tx.call(BOB, "Robert")
        with pytest.raises(BadInput, match="another Tact has this memory open"):
            await scene.restore()
        async with store.transaction() as tx:
            assert (await tx.people()).called(BOB) == "Robert"
    await scene.restore()


async def test_a_restored_file_that_does_not_open_gives_the_old_one_back(memory, rows, vault, tmp_path):
    before = rows(memory)
    broken = tmp_path / "work" / "memory.db"
    broken.parent.mkdir()
    await (await SqlStore.open(broken, Vault(bytes(32)))).close()
    with pytest.raises(StoreFault, match="not the key"):
        await put_in_place(broken, vault, str(memory), lambda _done, _total: None)
    assert rows(memory) == before
    assert copies_of(memory) == []


async def test_an_older_copy_beside_the_memory_goes_with_a_restore(memory, vault, tmp_path):
    scene = Scene(vault, tmp_path, str(memory))
    await scene.back_up()
    memory.with_name("tact.db.before-0001").write_bytes(b"words")
    await scene.restore()
    assert copies_of(memory) == []


async def test_a_server_on_which_tact_runs_is_not_replaced(postgres_memory, memory, vault, tmp_path):
    scene = Scene(vault, tmp_path, str(memory))
    await scene.back_up()
    work = tmp_path / "work"
    await asyncio.to_thread(work.mkdir)
    database = await unpack(Archive(tmp_path / "backup", vault), vault, work)
    for alone, said in (
        (True, "running on this memory already"),
        (False, r"has this memory open \(tact \d+"),
    ):
        running = await SqlStore.open(postgres_memory, vault, alone=alone)
        with pytest.raises(BadInput, match=said):
            await put_in_place(database, vault, postgres_memory, lambda _done, _total: None)
        await running.close()
        database.with_name("final.db").unlink()
    await put_in_place(database, vault, postgres_memory, lambda _done, _total: None)
