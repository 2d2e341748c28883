"""A Chroma server: reached straight and not waited for without end, and shared by several processes at once."""

from __future__ import annotations

import asyncio
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.ids import FactId, MessageId
from storage import SqlStore
from storage.vectors import chroma_client
from storage.vectors.chroma_collections import Building
from storage.vectors.chroma_faults import VectorsDown, VectorsLost
from storage.vectors.chroma_sync import VectorKeeping
from storage.vectors.generations import Server, collections_of
from storage.vectors.port import Vector
from tests.storage.test_chroma import START, expected, fill, found, names, opened, vectors


@contextmanager
def listening(host: str = "127.0.0.1") -> Iterator[tuple[socket.socket, str]]:
    """Somebody who takes calls and says nothing."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as listener:
        listener.settimeout(10)
        port = listener.getsockname()[1]
        yield listener, f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_server_that_never_answers_is_not_waited_for_without_end(host, monkeypatch):
    monkeypatch.setattr("storage.vectors.chroma_settings.TIMEOUT_S", 0.2)
    with listening(host) as (listener, url):
        with pytest.raises(VectorsDown, match="see that it runs"):
            chroma_client.served(url)
        listener.accept()[0].close()


def test_a_proxy_that_the_environment_names_is_asked_for_nothing(unused_port, monkeypatch):
    """Not even on the first call, before there is a connection of Tact's own."""
    monkeypatch.setattr("storage.vectors.chroma_settings.TIMEOUT_S", 0.2)
    with listening() as (proxy, url):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, url)
        with pytest.raises(VectorsDown):
            chroma_client.served(f"http://127.0.0.1:{unused_port}")
        proxy.setblocking(False)
        with pytest.raises(BlockingIOError):
            proxy.accept()


@pytest.mark.slow
def test_neither_the_environment_nor_a_file_says_where_the_server_is(chroma_server, monkeypatch, tmp_path):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("CHROMA_SERVER_HOST", "0.0.0.0")  # noqa: S104 - as a server's own shell may have it
    monkeypatch.setenv("CHROMA_SERVER_HTTP_PORT", "9")
    (tmp_path / ".env").write_text("CHROMA_CLIENT_AUTH_PROVIDER=somebodys.Own\n")
    monkeypatch.chdir(tmp_path)
    client = chroma_client.served(chroma_server)
    assert isinstance(chroma_client.collections(client, chroma_server), list)
    chroma_client.close(client)


@pytest.fixture
def server(chroma_server: str, tmp_path: Path):
    """Makes the same place again and again, as each process does."""
    return lambda: Server(chroma_server, f"s-{tmp_path.name.replace('_', '-')[:40]}")


def there(place: Server) -> set[str]:
    """Everything of this memory's that the server has, in use or not."""
    mine = [c for c in place._all() if c.name.startswith(f"{place._name}-g")]
    return {name for c in mine for name in c.get(include=[])["ids"]}


@pytest.mark.slow
@pytest.mark.parametrize("asked", [False, True], ids=["unasked", "asked"])
async def test_two_processes_forget_and_rebuild_by_turns(path, vault, server, asked):
    """Whoever fills the server anew, the other one sees it, and says that something is gone only when it is."""
    one, other = [await opened_on(path, vault, server()) for _ in range(2)]
    try:
        await fill(one, range(300))
        wanted = await found(one)
        assert await found(other) == wanted
        gone: set[int] = set()
        for number, (builds, forgets) in enumerate([(one, other), (other, one), (one, other)]):
            assert await builds.rebuild_vectors() == 300 - len(gone)
            async with forgets.transaction() as tx:
                await tx.forget(facts=[FactId(f"f{number}")], at=START)
            gone.add(number)
            assert await forgets.finish_forgetting()
            assert there(server()) == expected({*range(300)} - gone)
            if asked:
                assert len(await found(builds)) == len(await found(forgets)) == 300 - len(gone)
            assert await builds.finish_forgetting()
            assert there(server()) == expected({*range(300)} - gone)
        await fill(one, range(400, 410), session="later")
        await fill(other, range(500, 510), session="last")
        assert await found(one) == await found(other)
    finally:
        await one.close()
        await other.close()
    async with opened(path, vault, server()) as store:
        assert await store.finish_forgetting()
        assert len(await found(store)) == 317
    left = {*range(3, 300), *range(400, 410), *range(500, 510)}
    assert there(server()) == names(server()) == expected(left)


