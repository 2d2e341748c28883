"""What is done with each event of a platform: a turn, a note about a room, or nothing.

An event stays in the inbox until it is finished here. It may be begun several times (a crash, a network that was down);
what came of it is told once.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import assert_never

from bot.bootstrap import Tact
from bot.context import Context
from bot.memory.edits import recorded_as, says_nothing_new
from bot.memory.retention import follow
from bot.owner.button_presses import tapped
from bot.owner.buttons import TAP
from bot.owner.commands.registry import Registry
from bot.service.channel import ROLL, PlatformChannel
from bot.service.connection import Connection
from bot.service.ownership import claim, code_in
from bot.service.rate_limits import Heard, Limits
from bot.texts import say
from bot.turn.record import mode_note
from bot.turn.turn import take_turn
from config.settings import Settings
from engine.events import Event, Ignored, Membership, Message, Migration, Press
from engine.failpoints import reach
from engine.ids import OWNER, AccountId, ContainerId, MessageId
from engine.items import InboundMessage, Origin
from engine.people import People
from engine.platform import PlatformFault, insiders
from engine.policy import Policy
from engine.records import Outcome, TurnTrace
from engine.release import release_line, release_to_owner
from engine.store import Transaction

_log = logging.getLogger(__name__)
_TYPING_S = 4.5


@dataclass(frozen=True, slots=True)
class _Known:
    """What the memory knows about a message on its arrival, read in one transaction.

    Args:
        always: the room's mode is that every question is answered.
        edits: the message that this is a new version of; None if it is none, or the old one is not there.
        unchanged: only something else about the message changed (a preview, a reaction), and not its words.
        reply_to: the message that this one replies to, if it is kept: somebody's, or one of Tact's own replies.
    """

    policy: Policy
    people: People
    always: bool
    edits: MessageId | None
    unchanged: bool
    reply_to: MessageId | None


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """Handles the events of one platform.

    Args:
        tact: takes the turns.
        settings: where an account that became the owner's is written down.
        connection: the platform.
        claimed: is called when an account became the owner's.
        limits: of strangers.
        played: one person plays everybody: nobody is introduced to Tact or held back, and no event comes twice, so that
            turns have ids like everything else.
    """

    tact: Tact
    settings: Settings
    connection: Connection
    claimed: Callable[[ContainerId], None] = lambda _: None
    limits: Limits = field(default_factory=Limits)
    played: bool = False

    @property
    def context(self) -> Context:
        """What its turns are made with."""
        return self.tact.context

    async def handle(self, event: Event, arrival: str = "", raw: str = "") -> bool:
        """Do what an event asks for.

        Args:
            event: what arrived.
            arrival: the key that it is kept under in the inbox.
            raw: the platform's payload, kept with a message.

        Returns:
            Whether its arrival was finished together with what came of it.

        Raises:
            NotWritten: something could not be sent; the event may be handled again later.
        """
        match event:
            case Message():
                trace = await self.take(event, arrival, raw)
                # what a model worded is looked at once more after it was closed
                worded = self.context.writer is not None
                return trace is not None and not (worded and trace.outcome is Outcome.ANSWERED)
            case Press():
                await self._press(event)
            case Membership():
                await self._membership(event)
            case Migration(old, new):
                await self.connection.rooms.move(old, new, self.context.clock.now())
                await follow(self.context, old, new)
            case Ignored(why):
                _log.info("event.ignored", extra={"event": arrival, "state": why})
            case _:
                assert_never(event)
        return False

    async def take(self, message: Message, arrival: str = "", raw: str = "") -> TurnTrace | None:
        """The turn of a message; None if it is none. See `handle`."""
        sender = message.account if message.vouched else None
        typed = message.origin is Origin.TYPED and not message.edited
        if message.direct and typed and code_in(message.text) and await self._claimed(message):
            return None
        async with self.context.store.transaction() as tx:
            known = await _known(tx, message)
        channel = PlatformChannel(self.connection, sender, known.people.owners)
        heard = self._heard(message, known)
        if heard is not Heard.YES and message.direct:
            await self._slow(message, heard, known, channel)
            return None
        if known.unchanged:
            return None
        answerable = not message.bot and heard is Heard.YES
        addressed = message.addressed and answerable
        inbound = await self._inbound(message, known, addressed=addressed)
        if not answerable:  # remembered, and no more, whatever the room's mode
            inbound = replace(inbound, elsewhere=True)
        reach("seen")
        inbound = replace(inbound, arrival=arrival, raw=raw)
        async with self._typing(message) if addressed and not message.edited else _nothing():
            trace = await take_turn(self.context, channel, self.tact.commands, inbound, again=True)
        reach("answered")
        return trace

    def _heard(self, message: Message, known: _Known) -> Heard:
        """Whether somebody who asks for an answer may have one now: strangers are counted before anything that costs."""
        if self.played or not _stranger(message.account, known.policy, known.people):
            return Heard.YES
        if not (message.addressed or known.always):
            return Heard.YES
        return self.limits.take(message.account, self.context.clock.now())

    async def _inbound(self, message: Message, known: _Known, *, addressed: bool) -> InboundMessage:
        """What a turn takes: with who can read it, and what it replies to or is a new version of."""
        sender = message.account if message.vouched else None
        if not message.direct:
            now = self.context.clock.now()
            await self.connection.rooms.heard(message.chat, sender, now, bot=message.bot)
        evidence = await self.connection.platform.look(
            message.container, sender, insiders(known.policy, known.people)
        )
        return InboundMessage(
            event=message.id,
            container=message.container,
            sender=message.account,
            display_name=message.name,
            text=message.text,
            sent_at=message.sent_at,
            evidence=evidence,
            title=message.title,
            reply_to=known.reply_to,
            addressed=addressed,
            origin=message.origin,
            turn="" if self.played else "t_" + hashlib.sha256(message.id.encode()).hexdigest()[:16],
            edits=known.edits or (MessageId(message.first) if message.edited else None),
            elsewhere=message.elsewhere,
            introduces=message.direct and not self.played,
        )

    async def _claimed(self, message: Message) -> bool:
        platform = self.connection.platform
        if not await claim(self.context, self.settings, platform.name, message.account, message.text):
            return False
        key = f"claim/{message.id}"
        channel = PlatformChannel(self.connection, message.account)
        await channel.tell_owner(release_to_owner(say(self.context.language, "claim.done")), key)
        self.claimed(message.container)
        return True

    async def _slow(self, message: Message, heard: Heard, known: _Known, channel: PlatformChannel) -> None:
        """Too much from a stranger: one line, then silence. Nothing of it is kept."""
        if heard is Heard.SLOW:
            await channel.say(
                message.container, release_line(self._line("slow", known.policy)), f"slow/{message.id}"
            )

    def _line(self, name: str, policy: Policy) -> str:
        return self.context.lines.line(name, self.context.language, policy.lines, policy.owner_name)

    @asynccontextmanager
    async def _typing(self, message: Message) -> AsyncIterator[None]:
        async def show() -> None:
            while True:
                with suppress(PlatformFault):
                    await self.connection.platform.show_typing(message.container)
                await asyncio.sleep(_TYPING_S)

        showing = asyncio.create_task(show())
        try:
            yield
        finally:
            showing.cancel()
            await asyncio.gather(showing, return_exceptions=True)

    async def _press(self, press: Press) -> None:
        """A press proves that its account is there. What the button says proves nothing."""
        async with self.context.store.transaction() as tx:
            policy, people = await tx.policy(), await tx.people()
        name = "pressed"
        if not press.direct and press.data.startswith(ROLL):
            await self.connection.rooms.saw(press.chat, press.account)
        elif press.data.startswith(TAP):
            if press.direct and people.person(press.account) == OWNER:
                channel = PlatformChannel(self.connection, press.account, people.owners)
                await tapped(self.context, self.connection.platform, channel, press)
                return
            name = "command"  # what a stranger hears whatever he commands
        with suppress(PlatformFault):
            await self.connection.platform.answer(press.id, self._line(name, policy))

    async def _membership(self, event: Membership) -> None:
        """Somebody came or went: lists made before are out of date. Tact itself says once what it is."""
        rooms, chat = self.connection.rooms, event.chat
        account = None if event.own else event.account
        await rooms.changed(chat, self.context.clock.now(), account, bot=event.bot)
        await rooms.saw(chat, event.by)
        room = await rooms.get(chat)
        if event.own and room.introduced and not event.present:
            await rooms.put(replace(room, introduced=False))
        if event.own and event.present and not room.introduced:
            async with self.context.store.transaction() as tx:
                line = release_line(self._line("about", await tx.policy()))
            await PlatformChannel(self.connection).say(chat, line, f"hello/{event.id}")
            await rooms.put(replace(await rooms.get(chat), introduced=True))


async def _known(tx: Transaction, message: Message) -> _Known:
    policy, people = await tx.policy(), await tx.people()
    always = await tx.note(mode_note(message.container)) == "always"
    edits = await tx.recorded(message.first) if message.edited else None
    fresh = message.edited and not await tx.recorded(message.id)  # else it is taken up again after a crash
    unchanged = fresh and await says_nothing_new(tx, message.first, message.text)
    return _Known(policy, people, always, edits, unchanged, await _answered(tx, message))


async def _answered(tx: Transaction, message: Message) -> MessageId | None:
    if not message.answers:
        return None
    own = await tx.sending_of(message.answers)
    if own is not None:
        return await tx.recorded(own.key.partition("#")[0])
    return await recorded_as(tx, message.answers)


def _stranger(account: AccountId, policy: Policy, people: People) -> bool:
    person = people.person(account)
    return person != OWNER and person not in policy.contacts and not people.called(person)


@asynccontextmanager
async def _nothing() -> AsyncIterator[None]:
    yield


def owner_menu(commands: Registry, language: str) -> list[tuple[str, str]]:
    """The command menu of the owner's private chat."""
    plain = [c for c in commands if c.name.isascii() and c.name.isalnum()]
    return [(c.name, c.help(language)[:256]) for c in plain][:100]
