"""`/level`: which labels a person holds. Adding one widens, so it comes as a card; taking one away counts at once."""

from __future__ import annotations

from dataclasses import replace

from bot.owner.commands.args import Args, cut, one_line
from bot.owner.commands.persons import held_in_words, labels_of, new_name, shown, who_are, who_is, who_wrote
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.owner.names import Words
from bot.owner.proposals import propose, withdraw
from bot.owner.queries.acquaintances import Contacts, contacts
from engine.cards import LevelProposal
from engine.errors import BadInput, UnknownLabel
from engine.ids import PersonId
from engine.labels import Label
from engine.policy import Policy
from engine.release import OwnerOnly


async def level(call: Call) -> OwnerOnly:
    """Dispatch to the form that was meant."""
    args = cut(call.args)
    if args.starts("list"):
        persons = who_are(call, args[1:].phrase) if len(args) > 1 else call.policy.contacts
        return call.show(contacts(call.policy, call.people, persons), _held)
    for keyword, run in (("add", _add), ("remove", _remove)):
        if args.starts(keyword):
            return answer(await run(call, args[1:]))
    raise call.usage()


def parse_label(call: Call, text: str) -> Label:
    """A label of the lattice, whatever its case.

    Raises:
        BadInput: there is none like it; the valid ones are listed.
    """
    try:
        return call.policy.lattice.parse(text)
    except UnknownLabel:
        valid = ", ".join(str(label) for label in call.policy.lattice.labels())
        raise BadInput(
            call.say("label.unknown", label=one_line(text, 40)), fix=call.say("label.valid", labels=valid)
        ) from None


async def _add(call: Call, args: Args) -> str:
    """`WHO LABEL [as NAME]`, or as a reply `LABEL [as NAME]`."""
    at = args.last_of("as")
    called = None if at is None else args[at + 1 :].phrase
    rest = args if at is None else args[:at]
    if not len(rest) or called == "":
        raise call.usage()
    if len(rest) == 1 and call.answered is None:
        raise _half(call, rest.phrase)
    label = parse_label(call, rest[len(rest) - 1 :].phrase)
    person = who_wrote(call) if len(rest) == 1 else who_is(call, rest[:-1].phrase)
    if label.depth == 0:
        raise call.fault("level.no_l0", "level.no_l0_fix")
    if any(h.label == label for h in call.policy.contacts.get(person, ())):
        return call.say("level.held", name=shown(call, person), labels=labels_of(call, person))
    name = None if called is None else new_name(call, called, person)
    wanted = LevelProposal(person, label, name or "")
    return await propose(call.tx, call.context, call.act, wanted, _what(call, person, label, name))


def _half(call: Call, text: str) -> BadInput:
    """Only a name or only a label was given: say which labels there are, if that is what is missing."""
    valid = {str(label).casefold() for label in call.policy.lattice.labels()}
    if text.casefold() in valid:
        return call.usage()
    labels = ", ".join(str(label) for label in call.policy.lattice.labels())
    return BadInput(str(call.usage()), fix=call.say("label.valid", labels=labels))


def _what(call: Call, person: PersonId, label: Label, name: str | None) -> str:
    """The act in words: who, which label, and what tells this person from another of the same name."""
    called = name or shown(call, person)
    what = call.say("level.what", name=called, label=label)
    if not name and call.people.called(person):
        return what
    seen = [s for a, s in call.people.seen.items() if call.people.person(a) == person]
    if not seen:
        return what + call.say("level.never_seen", account=person)
    return what + call.say("level.account", account=seen[0].account, calls=one_line(seen[0].display_name, 40))


async def _remove(call: Call, args: Args) -> str:
    """`WHO [LABEL]`, or as a reply `[LABEL]`. A narrowing act: it means everybody of that name."""
    persons, label = _whose(call, args)
    held = {p: call.policy.contacts.get(p, ()) for p in persons}
    gone = {p: [h for h in held[p] if label is None or h.label == label] for p in persons}
    names = ", ".join(shown(call, p) for p in persons)
    await withdraw(call.tx, persons)
    if not any(gone.values()):
        labels = "; ".join(labels_of(call, p) for p in persons)
        return call.say("level.not_held", name=names, labels=labels)
    kept = {p: tuple(h for h in held[p] if h not in gone[p]) for p in persons if gone[p]}
    after = await _save(call, replace(call.policy, contacts={**call.policy.contacts, **kept}))
    taken = ", ".join(dict.fromkeys(str(h.label) for hs in gone.values() for h in hs))
    left = "; ".join(labels_of(replace(call, policy=after), p) for p in kept)
    return call.say("level.removed", name=names, labels=taken, left=left)


def _whose(call: Call, args: Args) -> tuple[tuple[PersonId, ...], Label | None]:
    """Whose label: the longest stretch that is a name, or the sender of the message replied to."""
    if not len(args):
        return (who_wrote(call),), None
    if call.people.resolve(args.phrase):
        return who_are(call, args.phrase), None
    if len(args) == 1 and call.answered is not None and ":" not in args.phrase:
        return (who_wrote(call),), parse_label(call, args.phrase)
    if len(args) == 1:
        return who_are(call, args.phrase), None
    return who_are(call, args[:-1].phrase), parse_label(call, args[len(args) - 1 :].phrase)


async def _save(call: Call, policy: Policy) -> Policy:
    return await call.tx.save_policy(policy, call.context.clock.now())


def _held(words: Words, found: Contacts) -> str:
    lines = sorted(
        words.say("level.line", name=words.person(one.person), labels=held_in_words(words, one.held))
        for one in found.contacts
    )
    head = words.say("level.list") if lines else words.say("level.nobody")
    return "\n".join([head, *lines, words.say("label.valid", labels=", ".join(map(str, found.labels)))])


LEVEL = Command(
    name="level",
    right=Right.OWNER,
    run=level,
    aliases=("级别",),
)
