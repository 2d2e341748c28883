"""`tact policy`: the policy as a file, and a file as the policy, with what it opens shown before it counts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from typer import echo

from bot.cli.questions import agreed
from bot.open_memory import exists, open_memory
from bot.owner.names import audience_in_words, labels_in_words, name_of
from bot.owner.openings import Opened, every_fact, opened
from config.data_folder import write_private
from config.policy_changes import AccessChange, Changes, Span, difference, from_now_on
from config.policy_file import PolicyDocument, load
from config.policy_text import dump
from config.settings import load_settings
from engine.errors import BadInput
from engine.people import People
from engine.policy import Policy
from engine.store import Store

_SHOWN = 8


def export(chosen: Path | None, file: Path | None) -> int:
    """Print the policy as YAML, or write it to a new file (0600)."""
    if file is not None and file.exists():
        raise BadInput("this file is there already", where=str(file), fix="choose another name")
    text = asyncio.run(_dumped(chosen))
    if file is None:
        echo(text, nl=False)
        return 0
    write_private(file, text)
    echo(f"Written to {file}. Edit it; then: tact policy apply {file}")
    return 0


async def _dumped(chosen: Path | None) -> str:
    async with open_memory(chosen) as (_, store), store.transaction() as tx:
        return dump(await tx.policy(), await tx.people())


def check(chosen: Path | None, file: Path) -> int:
    """Read a file and say what it would change; nothing changes."""
    if not exists(load_settings(chosen)):
        document = load(file, People())
        echo(f"{_counted(document)} No memory here to compare it with.")
        return 0
    return asyncio.run(_compared(chosen, file))


async def _compared(chosen: Path | None, file: Path) -> int:
    async with open_memory(chosen) as (_, store):
        old, people = await _known(store)
    document = load(file, people)
    changes = difference(old, document.policy)
    echo(_counted(document))
    echo("\n".join(in_words(changes, people, document)) or "It changes nothing.")
    return 0


def _counted(document: PolicyDocument) -> str:
    policy = document.policy
    return f"No mistakes. Categories: {len(policy.categories)}, contacts: {len(policy.contacts)}."


async def _known(store: Store) -> tuple[Policy, People]:
    async with store.transaction() as tx:
        return await tx.policy(), await tx.people()


def apply(chosen: Path | None, file: Path, *, earlier: bool, yes: bool) -> int:
    """Make a file the policy. What opens something is shown, and asked, first.

    Args:
        chosen: the folder of `--data`.
        file: the policy.
        earlier: what it opens counts for what was said before, too.
        yes: the owner said yes already.
    """
    return asyncio.run(_apply(chosen, file, earlier=earlier, yes=yes))


async def _apply(chosen: Path | None, file: Path, *, earlier: bool, yes: bool) -> int:
    async with open_memory(chosen) as (_, store):
        old, people = await _known(store)
        document = load(file, people)
        now = datetime.now(UTC)
        new = document.policy if earlier else from_now_on(old, document.policy, now)
        changes = difference(old, new)
        if not changes and not document.names:
            echo("It changes nothing.")
            return 0
        async with store.transaction() as tx:
            gains = opened(await every_fact(tx), old, new)
        lines = [*in_words(changes, people, document), *_earlier(gains, new, people)]
        echo("\n".join(lines))
        unsaid = "it opens something, so nothing was applied"
        if (changes.widens or gains) and not agreed("Shall this count?", yes=yes, otherwise=unsaid):
            echo("Nothing was changed.")
            return 1
        version = await _save(store, old, new, document)
    echo(f"This is policy version {version} now.")
    return 0


async def _save(store: Store, old: Policy, new: Policy, document: PolicyDocument) -> int:
    async with store.transaction() as tx:
        if (await tx.policy()).version != old.version:
            raise BadInput("the policy was changed while you looked", fix="apply the file again")
        for person, name in document.names:
            await tx.call(person, name)
        saved = await tx.save_policy(replace(new, version=old.version), datetime.now(UTC))
    return saved.version


def in_words(changes: Changes, people: People, document: PolicyDocument) -> list[str]:
    """What changes, a line each: what opens first, then what closes, then settings and names."""
    names = dict(document.names)

    def who(change: AccessChange) -> str:
        return names.get(change.who) or name_of(change.who, people, "en")

    lines = [f"opens    {who(c)} may hear {c.category}{_spans(c.gains)}" for c in changes.opens]
    lines += [f"closes   {who(c)} no longer hears {c.category}{_spans(c.loses)}" for c in changes.closes]
    for setting in changes.settings:
        about = (
            "" if setting.who is None else f" {names.get(setting.who) or name_of(setting.who, people, 'en')}"
        )
        mark = "opens   " if setting.widens else "changes "
        lines.append(f"{mark} {setting.what}{about}: {_short(setting.old)} → {_short(setting.new)}")
    return [*lines, *(f"names    {person} is called {name}" for person, name in document.names)]


def _spans(spans: Iterable[Span]) -> str:
    """When what is heard was said; nothing for all times."""
    said = [_span(span) for span in spans]
    return f" (said {', and '.join(said)})" if any(said) else ""


def _span(span: Span) -> str:
    since = "" if span.since is None else f"from {_minute(span.since)} on"
    until = "" if span.until is None else f"before {_minute(span.until)}"
    return " ".join(part for part in (since, until) if part)


def _minute(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def _short(text: str, room: int = 60) -> str:
    return (text if len(text) <= room else text[: room - 1] + "…") or "-"


def _earlier(gains: list[Opened], new: Policy, people: People) -> list[str]:
    """Earlier facts that would open."""
    if not gains:
        return []
    lines = [f"Facts that are remembered already and would open: {len(gains)}"]
    for gain in gains[:_SHOWN]:
        who = audience_in_words(gain.people, people, "en")
        lines.append(f'  {who} would hear "{gain.fact.text}" ({labels_in_words(gain.fact, new)})')
    return [*lines, *([f"  … and {len(gains) - _SHOWN} more"] if len(gains) > _SHOWN else [])]
