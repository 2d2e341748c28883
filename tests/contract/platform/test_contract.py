"""What every platform is held to, through the whole service: the console, Telegram, and one that is written in a page.

A new platform passes this with a rig of its own in `rigs.py`.
"""

from __future__ import annotations

import asyncio
import json

import pytest

from bot.platforms import Kind
from bot.service.channel import PlatformChannel
from bot.service.receiver import Receiver
from engine.errors import NotReleased, StoreFault
from engine.events import Event
from engine.mailroom import Arrival, Sending, State
from engine.platform import Refused, Why, insiders
from engine.release import release_line, release_to_owner
from engine.viewers import Known, viewers
from tests.contract.platform.pigeon import Loft, Pigeon
from tests.contract.platform.rigs import BOB, EVE, GROUP, OWNER, RIGS, PigeonRig, Rig

THANKS = "You're welcome."
TOLD = "The launch of Borealis is on Friday."
ASK = "When is the launch of Borealis?"


@pytest.fixture(params=sorted(RIGS))
async def rig(request, tmp_path):
    async with RIGS[request.param](tmp_path / "tact").open() as rig:
        yield rig


async def sendings(rig: Rig, state: State) -> list[str]:
    async with rig.service.store.transaction() as tx:
        return [s.key for s in await tx.sendings(state) if s.text]


async def messages(rig: Rig) -> int:
    async with rig.service.store.transaction() as tx:
        return (await tx.counts())["messages"]


async def test_a_message_that_is_handed_over_twice_is_received_once(rig):
    async with rig.running():
        await rig.says(BOB, BOB, "/start")
        said = rig.say(BOB, BOB, "Thanks!")
        await rig.settle()
        before = await messages(rig)
        rig.again(said)
        await rig.settle()
        assert rig.texts(BOB).count(THANKS) == 1
        assert await messages(rig) == before


async def test_nothing_is_acknowledged_before_it_is_kept(rig, monkeypatch):
    """The memory cannot keep what arrives: Tact ends, the platform still has it, and the next start answers it."""
    async with rig.running():
        await rig.says(BOB, BOB, "/start")
    with monkeypatch.context() as broken:

        async def failing(*_: object) -> None:
            raise StoreFault("the disk is full")

        broken.setattr(Receiver, "_keep", failing)
        async with rig.running():
            rig.say(BOB, BOB, "Thanks!")
            await asyncio.wait({rig.task}, timeout=60)
            assert isinstance(rig.task.exception(), StoreFault)
    assert rig.waiting == 1
    async with rig.running():
        assert rig.texts(BOB).count(THANKS) == 1


async def test_what_cannot_be_read_holds_up_nothing_and_is_kept(rig):
    async with rig.running() as service:
        key = f"{rig.name}:odd"
        await service.receivers[0]._keep([Arrival(key, "[]")])
        assert await rig.says(BOB, BOB, "Thanks!", left=1)
        async with service.store.transaction() as tx:
            assert [a.key for a in await tx.arrivals()] == [key]


async def test_the_owner_has_cards_with_buttons_and_a_press_is_his_word(rig):
    async with rig.running():
        await rig.meets_bob()
        assert "Noted" in await rig.owner(TOLD)
        rig.press(OWNER, OWNER, "Confirm")
        await rig.settle()
        assert any("Friday" in text for text in await rig.says(BOB, BOB, ASK))


async def test_what_the_owner_is_told_goes_to_his_direct_chat_whatever_the_room(rig):
    async with rig.running():
        before = len(rig.texts(OWNER))
        said = await rig.says(GROUP, OWNER, "/status")
        assert len(rig.texts(OWNER)) > before
        assert not any("messages" in line for line in said)


async def test_a_command_of_anybody_else_is_one_constant_line(rig):
    async with rig.running():
        await rig.says(BOB, BOB, "/start")
        assert await rig.says(BOB, BOB, "/status") == await rig.says(BOB, BOB, "/level add Bob L1-work")


async def test_rooms_take_released_words_and_the_owner_s_chat_the_owner_s(rig):
    async with rig.running() as service:
        channel = PlatformChannel(service.receivers[0].connection)
        chat = rig.chat(BOB)
        with pytest.raises(NotReleased):
            await channel.say(chat, release_to_owner("secret"), "k1")
        with pytest.raises(NotReleased):
            await channel.tell_owner(release_line("hello"), "k2")
        assert rig.texts(BOB) == []


async def test_a_text_is_sent_once_a_key_in_parts_that_fit(rig):
    async with rig.running() as service:
        connection = service.receivers[0].connection
        channel, chat = PlatformChannel(connection), rig.chat(BOB)
        text = " ".join(f"word{n}" for n in range(1500))
        for _ in range(2):
            await channel.say(chat, release_line(text), "long")
        sent = rig.texts(BOB)
        assert " ".join(sent) == text
        assert all(len(part) <= connection.platform.longest for part in sent)


async def test_what_was_surely_not_written_is_tried_again(rig):
    async with rig.running():
        await rig.says(BOB, BOB, "/start")
        rig.fail("unwritten")
        assert await rig.says(BOB, BOB, "Thanks!") == [THANKS]


