"""`tact vectors rebuild` and `tact reindex`: where vectors are searched, and which model makes them."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from typer import echo

from bot.bootstrap import make_context, open_store
from bot.cli.progress import watched
from bot.memory.reindex import reindex
from bot.open_memory import open_memory, settings_of_memory
from bot.texts import say
from config.settings import FILE_NAME, Settings
from config.settings_edit import change_setting
from engine.errors import BadInput, StoreFault, TactError

_VARIABLE = "TACT_VECTORS"


def rebuild(chosen: Path | None, to: str | None) -> int:
    """Make the index of vectors anew from the memory, here or there, and let `tact.toml` say where it is.

    Args:
        chosen: the folder of `--data`.
        to: `exact` or `chroma`; None: where they are now.
    """
    settings = settings_of_memory(chosen)
    target = to or settings.vectors
    where = settings.chroma_url or str(settings.chroma_folder)
    work = _into_chroma if target == "chroma" else _out_of_chroma
    name, count = asyncio.run(work(settings))
    echo(say(settings.language, name, count=count, where=where))
    if target != settings.vectors:
        _set(settings, target)
    return 0


def _set(settings: Settings, target: str) -> None:
    file, language = settings.data / FILE_NAME, settings.language
    changed = change_setting(file, "vectors", target)
    echo(say(language, "vectors.set" if changed else "vectors.to_set", to=target, file=file))
    value = os.environ.get(_VARIABLE, target)
    if value != target:
        echo(say(language, "vectors.overruled", value=value))


async def _into_chroma(settings: Settings) -> tuple[str, int]:
    store = await open_store(settings.model_copy(update={"vectors": "chroma"}))
    try:
        return "vectors.in_chroma", await store.rebuild_vectors()
    finally:
        await store.close()


async def _out_of_chroma(settings: Settings) -> tuple[str, int]:
    """The vectors are in the tables: all there is to do is to leave none elsewhere, unencrypted."""
    emptied = await empty_chroma(settings)
    store = await open_store(settings.model_copy(update={"vectors": "exact"}))
    try:
        async with store.tables() as tables:
            count = await tables.vectors_counted()
    finally:
        await store.close()
    return "vectors.in_memory" if emptied else "vectors.kept_there", count


async def empty_chroma(settings: Settings) -> bool:
    """Take a memory's vectors out of Chroma, a folder or a server; False if the server cannot be used.

    Raises:
        StoreFault: if another Tact holds the folder.
    """
    return await _emptied(settings) if settings.chroma_url else _deleted(settings.chroma_folder)


async def _emptied(settings: Settings) -> bool:
    try:
        store = await open_store(settings.model_copy(update={"vectors": "chroma"}))
    except TactError:
        return False
    try:
        await store.remove_vectors()
    finally:
        await store.close()
    return True


def _deleted(folder: Path) -> bool:
    from storage.vectors.chroma_folder import Folder  # noqa: PLC0415 - numpy is loaded with it

    if not folder.is_dir():
        return True
    place = Folder(folder)
    if not place.hold():
        raise StoreFault(f"another Tact holds {folder}: end it, then say this again")
    place.dissolve()
    return True


def embed_again(chosen: Path | None) -> int:
    """Give every fact a vector of the model in use."""
    return asyncio.run(_embed_again(chosen))


async def _embed_again(chosen: Path | None) -> int:
    async with open_memory(chosen) as (settings, store):
        context, language = make_context(store, settings), settings.language
        if not context.embedder.dimension:
            raise BadInput("there is no embedding model on this machine", fix="see docs/models.md")
        with watched(say(language, "reindex.working")) as told:
            count = await reindex(context, told)
        name = "reindex.done" if count else "reindex.nothing"
        echo(say(language, name, count=count, model=context.embedder.name))
    return 0
