"""Policy, people and chats."""

from __future__ import annotations

from dataclasses import replace

from engine.ids import AccountId, ContainerId, PersonId
from engine.policy import Policy
from engine.records import Chat

BOB = AccountId("console:bob")


async def test_an_empty_memory_has_the_default_policy_and_knows_nobody(store):
    async with store.transaction() as tx:
        assert await tx.policy() == Policy()
        assert await tx.policy_at(0) is None
        people = await tx.people()
        assert (people.owners, people.joined, people.names, people.seen) == (frozenset(), {}, {}, {})
        assert await tx.chats() == []


async def test_policy_versions_are_appended_and_never_change(store, make):
    first, second = make.policy("bob"), make.policy("bob", "ana")
    async with store.transaction() as tx:
        saved = await tx.save_policy(first, make.start)
        assert saved == replace(first, version=1)
        assert await tx.policy() == saved
    async with store.transaction() as tx:
        await tx.save_policy(second, make.at(1))
    async with store.transaction() as tx:
        assert await tx.policy() == replace(second, version=2)
        assert await tx.policy_at(1) == replace(first, version=1)
        assert await tx.policy_at(3) is None


async def test_the_number_a_policy_comes_with_does_not_count(store, make):
    async with store.transaction() as tx:
        assert (await tx.save_policy(replace(make.policy(), version=41), make.start)).version == 1


async def test_who_shows_up_is_kept_with_first_time_rooms_and_latest_name(store, make):
    async with store.transaction() as tx:
        await tx.see(BOB, "bobby", make.at(5), ContainerId("a"))
        await tx.see(BOB, "bobby", make.at(6), ContainerId("b"))
    async with store.transaction() as tx:
        await tx.see(BOB, "Robert", make.at(7), ContainerId("a"))
    async with store.transaction() as tx:
        seen = (await tx.people()).seen[BOB]
        assert (seen.display_name, seen.first_at) == ("Robert", make.at(5))
        assert seen.containers == (ContainerId("a"), ContainerId("b"))


async def test_an_owner_account_is_the_owner_and_need_not_have_shown_up(store):
    async with store.transaction() as tx:
        await tx.own(AccountId("console:me"))
        await tx.own(AccountId("console:me"))
    async with store.transaction() as tx:
        people = await tx.people()
        assert people.owners == {AccountId("console:me")}
        assert people.seen == {}


async def test_names_come_newest_first_and_each_once(store):
    bob = PersonId(BOB)
    async with store.transaction() as tx:
        for name in ("Bob", "Bobby", " BOB "):
            await tx.call(bob, name)
    async with store.transaction() as tx:
        people = await tx.people()
        assert people.names[bob] == (" BOB ", "Bobby")
        assert people.resolve("bobby") == (bob,)


async def test_a_chat_is_created_and_updated(store):
    room, other = ContainerId("room"), ContainerId("other")
    async with store.transaction() as tx:
        await tx.chat(Chat(room, "group", "Family"))
        await tx.chat(Chat(other, "direct"))
        await tx.chat(Chat(room, "open", "Family & friends"))
    async with store.transaction() as tx:
        assert await tx.chats() == [Chat(other, "direct"), Chat(room, "open", "Family & friends")]


async def test_everybody_is_in_order_of_ids_whatever_order_they_came_in(store, make):
    ids = ["console:zoe", "console:Bob", "console:_x", "console:Ärzte", "console:ana"]
    async with store.transaction() as tx:
        for name in ids:
            await tx.see(AccountId(name), name, make.start, ContainerId("room"))
            await tx.call(PersonId(name), "Robin")
    async with store.transaction() as tx:
        people = await tx.people()
        assert list(people.seen) == list(people.names) == sorted(ids)
        assert list(people.resolve("robin")) == sorted(ids)
