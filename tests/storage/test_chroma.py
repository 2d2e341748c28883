"""Vectors in Chroma: the same numbers as in memory, in step whatever happened, gone from every file when forgotten."""

from __future__ import annotations

import asyncio
import logging
import shutil
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from engine.audience import EVERYONE, OWNER_ONLY, Audience
from engine.errors import StoreFault
from engine.ids import OWNER, ContainerId, EventId, FactId, MessageId, PersonId, SessionId
from engine.items import EventState, RawFact
from engine.store import NewFact, Scope, Search
from storage import SqlStore
from storage.ranking import whole_steps
from storage.vectors import chroma_client
from storage.vectors.chroma_collections import GATHERED, name_of, names_in
from storage.vectors.chroma_folder import Folder
from storage.vectors.chroma_sync import VectorKeeping
from storage.vectors.generations import Server, collections_of

START = datetime(2026, 5, 1, tzinfo=UTC)
BOB, ANA = (Audience.of([PersonId(name)]) for name in ("bob", "ana"))
BOTH = Audience.of([PersonId("bob"), PersonId("ana")])
DIMENSION = 32


def vectors(count: int, seed: int = 7) -> list[bytes]:
    values = np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype("<f4")
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    return [row.tobytes() for row in values]


def fact(number: int, audience: Audience, session: str) -> RawFact:
    return RawFact(
        FactId(f"f{number}"), EventState(EventId(f"e{number}")), SessionId(session), ContainerId("r"),
        (MessageId(f"m{number}"),), f"words {number}", OWNER, START + timedelta(minutes=number), audience,
    )  # fmt: skip


async def fill(
    store: SqlStore, numbers, *, to=BOB, session: str = "s", seed: int = 7, model: str = "m"
) -> None:
    """Facts of these numbers, all of one session; the same numbers and seed give the same vectors."""
    made = vectors(1 + max(numbers, default=0), seed)
    new = [NewFact(fact(n, to, session), ("red",) * (n % 3), made[n], model) for n in numbers]
    async with store.transaction() as tx:
        await tx.put_facts(SessionId(session), new, [], [])


async def found(store: SqlStore, scope: Audience = BOB, limit: int = 5000, model: str = "m", asked: int = 99):
    query = Search(("red",), vectors(1, seed=asked)[0], 0.5, model=model)
    async with store.transaction() as tx:
        return [(hit.fact.id, hit.rank) for hit in await tx.search(query, Scope(scope), limit)]


@asynccontextmanager
async def opened(path: Path, vault, place=None) -> AsyncIterator[SqlStore]:
    store = await SqlStore.open(path, vault, vectors=place and VectorKeeping(place))
    try:
        yield store
    finally:
        await store.close()


def names(place: Folder | Server) -> set[str]:
    """What is in the generation in use; nobody else holds the place."""
    assert place.hold()
    state = place.state()
    assert state is not None
    every = {n for c in collections_of(place, state.generation) for n in names_in(c, place.where)}
    place.close()
    return every


def expected(numbers, seed: int = 7) -> set[str]:
    made = vectors(1 + max(numbers), seed)
    return {name_of(FactId(f"f{n}"), made[n]) for n in numbers}


def holding(folder: Path, vector: bytes) -> list[Path]:
    """Files with a vector's bytes, as they came or as Chroma gets them."""
    wanted = (vector, whole_steps(vector).tobytes())
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if any(w in path.read_bytes() for w in wanted)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "vectors"


@pytest.fixture(params=["folder", pytest.param("server", marks=pytest.mark.slow)])
def places(request: pytest.FixtureRequest, folder: Path, tmp_path: Path):
    """Makes the same place again and again."""
    if request.param == "folder":
        return lambda: Folder(folder)
    url = request.getfixturevalue("chroma_server")
    return lambda: Server(url, f"t-{tmp_path.name.replace('_', '-')[:40]}")


