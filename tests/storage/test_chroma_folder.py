"""Chroma's folder: only what Tact put there is ever removed, what cannot be removed is said, and none is left unswept."""

from __future__ import annotations

import resource
import shutil
from pathlib import Path

import pytest

from engine.errors import StoreFault
from engine.ids import FactId
from storage import SqlStore
from storage.vectors.chroma_folder import Folder
from storage.vectors.chroma_sync import VectorKeeping
from storage.vectors.generations import Server
from tests.storage.test_chroma import START, expected, fill, found, holding, names, opened, vectors


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "vectors"


def generations(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir() if entry.is_dir()]


async def forget(store: SqlStore, name: str) -> bool:
    async with store.transaction() as tx:
        await tx.forget(facts=[FactId(name)], at=START)
    return await store.finish_forgetting()


async def test_what_else_lies_in_the_folder_stays(path, vault, folder):
    """Also what looks a little like Chroma's: at the start, at a rebuild, when everything is removed."""
    mine = [
        folder / name for name in ("thesis.txt", "games/chess", "g1234567/x", "g123456789/x", "current.txt")
    ]
    for file in mine:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("precious")
    folder.chmod(0o755)
    async with opened(path, vault, Folder(folder)) as store:
        await fill(store, range(5))
        await found(store)
        assert await store.rebuild_vectors() == 5
        assert await forget(store, "f3")
        (index,) = {*generations(folder)} - {file.parent.name for file in mine}
        assert [entry.stat().st_mode & 0o777 for entry in (folder, folder / index)] == [0o755, 0o700]
        await store.remove_vectors()
    place = Folder(folder)
    assert place.hold()
    place.dissolve()
    assert sorted(file for file in folder.rglob("*") if file.is_file()) == sorted(mine)


@pytest.mark.parametrize("back_end", ["memory", "server"])
async def test_a_folder_from_before_is_swept_when_something_is_forgotten(
    path, vault, folder, back_end, request
):
    """Vectors are compared elsewhere now, because somebody wrote so into `tact.toml`; the folder is as it was."""
    async with opened(path, vault, Folder(folder)) as store:
        await fill(store, range(30))
        await found(store)
        assert await store.finish_forgetting()
    assert holding(folder, vectors(6)[5])
    keeping = None
    if back_end == "server":
        keeping = VectorKeeping(Server(request.getfixturevalue("chroma_server"), "moved"))
    store = await SqlStore.open(path, vault, vectors=keeping, unused=folder)
    try:
        assert await store.finish_forgetting()
        assert holding(folder, vectors(6)[5]), "nothing was forgotten: the index can be used again"
        assert await forget(store, "f5")
        assert not folder.exists()
        assert len(await found(store)) == 29
    finally:
        await store.close()
    async with opened(path, vault, Folder(folder)) as store:
        assert len(await found(store)) == 29
        assert await store.finish_forgetting()
    assert names(Folder(folder)) == expected({*range(30)} - {5})


async def test_a_folder_that_another_process_fills_meanwhile_is_swept_by_that_one(path, vault, folder):
    """As `tact vectors rebuild --to chroma` beside a Tact that runs: its `/forget` is done when both are."""
    store = await SqlStore.open(path, vault, unused=folder)
    try:
        await fill(store, range(30))
        async with opened(path, vault, Folder(folder)) as other:
            assert await other.rebuild_vectors() == 30
            assert not await forget(store, "f5")
            assert await other.finish_forgetting()
            assert await store.finish_forgetting()
            assert not holding(folder, vectors(6)[5])
            assert not await forget(store, "f6")
        assert await store.finish_forgetting()
    finally:
        await store.close()
    assert not holding(folder.parent, vectors(7)[6])


async def test_half_a_generation_from_before_is_swept_too(path, vault, folder):
    async with opened(path, vault, Folder(folder)) as store:
        await fill(store, range(5))
        await found(store)
        assert await store.finish_forgetting()
    shutil.copytree(folder / generations(folder)[0], folder / "g00000000")
    store = await SqlStore.open(path, vault, unused=folder)
    try:
        assert await store.finish_forgetting()
        assert not folder.exists()
    finally:
        await store.close()


@pytest.mark.parametrize("entry", ["file", "folder"])
async def test_an_unused_folder_that_is_not_ours_is_left_as_it_is(path, vault, folder, entry):
    if entry == "file":
        folder.write_text("mine")
    else:
        folder.mkdir(mode=0o755)
        (folder / "mine").write_text("mine")
    store = await SqlStore.open(path, vault, unused=folder)
    try:
        await fill(store, range(5))
        assert await forget(store, "f3")
    finally:
        await store.close()
    assert folder.read_text() == "mine" if entry == "file" else [p.name for p in folder.iterdir()] == ["mine"]
    if entry == "folder":
        assert folder.stat().st_mode & 0o777 == 0o755


async def test_what_cannot_be_removed_is_pending_until_it_is(path, vault, folder, monkeypatch):
    async with opened(path, vault, Folder(folder)) as store:
        await fill(store, range(30))
        await found(store)
        assert await store.finish_forgetting()
        with monkeypatch.context() as patch:
            patch.setattr(shutil, "rmtree", _refused)
            assert not await forget(store, "f5")
            assert not await store.finish_forgetting()
            assert {rank.similarity is None for _, rank in await found(store)} == {False}
        assert holding(folder, vectors(6)[5])
        assert await store.finish_forgetting()
        assert not holding(folder, vectors(6)[5])
    assert names(Folder(folder)) == expected({*range(30)} - {5})


def _refused(path: Path) -> None:
    raise PermissionError(13, "Permission denied", str(path))


async def test_an_unused_folder_that_cannot_be_removed_is_pending(path, vault, folder, monkeypatch):
    async with opened(path, vault, Folder(folder)) as store:
        await fill(store, range(5))
        await found(store)
    store = await SqlStore.open(path, vault, unused=folder)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(shutil, "rmtree", _refused)
            assert not await forget(store, "f3")
        assert await store.finish_forgetting()
        assert not folder.exists()
    finally:
        await store.close()


async def test_a_disk_that_is_full_costs_nothing_and_gets_its_room_back(path, vault, folder):
    async with opened(path, vault, Folder(folder)) as store:
        await fill(store, range(300))
        wanted = await found(store)
        assert await store.finish_forgetting()
        before = generations(folder)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, hard))
        try:
            with pytest.raises(StoreFault, match="room") as fault:
                await store.rebuild_vectors()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert "\n" not in str(fault.value)
        assert generations(folder) == before
        assert await found(store, asked=98) != []
        assert await found(store) == wanted
        assert await store.rebuild_vectors() == 300


async def test_a_folder_that_cannot_be_used_is_a_fault_of_one_line(path, vault, folder):
    folder.write_text("a file in the way")
    with pytest.raises(StoreFault) as fault:
        await SqlStore.open(path, vault, vectors=VectorKeeping(Folder(folder)))
    assert str(folder) in str(fault.value)
    assert "\n" not in str(fault.value)
    assert folder.read_text() == "a file in the way"
