"""Contacts in the policy file: from a name or accounts to one person, and back.

Names resolve only through names that the owner gave. An account written beside a name decides who is meant, and must
not contradict it.
"""

from __future__ import annotations

from difflib import get_close_matches

from config.accounts import account
from config.document import Value
from engine.ids import OWNER, AccountId, PersonId
from engine.people import People


def find_person(key: Value, accounts: list[Value], people: People) -> tuple[PersonId, str]:
    """Who is meant by a key of `contacts`.

    Args:
        key: a name, or an account id.
        accounts: the accounts written beside it, if any.
        people: who the owner knows.

    Returns:
        The person, and the name that the file newly gives them (empty if it gives none).

    Raises:
        BadInput: if nobody, several persons or the owner is meant, or name and accounts are of different persons.
    """
    named = people.resolve(key.text())
    if not accounts:
        return _by_name(key, named, people), ""
    meant = {people.person(_known(value, people)): value for value in accounts}
    if OWNER in meant:
        raise meant[OWNER].fault("this account is yours", "the owner is no contact")
    if len(meant) > 1:
        raise accounts[0].fault(
            "these accounts belong to different persons", "join them first, or make an entry for each"
        )
    person = next(iter(meant))
    if named and person not in named:
        raise key.fault(
            f"{key.text()!r} is the name of somebody else ({_accounts_text(named[0], people)})",
            "use another name",
        )
    new = not named and key.text() not in {person, *accounts_of(person, people)}
    return person, key.text() if new else ""


def _by_name(key: Value, named: tuple[PersonId, ...], people: People) -> PersonId:
    text = key.text()
    if len(named) > 1:
        choices = "; ".join(_accounts_text(person, people) for person in named)
        raise key.fault(f"{text!r} is the name of {len(named)} persons", f"add accounts: one of {choices}")
    if named:
        person = named[0]
    elif text in people.names or text in people.joined.values():
        person = PersonId(text)
    elif ":" in text:
        person = people.person(_known(key, people))
    else:
        near = get_close_matches(text, [name for given in people.names.values() for name in given], n=1)
        hint = f"{near[0]}? If not, " if near else ""
        raise key.fault(f"nobody is called {text!r}", f"{hint}add accounts: [platform:id]")
    if person == OWNER:
        raise key.fault("this is you", "the owner is no contact")
    return person


def _known(value: Value, people: People) -> AccountId:
    """An account that has been seen or joined, or one that at least looks like a stable id."""
    text = AccountId(value.text())
    if text in people.seen or text in people.joined or text in people.owners:
        return text
    platform, _, rest = text.partition(":")
    if platform == "irc" and rest and " " not in rest:
        return text
    return account(text, where=value.where)


def accounts_of(person: PersonId, people: People) -> tuple[AccountId, ...]:
    """The accounts that lead to this person, in order of their ids."""
    joined = {a for a, p in people.joined.items() if p == person}
    own = {AccountId(person)} if ":" in person and people.person(AccountId(person)) == person else set()
    return tuple(sorted(joined | own))


def key_of(person: PersonId, people: People) -> str:
    """What a person is written as: the name, if it means nobody else; else the first account."""
    name = people.called(person)
    if name and people.resolve(name) == (person,):
        return name
    return next(iter(accounts_of(person, people)), str(person))


def _accounts_text(person: PersonId, people: People) -> str:
    return ", ".join(accounts_of(person, people)) or str(person)
