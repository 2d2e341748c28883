"""Importing: audiences are the roster's and the sender's, whole sessions or nothing, and a second run adds nothing."""

import random
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.bootstrap import make_context
from bot.memory.import_plan import Findings, LogFile, attest, find_logs, plan
from bot.memory.imports import draft_roster, import_irc
from config.roster_file import load_roster
from config.settings import Settings
from connectors.imports.irc import parse
from engine import failpoints
from engine.annotation import is_first_hand
from engine.audience import OWNER_ONLY, Audience
from engine.errors import BadInput
from engine.ids import OWNER, ContainerId, MessageId
from engine.items import Origin
from engine.people import People
from engine.policy import Policy
from engine.sessions import LONGEST, PAUSE
from engine.store import Scope
from storage.memory import MemoryStore

ZONE = Scope(OWNER_ONLY)
ROOM = ContainerId("irc:#kiln")
LOG = """\
[09:00] <finch> The glaze order arrives on Friday.
=== wren [~w@host.example]  has joined #kiln
[09:05] <wren> My cousin moves to Riverton in May.
[09:05] <wren> She rents the flat above the bakery.
nonsense
[09:10] <finch> The kiln reaches cone six at noon.
=== wren [~w@host.example]  has left #kiln ["bye"]
[09:15] <finch> The old kiln is sold to the school.
[09:20] <heron> I pay nine hundred for the studio.
[09:25] <MyNick> I bring the shelves on Monday.
"""
ROSTER = """\
channel: "#kiln"
day: 2020-03-01
present:
  - {nick: finch}
  - {nick: wren, from: "09:05", to: "09:10"}
  - {nick: heron, from: "09:10", to: "09:15"}
"""


class NoEmbedder:
    name = "none"
    dimension = 0

    def query(self, text):
        return b""

    def passages(self, texts):
        return [b"" for _ in texts]


@pytest.fixture
def context(tmp_path):
    return make_context(MemoryStore(), Settings(data=tmp_path / "data"), embedder=NoEmbedder())


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "logs" / "2020-03-01.log"
    path.parent.mkdir()
    path.write_text(LOG, encoding="utf-8")
    return path


def roster_of(tmp_path, text=ROSTER):
    path = tmp_path / "roster.yaml"
    path.write_text(text, encoding="utf-8")
    return load_roster(path)


async def told(context, room=ROOM):
    async with context.store.transaction() as tx:
        return await tx.recent(room, ZONE, 10_000)


async def everything(context):
    """All that the memory holds, to compare one state with another."""
    async with context.store.transaction() as tx:
        people, chats, counts = await tx.people(), await tx.chats(), await tx.counts()
        messages = [m for chat in chats for m in await tx.recent(chat.id, ZONE, 10_000)]
        facts = [
            f for s in dict.fromkeys(m.session for m in messages) for f in await tx.session_facts(s, ZONE)
        ]
    return people, chats, counts, messages, facts


def heard_by(*nicks):
    return Audience.of(f"irc:{nick}" for nick in nicks)


async def test_without_a_roster_each_message_is_for_the_owner_and_its_sender(context, log):
    report = await import_irc(context, [log])
    messages = await told(context)
    assert [m.audience for m in messages] == [
        heard_by(n) for n in ("finch", "wren", "wren", "finch", "finch", "heron", "mynick")
    ]
    assert all(m.unresolved for m in messages)
    assert (report.messages, report.attested, report.duplicates) == (7, 0, 0)
    assert report.malformed == ["2020-03-01.log:5: no time and no ==="]


async def test_with_a_roster_a_message_is_for_those_who_were_there(context, log, tmp_path):
    report = await import_irc(context, [log], roster=roster_of(tmp_path))
    assert [(m.text.split()[-1], m.audience, m.unresolved) for m in await told(context)] == [
        ("Friday.", heard_by("finch"), True),
        ("May.", heard_by("finch", "wren"), False),
        ("bakery.", heard_by("finch", "wren"), False),
        ("noon.", heard_by("finch", "wren", "heron"), False),
        ("school.", heard_by("finch", "heron"), False),
        ("studio.", heard_by("heron"), True),  # the roster has heron gone by then
        ("Monday.", heard_by("finch", "mynick"), False),
    ]
    assert report.attested == 5
    assert [line.partition(" ")[0] for line in report.contradicted] == ["2020-03-01.log:9:"]


@pytest.mark.parametrize(
    ("minute", "contradicts"), [("09:03", True), ("09:04", False), ("09:11", False), ("09:12", True)]
)
async def test_a_minute_beside_a_stay_is_no_contradiction(context, tmp_path, minute, contradicts):
    path = tmp_path / "2020-03-01.log"
    path.write_text(f"[{minute}] <wren> The clay is wet.\n", encoding="utf-8")
    report = await import_irc(context, [path], roster=roster_of(tmp_path))
    assert bool(report.contradicted) is contradicts
    (message,) = await told(context)
    assert message.unresolved is contradicts
    assert ("irc:wren" in message.audience) is True
    assert ("irc:heron" in message.audience) is (minute == "09:11")


