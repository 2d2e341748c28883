"""Policy and people, in the twin."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from engine.ids import AccountId, ContainerId, PersonId
from engine.people import People, Seen, folded
from engine.policy import Policy
from storage.twin.state import Part


class PeoplePart(Part):
    """See `engine.store.Transaction`."""

    async def policy(self) -> Policy:
        """The newest version."""
        return self._policy()

    def _policy(self) -> Policy:
        return self._state.policies[-1] if self._state.policies else Policy()

    async def policy_at(self, version: int) -> Policy | None:
        """An earlier version."""
        return next((p for p in self._state.policies if p.version == version), None)

    async def save_policy(self, policy: Policy, at: datetime) -> Policy:
        """Append a version."""
        del at
        saved = replace(policy, version=len(self._state.policies) + 1)
        self._state.policies.append(saved)
        return saved

    async def people(self) -> People:
        """Everybody known, in order of ids."""
        s = self._state
        joined, names, seen = sorted(s.joined.items()), sorted(s.names.items()), sorted(s.seen.items())
        return People(frozenset(s.owners), dict(joined), dict(names), dict(seen))

    async def see(self, account: AccountId, display_name: str, at: datetime, container: ContainerId) -> None:
        """Note that an account showed up."""
        old = self._state.seen.get(account)
        if old is None:
            self._state.seen[account] = Seen(account, display_name, at, (container,))
            return
        rooms = old.containers if container in old.containers else (*old.containers, container)
        self._state.seen[account] = replace(old, display_name=display_name, containers=rooms)

    async def own(self, account: AccountId) -> None:
        """Make an account the owner's."""
        if account not in self._state.owners:
            self._state.owners.append(account)

    async def call(self, person: PersonId, name: str) -> None:
        """Give a person a name."""
        old = self._state.names.get(person, ())
        self._state.names[person] = (name, *(n for n in old if folded(n) != folded(name)))
