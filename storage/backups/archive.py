"""The file of a backup: a ZIP with a manifest.

A ZIP, because every system can list one, one part can be read without the others, and a file that was cut off has no
directory and is noticed at once. `manifest.json` says what is inside, with digests; its seal, made with the memory's key,
says that it is as it was made: what lies open in a memory (who was there, who is barred) cannot be changed in a backup.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, BinaryIO, Final

from engine.errors import BadInput, StoreFault
from storage.vault import Sealed, Vault

FORMAT: Final = 1
DATABASE: Final = "memory.db"
MANIFEST, SEAL, KEY_CHECK = "manifest.json", "manifest.seal", "key.check"
_BLOCK = 2**20
_SMALL = 10 * 2**20
"""No manifest, seal or settings file is larger."""
_PACKED: Final = (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED)
"""How a part may be packed: of what is packed otherwise a block is unpacked whole, however much comes out of it."""


@dataclass(frozen=True, slots=True)
class Part:
    """One file in a backup."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds.

    Args:
        tact: the version that made it.
        schema: the revision of its tables.
        made_at: when, in UTC (ISO 8601).
        source: `sqlite` or `postgresql`.
        counts: rows by table.
        files: parts by name.
        format: of this file.
    """

    tact: str
    schema: str
    made_at: str
    source: str
    counts: Mapping[str, int]
    files: Mapping[str, Part] = field(default_factory=dict)
    format: int = FORMAT


def digest_of(path: Path) -> Part:
    """A file's size and digest."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            found.update(block)
    return Part(path.stat().st_size, found.hexdigest())


Told = Callable[[int, int], None]
"""Told how much of how much is done."""


def unwatched(done: int, total: int) -> None:
    """Nobody watches."""
    del done, total


def pack(
    target: Path, manifest: Manifest, files: Mapping[str, Path], vault: Vault, told: Told = unwatched
) -> Manifest:
    """Write a backup (0600) and see it onto the disk.

    Args:
        target: a new file.
        manifest: without its files.
        files: where each part is now.
        vault: with the memory's key.
        told: hears how far it is, in bytes.

    Returns:
        The manifest as it was written.
    """
    whole = Manifest(
        **{**_shallow(manifest), "files": {name: digest_of(path) for name, path in files.items()}}
    )
    body = json.dumps(asdict(whole), ensure_ascii=False, indent=1).encode()
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr(MANIFEST, body)
            archive.writestr(SEAL, vault.seal("backup", "manifest", _digest(body), b"").data)
            archive.writestr(KEY_CHECK, vault.seal("backup", "key", "check", b"").data)
            for name, path in files.items():
                _add(archive, name, path, told)
        file.flush()
        os.fsync(file.fileno())
    return whole


def _add(archive: zipfile.ZipFile, name: str, path: Path, told: Told) -> None:
    done, total = 0, path.stat().st_size
    with (
        archive.open(name, "w", force_zip64=True) as packed,
        path.open("rb") as file,
    ):
        while block := file.read(_BLOCK):
            packed.write(block)
            done += len(block)
            told(done, total)


def _shallow(manifest: Manifest) -> dict[str, Any]:
    return {name: getattr(manifest, name) for name in Manifest.__dataclass_fields__}


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


class Archive:
    """A backup that is read. `Archive(path, vault)` checks the key and the manifest; `unpack` checks each part.

    Raises:
        BadInput: if the file cannot be read, is no backup, was damaged or changed, a newer Tact made it, or the key is
            another one.
    """

    def __init__(self, path: Path, vault: Vault) -> None:
        self.path = path
        try:
            with zipfile.ZipFile(path) as archive:
                body, seal, check = (_small(archive, name) for name in (MANIFEST, SEAL, KEY_CHECK))
        except IsADirectoryError:
            raise self._fault("this is a folder", "name the file that tact backup wrote") from None
        except OSError as error:
            raise self._fault(f"it cannot be read ({error.strerror})", "check path and rights") from None
        except (
            zipfile.BadZipFile,
            KeyError,
            EOFError,
            NotImplementedError,
            RuntimeError,
            ValueError,
            zlib.error,
        ):
            raise self._damaged("it is no backup of Tact's, or was cut off") from None
        if not _opens(vault, "key", "check", check):
            raise self._fault("this is not the key that the backup was made with", "--key-file names another")
        if not _opens(vault, "manifest", _digest(body), seal):
            raise self._damaged("it was changed after it was made")
        self.manifest = self._read(body)

    def _read(self, body: bytes) -> Manifest:
        kept = json.loads(body)
        if kept["format"] > FORMAT:
            raise self._fault(
                f"a newer Tact ({kept['tact']}) made this backup", "install that one, or a later"
            )
        kept["files"] = {name: Part(**part) for name, part in kept["files"].items()}
        return Manifest(**kept)

    def unpack(self, name: str, target: Path, told: Told = unwatched) -> None:
        """Write one part to a new file (0600); `told` hears how far it is, in bytes.

        Raises:
            BadInput: if it is not what the manifest says, or there is no room.
        """
        part = self.manifest.files.get(name)
        if part is None:
            raise self._damaged(f"{name} is not in it")
        try:
            descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file, zipfile.ZipFile(self.path) as archive:
                self._copy(archive, name, part, file, told)
        except OSError as error:
            raise BadInput(
                f"it cannot be written ({error.strerror})", where=str(target.parent), fix="make room"
            ) from None
        except (
            zipfile.BadZipFile,
            KeyError,
            EOFError,
            ValueError,
            NotImplementedError,
            RuntimeError,
            zlib.error,
        ):
            raise self._damaged(f"{name} is damaged") from None

    def _copy(self, archive: zipfile.ZipFile, name: str, part: Part, file: BinaryIO, told: Told) -> None:
        """No more than the manifest says, whatever the archive claims."""
        found, left = hashlib.sha256(), part.bytes
        with _opened(archive, name) as packed:
            while block := packed.read(min(_BLOCK, left + 1)):
                left -= len(block)
                if left < 0:
                    break
                found.update(block)
                file.write(block)
                told(part.bytes - left, part.bytes)
        if left != 0 or found.hexdigest() != part.sha256:
            raise self._damaged(f"{name} is damaged")

    def _damaged(self, what: str) -> BadInput:
        return self._fault(what, "take another backup")

    def _fault(self, what: str, fix: str) -> BadInput:
        return BadInput(what, where=str(self.path), fix=fix)


def _small(archive: zipfile.ZipFile, name: str) -> bytes:
    """A part that is never large, in steps: what the archive says of its size may be untrue."""
    with _opened(archive, name) as packed:
        found = packed.read(_SMALL + 1)
    if len(found) > _SMALL:
        raise ValueError(name)
    return found


def _opened(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    if archive.getinfo(name).compress_type not in _PACKED:
        raise ValueError(name)
    return archive.open(name)


def _opens(vault: Vault, column: str, row: str, data: bytes) -> bool:
    try:
        vault.open(Sealed("backup", column, data), row)
    except StoreFault:
        return False
    return True
