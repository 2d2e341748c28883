"""`tact bench disclosure`: the calculus over a script of the EP-Bench-like kind, judged on fact ids.

The format of a script and what each figure means: docs/results.md. Predictions are made from the script without its
answers; only then are the answers looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from bot.bench.disclosure_facts import Annotated, facts_of, gold, make_policy, own
from bot.bench.disclosure_scoring import UNDEFINED, score
from bot.bench.disclosure_script import Plain, check, read_script, without_gold
from bot.bench.disclosure_tasks import Gate, Prediction, predict
from connectors.language.offline.categoriser import OfflineCategoriser
from connectors.language.offline.reader import OfflineReader
from engine.errors import BadInput

_AT = datetime(2025, 1, 1, tzinfo=UTC)


def run(script: Path, *, annotations: str, layers: str, predictions: Path | None, as_json: bool) -> int:
    """Predict, then judge, and print the report.

    Args:
        script: a script, with or without its answers.
        annotations: `gold` takes each fact's levels and lists as given; `own` makes them from the sessions.
        layers: `2` is the calculus alone, the paper's setting; `both` asks who was there as well.
        predictions: a file for what was predicted, one JSON object a line.
        as_json: one JSON object on standard output instead of text.

    Returns:
        0; 1 if gold annotations do not give what is due: then the calculus is wrong.

    Raises:
        BadInput: if the script cannot be read as one, or lacks what these annotations need.
    """
    whole = read_script(script)
    annotated = annotations == "gold"
    bare = without_gold(whole, annotated=annotated)
    check(bare, str(script), annotated=annotated)
    policy = make_policy(bare, str(script))
    reader, categoriser = _language()
    said = gold(bare) if annotated else own(bare, policy, reader, categoriser)
    facts = facts_of(bare, said, presence=layers == "both", at=_AT)
    found = predict(bare, Gate(policy, facts, layers == "both"), categoriser)
    if predictions is not None:
        write(predictions, found)
    report = {"script": whole.get("script_id"), "annotations": annotations, "layers": layers}
    report |= score(whole, found)
    if not annotated:
        report["lists"] = _lists(whole, said)
    print(json.dumps(report, ensure_ascii=False, indent=1) if as_json else "\n".join(in_words(report)))
    return int(annotated and _short(report, layers))


@cache
def _language() -> tuple[OfflineReader, OfflineCategoriser]:
    """What reads and categorises, as in every turn; loaded once a process."""
    from connectors.language.offline import load_embedder  # noqa: PLC0415 - numpy and the model load only when needed
    from connectors.spans.rules import detect  # noqa: PLC0415

    return OfflineReader(detect), OfflineCategoriser(load_embedder())


def _short(report: Mapping[str, Any], layers: str) -> bool:
    """Nothing may be told that must not be; by layer 2 alone, everything that may be is."""
    whole = ("task2.exact", "task3.completeness") if layers == "2" else ()
    return bool(report["task3.pb"]) or any(report[key] not in {None, 1.0} for key in whole)


def _lists(script: Plain, said: Mapping[str, Annotated]) -> dict[str, Any]:
    """How Tact's own lists compare with the script's, where it has any."""
    facts = [fact for fact in script["facts"] if "whitelist" in fact and "blacklist" in fact]
    pairs = {
        "whitelist": [(said[f["id"]].white, set(f["whitelist"])) for f in facts],
        "blacklist": [(said[f["id"]].black, set(f["blacklist"])) for f in facts],
    }
    return {name: _compared(some) for name, some in pairs.items()}


def _compared(pairs: Sequence[tuple[frozenset[Any], set[str]]]) -> dict[str, float | None]:
    right = sum(len(found & due) for found, due in pairs)
    found, due = sum(len(found) for found, _ in pairs), sum(len(due) for _, due in pairs)
    return {"precision": right / found if found else None, "recall": right / due if due else None}


def in_words(report: Mapping[str, Any]) -> Iterator[str]:
    """The report for a person, line by line."""
    yield f"{report['script']}: annotations {report['annotations']}, layers {report['layers']}"
    for name, words in _FIGURES.items():
        yield f"  {name:<20}{_shown(report[name]):<12}{words}"
    for name, pair in report.get("lists", {}).items():
        yield f"  {name:<20}precision {_shown(pair['precision'])}, recall {_shown(pair['recall'])}"
    for task in ("task1", "task2"):
        yield from (f"{item}: predicted {found or 'nobody'}" for item, found in report[task]["wrong"].items())
    yield from (f"{item}: told {', '.join(some)}" for item, some in report["task3"]["violations"].items())


_FIGURES = {
    "task1.accuracy": "of facts, the right category (always Tact's own)",
    "task2.exact": "of questions, exactly those who may hear",
    "task2.partial": "the same, one half for some of them",
    "task3.pb": "of answers, those that tell what they must not (0 is best)",
    "task3.pc": "of such an answer, the part that it must not tell",
    "task3.pd": "of such an answer, how many levels too deep",
    "task3.completeness": "of what may be told, the part that is",
    "kl": "how differently audiences are answered, against how they should be (0 is best)",
}


def _shown(value: object) -> str:
    if value is None:
        return "-"
    return value if value == UNDEFINED and isinstance(value, str) else f"{value:.3f}"


def write(file: Path, predictions: Sequence[Prediction]) -> None:
    """One JSON object a line."""
    lines = "".join(json.dumps(p, ensure_ascii=False, sort_keys=True) + "\n" for p in predictions)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(lines, "utf-8")
    except OSError as error:
        raise BadInput(
            f"it cannot be written ({error.strerror})", where=str(file), fix="name another place"
        ) from None
