"""A folder of Chroma's that is not in use: vectors are compared in memory or on a server now, and were in it before."""

from __future__ import annotations

from pathlib import Path

from storage.vectors.errors import VectorsDown
from storage.vectors.folder import Folder


def swept(path: Path, stamp: str) -> bool:
    """Whether a folder holds no vector of anything forgotten.

    Its vectors are removed if something was forgotten since they came there: they can be made again.

    Args:
        path: the folder; it may be somebody else's, and is left as it is then.
        stamp: up to where was forgotten by now.

    Returns:
        False if its vectors cannot be removed, or another process holds them and has not come so far.
    """
    place = Folder(path)
    try:
        return not place.generations() or _swept(place, stamp)
    except VectorsDown:
        return False
    finally:
        place.close()


def _swept(place: Folder, stamp: str) -> bool:
    held, state = place.hold(), place.state()
    current = state is not None and state.stamp == stamp
    if not held or (state is not None and current and place.generations() == [state.generation]):
        return current
    place.dissolve()
    return True