async def opened_on(path, vault, place) -> SqlStore:
    return await SqlStore.open(path, vault, vectors=VectorKeeping(place))


@pytest.mark.slow
async def test_what_another_process_is_filling_stays_until_it_may_hold_what_was_forgotten(
    path, vault, server
):
    """It stays when a process only opens the memory, as a health check does; once removed it is not begun again."""
    made = [(FactId(f"f{n}"), Vector(vector, "m")) for n, vector in enumerate(vectors(9))]
    async with opened(path, vault, server()) as store:
        await fill(store, range(9))
        assert await store.finish_forgetting()
        filling = Building(server(), "g00000000")
        await filling.put(made[:5])
        async with opened(path, vault, server()) as other:
            assert await other.finish_forgetting()
        await filling.put(made[5:])
        assert generations(server()) == {"g00000000", server().state().generation}
        async with store.transaction() as tx:
            await tx.forget(messages=[MessageId("unheard")], at=START)
        assert await store.finish_forgetting()
        assert generations(server()) == {server().state().generation}
        with pytest.raises(VectorsLost):
            await filling.put(made)
    assert there(server()) == expected(range(9))


@pytest.mark.slow
async def test_two_processes_fill_a_server_at_the_same_time(path, vault, server):
    one, other = [await opened_on(path, vault, server()) for _ in range(2)]
    try:
        await fill(one, range(40))
        for _ in range(3):
            assert await asyncio.gather(one.rebuild_vectors(), other.rebuild_vectors()) == [40, 40]
            assert await one.finish_forgetting()
            assert await other.finish_forgetting()
        assert await found(one) == await found(other)
    finally:
        await one.close()
        await other.close()
    async with opened(path, vault, server()) as store:
        assert await store.rebuild_vectors() == 40
    assert there(server()) == names(server()) == expected(range(40))


def generations(place: Server) -> set[str]:
    """What is there of this memory's, half-filled or not."""
    mine = [c.name for c in place._all() if c.name.startswith(f"{place._name}-g")]
    return {name.removeprefix(f"{place._name}-").partition("-")[0] for name in mine}


@pytest.mark.slow
@pytest.mark.parametrize("many", [30, 300], ids=["fetched", "queried"])
async def test_single_vectors_that_somebody_deleted_or_added_are_made_good(path, vault, server, many):
    async with opened(path, vault, server()) as store:
        await fill(store, range(many))
        wanted = await found(store)
        assert await store.finish_forgetting()
        place = server()
        (collection,) = await asyncio.to_thread(collections_of, place, place.state().generation)
        some = sorted(expected(range(many)))[:3]
        collection.delete(ids=some)
        collection.add(ids=["stray"], embeddings=[[0.5] * 32])
        assert await found(store, asked=98) != []
        assert await found(store) == wanted
    async with opened(path, vault, server()) as store:
        assert await found(store) == wanted
        assert await store.finish_forgetting()
    assert names(server()) == expected(range(many))


@pytest.mark.slow
async def test_a_server_that_comes_back_with_another_folder_is_filled_anew(
    path, vault, tmp_path, start_chroma, monkeypatch
):
    """An older one, in which there is what was forgotten since, and then an empty one."""
    monkeypatch.setattr("storage.vectors.chroma._REST_S", 0.0)
    url, process = start_chroma(tmp_path / "now")

    def ended() -> None:
        process.kill()
        process.wait()

    async with opened(path, vault, Server(url, "moved")) as store:
        await fill(store, range(300))
        await found(store)
        assert await store.finish_forgetting()
        ended()
        shutil.copytree(tmp_path / "now", tmp_path / "older")
        _, process = start_chroma(tmp_path / "now", url)
        async with store.transaction() as tx:
            await tx.forget(facts=[FactId("f5")], at=START)
        assert await store.finish_forgetting()
        for folder in ("older", "empty"):
            ended()
            _, process = start_chroma(tmp_path / folder, url)
            await fill(store, range(400, 401), session=folder)
            answers = await found(store, asked=len(folder))
            assert all(rank.similarity is not None for _, rank in answers)
            await store._keeping._beside
            assert await store.finish_forgetting()
            assert there(Server(url, "moved")) == expected({*range(300), 400} - {5})
