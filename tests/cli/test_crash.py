"""`tact selftest crash`: what it refuses, what it says; that nobody trips a failpoint by accident; and that it can fail."""

from __future__ import annotations

import asyncio
import io
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from bot.bootstrap import make_context, open_store
from bot.cli.app import run
from bot.selftest import crowd, killing
from bot.selftest.beginning import ORDERS, see_begun
from bot.selftest.checking import Checker
from bot.selftest.counting import count
from bot.selftest.crash import Order, in_words, measured
from bot.selftest.crowd import Crowd
from bot.selftest.dying import die_at
from bot.selftest.places import HITS, WORK
from bot.selftest.tally import Tally
from bot.selftest.telegram_world import TelegramWorld
from bot.service.lock import only_one
from config.settings import load_settings
from engine.audience import OWNER_ONLY
from engine.errors import BadInput
from engine.failpoints import POINTS, reach
from engine.items import RawMessage
from storage.audit import Harm


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--points", "nowhere"], "there is no point nowhere"),
        (["--points", "shelved"], "there is no point shelved without Chroma"),
        (["--kills", "0"], "kill how often?"),
        (["--random", "-1"], "kill how often?"),
        (["--database", "mysql://here/db"], "this is no URL of PostgreSQL"),
        (["--vectors", "paper"], "vectors cannot be in paper"),
        (["--platform", "pigeon"], "no such platform: pigeon"),
    ],
)
def test_a_wrong_order_is_refused_in_one_line(tact, arguments, said):
    done = tact("selftest", "crash", *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert len(done.err.splitlines()) == 1


def test_the_help_lists_every_point(tact):
    words = set(tact("selftest", "crash", "--help").out.replace(",", " ").replace(".", " ").split())
    assert words >= set(POINTS)


def test_the_page_lists_every_point_in_the_words_of_the_program():
    page = Path(__file__).parents[2] / "docs" / "results.md"
    assert "".join(f"| `{name}` | {what} |\n" for name, what in POINTS.items()) in page.read_text(
        encoding="utf-8"
    )


def test_all_points_are_those_that_can_be_reached():
    assert set(POINTS) - set(Order().reached) == {"shelved", "built", "turned"}
    assert Order(vectors="chroma").reached == tuple(POINTS)
    assert {*WORK, *HITS} <= set(POINTS)


@pytest.mark.parametrize(
    "name",
    ["lost", "doubled", "half_annotated", "orphaned", "out_of_step", "returned", "damaged", "missed"],
)
def test_whatever_is_wrong_fails_the_test_and_is_told(name):
    tally = Tally(kills=3, messages=5)
    assert tally.wrong == 0
    tally.note(name, 2, "why it is so")
    assert tally.wrong == 2
    assert f"{name}: why it is so" in in_words(tally)


def test_what_is_uncertain_is_told_and_is_no_failure():
    tally = Tally(uncertain=4, uncertain_arrived=3)
    assert tally.wrong == 0
    assert "4  answers of which Tact cannot know" in in_words(tally)


def test_without_an_order_a_place_is_nothing():
    """The process goes on."""
    die_at("")
    for name in POINTS:
        reach(name)


def test_nothing_that_an_owner_runs_can_arm_a_place():
    """No setting, no file and no variable does: whoever calls `arm` is in the self-test, and only that imports itself."""
    root = Path(__file__).parents[2]
    code = [p for d in ("bot", "connectors", "storage", "config") for p in (root / d).rglob("*.py")]
    arming = {
        str(p.relative_to(root))
        for p in code
        if re.search(r"failpoints import .*\barm\b", p.read_text("utf-8"))
    }
    assert arming == {"bot/selftest/dying.py"}
    program = "import sys, bot.bootstrap, bot.cli.app, bot.service.service, bot.cli.chat; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "engine.failpoints" in loaded
    assert not [name for name in loaded if name.startswith(("bot.selftest", "bot.bench."))]


def test_an_armed_place_kills_at_the_hit_that_was_ordered():
    program = (
        "from bot.selftest.dying import die_at; from engine.failpoints import reach; die_at('kept:2');"
        "reach('sent'); reach('kept'); print('once', flush=True); reach('kept'); print('twice', flush=True)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, "once\n")


# the checker, on a memory that is whole and on one that is not


@pytest.fixture
async def checker(initialised):
    settings = load_settings(initialised)
    store = await open_store(settings)
    yield Checker(make_context(store, settings))
    await store.close()


@pytest.fixture(scope="session")
def lived(tmp_path_factory):
    """A memory with four facts, two links and some edges."""
    folder = tmp_path_factory.mktemp("lived") / "mine"
    said = "/as bob\nCarl lives in Oslo because Dana works in Rome.\n/as owner\nDana lives in Quay because Carl works in Bergen.\n"
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()):
        patch.setenv("TACT_DEFLECT_AFTER_S", "0")
        patch.setattr(sys, "stdin", io.StringIO(said))
        assert run(["chat", "--data", str(folder), "--owner", "Mia"]) == 0
    return folder


@pytest.fixture
def initialised(lived, tmp_path):
    return Path(shutil.copytree(lived, tmp_path / "mine"))


def _plant(folder, *statements):
    with closing(sqlite3.connect(folder / "tact.db")) as database, database:
        database.execute("PRAGMA foreign_keys = ON")
        for statement in statements:
            assert database.execute(statement).rowcount > 0, statement


async def test_a_whole_memory_passes_and_is_not_changed_by_it(checker, initialised):
    async with checker.context.store.transaction() as tx:
        before = await tx.counts()
    await checker.look()
    await checker.look()
    assert checker.found == set()
    async with checker.context.store.transaction() as tx:
        assert await tx.counts() == before
        assert before["facts"] >= 4


@pytest.mark.parametrize("table", ["links", "edges", "facts"])
async def test_an_annotation_of_which_a_part_is_missing_is_found(checker, initialised, table):
    """Nothing in the tables tells that these rows should be there: only annotating again does."""
    _plant(initialised, f"DELETE FROM {table}")  # noqa: S608 - a name of ours
    await checker.look()
    assert {fault.harm for fault in checker.found} >= {Harm.HALF}
    assert any("gives other facts" in fault.what for fault in checker.found)


async def test_a_session_that_counts_as_annotated_and_is_not_is_found(checker, initialised):
    _plant(initialised, "DELETE FROM links", "DELETE FROM facts", "UPDATE sessions SET annotated = 1")
    await checker.look()
    assert {fault.harm for fault in checker.found} == {Harm.HALF}


async def test_a_message_is_missed_unless_it_waits_somewhere(checker):
    people = Crowd(TelegramWorld(), Random(1))
    people.gather()
    for kind in crowd.EVERYTHING:
        people.do(kind)
    waiting = [update["update_id"] for update in people.world.queue]
    assert len(people.said) == len(set(people.said)) == len(waiting) > len(crowd.EVERYTHING)
    assert await checker.unrecorded(people.said, waiting) == []
    assert await checker.unrecorded(people.said, waiting[1:]) == people.said[:1]


# what is told at the beginning


async def _begun(folder):
    store = await open_store(load_settings(folder))
    try:
        await see_begun(store)
    finally:
        await store.close()


@pytest.mark.parametrize(
    ("refused", "named"), [(None, ""), (1, "/share Borealis with everyone"), (3, "/level add telegram:8 ")]
)
def test_an_order_that_tact_refuses_at_the_beginning_ends_the_test(monkeypatch, tmp_path, refused, named):
    orders = ["/share nothing with everyone" if n == refused else text for n, text in enumerate(ORDERS)]
    monkeypatch.setenv("TACT_DEFLECT_AFTER_S", "0")
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(orders) + "\n"))
    assert run(["chat", "--data", str(tmp_path / "mine")]) == 0
    if refused is None:
        asyncio.run(_begun(tmp_path / "mine"))
        return
    with pytest.raises(BadInput, match="did not do what it was told") as wrong:
        asyncio.run(_begun(tmp_path / "mine"))
    assert f"({named}" in str(wrong.value)