async def test_what_may_have_arrived_is_never_sent_again_by_itself(rig):
    async with rig.running():
        await rig.says(BOB, BOB, "/start")
        rig.fail("unanswered")
        await rig.says(BOB, BOB, "Thanks!")
        (key,) = await sendings(rig, State.UNCERTAIN)
        arrived = rig.texts(BOB).count(THANKS)
        assert arrived <= 1
        assert key in rig.texts(OWNER)[-1]
    async with rig.running():
        assert rig.texts(BOB).count(THANKS) == arrived
        await rig.owner(f"/resend {key}")
        assert rig.texts(BOB).count(THANKS) == arrived + 1


async def test_what_is_refused_is_told_and_not_tried_again(rig):
    async with rig.running():
        await rig.says(BOB, BOB, "/start")
        rig.fail("refused")
        assert await rig.says(BOB, BOB, "Thanks!") == []
        assert "refused" in rig.texts(OWNER)[-1]


async def test_a_delivery_that_a_crash_left_marked_is_uncertain_after_the_start(rig):
    async with rig.running() as service:
        await rig.says(BOB, BOB, "/start")
        async with service.store.transaction() as tx:
            chat = rig.chat(BOB)
            await tx.put_sending(Sending("t_1/line#0", chat, THANKS, State.SENDING))
    async with rig.running():
        assert await sendings(rig, State.UNCERTAIN) == ["t_1/line#0"]
        assert THANKS not in rig.texts(BOB)
        assert "t_1/line#0" in rig.texts(OWNER)[-1]


async def test_an_edit_is_a_new_version_and_carries_nothing_out(rig):
    async with rig.running():
        await rig.meets_bob()
        said = rig.say(OWNER, OWNER, "The dentist is on Monday.")
        await rig.settle()
        before = await messages(rig)
        rig.edit(said, "The dentist is on Tuesday.")
        await rig.settle()
        assert await messages(rig) == before + 1
        rig.edit(said, "/level add Bob L1-life")
        await rig.settle()
        async with rig.service.store.transaction() as tx:
            assert "L1-life" not in str((await tx.policy()).contacts)


async def test_somebody_who_joins_is_seen_before_the_next_word(rig):
    """Who can read is asked at each message; what was for two is not said before three."""
    async with rig.running() as service:
        connection = service.receivers[0].connection
        rig.joins(EVE)
        await rig.settle()
        async with service.store.transaction() as tx:
            policy, people = await tx.policy(), await tx.people()
        sender = rig.account(BOB)
        chat = rig.chat(GROUP)
        evidence = await connection.platform.look(chat, sender, insiders(policy, people))
        seen = viewers(evidence, people.mapping)
        assert not isinstance(seen, Known) or rig.account(EVE) in seen.upper.members


async def test_a_direct_chat_is_its_two_parties(rig):
    async with rig.running() as service:
        connection = service.receivers[0].connection
        async with service.store.transaction() as tx:
            policy, people = await tx.policy(), await tx.people()
        chat = connection.platform.direct(rig.account(BOB))
        evidence = await connection.platform.look(chat, rig.account(BOB), insiders(policy, people))
        seen = viewers(evidence, people.mapping)
        assert isinstance(seen, Known)
        assert seen.upper.members == {"o", rig.account(BOB)}
        assert connection.platform.direct("raven:bob") is None


async def test_what_came_while_tact_was_down_is_answered_after_the_start(rig):
    async with rig.running():
        await rig.says(BOB, BOB, "/start")
    rig.say(BOB, BOB, "Thanks!")
    async with rig.running():
        assert rig.texts(BOB).count(THANKS) == 1


@pytest.mark.parametrize("rig", sorted(name for name in RIGS if RIGS[name].token), indirect=True)
async def test_a_bad_token_ends_it_with_the_reason(rig):
    rig.token = "123:no" if rig.name == "telegram" else "stone"
    with pytest.raises(Refused) as found:
        async with rig.running():
            pass
    assert found.value.why is Why.TOKEN


async def test_what_was_forgotten_is_deleted_where_tact_wrote_it(rig):
    async with rig.running():
        await rig.meets_bob()
        await rig.tells(TOLD)
        assert "Done" in (await rig.owner("/forget about Borealis") + await rig.owner("confirm"))


async def test_reading_is_pure(rig):
    """The same payload gives the same event, whatever came in between."""
    async with rig.running() as service:
        platform = service.receivers[0].platform
        kept: list[str] = []
        receive = service.receivers[0]._do

        async def seen(arrival: Arrival, event: Event) -> float | None:
            kept.append(arrival.payload)
            assert platform.read(arrival.payload) == event
            return await receive(arrival, event)

        service.receivers[0]._do = seen
        await rig.says(BOB, BOB, "Hello")
    assert json.loads(kept[0])


class Crow(Pigeon):
    name = "crow"


@pytest.mark.parametrize("fault", ["a bad token", "out of reach"])
async def test_a_platform_that_does_not_start_leaves_the_others_serving(tmp_path, fault):
    async with PigeonRig(tmp_path / "tact").open() as rig:
        loft = Loft()
        loft.down = fault == "out of reach"
        crow = Kind(
            "crow", "Crows", lambda token, *_: Crow(token, loft), "crow:1", "TACT_CROW_API", "ask the loft"
        )
        kinds = {**rig.kinds(), "crow": crow}
        rig.kinds = lambda: kinds
        rig.tokens = {"crow": "stone", "pigeon": "grain"}
        async with rig.running():
            await rig.meets_bob()
            await rig.tells(TOLD)
            assert any("Friday" in text for text in await rig.says(BOB, BOB, ASK))
