"""Where Chroma keeps vectors: a folder that one process holds, or a server.

Either way they lie in *generations*: one is in use, a new one is filled beside it and takes its place in one step.
Whatever is not in use was left by a crash and is removed at the next change of generation, or at the next start; or
another process is filling it just now, on a server, and is lost to that one only if another is ready first or something
is forgotten that may be in it.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Protocol

from storage.vectors import chroma_client
from storage.vectors.chroma_faults import VectorsLost

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection


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

    shared: bool
    """Whether other processes may be at work there meanwhile."""

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

    def remove_others(self, *kept: str) -> None:
        """Remove all generations but these."""
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
    every, prefix = chroma_client.collections(place.client(generation), place.where), place.prefix(generation)
    return [collection for collection in every if collection.name.startswith(prefix)]


class Server:
    """A Chroma server: collections for each generation, and one without vectors whose metadata names the one in use.

    What a server has deleted stays in its files: that disk is its operator's.

    Args:
        url: where it answers.
        name: this memory's own, so that several can share a server: letters, digits and dashes.
    """

    erases, shared = False, True

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
        try:
            with chroma_client.translated(self.where):
                marker = self.client("").get_collection(self._marker, embedding_function=None)
            kept = dict(marker.metadata or {})
            return State(str(kept["generation"]), str(kept["stamp"]), bool(kept["clean"]), bool(kept["left"]))
        except (VectorsLost, KeyError):  # none, or another's
            return None

    def save(self, state: State) -> None:
        """Change the marker in one step."""
        plain = asdict(state)
        with chroma_client.translated(self.where):
            marker = self.client("").get_or_create_collection(
                self._marker, metadata=plain, embedding_function=None
            )
            marker.modify(metadata=plain)

    def client(self, generation: str) -> Client:
        """One for all."""
        if self._client is None:
            self._client = chroma_client.served(self.where)
        return self._client

    def prefix(self, generation: str) -> str:
        """The memory's name, and the generation."""
        return f"{self._name}-{generation}-"

    def remove_others(self, *kept: str) -> None:
        """Delete their collections."""
        mine, keep = f"{self._name}-g", tuple(self.prefix(generation) for generation in kept)
        for collection in self._all():
            if collection.name.startswith(mine) and not collection.name.startswith(keep):
                self._delete(collection.name)

    def remove_all(self) -> None:
        """Delete every collection of this memory."""
        for collection in self._all():
            if collection.name.startswith(f"{self._name}-"):
                self._delete(collection.name)

    def _delete(self, name: str) -> None:
        with suppress(VectorsLost), chroma_client.translated(self.where):  # another process was quicker
            self.client("").delete_collection(name)

    def close(self) -> None:
        """Close the connection."""
        if self._client is not None:
            chroma_client.close(self._client)
            self._client = None

    @property
    def _marker(self) -> str:
        return f"{self._name}-marker"

    def _all(self) -> list[Collection]:
        return chroma_client.collections(self.client(""), self.where)
