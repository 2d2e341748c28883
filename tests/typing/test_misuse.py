"""Misuse that must not pass mypy: each snippet has to fail, with the error it is there for."""

from __future__ import annotations

from pathlib import Path

from mypy import api

ROOT = Path(__file__).parents[2]

PRELUDE = """
from dataclasses import replace
from engine.audience import EVERYONE, OWNER_ONLY, Audience
from engine.sealed_context import SealedContext
from engine.disclosure import Reason, Verdict
from engine.ids import OWNER, AccountId, ContainerId, FactId, PersonId
from engine.items import RawEdge, RawFact, RawLink, RawMessage
from engine.policy import Policy
from engine.ports import Composer
from engine.release import (
    OwnerOnly, Place, ReleasedEdge, ReleasedFact, ReleasedLine, ReleasedMessage, ReleasedReply,
    release_edges, release_facts, release_links, release_messages, release_reply, release_to_owner,
)
from engine.store import Scope, Search, Transaction
from engine.storyline import project
from storage.vectors.port import Vector, Vectors, Within


class Room:
    def say(self, words: ReleasedReply | ReleasedLine) -> None: ...


def f(
    raw: RawFact, message: RawMessage, edge: RawEdge, link: RawLink, released: ReleasedFact, policy: Policy,
    place: Place, composer: Composer, context: SealedContext, room: Room, person: PersonId, verdict: Verdict,
    vectors: Vectors,
) -> None:
"""

RIGHT = """
    passed, _ = release_facts([raw], place, policy)
    project(passed, release_links([link], [raw], passed, place, policy))
    release_edges([edge], passed)
    release_messages([message], [raw], place, policy)
    text, used = composer.compose(context)
    room.say(release_reply(text, place, used, context.digest))
"""

WRONG = {
    "a raw fact in the story": ("project([raw], ())", "list-item"),
    "a raw fact as a passed one": ("release_edges([edge], [raw])", "list-item"),
    "a raw edge as a released one": ("x: ReleasedEdge = edge", "assignment"),
    "a raw message as a released one": ("x: ReleasedMessage = message", "assignment"),
    "a raw fact as a released one": ("x: ReleasedFact = raw", "assignment"),
    "a raw edge in the sealed context": ("replace(context, graph=(edge,))", "arg-type"),
    "the owner's words to a room": ("room.say(release_to_owner('x'))", "arg-type"),
    "plain words to a room": ("room.say('x')", "arg-type"),
    "a fact to a room": ("room.say(released)", "arg-type"),
    "a prompt of plain words": ("composer.compose('answer this')", "arg-type"),
    "a prompt of facts": ("composer.compose([released])", "arg-type"),
    "releasing without a policy": ("release_facts([raw], place)", "call-arg"),
    "messages without a policy": ("release_messages([message], [raw], place)", "call-arg"),
    "a scope without viewers": ("Scope()", "call-arg"),
    "a scope of persons": ("Scope({person})", "arg-type"),
    "an account as a person": ("Audience.of([AccountId('irc:ana')])", "list-item"),
    "an account asked about an audience": ("AccountId('irc:ana') in EVERYONE", "operator"),
    "vectors compared without a scope": ("vectors.cosines(Vector(b''))", "call-arg"),
    "vectors of whatever rows": ("vectors.cosines(Vector(b''), [1, 2])", "arg-type"),
    "a scope's rows without rows": ("Within()", "call-arg"),
    "a changed verdict": ("verdict.allowed = True", "misc"),
    "a changed fact": ("raw.audience = EVERYONE", "misc"),
}

READS = {
    "search": "await tx.search(Search(()))",
    "facts": "await tx.facts([])",
    "recent": "await tx.recent(place.container, limit=3)",
    "edges": "await tx.edges(naming=['Ana'])",
    "message": "await tx.message(message.id)",
    "facts_without_vector": "await tx.facts_without_vector('model', after=None, limit=3)",
}

UNFINISHED = """
from typing import assert_never
from engine.viewers import Known, Open, Unknown, Viewers


def upper(found: Viewers) -> str:
    match found:
        case Known():
            return "known"
        case Open():
            return "open"
        case _ as rest:
            assert_never(rest)
"""


def check(source: str, folder: Path) -> str:
    """The report of mypy on a snippet."""
    path = folder / "snippet.py"
    path.write_text(source, encoding="utf-8")
    flags = ["--strict", "--no-error-summary", "--show-error-codes", "--follow-imports=silent"]
    flags.append("--no-site-packages")  # numpy's types take longer than everything here, and change nothing
    config = ["--config-file=", f"--cache-dir={CACHE}"]
    out, err, _ = api.run([*flags, *config, str(path)])
    assert not err, err
    return out


CACHE = ROOT / ".mypy_cache" / "typing-tests"


def report_on_all(folder: Path) -> dict[str, str]:
    """One run for all snippets: each is a function of its own, and its errors are found by line."""
    lines, spans = PRELUDE.splitlines(), {}
    body = {"right": RIGHT, **{name: f"    {code}" for name, (code, _) in WRONG.items()}}
    head = "\n".join(lines).split("def f(")
    source = head[0]
    for number, (name, code) in enumerate(body.items()):
        start = source.count("\n") + 1
        source += f"def f{number}(" + head[1] + "\n" + code + "\n\n"
        spans[name] = range(start, source.count("\n") + 1)
    for name, code in READS.items():
        start = source.count("\n") + 1
        source += (
            f"async def r_{name}(tx: Transaction, place: Place, message: RawMessage) -> None:\n    {code}\n\n"
        )
        spans[f"read {name}"] = range(start, source.count("\n") + 1)
    found: dict[str, str] = dict.fromkeys(spans, "")
    for line in check(source, folder).splitlines():
        at = int(line.split(":")[1])
        (name,) = (name for name, span in spans.items() if at in span)
        found[name] += line + "\n"
    return found


def test_right_use_passes_and_misuse_fails(tmp_path):
    """One test, so that one process runs mypy, however many run tests."""
    report = report_on_all(tmp_path)
    assert report["right"] == ""
    passed = {name: report[name] for name, (_, code) in WRONG.items() if f"[{code}]" not in report[name]}
    assert passed == {}, "mypy has nothing against these, or something else"
    unscoped = {name: report[f"read {name}"] for name in READS}
    assert {n: r for n, r in unscoped.items() if '"scope"' not in r or "[call-arg]" not in r} == {}


def test_a_forgotten_case_fails(tmp_path):
    assert "[arg-type]" in check(UNFINISHED, tmp_path)
    done = UNFINISHED.replace("case Open()", "case Open() | Unknown()")
    assert check(done, tmp_path) == ""
