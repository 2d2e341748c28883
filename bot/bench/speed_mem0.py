"""mem0 on the same vectors, where it is installed: its own work alone, for its model and its embedder answer at once.

    python -m bot.bench.speed_mem0 ask FOLDER STORE FACTS EACH

`STORE` is a vector store of mem0's: `chroma` or `qdrant`, embedded. Everything is one user's, so that nothing is filtered
but by the user, as every search of mem0's is.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any, Final
from uuid import UUID

from bot.bench.speed_asking import K, questions
from bot.bench.speed_memory import DIMENSION, Memory, make_memory, terms_of
from bot.bench.speed_work import say

_BATCH: Final = 1000
_ADDED: Final = 20
_USER: Final = "owner"


class _Embedder:
    """In place of mem0's: the vector that is asked for next."""

    def __init__(self) -> None:
        self.next: list[float] = [1.0] * DIMENSION

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """A vector."""
        return self.next

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:
        """The same for several."""
        return [self.next for _ in texts]


def _opened(folder: Path, store: str) -> Any:
    """A memory of mem0's in this folder; it sends nothing to its makers."""
    logging.disable(logging.CRITICAL)  # what it lacks (spaCy) is said in docs/results.md
    os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder), "OPENAI_API_KEY": "none"}
    config: dict[str, Any] = {"collection_name": "bench", "path": str(folder / store)}
    if store == "qdrant":
        config |= {"embedding_model_dims": DIMENSION, "on_disk": True}
    memory = import_module("mem0").Memory.from_config(
        {"vector_store": {"provider": store, "config": config}, "history_db_path": str(folder / "history.db")}
    )
    memory.embedding_model = _Embedder()
    return memory


def _fill(theirs: Any, memory: Memory) -> None:
    """Put everything straight into its vector store: through its front door, ten thousand take a quarter of an hour."""
    for start in range(0, len(memory), _BATCH):
        rows = range(start, min(start + _BATCH, len(memory)))
        texts = [" ".join(terms_of(memory, row)) for row in rows]
        theirs.vector_store.insert(
            [memory.vectors[row].tolist() for row in rows],
            [{"data": text, "user_id": _USER, "hash": "", "created_at": ""} for text in texts],
            [str(UUID(int=row)) for row in rows],
        )
        say(done=len(rows))


def ask(folder: Path, store: str, facts: int, each: int) -> dict[str, Any]:
    """Fill it, then search and add."""
    memory = make_memory(facts)
    theirs = _opened(folder, store)
    _fill(theirs, memory)
    seconds = []
    for question in questions(memory, each):
        if question.kind == "owner":
            theirs.embedding_model.next = question.vector.tolist()
            start = perf_counter()
            theirs.search(" ".join(question.terms), top_k=K, filters={"user_id": _USER}, threshold=0.0)
            seconds.append(perf_counter() - start)
            say(done=1)
    start = perf_counter()
    for row in range(_ADDED):
        theirs.embedding_model.next = memory.vectors[row].tolist()
        theirs.add(" ".join(terms_of(memory, row)), user_id=_USER, infer=False)
    added = (perf_counter() - start) / _ADDED
    return {"seconds": seconds, "add_s": added, "store": store, "version": version("mem0ai")}


if __name__ == "__main__":
    _, where, which, count, some = sys.argv[1:]
    say(found=ask(Path(where), which, int(count), int(some)))