async def test_the_owners_nick_is_the_owner_here_and_nowhere_else(context, log, tmp_path):
    await import_irc(
        context, [log], roster=roster_of(tmp_path, ROSTER + "  - {nick: mynick}\n"), owner_nicks=["MYNICK"]
    )
    mine = (await told(context))[-1]
    assert (mine.sender, mine.account, mine.audience) == (OWNER, "irc:mynick", heard_by("finch"))
    people = (await everything(context))[0]
    assert people.owners == frozenset()
    assert set(people.seen) == {"irc:finch", "irc:wren", "irc:heron"}


async def test_nothing_imported_is_first_hand(context, log):
    await import_irc(context, [log], owner_nicks=["mynick"])
    messages, facts = (await everything(context))[3:]
    assert facts
    assert {m.origin for m in messages} == {Origin.IMPORT}
    assert not any(is_first_hand(m) for m in messages)
    assert not any(f.first_hand or f.owner_typed for f in facts)


async def test_facts_carry_the_audience_of_their_message(context, log, tmp_path):
    report = await import_irc(context, [log], roster=roster_of(tmp_path))
    messages, facts = (await everything(context))[3:]
    by_id = {m.id: m for m in messages}
    assert len(facts) == report.facts > 0
    for fact in facts:
        assert fact.audience == by_id[fact.sources[0]].audience
        assert fact.teller == by_id[fact.sources[0]].sender
        assert fact.settled


async def test_a_second_run_adds_nothing_even_when_the_file_was_moved(context, log, tmp_path):
    first = await import_irc(context, [log], roster=roster_of(tmp_path))
    before = await everything(context)
    moved = tmp_path / "elsewhere" / "2020-03-01_b.log"
    moved.parent.mkdir()
    log.rename(moved)
    for paths, roster in (([moved], roster_of(tmp_path)), ([moved.parent], None)):
        again = await import_irc(context, paths, roster=roster)
        assert (again.messages, again.facts, again.sessions) == (0, 0, 0)
        assert again.duplicates == first.messages
        assert await everything(context) == before


async def test_a_roster_that_comes_later_opens_nothing_recorded_before(context, log, tmp_path):
    await import_irc(context, [log])
    await import_irc(context, [log], roster=roster_of(tmp_path))
    assert all(len(m.audience.members) == 2 for m in await told(context))


@pytest.mark.parametrize("failing", range(1, 6))
async def test_an_interrupted_import_is_finished_by_the_next(tmp_path, log, failing):
    whole = make_context(MemoryStore(), Settings(data=tmp_path / "a"), embedder=NoEmbedder())
    await import_irc(whole, [log], roster=roster_of(tmp_path))
    context = make_context(MemoryStore(), Settings(data=tmp_path / "b"), embedder=NoEmbedder())
    calls = 0

    def cut_off(name):
        nonlocal calls
        calls += name == "importing"
        if calls == failing:
            raise KeyboardInterrupt

    failpoints.arm(cut_off)
    try:
        with pytest.raises(KeyboardInterrupt):
            await import_irc(context, [log], roster=roster_of(tmp_path))
    finally:
        failpoints.disarm()
    kept = await everything(context)
    assert len(kept[3]) < 7
    assert {m.session for m in kept[3]} == {f.session for f in kept[4]}
    report = await import_irc(context, [log], roster=roster_of(tmp_path))
    assert report.messages + report.duplicates == 7
    assert (await everything(context))[2:] == (await everything(whole))[2:]


async def test_what_was_forgotten_does_not_come_back(context, log):
    await import_irc(context, [log])
    gone = (await told(context))[1]
    async with context.store.transaction() as tx:
        await tx.forget(messages=[gone.id], at=datetime.now(UTC))
    await import_irc(context, [log])
    async with context.store.transaction() as tx:
        found = await tx.message(gone.id, ZONE)
    assert found is None or found.text == ""
    assert "Riverton" not in repr([(m.text, m.id) for m in (await everything(context))[3]])


async def test_a_policy_that_refuses_keeps_only_what_is_attested(context, log, tmp_path):
    async with context.store.transaction() as tx:
        await tx.save_policy(Policy(unresolved="refuse"), datetime.now(UTC))
    report = await import_irc(context, [log], roster=roster_of(tmp_path))
    assert (report.messages, report.refused) == (5, 2)
    assert not any(m.unresolved for m in await told(context))


async def test_times_are_the_logs_and_lines_keep_their_order(context, log, tmp_path):
    await import_irc(context, [log], roster=roster_of(tmp_path, ROSTER + "timezone: Asia/Shanghai\n"))
    messages = await told(context)
    assert messages[0].sent_at == datetime(2020, 3, 1, 1, 0, tzinfo=UTC)
    assert [m.text.split()[0] for m in messages[1:3]] == ["My", "She"]
    assert messages[1].sent_at < messages[2].sent_at < messages[1].sent_at + timedelta(seconds=1)


