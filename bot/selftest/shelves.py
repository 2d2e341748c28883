"""Whether Chroma holds the vectors that the tables hold, and no others."""

from __future__ import annotations

import asyncio

from bot.bootstrap import open_store
from config.settings import Settings
from storage.audit import Fault, Harm, audit
from storage.vectors.chroma_collections import name_of, names_in
from storage.vectors.chroma_folder import Folder
from storage.vectors.chroma_sync import PAGE
from storage.vectors.generations import collections_of


async def vector_faults(settings: Settings) -> set[Fault]:
    """What is wrong with a memory whose vectors are in Chroma's folder; nobody else holds it.

    The index is read over what is in Chroma now, and gives the same answers to the last bit as one whose vectors come out
    of the tables; closed, it has brought Chroma in step, name by name.
    """
    store = await open_store(settings)
    wanted: set[str] = set()
    try:
        async with store.transaction() as tx:
            found = set(await audit(tx))
        async with store.tables() as tables:
            after = ""
            while page := await tables.vectors_after(after, PAGE):
                wanted |= {name_of(fact, vector.data) for fact, vector in page}
                after = page[-1][0]
    finally:
        await store.close()
    there = await asyncio.to_thread(_names, settings)
    return found | {
        Fault(Harm.STEP, "chroma", f"{name} {'is not' if name in wanted else 'should not be'} there")
        for name in wanted ^ there
    }


def _names(settings: Settings) -> set[str]:
    """Every name in the generation that is in use."""
    place = Folder(settings.chroma_folder)
    place.hold()
    try:
        state = place.state()
        if state is None:
            return set()
        return {n for c in collections_of(place, state.generation) for n in names_in(c, place.where)}
    finally:
        place.close()
