"""Language without a model and without a network: English and Chinese, by rule, words and one small embedder.

Importing this loads neither numpy nor the embedder; the first vector does.
"""

from connectors.language.offline.annotators import RulesCategoriser, RulesReader, ThreadedEmbedder
from connectors.language.offline.categoriser import OfflineCategoriser
from connectors.language.offline.composer import OfflineComposer
from connectors.language.offline.embedder import load_embedder, similarity
from connectors.language.offline.public_lines import OfflineLines
from connectors.language.offline.reader import OfflineReader
from connectors.language.offline.relevance import ANSWERS, relevance

__all__ = [
    "ANSWERS",
    "OfflineCategoriser",
    "OfflineComposer",
    "OfflineLines",
    "OfflineReader",
    "RulesCategoriser",
    "RulesReader",
    "ThreadedEmbedder",
    "load_embedder",
    "relevance",
    "similarity",
]