@pytest.mark.slow
def test_a_refusal_at_the_beginning_is_one_line_on_the_screen(tact, monkeypatch):
    monkeypatch.setattr(killing, "ORDERS", (*ORDERS[:1], "/share nothing with everyone", *ORDERS[2:]))
    done = tact("selftest", "crash", "--points", "sent", "--kills", "1", "--json")
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert "nothing was tried: Tact did not do what it was told before (/share" in done.err


@pytest.mark.slow
async def test_work_that_is_never_done_is_told_as_that(monkeypatch):
    """What was said and waits would count as lost otherwise, and nobody would know why."""
    monkeypatch.setattr(killing, "_REST_S", 0.0)
    tally = await measured(Order(["received"], kills=1))
    assert tally.faults[0] == "damaged: a Tact that nobody kills does not come to an end of its work"


async def test_what_the_owner_took_back_and_is_there_counts_as_lost(checker):
    people = Crowd(TelegramWorld(), Random(1))
    people.gather()
    people.do(crowd.ERASE)
    (event,) = people.taken_back
    message = RawMessage("m_back", "room", "s_back", "o", "a:o", "words", datetime.now(UTC), OWNER_ONLY)
    async with checker.context.store.transaction() as tx:
        assert await tx.record(message, event=event)
    people.said = [said for said in people.said if said.event == event]
    tally = Tally()
    await count(tally, people, checker.context.store, [])
    assert tally.faults == ["lost: the owner took it back, and it is there, the first ['m_back']"]
    async with checker.context.store.transaction() as tx:
        await tx.forget(messages=["m_back"], at=datetime.now(UTC))
    tally = Tally()
    await count(tally, people, checker.context.store, [])
    assert tally.faults == []


# and the doctor


def test_the_doctor_says_whether_tables_and_index_agree(tact, initialised):
    assert "ok     tables: tables and index agree\n" in tact("doctor", "--data", initialised, "--offline").out
    _plant(initialised, "UPDATE links SET right_id = 'f_none'")
    done = tact("doctor", "--data", initialised, "--offline")
    assert done.code == 1
    assert (
        "fault  tables: 1 thing(s) do not fit together, the first: half_annotated: links.right_id:"
        in done.out
    )


def test_the_doctor_does_not_hold_up_a_tact_that_runs(tact, initialised):
    with only_one(initialised):
        done = tact("doctor", "--data", initialised, "--offline")
    assert "tables: not looked at while Tact is running\n" in done.out
