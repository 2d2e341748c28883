"""One turn, start to end; the order is the one in docs/architecture.md.

Receive, see, record, heed, ask, recall, judge, tell, word, look again, send. Nothing that fails layer 1 or 2 gets past
`judge`; what comes after sees `Released*` values and the sealed context only.
"""

from __future__ import annotations

from bot.context import Channel, Context
from bot.owner.commands.registry import Registry
from bot.turn.answer import reply
from bot.turn.record import receive
from bot.turn.route import heed
from engine.items import InboundMessage
from engine.records import TurnTrace


async def take_turn(
    context: Context, channel: Channel, registry: Registry, inbound: InboundMessage, *, again: bool = False
) -> TurnTrace | None:
    """Run one turn.

    Args:
        context: what a turn is made with.
        channel: where it was said.
        registry: the commands.
        inbound: the message.
        again: the platform's event is not finished: a message that is recorded already is taken up where a crash, or
            a network that was down, left it. What was carried out is not carried out twice, nor sent twice.

    Returns:
        The trace; None for a duplicate event, which stops here.
    """
    turn = await receive(context, inbound, again=again)
    if turn is None:
        return None
    trace = await heed(context, channel, registry, turn)
    if trace is None:
        trace = await reply(context, channel, turn)
    context.wake_annotator()
    return trace