async def test_the_answers_are_those_of_the_exact_search_to_the_last_bit(path, vault, places):
    """Also when a query has to go through Chroma's graph, and with more forbidden facts than allowed ones before them."""
    async with opened(path, vault) as store:
        await fill(store, range(2 * GATHERED), session="bobs")
        await fill(store, range(1000, 1000 + 3 * GATHERED), to=ANA, session="anas")
        await fill(store, range(3000, 3040), to=EVERYONE, session="everybodys")
        wanted = [await found(store, scope) for scope in (BOB, ANA, OWNER_ONLY, BOTH, EVERYONE)]
    async with opened(path, vault, places()) as store:
        assert await store.finish_forgetting()
        got = [await found(store, scope) for scope in (BOB, ANA, OWNER_ONLY, BOTH, EVERYONE)]
        assert got == wanted
        assert [len(one) for one in got] == [552, 808, 1320, 40, 40]
        assert await found(store, BOB, 7) == wanted[0][:7]
    assert len(names(places())) == 1320


@pytest.mark.slow
async def test_at_ten_thousand_facts_nothing_is_missed(path, vault, folder):
    """A graph alone misses some; recall is 1.000, and every score the same, because what it missed is fetched."""
    async with opened(path, vault) as store:
        for start in range(0, 10_000, 1000):
            to = BOB if start % 2000 else ANA
            await fill(store, range(start, start + 1000), to=to, session=f"s{start}")
        wanted = [await found(store, scope, 10_000, asked=n) for n in (1, 2) for scope in (BOB, OWNER_ONLY)]
    async with opened(path, vault, Folder(folder)) as store:
        assert await store.finish_forgetting()
        got = [await found(store, scope, 10_000, asked=n) for n in (1, 2) for scope in (BOB, OWNER_ONLY)]
    assert [len(one) for one in got] == [5000, 10_000] * 2
    assert got == wanted


async def test_what_is_not_yet_in_chroma_is_found_and_goes_there_beside(path, vault, places):
    async with opened(path, vault, places()) as store:
        await fill(store, range(30))
        before = await found(store)
        await fill(store, range(30, 40), session="s2")
        after = await found(store)
    assert (len(before), len(after)) == (30, 40)
    assert names(places()) == expected(range(40))


async def test_what_was_committed_without_chroma_is_put_right(path, vault, places):
    """As after a crash between the commit and Chroma's write, in both directions and with a vector that changed."""
    async with opened(path, vault, places()) as store:
        await fill(store, range(300))
        await found(store)
    async with opened(path, vault) as store:
        await fill(
            store, range(20, 310), seed=8
        )  # the session again: 20 are gone, 10 are new, the rest has other vectors
        wanted = await found(store)
    assert names(places()) == expected(range(300))
    async with opened(path, vault, places()) as store:
        assert await found(store) == wanted
    assert names(places()) == expected(range(20, 310), seed=8)


async def test_an_older_copy_of_the_memory_is_served_by_what_is_there(path, vault, places, tmp_path):
    async with opened(path, vault, places()) as store:
        await fill(store, range(280))
        wanted = await found(store)
    kept = Path(shutil.copy(path, tmp_path / "copy.db"))
    async with opened(path, vault, places()) as store:
        await fill(store, range(280, 290), session="s2")
        async with store.transaction() as tx:
            await tx.forget(facts=[FactId("f3")], at=START)
        assert await store.finish_forgetting()
    async with opened(kept, vault, places()) as store:
        assert await found(store) == wanted
    assert names(places()) == expected(range(280))


async def test_vectors_of_two_models_lie_apart_and_are_never_compared(path, vault, places):
    async with opened(path, vault, places()) as store:
        await fill(store, range(5), session="one", model="one")
        await fill(store, range(10, 15), session="another", model="another")
        similar = {i for i, rank in await found(store, model="one") if rank.similarity is not None}
        assert similar == {f"f{n}" for n in range(5)}
        assert await store.finish_forgetting()
    place = places()
    assert place.hold()
    kinds = [dict(c.metadata or {}) for c in collections_of(place, place.state().generation)]
    place.close()
    assert sorted((k["model"], k["dimension"]) for k in kinds) == [("another", DIMENSION), ("one", DIMENSION)]


