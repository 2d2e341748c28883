"""`make vectors`: embed the default categories' sentences once, for the file that ships with Tact."""

from __future__ import annotations

import sys

from config.defaults import default_categories
from connectors.language.offline.centroids import NEUTRAL
from connectors.language.offline.embedder import NAME, load_embedder
from connectors.language.offline.known import FILE, keep


def texts() -> tuple[str, ...]:
    """Every sentence that a new memory compares statements with."""
    said = [
        text
        for category in default_categories()
        for text in (
            *category.description.values(),
            *(e for many in category.examples.values() for e in many),
        )
    ]
    return tuple(dict.fromkeys((*said, *NEUTRAL)))


if __name__ == "__main__":
    FILE.unlink(missing_ok=True)
    embedder = load_embedder()
    count = keep(NAME, [(text, embedder.query(text)) for text in texts()])
    sys.stdout.write(f"{count} vectors in {FILE}\n")
