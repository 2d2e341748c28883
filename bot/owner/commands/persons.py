"""Whom the owner means: a name he gave, an account id, or the sender of the message he replies to. Nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterable

from bot.owner.commands.args import Args, listed, one_line
from bot.owner.commands.registry import Call
from bot.owner.names import Words
from bot.owner.queries.acquaintances import Contact, contact
from bot.platforms import USUAL
from config.accounts import account
from engine.errors import BadInput
from engine.ids import OWNER, TACT, AccountId, PersonId
from engine.people import folded
from engine.policy import Holding

_LONGEST = 60
_RESERVED = frozenset(
    folded(w)
    for words in ("everyone everybody all stranger strangers here last as with to from about owner tact me you",
                  "所有人 大家 陌生人 这里 最后 作为 给 来自 关于 我 你 主人")
    for w in words.split()
)  # fmt: skip


def is_account(text: str, call: Call) -> bool:
    """Whether a text is written like an account id, or is one that is known."""
    return AccountId(text) in {*call.people.seen, *call.people.joined, *call.people.owners} or (
        ":" in text and " " not in text
    )


def find_account(call: Call, text: str) -> AccountId:
    """The account of this id: one that was seen, or one that at least has the shape of a stable id.

    Raises:
        BadInput: for a name, an `@username`, an unknown platform, an unstable id, or the owner's own account.
    """
    wanted = AccountId(text.strip())
    known = {*call.people.seen, *call.people.joined, *call.people.owners}
    found = wanted if wanted in known else _shaped(call, text)
    if call.people.person(found) == OWNER:
        raise call.fault("people.self")
    return found


def _shaped(call: Call, text: str) -> AccountId:
    """An account by its shape; the English error says more about the platform than the others do."""
    if text.strip().lower().startswith("irc:"):
        raise call.fault("people.no_nick", "people.nick_fix", text=one_line(text))
    try:
        return account(one_line(text))
    except BadInput:
        if call.language == "en":
            raise
        raise call.fault(
            "people.no_account", "people.account_fix", text=one_line(text), account=USUAL.example
        ) from None


def who_are(call: Call, text: str) -> tuple[PersonId, ...]:
    """Everybody the owner may mean: at least one person, never the owner. For acts that narrow.

    Raises:
        BadInput: nobody is called that; the names there are are listed.
    """
    found = call.people.resolve(text)
    if not found and is_account(text, call):
        found = (call.people.person(find_account(call, text)),)
    if OWNER in found:
        raise call.fault("people.self")
    if not found:
        known = call.persons(p for p in call.people.names if p != OWNER) or "-"
        raise BadInput(
            call.say("people.unknown", name=one_line(text)), fix=call.say("people.known", names=known)
        )
    return found


def who_is(call: Call, text: str) -> PersonId:
    """The one person the owner means.

    Raises:
        BadInput: nobody, or several; the candidates are listed, and nothing is guessed.
    """
    found = who_are(call, text)
    if len(found) > 1:
        numbered = listed([described(contact(p, call.policy, call.people)) for p in sorted(found)])
        raise BadInput(
            call.say("people.several", name=one_line(text)),
            fix=call.say("people.choose", candidates=numbered),
        )
    return found[0]


def who_leads(call: Call, args: Args) -> tuple[tuple[PersonId, ...], Args]:
    """Persons named by the first words, as many words as make a known name, and the words after them.

    Raises:
        BadInput: no beginning of the words is a name or an account.
    """
    for length in range(len(args), 0, -1):
        text = args[:length].phrase
        if call.people.resolve(text) or (length == 1 and is_account(text, call)):
            return who_are(call, text), args[length:]
    return who_are(call, args[:1].phrase), args[1:]


def who_wrote(call: Call) -> PersonId:
    """The sender of the message that the command replies to.

    Raises:
        BadInput: it replies to nothing that is remembered, to the owner or to Tact.
    """
    if call.answered is None:
        raise call.usage()
    if call.answered.sender in (OWNER, TACT):
        raise call.fault("people.self" if call.answered.sender == OWNER else "people.tact")
    return call.answered.sender


def new_name(call: Call, text: str, person: PersonId) -> str:
    """A name the owner may give this person.

    Raises:
        BadInput: it is empty, a keyword, looks like an account, or means somebody else already.
    """
    name = one_line(text, _LONGEST + 1)
    if (
        not name
        or len(name) > _LONGEST
        or folded(name) in _RESERVED
        or ":" in name
        or name.startswith(("/", "@"))
    ):
        raise call.fault("people.bad_name", "people.name_fix", name=name)
    others = [p for p in call.people.resolve(name) if p != person]
    if others or folded(name) == folded(call.policy.owner_name):
        fuller = f"{name} ({str(person).partition(':')[0]})"
        holder = call.say("people.you")
        if others:
            holder = described(contact(others[0], call.policy, call.people))
        raise BadInput(
            call.say("people.taken_by", name=name, holder=holder),
            fix=call.say("people.taken_fix", name=fuller),
        )
    return name


def described(found: Contact) -> str:
    """A person with name and accounts: what tells two of one name apart."""
    accounts = ", ".join(found.accounts) or str(found.person)
    return f"{found.names[0]} = {accounts}" if found.names else accounts


def held_in_words(words: Words, held: Iterable[Holding]) -> str:
    """Labels that somebody holds, each with the day from which facts count."""
    parts = [
        str(h.label) if h.since is None else words.say("level.since", label=h.label, day=words.time(h.since))
        for h in held
    ]
    return ", ".join(parts) or words.say("level.none")


def labels_of(words: Words, person: PersonId) -> str:
    """The labels a person holds."""
    return held_in_words(words, words.policy.contacts.get(person, ()))


def shown(words: Words, person: PersonId) -> str:
    """A person's name in the owner's language."""
    return words.person(person)
