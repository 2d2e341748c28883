"""`/meet` and `/contacts`: naming somebody, and everybody who has a name."""

from __future__ import annotations

from dataclasses import replace

from bot.owner.commands.args import Args, cut
from bot.owner.commands.persons import (
    described,
    find_account,
    labels_of,
    new_name,
    shown,
    suggestion,
    who_wrote,
)
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.turn.onboarding import account_of_code
from config.contact_entries import accounts_of
from engine.ids import OWNER, TACT, PersonId
from engine.release import OwnerOnly

_SHOWN = 20


async def meet(call: Call) -> OwnerOnly:
    """Name a contact, or list those who wrote and have no name."""
    args = cut(call.args)
    if not len(args) and call.answered is None:
        return answer(await _strangers(call))
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


async def _strangers(call: Call) -> str:
    """Whoever wrote and has no name from the owner; what they call themselves is a suggestion only."""
    titles = {str(chat.id): chat.title for chat in await call.tx.chats()}
    seen = [s for a, s in call.people.seen.items() if _nameless(call, call.people.person(a))]
    if not seen:
        return call.say("meet.nobody")
    seen.sort(key=lambda s: (s.first_at, s.account), reverse=True)
    lines = [suggestion(call, s, titles) for s in seen[:_SHOWN]]
    more = [call.say("list.more", count=len(seen) - _SHOWN)] if len(seen) > _SHOWN else []
    return "\n".join(
        [call.say("meet.strangers"), *lines, *more, call.say("meet.how", account=seen[0].account)]
    )


def _nameless(call: Call, person: PersonId) -> bool:
    return person not in (OWNER, TACT) and not call.people.called(person)


async def contacts(call: Call) -> OwnerOnly:
    """Everybody with a name or a label."""
    if call.args:
        raise call.usage()
    persons = {*call.policy.contacts, *call.people.names} - {OWNER}
    if not persons:
        return answer(call.say("contacts.none"))
    lines = []
    for person in sorted(persons, key=lambda p: (shown(call, p).casefold(), p)):
        names = call.people.names.get(person, ())
        also = call.say("contacts.also", names=", ".join(names[1:])) if len(names) > 1 else ""
        lines.append(
            call.say("contacts.line", who=described(call, person), also=also, labels=labels_of(call, person))
        )
    return answer("\n".join([call.say("contacts.title", count=len(lines)), *lines]))


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
