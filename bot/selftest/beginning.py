"""What a memory is told before it is killed for the first time, and whether that took effect.

An order that Tact refuses would go unnoticed otherwise: strangers would be told that there is nothing to tell, and a test of
answers would be one of refusals.
"""

from __future__ import annotations

from typing import Final

from bot.owner.openings import every_fact
from bot.owner.queries.remembered import hearers
from bot.selftest import crowd
from connectors.telegram.inbound import account_of
from engine.errors import BadInput
from engine.store import Store

_FAIR: Final = "The Borealis fair is on Friday."
_SHARE: Final = "/share Borealis with everyone"
_LEVEL: Final = f"/level add {account_of(crowd.FRIEND)} {crowd.LABEL} as Bea"
ORDERS: Final = (_FAIR, _SHARE, "confirm", _LEVEL, "confirm")
"""What the owner writes: a fact that everybody may hear, and who his friend is."""


async def see_begun(store: Store) -> None:
    """See that the owner's orders are done.

    Raises:
        BadInput: if one is not; it says which.
    """
    async with store.transaction() as tx:
        policy, people, facts = await tx.policy(), await tx.people(), await every_fact(tx)
    if not any(f.text == _FAIR and hearers(f, policy, people).everyone for f in facts):
        raise _refused(_SHARE)
    if people.person(account_of(crowd.FRIEND)) not in policy.contacts:
        raise _refused(_LEVEL)


def _refused(order: str) -> BadInput:
    return BadInput(
        f"nothing was tried: Tact did not do what it was told before ({order})",
        fix="type it in tact chat, and see what Tact answers",
    )