async def test_a_collection_that_somebody_deleted_is_made_again_at_the_next_search(path, vault, places):
    async with opened(path, vault, places()) as store:
        await fill(store, range(280))
        wanted = await found(store)
        await store.finish_forgetting()
        place = store._keeping._place
        await asyncio.to_thread(_delete_all, place)
        await fill(store, range(280, 281), session="s2")
        again = await found(store)
    assert len(again) == 281
    assert {i: r.similarity for i, r in again}.items() >= {i: r.similarity for i, r in wanted}.items()
    assert names(places()) == expected(range(281))


def _delete_all(place) -> None:
    client = place.client(place.state().generation)
    for collection in collections_of(place, place.state().generation):
        client.delete_collection(collection.name)


async def test_forgotten_vectors_are_in_no_file(path, vault, folder):
    """Also those that an annotation replaced before, and with a process that ended before it had tidied up."""
    first, second = vectors(300, seed=7), vectors(300, seed=8)
    async with opened(path, vault, Folder(folder)) as store:
        assert await store.finish_forgetting()
        await fill(store, range(300))
        await found(store)
    assert holding(folder, first[5])
    async with opened(path, vault, Folder(folder)) as store:
        await fill(store, range(300), seed=8)
        await found(store)
    async with opened(path, vault) as store, store.transaction() as tx:  # Chroma hears nothing of it
        assert (await tx.forget(facts=[FactId("f5")], at=START)).facts == 1
    assert holding(folder, first[5]), "nothing was left over, so that its absence would prove nothing"
    async with opened(path, vault, Folder(folder)) as store:
        assert await store.finish_forgetting()
        assert holding(folder, first[5]) == holding(folder, second[5]) == []
        assert holding(folder, second[6])
        assert store.left_at == ""
        assert len(await found(store)) == 299


async def test_what_a_crash_left_of_a_generation_is_removed(path, vault, folder):
    async with opened(path, vault, Folder(folder)) as store:
        await fill(store, range(5))
        await found(store)
    half = folder / "g00000000"
    shutil.copytree(folder / Folder(folder).state().generation, half)
    (folder / "current.json.new").write_text("{")
    async with opened(path, vault, Folder(folder)) as store:
        assert not half.exists()
        assert len(await found(store)) == 5


async def test_what_takes_long_is_finished_beside_and_pending_until_then(path, vault, folder, monkeypatch):
    monkeypatch.setattr("storage.vectors.chroma_sync.PAGE", 1)
    keeping = VectorKeeping(Folder(folder), patience=0.0)
    store = await SqlStore.open(path, vault, vectors=keeping)
    await fill(store, range(100))
    wanted = await found(store)
    assert await store.finish_forgetting()
    async with store.transaction() as tx:
        await tx.forget(facts=[FactId("f5")], at=START)
    assert not await store.finish_forgetting()
    assert {i for i, _ in await found(store)} == {i for i, _ in wanted} - {"f5"}
    await asyncio.gather(keeping._beside, keeping._renewal)
    assert await store.finish_forgetting()
    assert not holding(folder, vectors(6)[5])
    await store.close()


async def test_closing_does_not_wait_for_a_new_generation(path, vault, folder, monkeypatch):
    monkeypatch.setattr("storage.vectors.chroma_sync.PAGE", 1)
    store = await SqlStore.open(path, vault, vectors=VectorKeeping(Folder(folder), patience=0.0))
    await fill(store, range(100))
    await found(store)
    assert await store.finish_forgetting()
    async with store.transaction() as tx:
        await tx.forget(facts=[FactId("f5")], at=START)
    assert not await store.finish_forgetting()
    before = Folder(folder).state().generation
    await store.close()
    assert Folder(folder).state().generation == before
    monkeypatch.setattr("storage.vectors.chroma_sync.PAGE", 1000)
    async with opened(path, vault, Folder(folder)) as store:
        assert await store.finish_forgetting()
        assert not holding(folder, vectors(6)[5])
        assert len(await found(store)) == 99
    assert len([entry for entry in folder.iterdir() if entry.is_dir()]) == 1


