"""One turn, start to end; the order is the one in docs/architecture.md.

Receive, see, record, heed, ask, recall, judge, tell, word, look again, send. Nothing that fails layer 1 or 2 gets past
`judge`; what comes after sees `Released*` values and the sealed context only.
"""

from __future__ import annotations

from bot.commands.registry import Registry
from bot.heeding import heed
from bot.parts import Channel, Parts
from bot.receiving import receive
from bot.replying import reply
from engine.items import InboundMessage
from engine.store import TurnTrace


async def take_turn(
    parts: Parts, channel: Channel, registry: Registry, inbound: InboundMessage
) -> TurnTrace | None:
    """Run one turn.

    Returns:
        The trace; None for a duplicate event, which stops here.
    """
    turn = await receive(parts, inbound)
    if turn is None:
        return None
    trace = await heed(parts, channel, registry, turn)
    if trace is None:
        trace = await reply(parts, channel, turn)
    parts.wake_annotator()
    return trace
