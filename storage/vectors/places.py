"""Where Chroma keeps vectors: a folder that one process holds, or a server.

Either way they lie in *generations*: one is in use, a new one is filled beside it and takes its place in one step.
Whatever is not in use was left by a crash and is removed at the next change of generation, or at the next start.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

from storage.vectors import clients

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

fcntl: ModuleType | None
try:
    fcntl = import_module("fcntl")
except ImportError:  # not on this system: see to it yourself that one Tact uses the folder
    fcntl = None

_LOCK, _STATE = "lock", "current.json"


@dataclass(frozen=True, slots=True)
class State:
    """The generation in use.

    `stamp` says up to where was forgotten when it was filled; `clean`, that nothing was ever deleted from it, so that no
    file of it holds a vector which is not in use; `left`, that files of earlier ones may, which Tact cannot delete.
    """

    generation: str
    stamp: str = ""
    clean: bool = True
    left: bool = False


class Place(Protocol):
    """Where the generations are. Every call may take a while, and raises `VectorsDown` if Chroma cannot be used."""

    where: str
    """To be shown."""

    erases: bool
    """Whether a generation that is removed has left the disk with that."""

    def hold(self) -> bool:
        """Take the place for this process; False while another one has it."""
        ...

    def state(self) -> State | None:
        """The generation in use; None if there is none."""
        ...

    def save(self, state: State) -> None:
        """Let this be the generation in use."""
        ...

    def client(self, generation: str) -> Client:
        """The client for a generation's collections."""
        ...

    def prefix(self, generation: str) -> str:
        """How the names of a generation's collections begin."""
        ...

    def remove_others(self, generation: str) -> None:
        """Remove all generations but this one."""
        ...

    def remove_all(self) -> None:
        """Remove everything, and what says which generation is in use."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


def new_generation() -> str:
    """A name for one."""
    return f"g{secrets.token_hex(4)}"


def collections_of(place: Place, generation: str) -> list[Collection]:
    """The collections of a generation."""
    every, prefix = clients.collections(place.client(generation), place.where), place.prefix(generation)
    return [collection for collection in every if collection.name.startswith(prefix)]


class Folder:
    """Chroma in this process: a folder for each generation, and a file that names the one in use.

    Args:
        path: for the owner's eyes only; vectors lie in it unencrypted.
    """

    erases = True

    def __init__(self, path: Path) -> None:
        self.where = str(path)
        self._path = path
        self._clients: dict[str, Client] = {}
        self._lock: int | None = None

    def hold(self) -> bool:
        """Take the folder, and make it if there is none. The lock ends with the process, however it ends."""
        self._path.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._path.chmod(0o700)
        if self._lock is not None:
            return True
        descriptor = os.open(self._path / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if fcntl is not None:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return False
        self._lock = descriptor
        return True

    def state(self) -> State | None:
        """What the file says, if that generation is there."""
        try:
            state = State(**json.loads((self._path / _STATE).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
        return state if (self._path / state.generation).is_dir() else None

    def save(self, state: State) -> None:
        """Replace the file: the old one or the new one, never a part."""
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
            folder.mkdir(exist_ok=True, mode=0o700)
            self._clients[generation] = clients.embedded(folder)
        return self._clients[generation]

    def prefix(self, generation: str) -> str:
        """The folder tells generations apart."""
        return "tact-"

    def remove_others(self, generation: str) -> None:
        """Close and delete them, half-built ones too."""
        for other in set(self._clients) - {generation}:
            clients.close(self._clients.pop(other))
        for folder in self._path.glob("g*/"):
            if folder.name != generation:
                shutil.rmtree(folder, ignore_errors=True)

    def remove_all(self) -> None:
        """Delete the generations and the file that names one."""
        (self._path / _STATE).unlink(missing_ok=True)
        self.remove_others("")

    def close(self) -> None:
        """Close the files and give the lock back."""
        for client in self._clients.values():
            clients.close(client)
        self._clients.clear()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


class Server:
    """A Chroma server: collections for each generation, and one without vectors whose metadata names the one in use.

    What a server has deleted stays in its files: that disk is its operator's.

    Args:
        url: where it answers.
        name: this memory's own, so that several can share a server: letters, digits and dashes.
    """

    erases = False

    def __init__(self, url: str, name: str) -> None:
        self.where = url
        self._name = f"tact-{name}"
        self._client: Client | None = None

    def hold(self) -> bool:
        """Several processes may use it at once."""
        self.client("")
        return True

    def state(self) -> State | None:
        """What the marker says."""
        for collection in self._all():
            if collection.name == self._marker:
                kept = dict(collection.metadata or {})
                return State(
                    str(kept["generation"]), str(kept["stamp"]), bool(kept["clean"]), bool(kept["left"])
                )
        return None

    def save(self, state: State) -> None:
        """Change the marker in one step."""
        plain = asdict(state)
        with clients.translated(self.where):
            marker = self.client("").get_or_create_collection(
                self._marker, metadata=plain, embedding_function=None
            )
            marker.modify(metadata=plain)

    def client(self, generation: str) -> Client:
        """One for all."""
        if self._client is None:
            self._client = clients.served(self.where)
        return self._client

    def prefix(self, generation: str) -> str:
        """The memory's name, and the generation."""
        return f"{self._name}-{generation}-"

    def remove_others(self, generation: str) -> None:
        """Delete their collections."""
        mine, keep = f"{self._name}-g", self.prefix(generation)
        for collection in self._all():
            if collection.name.startswith(mine) and not collection.name.startswith(keep):
                with clients.translated(self.where):
                    self.client("").delete_collection(collection.name)

    def remove_all(self) -> None:
        """Delete every collection of this memory."""
        for collection in self._all():
            if collection.name.startswith(f"{self._name}-"):
                with clients.translated(self.where):
                    self.client("").delete_collection(collection.name)

    def close(self) -> None:
        """Close the connection."""
        if self._client is not None:
            clients.close(self._client)
            self._client = None

    @property
    def _marker(self) -> str:
        return f"{self._name}-marker"

    def _all(self) -> list[Collection]:
        return clients.collections(self.client(""), self.where)
