"""Laws over whole turns with a model: what may not be told here changes no prompt, no call and no word.

And the ways in are counted: one call site, whose input is a sealed context by type.
"""

from __future__ import annotations

import ast
import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mypy import api

from bot.prompts import rules_and_data
from engine.audience import OWNER_ONLY
from engine.ports import Spent
from engine.records import Outcome
from tests.model.stage import ATLAS, BREAD, CAKE, HIDDEN, STRANGER, TOLD, WALK, Said, staged
from tests.model.test_lastcheck import Scripted

ROOT = Path(__file__).parents[2]
CODE = [
    p for d in ("bot", "connectors", "engine", "storage", "config") for p in sorted((ROOT / d).rglob("*.py"))
]


class Recording:
    """A writer that keeps every prompt and answers with a function of it."""

    def __init__(self):
        self.prompts: list[tuple[str, str]] = []

    async def word(self, context, deadline):
        self.prompts.append(rules_and_data(context.payload))
        return f"Words of {len(self.prompts[-1][1])} letters."

    def spent(self):
        return Spent("recording")

    async def close(self):
        pass


async def turn(told: list[Said], question: Said):
    writer = Recording()
    async with staged(told, writer=writer) as stage:
        before = len(writer.prompts)
        stage.minute = 40  # the same moment, however much was told
        trace, heard = await stage.say(question)
    return trace, [(h.container, h.kind, h.text) for h in heard], writer.prompts[before:]


@settings(max_examples=15)
@given(
    extra=st.lists(st.sampled_from(HIDDEN), unique=True, max_size=4),
    question=st.sampled_from([ATLAS, CAKE, WALK, STRANGER, BREAD, ("bob", None, "What's new?")]),
)
def test_p5_what_may_not_be_told_changes_no_prompt_no_call_and_no_word(extra, question):
    bare, bare_heard, bare_prompts = asyncio.run(turn(TOLD, question))
    full, full_heard, full_prompts = asyncio.run(turn([*TOLD, *extra], question))
    assert full_prompts == bare_prompts
    assert full_heard == bare_heard
    assert (full.payload, full.outcome, full.reply) == (bare.payload, bare.outcome, bare.reply)


def test_p5_is_not_vacuous():
    asked = asyncio.run(turn(TOLD, ATLAS))[2]
    more = asyncio.run(turn([*TOLD, ("bob", None, "The Atlas launch has a new venue.")], ATLAS))[2]
    assert len(asked) == len(more) == 1
    assert asked != more
    assert asyncio.run(turn(TOLD, BREAD))[2] == []


async def test_everything_in_the_context_counts_as_used():
    """A model may have used any of it: narrowing one of them retires the reply."""
    async with staged(writer=Scripted("Yes.")) as stage:
        trace, _ = await stage.say(CAKE)
    allowed = {item for item, ok, _, _ in trace.decisions if ok and item.startswith("f")}
    assert allowed <= set(trace.used)
    assert len(trace.used) > 1


async def test_a_fact_that_is_closed_while_the_model_thinks_is_not_told():
    """Any of the context's facts, also one that the composer would not have told."""

    class Slow(Scripted):
        async def word(self, context, deadline):
            if context.viewers != OWNER_ONLY and self.words:
                self.words = ""
                async with stage.context.store.transaction() as tx:
                    await tx.forget(facts=[context.facts[-1].id], at=stage.clock.now())
                return "All of it."
            return ""

    async with staged(writer=Slow("x")) as stage:
        trace, said = await stage.say(CAKE)
    assert "All of it." not in [h.text for h in said]
    assert trace.outcome in {Outcome.ANSWERED, Outcome.DEFLECTED}


def calls_of(name: str) -> list[tuple[Path, ast.Call]]:
    return [
        (path.relative_to(ROOT), node)
        for path in CODE
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name
    ]


def test_a_model_is_asked_at_one_place_with_a_sealed_context():
    ((path, call),) = [(p, c) for p, c in calls_of("word") if ast.unparse(c.func).endswith("writer.word")]
    assert str(path) == "bot/turn/wording.py"
    assert [ast.unparse(argument) for argument in call.args] == ["sealed", "deadline"]
    assert call.keywords == []
    made = {str(p) for p, c in calls_of("create") if "completions" in ast.unparse(c.func)}
    assert made == {"connectors/language/openai_model.py"}


def test_every_function_on_the_way_to_the_wire_takes_a_sealed_context_and_no_other_words():
    tree = ast.parse((ROOT / "connectors/language/openai_model.py").read_text(encoding="utf-8"))
    (writer,) = [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and n.name == "OpenAIWriter"]
    taken = {
        method.name: [ast.unparse(a.annotation) for a in method.args.args[1:] if a.annotation]
        for method in writer.body
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert taken.pop("__init__") == ["Endpoint", "Frame", "Callable[[], date]"]
    assert {kind for kinds in taken.values() for kind in kinds} == {"SealedContext", "float"}


def test_nothing_else_speaks_to_a_model():
    speakers = {
        str(path.relative_to(ROOT))
        for path in CODE
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in {"openai", "httpx2"})
        or (
            isinstance(node, ast.Import) and {a.name.split(".")[0] for a in node.names} & {"openai", "httpx2"}
        )
    }
    assert speakers == {"connectors/language/openai_model.py", "connectors/language/model/wire.py"}


PRELUDE = """
from engine.sealed_context import SealedContext
from engine.items import RawFact, RawMessage
from engine.ports import Writer
from engine.release import ReleasedFact
async def f(w: Writer, c: SealedContext, raw: RawFact, m: RawMessage, released: ReleasedFact) -> None:
"""
RIGHT = "    await w.word(c, 1.0)\n"
WRONG = [
    "await w.word('tell me', 1.0)",
    "await w.word(c.payload, 1.0)",
    "await w.word(raw, 1.0)",
    "await w.word(m, 1.0)",
    "await w.word(released, 1.0)",
    "await w.word([c], 1.0)",
    "await w.word(c, 1.0, 'and this')",
    "await w.word(c)",
]


def test_a_writer_takes_nothing_but_a_sealed_context_by_type(tmp_path):
    file = tmp_path / "misuse.py"
    body = "".join(f"    {line}\n" for line in WRONG)
    file.write_text(PRELUDE + RIGHT + body, encoding="utf-8")
    said, errors, _ = api.run(
        ["--config-file", str(ROOT / "pyproject.toml"), "--no-error-summary", str(file)]
    )
    first = len(PRELUDE.splitlines()) + 2
    bad = {int(line.split(":")[1]) for line in said.splitlines() if ": error:" in line}
    assert bad == set(range(first, first + len(WRONG))), said + errors


@pytest.mark.parametrize("code", ["import bot.bootstrap, bot.cli.app", "import bot.turn.answer"])
def test_the_client_loads_only_when_a_model_is_set(code):
    seen = f"{code}; import sys; print(sorted({{'openai', 'httpx2'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"
