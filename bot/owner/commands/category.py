"""`/category`: kinds of facts and the labels they fall under. What widens comes as a card; what only narrows counts at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.owner.commands.args import Args, Word, cut, one_line
from bot.owner.commands.level import parse_label
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.owner.names import Words
from bot.owner.openings import after
from bot.owner.proposals import propose, withdraw
from bot.owner.queries.arrangements import Kind, Kinds, kind, kinds
from config.defaults import display_name, find_category
from config.languages import written_in
from engine.cards import CategoryProposal
from engine.ids import CategoryName
from engine.labels import L0, Label
from engine.people import folded
from engine.policy import UNAUTHORISED, Category, ReleaseSetting
from engine.release import OwnerOnly

_LONGEST = 40
_RELEASE = {
    "release": ("release", "放行"),
    ReleaseSetting.NEVER: ("never", "从不"),
    ReleaseSetting.CONFIRM: ("confirm", "确认"),
    ReleaseSetting.POLICY: ("policy", "规则"),
    ReleaseSetting.OWN: ("own", "本人"),
    ReleaseSetting.ANY: ("any", "任意"),
}


@dataclass(frozen=True, slots=True)
class Given:
    """What the owner wrote about a category; None is what he left out."""

    name: str
    labels: tuple[Label, ...] | None
    release: ReleaseSetting | None
    description: str


async def category(call: Call) -> OwnerOnly:
    """Dispatch to the form that was meant."""
    args = cut(call.args)
    if args.starts("add"):
        return answer(await _add(call, _given(call, args[1:])))
    if args.starts("edit"):
        return answer(await _edit(call, _given(call, args[1:])))
    if args.starts("list") and len(args) == 1:
        return call.show(kinds(call.policy, call.context.clock.now()), _list)
    raise call.usage()


def _given(call: Call, args: Args) -> Given:
    """`NAME LABEL[,LABEL…] [release=…] [description…]`."""
    if not len(args):
        raise call.usage()
    labels, rest = _labels(call, args[1:])
    release = _release(call, rest.words[0]) if len(rest) else None
    return Given(args[:1].phrase, labels, release, rest[1 if release else 0 :].phrase)


def _labels(call: Call, args: Args) -> tuple[tuple[Label, ...] | None, Args]:
    """Labels with commas between them, and what follows; None if what comes first is no label at all."""
    end = 1
    while end + 1 < len(args) and args.words[end].comma:
        end += 2
    first = args[:1].phrase
    several = end > 1
    if not len(args) or (not several and not _looks_like_label(first)):
        return None, args
    return tuple(dict.fromkeys(parse_label(call, part.phrase) for part in args[:end].parts())), args[end:]


def _looks_like_label(text: str) -> bool:
    """`L1-work`, `l9`: what a person would write as a label, valid or not."""
    return text[:1] in "Ll" and text[1:2].isdigit()


def _release(call: Call, word: Word) -> ReleaseSetting | None:
    """`release=confirm`; None if the word is something else."""
    key, sign, value = word.text.replace("＝", "=").partition("=")
    if not sign or folded(key) not in _RELEASE["release"]:
        return None
    for setting in ReleaseSetting:
        if folded(value) in _RELEASE[setting]:
            return setting
    raise call.fault("category.bad_release", value=one_line(value, 40), settings=", ".join(ReleaseSetting))


async def _add(call: Call, given: Given) -> str:
    if given.labels is None:
        raise call.usage()
    _check_labels(call, given.labels)
    name = one_line(given.name, _LONGEST + 1)
    if len(name) > _LONGEST or "," in name or folded(name) == UNAUTHORISED or not name:
        raise call.fault("category.bad_name", name=name)
    if find_category(call.policy.categories, name):
        raise call.fault("category.exists", "category.exists_fix", name=name)
    new = Category(CategoryName(name), given.labels, release=given.release or ReleaseSetting.CONFIRM)
    return await _propose(call, new, given, call.say("category.what_new", **_new(call, new)))


async def _edit(call: Call, given: Given) -> str:
    old = find_category(call.policy.categories, given.name)
    if old is None:
        names = ", ".join(display_name(c.name, call.language) for c in call.policy.categories)
        raise call.fault("card.no_such_category", name=one_line(given.name, 40), names=names or "-")
    if given.labels is None and given.release is None and not given.description:
        raise call.usage()
    labels = old.labels if given.labels is None else given.labels
    _check_labels(call, labels)
    new = replace(old, labels=labels, release=given.release or old.release)
    words = _new(call, new)
    if _widens(old, new, given):
        return await _propose(call, new, given, call.say("category.what_edit", **words))
    now = call.context.clock.now()
    await call.tx.save_policy(after(call.policy, _act(new, given), now, earlier=False), now)
    await withdraw(call.tx, category=new.name)
    return call.say("category.done", **words)


def _check_labels(call: Call, labels: tuple[Label, ...]) -> None:
    """Several labels make a penetrating category; neither you-alone nor the public can be one of them."""
    if len(labels) > 1 and {L0, call.policy.lattice.public} & set(labels):
        raise call.fault(
            "category.penetrating", "category.penetrating_fix", public=call.policy.lattice.public
        )


def _widens(old: Category, new: Category, given: Given) -> bool:
    """Whether anybody could ever hear more. New words for a category move facts; where they open alone, that widens."""
    labels = not all(any(n.depth == 0 or n.opens(o) for o in old.labels) for n in new.labels)
    back = new.release is ReleaseSetting.CONFIRM and old.release is not ReleaseSetting.NEVER
    release = new.release is not old.release and new.release is not ReleaseSetting.NEVER and not back
    return labels or release or (bool(given.description) and new.release is ReleaseSetting.POLICY)


def _act(new: Category, given: Given) -> CategoryProposal:
    described = {written_in(given.description): given.description} if given.description else {}
    return CategoryProposal(new.name, new.labels, new.release, described)


async def _propose(call: Call, new: Category, given: Given, what: str) -> str:
    act = _act(new, given)
    after(call.policy, act, call.context.clock.now(), earlier=False)  # refuses what the model forbids
    return await propose(call.tx, call.context, call.act, act, what)


def _new(call: Call, new: Category) -> Mapping[str, str]:
    return _words(call, kind(new, call.policy, call.context.clock.now()))


def _words(words: Words, found: Kind) -> Mapping[str, str]:
    return {
        "name": words.category(found.category.name),
        "labels": ", ".join(map(str, found.category.labels)),
        "release": words.say(f"release.{found.category.release}"),
        "people": words.audience(found.hearers, "people.nobody"),
    }


def _list(words: Words, found: Kinds) -> str:
    if not found.kinds:
        return words.say("category.none")
    lines = []
    for one in found.kinds:
        lines.append(words.say("category.line", **_words(words, one)))
        described = one.category.description
        text = described.get(words.language) or next(iter(described.values()), "")
        lines += [f"    {one_line(text, 100)}"] if text else []
    return "\n".join([words.say("category.title"), *lines])


CATEGORY = Command(
    name="category",
    right=Right.OWNER,
    run=category,
    aliases=("类别",),
)
