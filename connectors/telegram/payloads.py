"""What is kept of an update until its message is forgotten: all of it but what others said and Telegram repeats in it.

An answer comes with the whole message that it answers, a press with the words above its button. Kept, they would be
copies that nobody looks for: of what somebody else said, under the name of who answered.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from connectors.telegram.inbound import message_id
from engine.platform import Sighting

_OTHERS = frozenset({"reply_to_message", "pinned_message"})
_QUOTED = frozenset({"quote", "external_reply", "reply_to_story"})
_BARE = frozenset(
    {
        "message_id", "date", "chat", "from", "sender_chat", "message_thread_id", "is_topic_message",
        "business_connection_id",
    }
)  # fmt: skip
"""What says which message it is, and whose."""


def kept(update: dict[str, Any]) -> str:
    """An update as JSON."""
    return json.dumps(_own(update), ensure_ascii=False)


def _own(value: Any, name: str = "") -> Any:
    if isinstance(value, list):
        return [_own(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _bare(inner)
        if key in _OTHERS or (name, key) == ("callback_query", "message")
        else _own(inner, key)
        for key, inner in value.items()
        if key not in _QUOTED
    }


def _bare(message: Any) -> Any:
    return {k: v for k, v in message.items() if k in _BARE} if isinstance(message, dict) else message


def sighting(payload: str, bot: int) -> Sighting | None:
    """Where the message of a kept update is; None if it has none."""
    try:
        update = json.loads(payload)
        message = update.get("message") or update["edited_message"]
        chat, number = int(message["chat"]["id"]), int(message["message_id"])
        at = datetime.fromtimestamp(int(message["date"]), UTC)
        return Sighting(message_id(bot, chat, number), at, direct=message["chat"]["type"] == "private")
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
