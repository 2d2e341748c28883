"""Vectors that ship with Tact: of the sentences every new memory is compared with, so that the first statement waits for none.

They are the model's own output, kept by text digest under the model's name; another model, or a text that is not among
them, is embedded as usual. `make vectors` makes the file anew, and a test compares it with the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("known_vectors.npz")


def digest(text: str) -> bytes:
    """What a text is found by: SHA-256 of its UTF-8 form."""
    return sha256(text.encode()).digest()


@cache
def known(model: str) -> Mapping[bytes, bytes]:
    """Query vectors (little-endian float32) by text digest; empty if the file was made with another model."""
    import numpy as np  # noqa: PLC0415 - only where there is a model

    if not FILE.is_file():
        return {}
    with np.load(FILE, allow_pickle=False) as kept:
        if str(kept["model"]) != model:
            return {}
        digests, vectors = kept["digests"], kept["vectors"].astype("<f4")
    return {bytes(key.tobytes()): bytes(row.tobytes()) for key, row in zip(digests, vectors, strict=True)}


def keep(model: str, rows: Iterable[tuple[str, bytes]], file: Path = FILE) -> int:
    """Write the file; returns how many vectors it holds.

    Args:
        model: the model's name.
        rows: texts with their query vectors.
        file: where to.
    """
    import numpy as np  # noqa: PLC0415

    found = dict(rows)
    digests = np.stack([np.frombuffer(digest(text), np.uint8) for text in found])
    vectors = np.stack([np.frombuffer(vector, "<f4") for vector in found.values()])
    np.savez(file, model=np.array(model), digests=digests, vectors=vectors)
    return len(found)
