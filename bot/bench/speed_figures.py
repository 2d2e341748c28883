"""From what was measured to the report: medians, ratios and recall, by back end and by who listens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from statistics import median
from typing import Any, Final

K: Final = 10
HALF, TWENTIETH = "half", "twentieth"

_KEYS: Final = (
    "p50_ms", "p95_ms", "ratio_scan", "ratio_gather", "recall", "hybrid_p50_ms", "ingest_per_s", "start_ms", "rss_mb",
)  # fmt: skip


def figures(
    facts: int, found: Mapping[str, Mapping[str, Any]], rival: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The report.

    Args:
        facts: how many there are.
        found: by back end, what its stages said.
        rival: what mem0's stage said; None if it is not installed.
    """
    backends = {name: _backend(one) for name, one in found.items()}
    first = next(iter(backends))
    beside = None if rival is None else _beside(rival, backends[first])
    return (
        {"facts": facts, "k": K, "backend": first} | backends[first] | {"backends": backends, "mem0": beside}
    )


def predicted(found: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What each question was answered with: by the first back end, and by the others."""
    first, *others = found
    got = {name: {line[0]: line[3] for line in found[name]["asked"]} for name in others}
    return [
        {"id": i, "backend": first, "facts": facts} | {name: got[name][i] for name in others}
        for i, _, _, facts, _ in found[first]["asked"]
    ]


def _backend(found: Mapping[str, Any]) -> dict[str, Any]:
    asked = found["asked"]
    kinds = dict.fromkeys(line[0].partition("/")[0] for line in asked)
    shares = {kind: _share([a for a in asked if a[0].startswith(f"{kind}/")]) for kind in kinds}
    every = _all(asked, "tact")
    return {
        "p50_ms": _ms(median(every)),
        "p95_ms": _ms(_p95(every)),
        "ratio_scan": shares[HALF]["ratio_scan"],
        "ratio_gather": shares[TWENTIETH]["ratio_gather"],
        "recall": _recall(asked),
        "hybrid_p50_ms": _ms(median(_all(asked, "hybrid"))),
        "transaction_p50_ms": _ms(median(found["empty"])),
        "ingest_per_s": round(found["ingest_per_s"], 1),
        "start_ms": round(found["start_ms"], 1),
        "rss_mb": round(found["rss_mb"], 1),
        "questions": len(asked),
        "shares": shares,
    }


def _share(asked: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """Questions of one kind."""
    tact, scan, gather = (_all(asked, way) for way in ("tact", "scan", "gather"))
    return {
        "admissible": round(sum(line[1] for line in asked) / len(asked), 4),
        "p50_ms": _ms(median(tact)),
        "p95_ms": _ms(_p95(tact)),
        "scan_ms": _ms(median(scan)),
        "gather_ms": _ms(median(gather)),
        "ratio_scan": round(median(tact) / median(scan), 2),
        "ratio_gather": round(median(tact) / median(gather), 2),
        "hybrid_p50_ms": _ms(median(_all(asked, "hybrid"))),
        "recall": _recall(asked),
    }


def _beside(rival: Mapping[str, Any], ours: Mapping[str, Any]) -> dict[str, Any]:
    """mem0's figures, and how many of Tact's searches over everything go into one of its."""
    p50 = median(rival["seconds"])
    whole = ours["shares"]["owner"]["p50_ms"]
    return {
        "version": rival["version"],
        "store": rival["store"],
        "p50_ms": _ms(p50),
        "p95_ms": _ms(_p95(rival["seconds"])),
        "add_ms": _ms(rival["add_s"]),
        "times_tact": round(_ms(p50) / whole, 1),
    }


def _all(asked: Sequence[Sequence[Any]], way: str) -> list[float]:
    return list(chain.from_iterable(line[2][way] for line in asked))


def _recall(asked: Sequence[Sequence[Any]]) -> float:
    """Of the best `K` that may be told, the part that was found."""
    due = [(set(got), set(true)) for _, _, _, got, true in asked]
    wanted = sum(len(true) for _, true in due)
    return round(sum(len(got & true) for got, true in due) / wanted, 4) if wanted else 1.0


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 3)


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]


def in_words(report: Mapping[str, Any]) -> Iterator[str]:
    """The report for a person, line by line."""
    yield f"{report['facts']} facts, the best {report['k']} asked for"
    for name, one in report["backends"].items():
        yield f"{name}:"
        for key in _KEYS:
            yield f"  {key:<16}{one[key]:<10}{_WORDS[key]}"
        yield f"  {'who listens':<16}{'may hear':>9}{'p50 ms':>9}{'scan ms':>9}{'gather ms':>10}{'recall':>8}"
        for kind, share in one["shares"].items():
            yield (
                f"  {kind:<16}{share['admissible']:>9.1%}{share['p50_ms']:>9}{share['scan_ms']:>9}"
                f"{share['gather_ms']:>10}{share['recall']:>8}"
            )
    if report["mem0"] is not None:
        beside = report["mem0"]
        yield (
            f"mem0 {beside['version']} on {beside['store']}: p50 {beside['p50_ms']} ms for everything, "
            f"{beside['times_tact']} times Tact's"
        )


_WORDS: Final = {
    "p50_ms": "admit, retrieve, look again in SQL and judge; whoever listens",
    "p95_ms": "the same, of the slow ones",
    "ratio_scan": "that over a numpy scan of everything, where half may be told",
    "ratio_gather": "that over a numpy gather of what may be told, where 5 % may be",
    "recall": "of the best that may be told, found",
    "hybrid_p50_ms": "with keywords as well",
    "ingest_per_s": "facts written in a second, sessions of twenty",
    "start_ms": "from opening the memory to its first answer",
    "rss_mb": "held by the process then",
}