@pytest.mark.parametrize("first", ["searched", "started"])
async def test_when_far_too_much_is_missing_it_is_filled_anew_and_not_in_a_turn(
    path, vault, folder, monkeypatch, first
):
    monkeypatch.setattr("storage.vectors.chroma.PILE", 50)
    monkeypatch.setattr("storage.vectors.chroma_sync.PILE", 50)
    monkeypatch.setattr("storage.repositories.index_sync._PAGE", 10)
    async with opened(path, vault, Folder(folder)) as store:
        await fill(store, range(10))
        await found(store)
    async with opened(path, vault) as store:
        await fill(store, range(10, 300), session="s2")
        wanted = await found(store)
    async with opened(path, vault, Folder(folder)) as store:
        if first == "searched":
            by_words = await found(store)
            assert {i for i, _ in by_words} == {i for i, _ in wanted}
            assert {rank.similarity for _, rank in by_words} == {None}
            await store._keeping._beside
        assert await store.finish_forgetting()
        assert await found(store) == wanted
    assert names(Folder(folder)) == expected(range(300))


async def test_forgetting_messages_alone_builds_nothing(path, vault, places):
    async with opened(path, vault, places()) as store:
        await fill(store, range(5))
        await found(store)
        assert await store.finish_forgetting()
        before = store._keeping._place.state()
        async with store.transaction() as tx:
            await tx.forget(messages=[MessageId("unheard")], at=START)
        assert await store.finish_forgetting()
        after = store._keeping._place.state()
    assert after.generation == before.generation
    assert after.stamp != before.stamp
    assert after.clean


@pytest.mark.slow
async def test_on_a_server_a_collection_goes_and_its_files_are_for_the_operator(path, vault, chroma_server):
    place = Server(chroma_server, "forgetting")
    async with opened(path, vault, place) as store:
        await fill(store, range(5))
        await found(store)
        before = {c.name for c in place._all()}
        async with store.transaction() as tx:
            await tx.forget(facts=[FactId("f3")], at=START)
        assert store.left_at == ""
        assert await store.finish_forgetting()
        assert store.left_at == chroma_server
        after = {c.name for c in place._all() if "forgetting-g" in c.name}
        assert len(after) == 1
        assert not after & before
    async with opened(path, vault, Server(chroma_server, "forgetting")) as store:
        assert await store.finish_forgetting()
        assert store.left_at == chroma_server
        await store.remove_vectors()
        assert not [c for c in store._keeping._place._all() if c.name.startswith("tact-forgetting-")]


@pytest.mark.slow
async def test_when_a_server_falls_silent_words_decide_and_then_vectors_again(
    path, vault, tmp_path, start_chroma, monkeypatch, caplog
):
    """Never wider: the same facts in scope; and nobody's words in the log."""
    url, server = start_chroma(tmp_path / "chroma")
    async with opened(path, vault, Server(url, "silent")) as store:
        await fill(store, range(300))
        await fill(store, range(400, 410), to=ANA, session="anas")
        wanted = await found(store)
        assert await store.finish_forgetting()
        server.kill()
        server.wait()
        with caplog.at_level(logging.WARNING):
            silent = await found(store, asked=98)
            assert await found(store, BOTH) == []
        assert {i for i, _ in silent} == {i for i, _ in wanted}
        assert {rank.similarity for _, rank in silent} == {None}
        assert "vectors.down" in caplog.text
        assert "red" not in caplog.text
        async with store.transaction() as tx:
            await tx.forget(facts=[FactId("f5")], at=START)
        assert not await store.finish_forgetting()
        start_chroma(tmp_path / "chroma", url)
        monkeypatch.setattr("storage.vectors.chroma._REST_S", 0.0)
        await fill(store, range(500, 501), session="later")
        await store._keeping._beside
        again = dict(await found(store, asked=98))
        assert all(rank.similarity is not None for rank in again.values())
        assert again.keys() == {i for i, _ in wanted} - {"f5"} | {"f500"}
        assert await store.finish_forgetting()


@pytest.mark.slow
async def test_a_proxy_that_the_environment_names_gets_no_vectors(
    path, vault, chroma_server, unused_port, monkeypatch
):
    async with opened(path, vault, Server(chroma_server, "proxied")) as store:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{unused_port}")
        await fill(store, range(300))
        assert len(await found(store)) == 300
        assert await store.finish_forgetting()


