"""The evidence of a run, for somebody who trusts no report: what went in, what was decided, what came out, with digests.

The families are those of the evidence package of *Authorization Before Context* (appendix B). Each is a file of JSON
lines; `ARTIFACT_INDEX.json` has each file's records, bytes and SHA-256. Nothing in them depends on when or where it ran.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from bot.bench.baselines import BASELINES, compare, entries, play
from bot.bench.observing import Observed
from bot.bench.report import write_bytes
from bot.bench.scenario import Ask, Event, Evidence, Scenario, names_in
from bot.bench.scoring import Judged

Record = dict[str, Any]
_UNSCOPED = BASELINES[0]


@dataclass(frozen=True, slots=True)
class Run:
    """A suite, what was observed, and what was due of it."""

    suite: str
    scenarios: Sequence[Scenario]
    observed: Sequence[Observed]
    judged: Sequence[Judged]


def write_evidence(folder: Path, run: Run) -> None:
    """Every family in a file of its own, and the index."""
    index = {}
    for name, records in families(run).items():
        lines = "".join(json.dumps(r, ensure_ascii=False, sort_keys=True) + "\n" for r in records).encode()
        file = f"{name}.jsonl"
        write_bytes(folder / file, lines)
        index[name] = {
            "file": file,
            "records": len(records),
            "bytes": len(lines),
            "sha256": sha256(lines).hexdigest(),
        }
    plain = json.dumps(index, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    write_bytes(folder / "ARTIFACT_INDEX.json", plain.encode())


def families(run: Run) -> dict[str, list[Record]]:
    """The records of each family."""
    pairs = list(zip(run.scenarios, run.observed, strict=True))
    due = {j.scenario.id: j for j in run.judged}
    return {
        "scenario_manifest": [_manifest(run)],
        "seeded_material_artifacts": [_seeded(s) for s in run.scenarios],
        "synthetic_input_events": [row for s in run.scenarios for row in _events(s)],
        "synthetic_state_snapshot": [_state(s) for s in run.scenarios],
        "expected_context_policy": [_expected(j) for j in run.judged],
        "authorization_trace": [_authorization(o, due.get(o.scenario)) for o in run.observed],
        "exact_context_snapshot": [_context(o) for o in run.observed],
        "provenance_trace": [_provenance(s, o) for s, o in pairs],
        "observed_context_artifacts": [_artifact(o, due.get(o.scenario)) for o in run.observed],
        "unscoped_baseline_context_artifacts": _unscoped(run.scenarios),
        "baseline_report": _baselines(run.scenarios),
        "write_admission_trace": [row for s, o in pairs for row in _writes(s, o)],
        "model_neutral_assertions": [row for j in run.judged for row in assertions(j)],
        "observation_mode_metrics": _modes(run),
        "execution_diagnostics": [_diagnostics(run)],
    }


def _manifest(run: Run) -> Record:
    counts = Counter(s.family for s in run.scenarios)
    return {
        "suite": run.suite,
        "scenarios": [s.id for s in run.scenarios],
        "families": dict(sorted(counts.items())),
    }


def _seeded(scenario: Scenario) -> Record:
    seeds = [
        {"id": s.id, "store": s.store, "text": s.text, "at": s.at, "derived_from": list(s.derived_from)}
        for s in scenario.seeds
    ]
    return {"scenario": scenario.id, "family": scenario.family, "seeds": seeds}


def _events(scenario: Scenario) -> Iterable[Record]:
    for event in scenario.events:
        yield {"scenario": scenario.id, "event": event.id, "text": event.text, **_arrival(event)}
    turn = scenario.turn
    yield {"scenario": scenario.id, "event": "turn", "text": turn.query, **_arrival(turn)}


def _arrival(what: Ask | Event) -> Record:
    return {
        "sender": what.sender,
        "channel": what.channel,
        "at": what.at,
        "evidence": _evidence(what.evidence),
    }


def _evidence(evidence: Evidence) -> Record:
    return {
        "kind": evidence.kind,
        "roster": None if evidence.roster is None else sorted(evidence.roster),
        "observed": sorted(evidence.observed),
        "roster_version": evidence.roster_version,
        "membership_version": evidence.membership_version,
        "claims": dict(evidence.claims),
    }


def _state(scenario: Scenario) -> Record:
    """Every item with the audience it came with; a derived one with what its sources leave it."""
    items = [{"id": e.id, "store": e.store, "audience": names_in(e.listed)} for e in entries(scenario)]
    return {"scenario": scenario.id, "items": items}


def _expected(judged: Judged) -> Record:
    due = judged.expected
    return {
        "scenario": judged.scenario.id,
        "mode": due.mode,
        "viewers": None if due.viewers is None else sorted(due.viewers),
        "required": list(due.required),
        "forbidden": list(due.forbidden),
        "fail_closed": due.fail_closed,
        "writes": dict(due.writes),
    }


def _authorization(seen: Observed, judged: Judged | None) -> Record:
    """The decision on who can read, taken before anything was assembled."""
    return {
        "scenario": seen.scenario,
        "mode": seen.mode,
        "viewers": None if seen.viewers is None else list(seen.viewers),
        "expected_mode": judged.expected.mode if judged else None,
        "matches": judged.mode_matches if judged else None,
    }


def _context(seen: Observed) -> Record:
    digest = sha256(seen.payload).hexdigest()
    return {
        "scenario": seen.scenario,
        "context": seen.payload.decode(),
        "sha256": digest,
        "bytes": len(seen.payload),
    }


def _provenance(scenario: Scenario, seen: Observed) -> Record:
    """Of everything in the context: its audience, what it was made of, and the stores that it came through."""
    listed = {e.id: e for e in entries(scenario)}
    sources = {s.id: list(s.derived_from) for s in scenario.seeds}
    items = [
        {
            "id": item,
            "audience": names_in(listed[item].listed),
            "derived_from": sources.get(item, []),
            "store": listed[item].store,
            "paths": sorted(seen.paths.get(item, ())),
        }
        for item in seen.included
    ]
    return {"scenario": scenario.id, "items": items}


def _artifact(seen: Observed, judged: Judged | None) -> Record:
    return {
        "scenario": seen.scenario,
        "included": list(seen.included),
        "forbidden_included": list(judged.leaked) if judged else None,
        "required_missing": list(judged.missed) if judged else None,
        "authorization_applied": True,
    }


def _unscoped(scenarios: Sequence[Scenario]) -> list[Record]:
    """What no boundary at all would put into the same contexts."""
    judged = {j.scenario.id: j for j in play(_UNSCOPED, scenarios)}
    return [
        {
            "scenario": s.id,
            "included": [e.id for e in entries(s)],
            "forbidden_included": list(judged[s.id].leaked) if s.id in judged else None,
            "authorization_applied": False,
        }
        for s in scenarios
    ]


def _baselines(scenarios: Sequence[Scenario]) -> list[Record]:
    return [
        {"baseline": name, "figure": figure, "value": value}
        for name, found in compare(scenarios).items()
        for figure, value in found.items()
    ]


def _writes(scenario: Scenario, seen: Observed) -> Iterable[Record]:
    """Only what was due to be written is a case of write admission."""
    due = scenario.expected.writes if scenario.expected else {}
    for event, write in seen.writes.items():
        row: Record = {"scenario": scenario.id, "event": event, "recorded_for": write}
        yield row | {"expected": due.get(event), "matches": due[event] == write if event in due else None}


def assertions(judged: Judged) -> Iterable[Record]:
    """What must hold of a context before any answer, whatever model words it."""
    due = judged.expected

    def row(kind: str, item: str, *, passed: bool) -> Record:
        return {"scenario": judged.scenario.id, "assertion": kind, "item": item, "passed": passed}

    yield row("authorization", due.mode, passed=judged.mode_matches)
    yield from (row("forbidden_absent", i, passed=i not in judged.leaked) for i in due.forbidden)
    yield from (row("required_present", i, passed=i not in judged.missed) for i in due.required)
    if due.fail_closed:
        yield row("fail_closed", due.mode, passed=judged.closed)


def _modes(run: Run) -> list[Record]:
    """The real turn, and the projection without a boundary."""
    sets: Mapping[str, Sequence[Judged]] = {
        "real_turn": run.judged,
        "unscoped_projection": play(_UNSCOPED, run.scenarios),
    }
    return [
        {
            "mode": mode,
            "judged": len(judged),
            "forbidden_included": sum(len(j.leaked) for j in judged),
            "required_kept": sum(len(j.expected.required) - len(j.missed) for j in judged),
        }
        for mode, judged in sets.items()
    ]


def _diagnostics(run: Run) -> Record:
    """How it was run, as far as that is the same each time."""
    whole = sha256(b"".join(o.payload for o in run.observed)).hexdigest()
    checks = [row for j in run.judged for row in assertions(j)]
    return {
        "command": "tact bench audience",
        "suite": run.suite,
        "scenarios": len(run.scenarios),
        "assertions_passed": sum(row["passed"] for row in checks),
        "assertions": len(checks),
        "model": None,
        "contexts_sha256": whole,
    }
