"""What is done with each event of Telegram's: a turn, a note about a room, or nothing.

An event stays in the inbox until it is finished here. It may be begun several times (a crash, a network that was down);
what came of it is told once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace

from bot.context import Context
from bot.memory.edits import recorded_as, says_nothing_new
from bot.memory.retention import follow
from bot.owner.button_presses import tapped
from bot.owner.buttons import TAP
from bot.owner.commands.registry import Registry
from bot.service.ownership import claim
from bot.service.rate_limits import Heard, Limits
from bot.texts import say
from bot.turn.record import mode_note
from bot.turn.turn import take_turn
from config.settings import Settings
from connectors.telegram.channel import ROLL, Hub, TelegramChannel
from connectors.telegram.errors import TelegramFault
from connectors.telegram.inbound import (
    NOBODY,
    Event,
    Ignored,
    Moved,
    Pressed,
    Spoken,
    Standing,
    account_of,
    container_of,
    event_of,
)
from connectors.telegram.outbound import sent_note
from engine.failpoints import reach
from engine.ids import OWNER, AccountId, MessageId
from engine.items import InboundMessage, Origin
from engine.people import People
from engine.policy import Policy
from engine.release import release_line, release_to_owner

_log = logging.getLogger(__name__)
_TYPING_S = 4.5


@dataclass(frozen=True, slots=True)
class Desk:
    """Handles events; `claimed` is called when an account became the owner's."""

    context: Context
    settings: Settings
    commands: Registry
    hub: Hub
    claimed: Callable[[int], None] = lambda _: None
    limits: Limits = field(default_factory=Limits)

    async def handle(self, event: Event) -> None:
        """Do what an event asks for.

        Raises:
            NotWritten: something could not be sent; the event may be handled again later.
        """
        if isinstance(event, Spoken):
            await self._spoken(event)
        elif isinstance(event, Pressed):
            await self._pressed(event)
        elif isinstance(event, Standing):
            await self._standing(event)
        elif isinstance(event, Moved):
            await self.hub.rooms.move(event.old, event.new, self.context.clock.now())
            await follow(self.context, container_of(event.old), container_of(event.new))
        else:
            _ignored(event)

    async def _spoken(self, spoken: Spoken) -> None:
        channel = TelegramChannel(self.hub, spoken.account if spoken.user else None)
        typed = spoken.origin is Origin.TYPED and not spoken.edited
        if spoken.private and typed and await self._claimed(spoken, channel):
            return
        heard = await self._heard(spoken)
        if heard is not Heard.YES and spoken.private:
            await self._slow(spoken, heard, channel)
            return
        if spoken.edited and await self._unchanged(spoken):
            return
        answerable = not spoken.bot and heard is Heard.YES
        addressed = spoken.addressed and answerable
        inbound = await self._inbound(spoken, addressed=addressed)
        if not answerable:  # remembered, and no more, whatever the room's mode
            inbound = replace(inbound, elsewhere=True)
        reach("seen")
        async with self._typing(spoken) if addressed and not spoken.edited else _nothing():
            await take_turn(self.context, channel, self.commands, inbound, again=True)
        reach("answered")

    async def _heard(self, spoken: Spoken) -> Heard:
        """Whether somebody who asks for an answer may have one now: strangers are counted before anything that costs."""
        policy, people = await self._known()
        if not _stranger(spoken.account, policy, people):
            return Heard.YES
        async with self.context.store.transaction() as tx:
            always = await tx.note(mode_note(spoken.container)) == "always"
        if not (spoken.addressed or always):
            return Heard.YES
        return self.limits.take(spoken.account, self.context.clock.now())

    async def _unchanged(self, spoken: Spoken) -> bool:
        """Whether only something else about a message changed (a preview, a reaction), and not its words."""
        async with self.context.store.transaction() as tx:
            if await tx.recorded(spoken.event):  # taken up again after a crash
                return False
            return await says_nothing_new(tx, event_of(spoken.chat, spoken.number), spoken.text)

    async def _inbound(self, spoken: Spoken, *, addressed: bool) -> InboundMessage:
        """With who can read it, and what it replies to or is a new version of."""
        if not spoken.private:
            await self.hub.rooms.heard(spoken.chat, spoken.user, self.context.clock.now(), bot=spoken.bot)
        evidence = await self.hub.evidence(spoken.chat, spoken.account if spoken.user else None)
        async with self.context.store.transaction() as tx:
            edits = await tx.recorded(event_of(spoken.chat, spoken.number)) if spoken.edited else None
        reply_to = await self._answered(spoken)
        return spoken.inbound(evidence, reply_to=reply_to, edits=edits, addressed=addressed)

    async def _claimed(self, spoken: Spoken, channel: TelegramChannel) -> bool:
        if not await claim(self.context, self.settings, "telegram", spoken.account, spoken.text):
            return False
        key = f"claim/{spoken.event}"
        await channel.tell_owner(release_to_owner(say(self.context.language, "claim.done")), key)
        self.claimed(spoken.user)
        return True

    async def _known(self) -> tuple[Policy, People]:
        async with self.context.store.transaction() as tx:
            return await tx.policy(), await tx.people()

    async def _slow(self, spoken: Spoken, heard: Heard, channel: TelegramChannel) -> None:
        """Too much from a stranger: one line, then silence. Nothing of it is kept."""
        if heard is Heard.SLOW:
            policy, _ = await self._known()
            line = self.context.lines.line("slow", self.context.language, policy.lines, policy.owner_name)
            await channel.say(spoken.container, release_line(line), f"slow/{spoken.event}")

    async def _answered(self, spoken: Spoken) -> MessageId | None:
        """The message that this one replies to, if it is kept: somebody's, or one of Tact's own replies."""
        if not spoken.answers:
            return None
        async with self.context.store.transaction() as tx:
            own = await tx.note(sent_note(spoken.chat, spoken.answers))
            if own:
                return await tx.recorded(own.partition("#")[0])
            return await recorded_as(tx, event_of(spoken.chat, spoken.answers))

    @asynccontextmanager
    async def _typing(self, spoken: Spoken) -> AsyncIterator[None]:
        async def show() -> None:
            while True:
                with suppress(TelegramFault):
                    await self.hub.api.typing(spoken.chat, spoken.thread)
                await asyncio.sleep(_TYPING_S)

        showing = asyncio.create_task(show())
        try:
            yield
        finally:
            showing.cancel()
            await asyncio.gather(showing, return_exceptions=True)

    async def _pressed(self, pressed: Pressed) -> None:
        """A press proves that its account is there. What the button says proves nothing."""
        policy, people = await self._known()
        name = "pressed"
        if pressed.chat < 0 and pressed.data.startswith(ROLL):
            await self.hub.rooms.saw(pressed.chat, pressed.user)
        elif pressed.data.startswith(TAP):
            if pressed.chat == pressed.user and people.person(account_of(pressed.user)) == OWNER:
                await tapped(self.context, self.hub, pressed)
                return
            name = "command"  # what a stranger hears whatever he commands
        with suppress(TelegramFault):
            line = self.context.lines.line(name, self.context.language, policy.lines, policy.owner_name)
            await self.hub.api.answer(pressed.query, line)

    async def _standing(self, standing: Standing) -> None:
        """Somebody came or went: lists made before are out of date. Tact itself says once what it is."""
        if standing.chat > 0:
            return
        rooms = self.hub.rooms
        user = 0 if standing.mine else standing.user
        await rooms.changed(standing.chat, self.context.clock.now(), user, bot=standing.bot)
        await rooms.saw(standing.chat, 0 if standing.by in NOBODY else standing.by)
        room = await rooms.get(standing.chat)
        if standing.mine and room.introduced and not standing.present:
            await rooms.put(replace(room, introduced=False))
        if standing.mine and standing.present and not room.introduced:
            policy, _ = await self._known()
            line = self.context.lines.line("about", self.context.language, policy.lines, policy.owner_name)
            channel = TelegramChannel(self.hub)
            await channel.say(container_of(standing.chat), release_line(line), f"hello/{standing.update}")
            await rooms.put(replace(await rooms.get(standing.chat), introduced=True))


def _stranger(account: AccountId, policy: Policy, people: People) -> bool:
    person = people.person(account)
    return person != OWNER and person not in policy.contacts and not people.called(person)


def _ignored(event: Ignored) -> None:
    _log.info("telegram.ignored", extra={"event": str(event.update), "state": event.why})


@asynccontextmanager
async def _nothing() -> AsyncIterator[None]:
    yield


def owner_menu(commands: Registry, language: str) -> list[tuple[str, str]]:
    """The command menu of the owner's private chat."""
    plain = [c for c in commands if c.name.isascii() and c.name.isalnum()]
    return [(c.name, c.help["zh" if language == "zh" else "en"][:256]) for c in plain][:100]