async def test_a_folder_has_one_holder_and_others_search_in_memory(path, vault, folder):
    async with opened(path, vault, Folder(folder)) as holder:
        await fill(holder, range(300))
        wanted = await found(holder)
        assert await holder.finish_forgetting()
        async with opened(path, vault, Folder(folder)) as other:
            assert await found(other) == wanted
            with pytest.raises(StoreFault, match="another Tact holds"):
                await other.rebuild_vectors()
            async with other.transaction() as tx:
                await tx.forget(facts=[FactId("f5")], at=START)
            assert not await other.finish_forgetting()
            assert len(await found(holder)) == 299
            assert await holder.finish_forgetting()
            assert await other.finish_forgetting()
            async with other.transaction() as tx:
                await tx.forget(facts=[FactId("f6")], at=START)
            await holder.close()
            assert await other.finish_forgetting()
            assert not holding(folder, vectors(7)[6])
            assert len(await found(other)) == 298
    assert names(Folder(folder)) == expected({*range(300)} - {5, 6})


def test_no_file_holds_leftovers_of_memory(tmp_path):
    """Chroma writes a new index at its full size, as the allocator gave it; `header.bin` says how much of it counts."""
    for number in range(4):
        folder = tmp_path / str(number)
        folder.mkdir()
        client = chroma_client.embedded(folder)
        rows = np.stack([whole_steps(vector) for vector in vectors(300, number)])
        collection = client.get_or_create_collection("tact-x", embedding_function=None)
        collection.upsert(ids=[str(n) for n in range(300)], embeddings=rows)
        collection.query(query_embeddings=rows[:1], n_results=300)
        chroma_client.close(client)
    files = list(tmp_path.rglob("data_level0.bin"))
    assert files
    for file in files:
        header = (file.parent / "header.bin").read_bytes()
        count, size = (int.from_bytes(header[at : at + 8], "little") for at in (20, 28))
        assert len(set(file.read_bytes()[count * size :])) <= 1


async def test_the_folder_is_private_and_holds_no_words(path, vault, folder):
    async with opened(path, vault, Folder(folder)) as store:
        new = fact(1, BOB, "s")
        words = "The Quetzalcoatlus prototype failed"
        new = RawFact(**{f: getattr(new, f) for f in new.__slots__ if f != "text"}, text=words)
        async with store.transaction() as tx:
            fresh = NewFact(new, ("quetzalcoatlus", "prototyp"), vectors(2)[1], "m")
            await tx.put_facts(SessionId("s"), [fresh], [], [])
        await found(store)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert holding(folder, vectors(2)[1])
    every = b"".join(p.read_bytes() for p in folder.rglob("*") if p.is_file()).lower()
    assert not [word for word in (b"quetzalcoatlus", b"prototyp", b"bob") if word in every]


async def test_a_rebuild_puts_everything_there_again(path, vault, places):
    async with opened(path, vault, places()) as store:
        await fill(store, range(30))
        wanted = await found(store)
        assert await store.rebuild_vectors() == 30
        assert await found(store) == wanted
        await store.remove_vectors()
    async with opened(path, vault, places()) as store:
        assert await found(store) == wanted
    assert names(places()) == expected(range(30))


async def test_a_server_that_does_not_answer_is_a_fault_of_one_line(path, vault, unused_port):
    with pytest.raises(StoreFault) as fault:
        await SqlStore.open(
            path, vault, vectors=VectorKeeping(Server(f"http://127.0.0.1:{unused_port}", "x"))
        )
    assert "\n" not in str(fault.value)
    assert f"127.0.0.1:{unused_port}" in str(fault.value)
    assert 'vectors = "exact"' in str(fault.value)


def test_without_the_library_there_is_a_line_that_says_how_to_get_it():
    program = (
        "import sys; sys.modules['chromadb'] = None\n"
        "from storage.vectors.chroma_client import check_installed\n"
        "try: check_installed()\n"
        "except Exception as error: print(error)"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert "pipx install --force '.[chroma]' in the project's folder" in printed
    assert printed.count("\n") == 1


def test_an_exact_search_does_not_load_chroma():
    program = "import sys, storage.sql, storage.index; print([m for m in ('chromadb', 'httpx') if m in sys.modules])"
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert printed.strip() == "[]"
