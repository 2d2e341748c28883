"""Chroma's client library: loaded only if it is wanted, told to keep to itself, and its errors in words of ours."""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import httpx

from engine.errors import BadInput, StoreFault
from storage.vectors.chroma_faults import VectorsDown, VectorsLost

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

_PAGE: Final = 100
_M_PERTURB, _FILLING = -6, 0x55
"""As glibc's malloc.h calls it, and what freed memory is overwritten with."""


def check_installed() -> None:
    """Load the library.

    Raises:
        BadInput: if it is not installed.
    """
    try:
        import chromadb  # noqa: F401, PLC0415 - half a second, and an extra
    except ImportError:
        raise BadInput(
            'vectors = "chroma" needs a library that is not installed',
            where="vectors",
            fix="pipx install --force '.[chroma]' in the project's folder, or vectors = \"exact\"",
        ) from None


def embedded(folder: Path) -> Client:
    """Chroma inside this process, on a folder.

    Raises:
        BadInput: where freed memory cannot be overwritten.
        VectorsDown: if the folder cannot be used.
    """
    import chromadb  # noqa: PLC0415

    from storage.vectors.chroma_settings import quiet  # noqa: PLC0415

    _overwrite_freed_memory()
    settings = quiet("chromadb.api.rust.RustBindingsAPI")
    with translated(str(folder)):
        return cast("Client", chromadb.PersistentClient(path=folder, settings=settings))


def _overwrite_freed_memory() -> None:
    """Have all that this process frees overwritten from now on.

    Chroma writes a new index file at its full size, with memory as it came from the system's allocator: whatever lay there
    before would reach the disk, vectors that were forgotten among it.

    Raises:
        BadInput: the C library is not glibc, which alone has a switch for it.
    """
    glibc = platform.libc_ver()[0] == "glibc"
    if not glibc or not ctypes.CDLL(None).mallopt(_M_PERTURB, _FILLING):
        raise BadInput(
            "Chroma inside Tact needs Linux with glibc: elsewhere its files can hold leftovers of Tact's memory",
            where="vectors",
            fix='set chroma_url to a Chroma server, or vectors = "exact"',
        )


def served(url: str) -> Client:
    """A Chroma server's client.

    Raises:
        VectorsDown: if nobody answers there.
    """
    from storage.vectors.chroma_settings import StraightClient  # noqa: PLC0415

    with translated(url):
        return StraightClient(url)


def close(client: Client) -> None:
    """Let go of files and connections; the library itself leaves the latter open."""
    inner = (client, getattr(client, "_admin_client", None))
    sessions = [getattr(getattr(each, "_server", None), "_session", None) for each in inner]
    client.close()
    for session in sessions:
        if isinstance(session, httpx.Client):
            session.close()


def collections(client: Client, where: str) -> list[Collection]:
    """Every collection there is."""
    found: list[Collection] = []
    with translated(where):
        while page := client.list_collections(limit=_PAGE, offset=len(found)):
            found += page
    return found


@contextmanager
def translated(where: str) -> Iterator[None]:
    """Whatever goes wrong inside, as one of ours; never with what was sent.

    Raises:
        VectorsLost: if a collection is gone.
        VectorsDown: for everything else.
    """
    from chromadb.errors import NotFoundError  # noqa: PLC0415

    try:
        yield
    except StoreFault:
        raise
    except NotFoundError:
        raise VectorsLost(f"the vectors are not at {where} any more") from None
    except Exception as error:
        server = where.startswith("http")
        see = "it runs and is 1.5 or newer" if server else "its disk has room and the folder can be written"
        raise VectorsDown(
            f'Chroma cannot be used at {where} ({type(error).__name__}): see that {see}, or set vectors = "exact"'
        ) from error
