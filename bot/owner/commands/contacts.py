"""`/meet` and `/contacts`: naming somebody, and everybody who has a name."""

from __future__ import annotations

from dataclasses import replace

from bot.owner.commands.args import Args, cut, one_line
from bot.owner.commands.persons import described, find_account, held_in_words, labels_of, new_name, who_wrote
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.owner.names import Words
from bot.owner.queries.acquaintances import Contacts, Stranger, Strangers, strangers
from bot.owner.queries.acquaintances import contacts as known
from bot.turn.onboarding import account_of_code
from config.contact_entries import accounts_of
from engine.release import OwnerOnly


async def meet(call: Call) -> OwnerOnly:
    """Name a contact, or list those who wrote and have no name."""
    args = cut(call.args)
    if not len(args) and call.answered is None:
        return call.show(await strangers(call.tx, call.people), _strangers)
    at = args.last_of("as")
    if at is None or at == len(args) - 1:
        raise call.usage()
    return answer(await _name(call, args[:at], args[at + 1 :].phrase))


async def _name(call: Call, who: Args, text: str) -> str:
    if len(who) > 1 or (not len(who) and call.answered is None):
        raise call.usage()
    coded = await account_of_code(call.tx, who.phrase) if len(who) else None
    person = call.people.person(coded or find_account(call, who.phrase)) if len(who) else who_wrote(call)
    name = new_name(call, text, person)
    await call.tx.call(person, name)
    if person not in call.policy.contacts:
        contacts = {**call.policy.contacts, person: ()}
        await call.tx.save_policy(replace(call.policy, contacts=contacts), call.context.clock.now())
    accounts = ", ".join(accounts_of(person, call.people)) or str(person)
    return call.say("meet.done", name=name, account=accounts, labels=labels_of(call, person))


def _strangers(words: Words, found: Strangers) -> str:
    """Whoever wrote and has no name from the owner; what they call themselves is a suggestion only."""
    if not found.count:
        return words.say("meet.nobody")
    lines = [_suggestion(words, one) for one in found.newest]
    left = found.count - len(lines)
    more = [words.say("list.more", count=left)] if left else []
    how = words.say("meet.how", account=found.newest[0].account)
    return "\n".join([words.say("meet.strangers"), *lines, *more, how])


def _suggestion(words: Words, found: Stranger) -> str:
    """A stranger as a suggestion: self-chosen name, account, first contact, rooms in common."""
    rooms = ", ".join(dict.fromkeys(one_line(title, 40) for title in found.rooms))
    calls = one_line(found.calls, 40) or "-"
    line = words.say("meet.stranger", account=found.account, name=calls, since=words.time(found.since))
    return line + (words.say("meet.rooms", rooms=rooms) if rooms else "")


async def contacts(call: Call) -> OwnerOnly:
    """Everybody with a name or a label."""
    if call.args:
        raise call.usage()
    return call.show(known(call.policy, call.people), _contacts)


def _contacts(words: Words, found: Contacts) -> str:
    if not found.contacts:
        return words.say("contacts.none")
    lines = [
        words.say(
            "contacts.line",
            who=described(one),
            also=words.say("contacts.also", names=", ".join(one.names[1:])) if one.names[1:] else "",
            labels=held_in_words(words, one.held),
        )
        for one in found.contacts
    ]
    return "\n".join([words.say("contacts.title", count=len(lines)), *lines])


MEET = Command(
    name="meet",
    right=Right.OWNER,
    run=meet,
    aliases=("认识",),
)

CONTACTS = Command(
    name="contacts",
    right=Right.OWNER,
    run=contacts,
    aliases=("联系人",),
)
