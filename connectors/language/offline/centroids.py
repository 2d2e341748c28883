"""The embedding annotator: which category's description and examples a statement lies nearest to. Abstains when unsure.

Cosines of one model all lie close together, and higher in Chinese than in English; so a category's nearness is counted
from that of sentences about nothing in particular. The numbers here belong to that model and to no other.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from math import exp
from threading import Lock
from typing import TYPE_CHECKING, Final

from connectors.language.offline.embedder import Vectors
from engine.ids import CategoryName
from engine.items import Confidence, Suggestion
from engine.policy import Category

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

HEIGHT: Final = 0.003
"""How much nearer than the neutral sentences the winner must be."""
MARGIN: Final = 0.003
"""How much nearer than the next category."""
_SPREAD: Final = 0.0022
"""Makes a runner-up that is 0.005 behind less than one in ten."""
_SHOWN: Final = 0.10
_CEILING: Final = 0.95
_REMEMBERED: Final = 16

NEUTRAL: Final = (
    "The sea was calm this morning.", "That song is far too long.", "I like old maps.", "Bees make honey.",
    "The museum has a new wing.", "Chess is harder than it looks.", "My keys were under the sofa.",
    "The printer is out of paper.", "Somebody painted the fence blue.", "That joke was terrible.",
    "The internet is slow today.", "Ravens are clever birds.",
    "今天早上海面很平静。", "那首歌太长了。", "我喜欢老地图。", "蜜蜂会酿蜜。", "博物馆新开了一个展厅。", "下棋比看起来难。",
    "我的钥匙在沙发底下。", "打印机没纸了。", "有人把栅栏刷成了蓝色。", "那个笑话太冷了。", "今天网很慢。", "乌鸦是很聪明的鸟。",
)  # fmt: skip
"""Sentences that no category is about."""


class Centroids:
    """Opinions by nearness. Centroids are kept by what the categories say; they are made once for each wording."""

    def __init__(self, embedder: Vectors) -> None:
        self._embedder = embedder
        self._lock = Lock()
        self._known: OrderedDict[tuple[str, ...], Vector] = OrderedDict()

    def suggest(self, text: str, categories: Sequence[Category]) -> tuple[Suggestion, ...]:
        """The embedding opinion on one text: a winner, and whoever is truly close behind; empty without a model."""
        described = [c for c in categories if _sentences(c)]
        if not self._embedder.dimension or len(described) < 2:  # noqa: PLR2004 - nearest of one says nothing
            return ()
        vector = self._vectors([text])[0]
        neutral = float(self._centre(NEUTRAL) @ vector)
        near = {c.name: float(self._centre(_sentences(c)) @ vector) - neutral for c in described}
        first, second, *_ = sorted(near.values(), reverse=True)
        if first < HEIGHT or first - second < MARGIN:
            return ()
        return _opinions(near)

    def _centre(self, sentences: tuple[str, ...]) -> Vector:
        """The mean direction of some sentences."""
        with self._lock:
            known = self._known.get(sentences)
            if known is not None:
                self._known.move_to_end(sentences)
                return known
        mean = self._vectors(sentences).mean(axis=0)
        centre: Vector = mean / max(float((mean @ mean) ** 0.5), 1e-9)
        with self._lock:
            self._known[sentences] = centre
            while len(self._known) > _REMEMBERED * 4:
                self._known.popitem(last=False)
        return centre

    def _vectors(self, texts: Sequence[str]) -> Vector:
        import numpy as np  # noqa: PLC0415 - only where there is a model

        return np.stack([np.frombuffer(self._embedder.query(text), "<f4") for text in texts]).astype(
            np.float32
        )


def _sentences(category: Category) -> tuple[str, ...]:
    examples = [text for texts in category.examples.values() for text in texts]
    return tuple(text for text in (*category.description.values(), *examples) if text.strip())


def _opinions(near: Mapping[CategoryName, float]) -> tuple[Suggestion, ...]:
    """Nearness as shares of one; only shares from a tenth on are said."""
    top = max(near.values())
    weights = {name: exp((value - top) / _SPREAD) for name, value in near.items()}
    total = sum(weights.values())
    shares = sorted(
        ((min(_CEILING, w / total), name) for name, w in weights.items()), key=lambda s: (-s[0], s[1])
    )
    return tuple(
        Suggestion(name, round(share, 3), Confidence.EMBEDDING) for share, name in shares if share >= _SHOWN
    )
