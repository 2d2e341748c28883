"""What happens on a platform, the same for all of them: messages, presses, membership, migration.

Ids are strings and belong to one platform: a container and an account carry its name, and whatever one bot counts for
itself (updates, messages in a direct chat) carries the bot as well, so that another bot's numbers are never taken for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import assert_never

from engine.ids import AccountId, ContainerId
from engine.items import Origin


@dataclass(frozen=True, slots=True)
class Message:
    """A message that somebody wrote, or a new version of one; who can read it must still be asked for.

    Args:
        id: of this version of the message.
        first: of the message as it was first written; the same as `id` unless this is an edit.
        container: where it was said, thread and all.
        chat: the chat that people are members of; the container without its thread.
        account: who wrote it; where the platform vouches for nobody, one that is no person's.
        vouched: whether the platform vouches for the account.
        name: self-chosen; identifies nobody.
        sent_at: the time of this version (aware).
        direct: a direct chat with Tact.
        addressed: an exact mention, a reply to Tact, or a direct chat.
        elsewhere: a command for another program.
        bot: a program wrote it.
        answers: the id of the message that it replies to; empty if it replies to none.
    """

    id: str
    first: str
    container: ContainerId
    chat: ContainerId
    account: AccountId
    vouched: bool
    name: str
    text: str = field(repr=False)
    sent_at: datetime
    title: str = field(default="", repr=False)
    direct: bool = False
    addressed: bool = False
    elsewhere: bool = False
    origin: Origin = Origin.TYPED
    bot: bool = False
    answers: str = ""

    @property
    def edited(self) -> bool:
        """Whether this is a new version of a message."""
        return self.id != self.first


@dataclass(frozen=True, slots=True)
class Press:
    """A button pressed by an account that the platform vouches for; what the button says is not vouched for.

    Args:
        id: of the press, to answer it by.
        chat: where the button is.
        message: the id of the message that the button is under.
        direct: whether that is the account's own direct chat with Tact.
        data: what the button says.
    """

    id: str
    chat: ContainerId
    message: str
    account: AccountId
    direct: bool
    data: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Membership:
    """Somebody came, went or rose in a chat.

    Args:
        id: of the event.
        account: who; Tact's own if `own`.
        by: who did it; empty if the platform vouches for nobody.
        present: whether they are there now.
        bot: whether it is a program.
        own: it is about Tact itself.
    """

    id: str
    chat: ContainerId
    account: AccountId
    by: AccountId | None
    present: bool
    bot: bool = False
    own: bool = False


@dataclass(frozen=True, slots=True)
class Migration:
    """A chat has another id from now on."""

    old: ContainerId
    new: ContainerId


@dataclass(frozen=True, slots=True)
class Ignored:
    """What is not taken, and why (a closed set of words, for the log)."""

    why: str


Event = Message | Press | Membership | Migration | Ignored


def chat_of(event: Event) -> ContainerId:
    """The chat whose events are handled in order with this one; empty if it is about none."""
    match event:
        case Message(chat=chat) | Press(chat=chat) | Membership(chat=chat) | Migration(new=chat):
            return chat
        case Ignored():
            return ContainerId("")
        case _:
            assert_never(event)
