"""The policy as a YAML file: read with line and column in every error, written so that reading it changes nothing.

The database holds the policy; a file is a way to look at it, keep it and change it (`tact policy`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from config.contact_entries import find_person
from config.document import Value, parse, read
from config.languages import languages
from config.retention_file import read_retention
from config.settings import zone
from engine.errors import PolicyFault, UnknownLabel
from engine.ids import CategoryName, PersonId
from engine.labels import Label, Lattice
from engine.people import People
from engine.policy import UNAUTHORISED, Category, Holding, Policy, ReleaseSetting

_KEYS = (
    "owner",
    "timezone",
    "unresolved",
    "rho",
    "blacklist_scope",
    "lattice",
    "categories",
    "contacts",
    "room_consents",
    "lines",
    "retention",
)
_CATEGORY_KEYS = ("labels", "release", "description", "examples", "past", "past_release")


@dataclass(frozen=True, slots=True)
class PolicyDocument:
    """What a file says: the policy (version 0; the store numbers it), and names it newly gives to accounts."""

    policy: Policy
    names: tuple[tuple[PersonId, str], ...] = ()


def load(path: Path, people: People, line_names: Collection[str] = ()) -> PolicyDocument:
    """Read a policy file.

    Args:
        path: the file.
        people: through whom names and accounts are resolved.
        line_names: the public lines there are; empty: any name is taken.

    Raises:
        BadInput: one line with file, line, column and fix; nothing is read in part.
    """
    return _document(read(path), people, line_names)


def loads(
    text: str, people: People, file: str = "policy.yaml", line_names: Collection[str] = ()
) -> PolicyDocument:
    """The same from a text."""
    return _document(parse(text, file), people, line_names)


def _document(root: Value, people: People, line_names: Collection[str]) -> PolicyDocument:
    given = root.fields(_KEYS)
    plain = Policy()
    lattice = _lattice(given["lattice"]) if "lattice" in given else plain.lattice
    contacts, names, covers = (
        _contacts(given["contacts"], lattice, people) if "contacts" in given else ({}, (), frozenset())
    )
    categories = _categories(given["categories"], lattice) if "categories" in given else ()
    policy = Policy(
        lattice=lattice,
        categories=categories,
        contacts=contacts,
        rho=given["rho"].number(0, 1) if "rho" in given else plain.rho,
        unresolved=_choice(given, "unresolved", ("keep", "refuse"), plain.unresolved),
        blacklist_scope=_choice(given, "blacklist_scope", ("event", "fact"), plain.blacklist_scope),
        covers_for=covers,
        room_consents=frozenset(v.text() for v in given["room_consents"].items())
        if "room_consents" in given
        else frozenset(),
        timezone=_timezone(given["timezone"]) if "timezone" in given else plain.timezone,
        owner_name=given["owner"].text() if "owner" in given else plain.owner_name,
        lines=_lines(given["lines"], line_names) if "lines" in given else {},
        retention=read_retention(given["retention"], [c.name for c in categories])
        if "retention" in given
        else plain.retention,
    )
    return PolicyDocument(policy, names)


def _choice(given: dict[str, Value], key: str, names: Collection[str], default: str) -> str:
    return given[key].choice(names, f"setting {key}") if key in given else default


def _timezone(value: Value) -> str:
    try:
        return zone(value.text()).key
    except ValueError as error:
        raise value.fault(str(error)) from None


def _lattice(value: Value) -> Lattice:
    given = value.fields(("depth", "domains"))
    depth = given["depth"].integer(2, 9) if "depth" in given else Lattice().depth
    domains = given["domains"].items() if "domains" in given else None
    names = [_domain(d) for d in domains] if domains is not None else list(Lattice().domains)
    if len(set(names)) < len(names):
        raise given["domains"].fault("a domain is there twice", "name each once")
    try:
        return Lattice(depth, tuple(names))
    except PolicyFault as error:
        raise value.fault(error.what, error.fix, PolicyFault) from None


def _domain(value: Value) -> str:
    if not value.text().isalnum():
        raise value.fault(f"{value.text()!r} cannot be part of a label", "a domain is letters and digits")
    return value.text().lower()


def _label(value: Value, lattice: Lattice) -> Label:
    try:
        return lattice.parse(value.text())
    except UnknownLabel as error:
        raise value.fault(error.what, error.fix, UnknownLabel) from None


def _labels(value: Value, lattice: Lattice) -> tuple[Label, ...]:
    parts = value.one_or_more()
    found: dict[Label, None] = {}
    for part in parts:
        label = _label(part, lattice)
        if label in found:
            raise part.fault(f"{label} is there twice", "name it once")
        found[label] = None
    return tuple(found)


def _categories(value: Value, lattice: Lattice) -> tuple[Category, ...]:
    found: dict[str, Category] = {}
    for key, body in value.entries():
        name = key.text()
        if name.casefold() in found or name.casefold() == UNAUTHORISED:
            raise key.fault(f"a category {name!r} is there already", "use another name")
        if not name.isprintable() or len(name) > 40:  # noqa: PLR2004
            raise key.fault(
                "this name is too long for a category, or has signs in it that cannot be seen",
                "40 characters at most",
            )
        found[name.casefold()] = _category(key, body, lattice)
    return tuple(found.values())


def _category(key: Value, body: Value, lattice: Lattice) -> Category:
    given = body.fields(_CATEGORY_KEYS)
    if "labels" not in given:
        raise key.fault(f"category {key.text()!r} has no labels", "add labels: [L0] to keep it to yourself")
    category = Category(
        name=CategoryName(key.text()),
        labels=_labels(given["labels"], lattice),
        description=_by_language(given["description"]) if "description" in given else {},
        examples=_examples(given["examples"]) if "examples" in given else {},
        release=ReleaseSetting(_choice(given, "release", tuple(ReleaseSetting), ReleaseSetting.CONFIRM)),
        past=_past(given["past"], lattice) if "past" in given else (),
        past_release=_past_release(given["past_release"]) if "past_release" in given else (),
    )
    try:
        Policy(lattice=lattice, categories=(category,))
    except PolicyFault as error:
        raise given["labels"].fault(error.what, error.fix, PolicyFault) from None
    return category


def _by_language(value: Value) -> dict[str, str]:
    return {language: text.words() for language, text in value.fields(languages()).items()}


def _examples(value: Value) -> dict[str, tuple[str, ...]]:
    return {
        language: tuple(v.words() for v in part.items())
        for language, part in value.fields(languages()).items()
    }


def _past(value: Value, lattice: Lattice) -> tuple[tuple[datetime, tuple[Label, ...]], ...]:
    found = []
    for until, given in _segments(value, "labels", "[L0]"):
        labels = _labels(given["labels"], lattice)
        if not labels:
            raise given["labels"].fault("a label is missing", "name at least one, e.g. L0")
        found.append((until, labels))
    return tuple(found)


def _past_release(value: Value) -> tuple[tuple[datetime, ReleaseSetting], ...]:
    known = tuple(ReleaseSetting)
    return tuple(
        (until, ReleaseSetting(_choice(given, "release", known, ReleaseSetting.CONFIRM)))
        for until, given in _segments(value, "release", "never")
    )


def _segments(value: Value, key: str, example: str) -> Iterator[tuple[datetime, dict[str, Value]]]:
    """What counted until when, in order of time: each part has `until` and this key."""
    last: datetime | None = None
    for part in value.items():
        given = part.fields(("until", key))
        if not {"until", key} <= given.keys():
            raise part.fault(
                f"until or {key} is missing", f"write {{until: 2026-11-30T18:00:00Z, {key}: {example}}}"
            )
        until = given["until"].moment()
        if last is not None and until <= last:
            raise given["until"].fault(
                "this is not later than the one before it", "put them in order of time"
            )
        last = until
        yield until, given


def _contacts(
    value: Value, lattice: Lattice, people: People
) -> tuple[dict[PersonId, tuple[Holding, ...]], tuple[tuple[PersonId, str], ...], frozenset[PersonId]]:
    contacts: dict[PersonId, tuple[Holding, ...]] = {}
    names: list[tuple[PersonId, str]] = []
    covers: set[PersonId] = set()
    for key, body in value.entries():
        given = body.fields(("accounts", "labels", "covers"))
        accounts = given["accounts"].one_or_more() if "accounts" in given else []
        person, name = find_person(key, accounts, people)
        if person in contacts:
            raise key.fault(
                f"{key.text()!r} is a person who has an entry already", "put the labels into one entry"
            )
        parts = given["labels"].one_or_more() if "labels" in given else []
        contacts[person] = tuple(_holding(part, person, lattice) for part in parts)
        if name:
            names.append((person, name))
        if _choice(given, "covers", ("on", "off"), "off") == "on":
            covers.add(person)
    return contacts, tuple(names), frozenset(covers)


def _holding(value: Value, person: PersonId, lattice: Lattice) -> Holding:
    if value.is_mapping():
        given = value.fields(("label", "since"))
        if "label" not in given:
            raise value.fault("the label is missing", "write {label: L2-life, since: 2026-11-30T18:00:00Z}")
        holding = Holding(
            _label(given["label"], lattice), given["since"].moment() if "since" in given else None
        )
    else:
        holding = Holding(_label(value, lattice))
    try:
        Policy(lattice=lattice, contacts={person: (holding,)})
    except PolicyFault:
        raise value.fault(
            "nobody but you can hold L0", "leave it out; to shut somebody out, /block them", PolicyFault
        ) from None
    return holding


def _lines(value: Value, known: Collection[str]) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for key, body in value.entries():
        name = key.choice(known, "public line") if known else key.text()
        found |= {(name, language): text for language, text in _by_language(body).items()}
    return found
