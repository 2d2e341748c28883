"""A connected platform: what all its turns share."""

from __future__ import annotations

from dataclasses import dataclass

from bot.service.outbox import Outbox
from bot.service.rooms import KnownRooms
from engine.ids import AccountId, ContainerId
from engine.platform import Insiders, Platform, insiders
from engine.store import Store
from engine.viewers import RosterEvidence


@dataclass(frozen=True, slots=True)
class Connection:
    """A platform, what is known of its groups, and what is on its way there."""

    platform: Platform
    store: Store
    rooms: KnownRooms
    outbox: Outbox

    async def known(self) -> Insiders:
        """The accounts that evidence depends on, as of now."""
        async with self.store.transaction() as tx:
            return insiders(await tx.policy(), await tx.people())

    async def evidence(self, container: ContainerId, sender: AccountId | None = None) -> RosterEvidence:
        """Who can read a place now; `sender` is who wrote there."""
        return await self.platform.look(container, sender, await self.known())

    async def owner_chat(
        self, asker: AccountId | None = None, owners: frozenset[AccountId] | None = None
    ) -> ContainerId | None:
        """The owner's direct chat: of the account that asked, else of the first of his; None if there is none here.

        `owners` are his accounts, where they were read with the message that is answered.
        """
        if owners is None:
            owners = (await self.known()).owners
        asking = [asker] if asker is not None and asker in owners else []
        first = [*asking, *sorted(owners, key=lambda account: (len(account), account))]
        return next((chat for account in first if (chat := self.platform.direct(account))), None)
