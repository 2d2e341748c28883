"""What a run leaves behind: the report, the predictions, the contexts with their digests. The same bytes each time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from bot.bench.baselines import compare
from bot.bench.observing import Observed
from bot.bench.scenario import Scenario
from bot.bench.scoring import Judged, Score
from engine.errors import BadInput

_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
_FIGURES = (
    "forbidden_included", "forbidden_total", "required_kept", "required_total", "fail_closed_ok",
    "fail_closed_total", "mode_match", "writes_exact", "writes_total",
)  # fmt: skip


def make_report(
    scenarios: Sequence[Scenario], judged: Sequence[Judged], total: Score, *, full: bool
) -> dict[str, Any]:
    """The report as JSON holds it; figures that need what was due are null where no scenario says what is due."""
    figures = {name: getattr(total, name) if judged else None for name in _FIGURES}
    report: dict[str, Any] = {
        "scenarios": len(scenarios),
        "judged": len(judged),
        **figures,
        "checks_passed": _checks(total)[0] if judged else None,
        "checks_total": _checks(total)[1] if judged else None,
        "refusals": total.refusals.as_plain() if judged else None,
        "by_path": {s: path.as_plain() for s, path in total.by_path.items()} if judged else None,
        "baselines": compare(scenarios),
        "short": {j.scenario.id: j.faults for j in judged if j.faults},
    }
    if full:
        report["results"] = [_row(j) for j in judged]
    return report


def _checks(total: Score) -> tuple[int, int]:
    """The paper's count of checks: authorisation, each forbidden, each required, each fail-closed."""
    passed = total.mode_match + (total.forbidden_total - total.forbidden_included) + total.required_kept
    every = total.judged + total.forbidden_total + total.required_total + total.fail_closed_total
    return passed + total.fail_closed_ok, every


def _row(one: Judged) -> dict[str, Any]:
    return {
        **{k: v for k, v in one.observed.as_prediction().items() if k != "reply"},
        "family": one.scenario.family,
        "paths": {item: sorted(stores) for item, stores in one.observed.paths.items()},
        "sha256": sha256(one.observed.payload).hexdigest(),
        "short": one.faults,
    }


def in_words(report: Mapping[str, Any]) -> Iterator[str]:
    """The report for a person, line by line."""
    yield f"{report['scenarios']} scenarios, {report['judged']} of them with what is due"
    if report["judged"]:
        yield from _figures(report)
    yield ""
    yield "simpler policies on the same scenarios"
    for name, found in report["baselines"].items():
        kept, told = found["required_kept"], found["forbidden_included"]
        figures = f"kept {kept}, forbidden {told}; " if kept is not None else ""
        shown = f" ({found['boundary']})" if found["boundary"] else ""
        yield f"  {name:<18}{figures}lacks {found['lacks']}{shown}"
    for scenario, faults in report["short"].items():
        yield from (f"short: {scenario}: {fault}" for fault in faults)
    for row in report.get("results", ()):
        yield f"{row['id']}: {row['mode']}, in the context: {', '.join(row['included']) or 'nothing'}"


def _figures(report: Mapping[str, Any]) -> Iterator[str]:
    pairs = (
        ("required items kept", "required_kept", "required_total"),
        ("forbidden items told", "forbidden_included", "forbidden_total"),
        ("failed closed", "fail_closed_ok", "fail_closed_total"),
        ("viewers as due", "mode_match", "judged"),
        ("writes as due", "writes_exact", "writes_total"),
        ("checks passed", "checks_passed", "checks_total"),
    )
    for words, part, whole in pairs:
        yield f"  {words:<22}{report[part]}/{report[whole]}"
    refusals = report["refusals"]
    yield f"  {'refused writes':<22}precision {refusals['precision']}, recall {refusals['recall']}"
    for store, path in report["by_path"].items():
        kept, told = f"{path['kept']}/{path['required']}", f"{path['included']}/{path['forbidden']}"
        yield f"  {'in ' + store:<22}kept {kept}, forbidden {told}"


def write_predictions(file: Path, observed: Sequence[Observed]) -> None:
    """One JSON object a line, in the order of the suite."""
    lines = (json.dumps(o.as_prediction(), ensure_ascii=False, sort_keys=True) for o in observed)
    write_bytes(file, "".join(line + "\n" for line in lines).encode())


def write_contexts(folder: Path, observed: Sequence[Observed]) -> None:
    """The exact bytes of each context in a file of its own, and `index.json` with their digests."""
    index = {}
    for one in observed:
        digest = sha256(one.payload).hexdigest()
        index[one.scenario] = {"file": _file_name(one.scenario), "sha256": digest, "bytes": len(one.payload)}
        write_bytes(folder / _file_name(one.scenario), one.payload)
    write_bytes(folder / "index.json", (json.dumps(index, ensure_ascii=False, indent=1) + "\n").encode())


def _file_name(scenario: str) -> str:
    """The id, if it can be a file's name; else what can, and a digest that keeps it apart from others."""
    if set(scenario) <= _SAFE and not scenario.startswith(".") and len(scenario) <= 120:  # noqa: PLR2004
        return f"{scenario}.bin"
    plain = "".join(c if c in _SAFE else "_" for c in scenario)[:80].lstrip(".")
    return f"{plain}-{sha256(scenario.encode()).hexdigest()[:12]}.bin"


def write_bytes(file: Path, content: bytes) -> None:
    """A file of exactly these bytes, with the folders it needs."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    except OSError as error:
        raise BadInput(
            f"it cannot be written ({error.strerror})", where=str(file), fix="name another place"
        ) from None
