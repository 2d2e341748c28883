"""`OfflineCategoriser`: two independent annotators over the owner's categories, by nearness and by words.

How a caller should join them (privacy-model §3 asks for every category from `ρ` on):
- both name the same one first: that is the category;
- one abstains: the other's first;
- they name different ones: both count, so the fact is an ordinary one at their common ceiling.
An appointment's or a whereabouts' nearness yields to a topic that the words name: a funeral on Tuesday is family. It is
dropped and not replaced, so the two never agree by this rule.
A confident annotator names one category only, so a fact has two only where it is about both, or where the annotators
contradict each other.
"""

from __future__ import annotations

from collections.abc import Sequence

from connectors.language.offline import lexical
from connectors.language.offline.centroids import Centroids
from connectors.language.offline.embedder import Vectors
from connectors.language.offline.lexicon import TIME_AND_PLACE, TOPICS
from engine.items import Suggestion
from engine.policy import Category


class OfflineCategoriser:
    """`engine.ports.Categoriser`.

    Args:
        embedder: sentence vectors; without a model the lexical annotator is alone, so nothing is ever agreed upon.
    """

    def __init__(self, embedder: Vectors) -> None:
        self._centroids = Centroids(embedder)

    def suggest(self, texts: Sequence[str], categories: Sequence[Category]) -> list[tuple[Suggestion, ...]]:
        """Opinions on each text, the embedding annotator's first; an empty tuple means that nobody dared to say."""
        return [self._of(text, categories) for text in texts]

    def _of(self, text: str, categories: Sequence[Category]) -> tuple[Suggestion, ...]:
        by_words = lexical.suggest(text, categories)
        near = self._centroids.suggest(text, categories)
        if any(opinion.category in TOPICS for opinion in by_words):
            near = tuple(opinion for opinion in near if opinion.category not in TIME_AND_PLACE)
        return (*near, *by_words)
