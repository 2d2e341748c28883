"""Writing the policy as a commented YAML file; `policy_file.load` reads it back without a change."""

from __future__ import annotations

from datetime import datetime

from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from config.contact_entries import accounts_of, key_of
from config.document import written
from config.retention_file import plain_retention
from engine.ids import PersonId
from engine.labels import Label
from engine.people import People
from engine.policy import Category, Holding, Policy

_HEAD = """\
What Tact may tell whom. `tact policy check FILE` looks for mistakes; `tact policy apply FILE` first shows what a
change opens and to whom. Levels: L0 is you alone, then outwards; the last but one is the outer circle, the last
the public. What every key means: docs/policy.md
"""


def dump(policy: Policy, people: People) -> str:
    """The whole policy as YAML text, contacts under the owner's names for them."""
    root = CommentedMap()
    root["owner"] = _words(policy.owner_name)
    root["timezone"] = policy.timezone
    root["unresolved"] = policy.unresolved
    root["rho"] = policy.rho
    root["blacklist_scope"] = policy.blacklist_scope
    root["lattice"] = _flow_map({"depth": policy.lattice.depth, "domains": _flow(policy.lattice.domains)})
    root["categories"] = CommentedMap((str(c.name), _category(c)) for c in policy.categories)
    root["contacts"] = _contacts(policy, people)
    root["room_consents"] = _flow(sorted(policy.room_consents))
    root["lines"] = _lines(policy)
    root["retention"] = plain_retention(policy.retention)
    root.yaml_set_start_comment(_HEAD)
    root.yaml_set_comment_before_after_key(
        "unresolved", before="said where Tact could not tell who reads: keep, refuse"
    )
    root.yaml_set_comment_before_after_key("rho", before="a category counts from this confidence on")
    root.yaml_set_comment_before_after_key(
        "categories", before="\nrelease: never, confirm, policy, own or any"
    )
    root.yaml_set_comment_before_after_key(
        "contacts", before="\nwho holds which labels; none is a stranger with a name"
    )
    root.yaml_set_comment_before_after_key("lines", before="your own wording of the public lines")
    root.yaml_set_comment_before_after_key("retention", before="what is older is forgotten: 30d, 12w, 6m, 1y")
    return written(root)


def _flow(parts: object) -> CommentedSeq:
    listed = CommentedSeq(parts)
    listed.fa.set_flow_style()
    return listed


def _flow_map(parts: dict[str, object]) -> CommentedMap:
    mapped = CommentedMap(parts)
    mapped.fa.set_flow_style()
    return mapped


def _words(text: str) -> str:
    """A text as it is; in double quotes, with escapes, where it holds what cannot be seen."""
    return text if text.isprintable() else DoubleQuotedScalarString(text)


def _labels(labels: tuple[Label, ...]) -> CommentedSeq:
    return _flow(str(label) for label in labels)


def _category(category: Category) -> CommentedMap:
    body = CommentedMap(labels=_labels(category.labels), release=str(category.release))
    if category.description:
        body["description"] = CommentedMap(
            (language, _words(text)) for language, text in category.description.items()
        )
    if category.examples:
        body["examples"] = CommentedMap(
            (language, [_words(text) for text in texts]) for language, texts in category.examples.items()
        )
    if category.past:
        body["past"] = [
            _flow_map({"until": _moment(until), "labels": _labels(labels)}) for until, labels in category.past
        ]
    if category.past_release:
        body["past_release"] = [
            _flow_map({"until": _moment(until), "release": str(setting)})
            for until, setting in category.past_release
        ]
    return body


def _moment(at: datetime) -> str:
    return at.isoformat()


def _contacts(policy: Policy, people: People) -> CommentedMap:
    keys = {person: key_of(person, people) for person in policy.contacts}
    ordered = sorted(keys, key=lambda person: (keys[person].casefold(), person))
    return CommentedMap(
        (keys[person], _contact(person, policy.contacts[person], people, covers=person in policy.covers_for))
        for person in ordered
    )


def _contact(
    person: PersonId, holdings: tuple[Holding, ...], people: People, *, covers: bool
) -> CommentedMap:
    accounts = accounts_of(person, people)
    body: dict[str, object] = {"accounts": _flow(str(a) for a in accounts)} if accounts else {}
    body["labels"] = _flow(_holding(h) for h in holdings)
    return _flow_map({**body, "covers": "on"} if covers else body)


def _holding(holding: Holding) -> object:
    if holding.since is None:
        return str(holding.label)
    return _flow_map({"label": str(holding.label), "since": _moment(holding.since)})


def _lines(policy: Policy) -> CommentedMap:
    lines: dict[str, CommentedMap] = {}
    for (name, language), text in sorted(policy.lines.items()):
        lines.setdefault(name, CommentedMap())[language] = _words(text)
    return CommentedMap(lines)
