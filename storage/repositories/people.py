"""Policy and people."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from sqlalchemy import delete, insert, select, update

from engine.failpoints import reach
from engine.ids import AccountId, ContainerId, PersonId
from engine.people import People, Seen, folded
from engine.policy import Policy
from storage.json_values import from_plain, to_plain
from storage.repositories.base import Unit
from storage.tables import accounts, names, policy_versions, sightings


class PeopleRepository(Unit):
    """See `engine.store.Transaction`."""

    async def policy(self) -> Policy:
        """The newest version."""
        return await self.policy_at(self._version) or Policy()

    async def policy_at(self, version: int) -> Policy | None:
        """An earlier version; versions never change, so each is read once."""
        if version < 1:
            return None
        if version not in self._caches.policies:
            wanted = select(policy_versions.c.document).where(policy_versions.c.version == version)
            sealed = (await self._run(wanted)).scalar()
            if sealed is None:
                return None
            document = self._vault.open_json(sealed, str(version))
            self._caches.policies[version] = from_plain(Policy, document)
            self._new_policies.append(version)
        return self._caches.policies[version]

    async def save_policy(self, policy: Policy, at: datetime) -> Policy:
        """Append a version."""
        saved = replace(policy, version=self._version + 1)
        document = self._vault.seal_json("policy_versions", "document", str(saved.version), to_plain(saved))
        await self._insert(policy_versions, [{"version": saved.version, "at": at, "document": document}])
        reach("versioned")
        self._version = saved.version
        self._caches.policies[saved.version] = saved
        self._new_policies.append(saved.version)
        return saved

    async def people(self) -> People:
        """Everybody known."""
        if self._caches.people is None:
            self._caches.people = await self._read_people()
        return self._caches.people

    async def _read_people(self) -> People:
        rooms: dict[str, list[ContainerId]] = {}
        for row in await self._rows(select(sightings).order_by(sightings.c.account_id, sightings.c.position)):
            rooms.setdefault(row.account_id, []).append(ContainerId(row.container_id))
        rows = sorted(
            await self._rows(select(accounts)), key=lambda row: str(row.id)
        )  # the same in every collation
        seen: dict[AccountId, Seen] = {}
        for row in rows:
            if row.first_at is not None:
                shown = self._vault.open_text(row.display_name, row.id)
                seen[AccountId(row.id)] = Seen(
                    AccountId(row.id), shown, row.first_at, tuple(rooms.get(row.id, ()))
                )
        given: dict[PersonId, tuple[str, ...]] = {}
        for row in await self._rows(select(names).order_by(names.c.position)):
            name = self._vault.open_text(row.name, f"{row.person_id}/{row.position}")
            given[PersonId(row.person_id)] = (*given.get(PersonId(row.person_id), ()), name)
        return People(
            owners=frozenset(AccountId(row.id) for row in rows if row.owner),
            joined={AccountId(row.id): PersonId(row.person_id) for row in rows if row.person_id is not None},
            names=dict(sorted(given.items())),
            seen=seen,
        )

    async def see(self, account: AccountId, display_name: str, at: datetime, container: ContainerId) -> None:
        """Note that an account showed up; nothing is written if nothing is new."""
        people = await self.people()
        old = people.seen.get(account)
        if old is not None and old.display_name == display_name and container in old.containers:
            return
        shown = self._vault.seal_text("accounts", "display_name", account, display_name)
        if old is None:
            await self._account(account)
        first = at if old is None else old.first_at
        await self._run(
            update(accounts).where(accounts.c.id == account).values(display_name=shown, first_at=first)
        )
        rooms = () if old is None else old.containers
        if container not in rooms:
            row = {"account_id": account, "position": len(rooms), "container_id": container}
            await self._insert(sightings, [row])
        self._changed("people", account)

    async def own(self, account: AccountId) -> None:
        """Make an account the owner's."""
        await self.set_owner(account, owner=True)

    async def set_owner(self, account: AccountId, *, owner: bool) -> None:
        """Make an account the owner's, or no longer the owner's."""
        if (account in (await self.people()).owners) == owner:
            return
        await self._account(account)
        await self._run(update(accounts).where(accounts.c.id == account).values(owner=owner))
        self._changed("people", account)

    async def _account(self, account: AccountId) -> None:
        """Make sure that there is a row for an account."""
        found = (await self._run(select(accounts.c.id).where(accounts.c.id == account))).scalar()
        if found is None:
            await self._run(insert(accounts).values(id=account, owner=False))

    async def call(self, person: PersonId, name: str) -> None:
        """Give a person a name."""
        old = (await self.people()).names.get(person, ())
        new = (name, *(n for n in old if folded(n) != folded(name)))
        await self._run(delete(names).where(names.c.person_id == person))
        rows: list[dict[str, object]] = [
            {
                "person_id": person,
                "position": position,
                "name": self._vault.seal_text("names", "name", f"{person}/{position}", each),
            }
            for position, each in enumerate(new)
        ]
        await self._insert(names, rows)
        self._changed("people", person)
