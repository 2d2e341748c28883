"""The folder of a Chroma in this process: its generations side by side, a file that names the one in use, and a lock."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from storage.file_lock import locked
from storage.vectors import chroma_client
from storage.vectors.chroma_faults import VectorsDown
from storage.vectors.generations import State

if TYPE_CHECKING:
    from chromadb.api.client import Client

_LOCK, _STATE = "lock", "current.json"
_GENERATION = re.compile("g[0-9a-f]{8}")


@contextmanager
def _usable(where: str) -> Iterator[None]:
    """The system's errors with files, as one of ours.

    Raises:
        VectorsDown: rights, a full disk, or a file in the way.
    """
    try:
        yield
    except OSError as error:
        raise VectorsDown(
            f"the vectors at {where} cannot be used ({error.strerror or type(error).__name__}): see to rights and room"
            ' there, or set vectors = "exact"'
        ) from None


class Folder:
    """Chroma in this process: a folder for each generation, and a file that names the one in use.

    INVARIANT: what Tact did not put there, it does not remove, nor lock out those who use it: each generation is closed itself.

    Args:
        path: for the owner's eyes only; vectors lie in it unencrypted.
    """

    erases, shared = True, False

    def __init__(self, path: Path) -> None:
        self.where = str(path)
        self._path = path
        self._clients: dict[str, Client] = {}
        self._lock: int | None = None

    def hold(self) -> bool:
        """Take the folder, and make it if there is none. The lock ends with the process, however it ends."""
        with _usable(self.where):
            self._path.mkdir(parents=True, exist_ok=True, mode=0o700)
            if all(_ours(entry.name) for entry in self._path.iterdir()):
                self._path.chmod(0o700)
            if self._lock is None:
                self._lock = locked(self._path / _LOCK)
        return self._lock is not None

    def state(self) -> State | None:
        """What the file says, if that generation is there."""
        try:
            state = State(**json.loads((self._path / _STATE).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
        return state if (self._path / state.generation).is_dir() else None

    def save(self, state: State) -> None:
        """Replace the file: the old one or the new one, never a part."""
        with _usable(self.where):
            (self._path / state.generation).mkdir(exist_ok=True, mode=0o700)
            draft = self._path / f"{_STATE}.new"
            with draft.open("w", encoding="utf-8") as file:
                file.write(json.dumps(asdict(state)))
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self._path / _STATE)

    def client(self, generation: str) -> Client:
        """Opened once."""
        if generation not in self._clients:
            folder = self._path / generation
            with _usable(self.where):
                folder.mkdir(exist_ok=True, mode=0o700)
            self._clients[generation] = chroma_client.embedded(folder)
        return self._clients[generation]

    def prefix(self, generation: str) -> str:
        """The folder tells generations apart."""
        return "tact-"

    def generations(self) -> list[str]:
        """Those that are there, half-built ones too."""
        with _usable(self.where):
            every = [entry.name for entry in self._path.iterdir() if entry.is_dir()]
        return [name for name in every if _GENERATION.fullmatch(name)]

    def remove_others(self, *kept: str) -> None:
        """Close and delete them, half-built ones too."""
        for other in set(self._clients) - set(kept):
            chroma_client.close(self._clients.pop(other))
        for name in self.generations():
            if name not in kept:
                with _usable(self.where):
                    shutil.rmtree(self._path / name)

    def remove_all(self) -> None:
        """Delete the generations and the file that names one."""
        self.remove_others()
        with _usable(self.where):
            for name in (_STATE, f"{_STATE}.new"):
                (self._path / name).unlink(missing_ok=True)

    def dissolve(self) -> None:
        """Delete all that Tact has put there, and the folder too if there is nothing else in it."""
        self.remove_all()
        with suppress(OSError):
            (self._path / _LOCK).unlink()
            self._path.rmdir()
        self.close()

    def close(self) -> None:
        """Close the files and give the lock back."""
        for client in self._clients.values():
            chroma_client.close(client)
        self._clients.clear()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _ours(name: str) -> bool:
    return name in {_LOCK, _STATE, f"{_STATE}.new"} or _GENERATION.fullmatch(name) is not None


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