async def test_a_folder_is_read_in_order_and_the_roster_counts_for_its_day_only(context, log, tmp_path):
    (log.parent / "2020-03-02.ascii.txt").write_text("[09:06] <finch> The clay is wet.\n", encoding="utf-8")
    (log.parent / "2020-03-02.annotation.txt").write_text("1 2 -", encoding="utf-8")
    seen = []
    report = await import_irc(
        context,
        [log.parent],
        roster=roster_of(tmp_path),
        progress=lambda done, total: seen.append((done, total)),
    )
    assert report.messages == 8
    assert (await told(context))[-1].audience == heard_by("finch")
    assert seen[-1] == (8, 8)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    with pytest.raises(BadInput, match="which of 2 logs"):
        await import_irc(context, [log.parent], roster=roster_of(tmp_path, "present: []"))


async def test_the_room_is_the_one_of_the_roster_or_the_log_or_its_own(context, tmp_path):
    path = tmp_path / "2020-03-01.log"
    path.write_text("[09:06] <finch> The clay is wet.\n", encoding="utf-8")
    await import_irc(context, [path])
    (own,) = (await everything(context))[1]
    assert own.id.startswith("irc:log-")
    assert own.title == "2020-03-01.log"
    other = tmp_path / "2020-03-02.log"
    other.write_text("[09:06] <finch> The clay is dry.\n", encoding="utf-8")
    await import_irc(
        context, [other], roster=roster_of(tmp_path, "channel: '#KILN'\npresent: [{nick: wren}]")
    )
    assert (await told(context))[0].audience == heard_by("finch", "wren")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("kiln.log", "x", "tells no day"),
        ("missing", None, "cannot be read"),
        ("folder", "", "no log is here"),
    ],
)
async def test_what_cannot_be_imported_is_refused_whole(context, log, tmp_path, name, content, says):
    path = tmp_path / name
    if content == "":
        path.mkdir()
    elif content:
        path.write_text(content)
    with pytest.raises(BadInput, match=says):
        await import_irc(context, [log, path] if content != "" else [path])
    assert await told(context) == []


async def test_a_day_in_the_roster_stands_in_for_one_in_the_name(context, log, tmp_path):
    path = tmp_path / "kiln.txt"
    log.rename(path)
    report = await import_irc(context, [path], roster=roster_of(tmp_path))
    assert report.attested == 5


async def test_a_draft_counts_only_when_it_is_passed_back(context, log, tmp_path):
    (file,) = find_logs([log])
    roster = roster_of(tmp_path, draft_roster(file, "UTC"))
    assert [(p.nick, str(p.start), str(p.end)) for p in roster.present] == [
        ("finch", "09:01", "09:14"),
        ("wren", "09:01", "09:09"),
    ]
    assert await told(context) == []
    await import_irc(context, [log], roster=roster)
    assert (await told(context))[1].audience == heard_by("finch", "wren")


async def test_a_line_about_joining_says_nothing_about_who_was_there(context, tmp_path):
    path = tmp_path / "2020-03-01.log"
    path.write_text(
        "[09:00] <finch> The safe is behind the shelf.\n=== mallory [~m@host]  has joined #kiln\n"
        "=== wren is now known as mallory\n[09:01] <finch> The key lies under the mat.\n",
        encoding="utf-8",
    )
    await import_irc(context, [path], roster=roster_of(tmp_path))
    assert not any("irc:mallory" in m.audience for m in await told(context))


@given(st.integers(0, 10_000))
def test_sessions_hold_one_audience_and_end_after_a_pause(seed):
    chance = random.Random(seed)
    minute, lines = 0, []
    for number in range(chance.randrange(1, 150)):
        minute = min(1439, minute + chance.choice([0, 0, 1, 5, 31]))
        lines.append(
            f"[{minute // 60:02}:{minute % 60:02}] <{chance.choice(['finch', 'wren'])}> word {number}"
        )
    planned = plan_of("\n".join(lines))
    assert sum(len(p.messages) for p in planned) == len(lines)
    for p in planned:
        messages = [m for _, m in p.messages]
        assert {m.audience for m in messages} == {p.session.audience}
        assert {m.session for m in messages} == {p.session.id}
        assert len(messages) == p.session.messages <= LONGEST
        assert all(b.sent_at - a.sent_at <= PAUSE for a, b in pairwise(messages))
    assert len({p.session.id for p in planned}) == len(planned)


def plan_of(text):
    file = LogFile(Path("2020-03-01.log"), "0" * 16, date(2020, 3, 1), parse(text.split("\n")))
    return plan(attest(file, None, frozenset(), People(), ZoneInfo("UTC")), Findings(), refuse=False)


def test_ids_hold_no_words():
    (planned,) = plan_of("[09:00] <finch> The safe is behind the shelf.")
    assert planned.messages[0][0] == "irc:0000000000000000:1"
    assert planned.messages[0][1].id == MessageId("m_irc_0000000000000000_1")
