"""The one place that wires: settings in, a running Tact out. Heavy imports happen here and not before."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.context import Context, Posts, SystemClock
from bot.memory.annotation_queue import annotate_due
from bot.owner.commands.all import registry
from bot.owner.commands.registry import Registry
from bot.prompts import rules_and_data
from bot.texts import say
from config.data_folder import make_private_folder
from config.settings import Settings
from engine.ids import AccountId, PersonId
from engine.ports import Clock, Writer
from engine.store import Progress, Store, unwatched

if TYPE_CHECKING:
    from connectors.language.offline.embedder import Vectors
    from storage.sql import SqlStore
    from storage.vault import Vault
    from storage.vectors.chroma_sync import VectorKeeping

_PATIENCE_S = 5.0


def random_id(prefix: str) -> str:
    """A fresh id: prefix and 48 random bits."""
    return prefix + secrets.token_hex(6)


class Tact:
    """A wired Tact: what turns are made with, and annotation beside them."""

    def __init__(self, context: Context, commands: Registry, wake: asyncio.Event | None = None) -> None:
        """Nothing runs yet.

        Args:
            context: what turns are made with; it stays as it is.
            commands: the owner's.
            wake: set by a turn after which something is to be annotated.
        """
        self.context: Final = context
        self.commands: Final = commands
        self.wake: Final = wake or asyncio.Event()

    def shown_on(self, posts: Posts) -> Tact:
        """The same, on platforms that may show what was erased."""
        return Tact(replace(self.context, posts=posts), self.commands, self.wake)

    async def annotate(self) -> int:
        """Annotate what waits; returns the number of sessions."""
        return await annotate_due(self.context, self.context.clock.now())

    async def keep_annotating(self) -> None:
        """Annotate whenever woken, until cancelled; a failure leaves the session in the queue."""
        while True:
            await self.wake.wait()
            self.wake.clear()
            await self.annotate()


def make_context(
    store: Store,
    settings: Settings,
    *,
    clock: Clock | None = None,
    new_id: Callable[[str], str] = random_id,
    embedder: Vectors | None = None,
    writer: Writer | None = None,
    wake_annotator: Callable[[], None] = lambda: None,
    progress: Progress = unwatched,
) -> Context:
    """Put together what a turn is made with, around a store."""
    from connectors.language.offline import (  # noqa: PLC0415 - numpy and the model load only when needed
        ANSWERS,
        OfflineCategoriser,
        OfflineComposer,
        OfflineLines,
        OfflineReader,
        RulesCategoriser,
        RulesReader,
        ThreadedEmbedder,
        load_embedder,
        relevance,
    )
    from connectors.spans.rules import detect  # noqa: PLC0415

    model = embedder or _shared(load_embedder)
    readers = {"rules": lambda: RulesReader(OfflineReader(detect))}
    categorisers = {"rules": lambda: RulesCategoriser(OfflineCategoriser(model))}
    return Context(
        store=store,
        reader=readers[settings.reader](),
        categoriser=categorisers[settings.categoriser](),
        embedder=ThreadedEmbedder(model),
        composer=OfflineComposer(),
        speaks_to=lambda query, terms, similarity: relevance(query, terms, similarity) >= ANSWERS,
        lines=OfflineLines(),
        clock=clock or SystemClock(),
        new_id=new_id,
        language=settings.language,
        deflect_after=settings.deflect_after_s,
        writer=writer,
        patience=patience_of(settings),
        wake_annotator=wake_annotator,
        progress=progress,
    )


_models: list[Vectors] = []


def _shared(load: Callable[[], Vectors]) -> Vectors:
    """One model a process, however many memories are open: it is the same for all, and remembers vectors of texts."""
    if not _models:
        _models.append(load())
    return _models[0]


def make_writer(settings: Settings, clock: Clock) -> Writer | None:
    """The model that words replies, if the settings name one.

    Raises:
        BadInput: its key is not where they say.
    """
    chosen = settings.models.word
    if chosen is None:
        return None
    from config.keys import read_model_key  # noqa: PLC0415
    from connectors.language.model.wire import Endpoint  # noqa: PLC0415 - the client loads only when needed
    from connectors.language.openai_model import OpenAIWriter, Prompt  # noqa: PLC0415

    endpoint = Endpoint(
        base_url=chosen.base_url,
        model=chosen.model,
        runs_here=chosen.runs_here,
        key=read_model_key(chosen, settings.data),
        max_tokens=chosen.max_tokens,
        retries=chosen.retries,
        budget_tokens=chosen.budget_tokens,
        budget_cost=chosen.budget_cost,
        price_in=chosen.price_in,
        price_out=chosen.price_out,
        extra=chosen.extra,
    )
    return OpenAIWriter(
        endpoint, lambda payload: Prompt(*rules_and_data(payload)), lambda: clock.now().date()
    )


def patience_of(settings: Settings) -> float:
    """Seconds that a turn waits for the model at most; no matter if there is none."""
    return settings.models.word.deadline_s if settings.models.word else 0.0


def place_of(settings: Settings) -> Path | str:
    """Where the memory is: the database's file, or a server's address without user and password."""
    from storage.postgres import address_of, is_address  # noqa: PLC0415 - SQLAlchemy loads only when needed
    from storage.sqlite import file_of  # noqa: PLC0415

    if is_address(settings.database):
        return address_of(settings.database).where
    return file_of(settings.database) or settings.data


async def open_store(settings: Settings, *, make_key: bool = False, alone: bool = False) -> SqlStore:
    """Open (and migrate) the memory of these settings.

    Args:
        make_key: make the key's file if there is none.
        alone: claim a memory on a server for this process; one in a file is claimed with its folder, by `bot.service.lock`.

    Raises:
        BadInput: another process has claimed it.
        StoreFault: wrong key, newer schema, unreadable file.
    """
    from config.keys import create_key_file, load_key  # noqa: PLC0415
    from storage.sql import SqlStore  # noqa: PLC0415 - SQLAlchemy loads only when needed
    from storage.vault import Vault  # noqa: PLC0415

    if make_key and settings.key_source == "file" and not settings.key_file.exists():
        make_private_folder(settings.data)
        create_key_file(settings.key_file)
    key = load_key(settings.key_file, source=str(settings.key_source))
    vault = Vault(key)
    embedded = settings.vectors == "chroma" and not settings.chroma_url
    return await SqlStore.open(
        settings.database,
        vault,
        alone=alone,
        vectors=make_keeping(settings, vault, alone=alone),
        unused=None if embedded else settings.chroma_folder,
    )


def make_keeping(settings: Settings, vault: Vault, *, alone: bool = False) -> VectorKeeping | None:
    """What keeps vectors in Chroma; None if they are searched in memory.

    Args:
        settings: where Chroma is.
        vault: the memory's, which names it there.
        alone: for a Tact that runs: it finishes beside its turns what takes long.

    Raises:
        BadInput: Chroma's library is not installed.
    """
    if settings.vectors == "exact":
        return None
    from bot.cli.library_progress import bar  # noqa: PLC0415
    from storage.vectors.chroma_client import check_installed  # noqa: PLC0415
    from storage.vectors.chroma_folder import Folder  # noqa: PLC0415
    from storage.vectors.chroma_sync import VectorKeeping  # noqa: PLC0415
    from storage.vectors.generations import Server  # noqa: PLC0415

    check_installed()
    url = settings.chroma_url
    place = Server(url, vault.name("chroma")) if url else Folder(settings.chroma_folder)
    patience = _PATIENCE_S if alone else None
    return VectorKeeping(place, bar(say(settings.language, "vectors.filling")), patience)


@asynccontextmanager
async def open_tact(
    settings: Settings,
    *,
    clock: Clock | None = None,
    new_id: Callable[[str], str] = random_id,
    embedder: Vectors | None = None,
    progress: Progress = unwatched,
    watched: Callable[[Store], Store] = lambda store: store,
    make_key: bool = False,
    alone: bool = False,
) -> AsyncIterator[Tact]:
    """Open a memory, set it up if it is new, and close it at the end.

    Args:
        settings: where it is, and what turns are made with.
        clock: the time; by default the machine's.
        new_id: makes ids.
        embedder: makes vectors; by default the model of this machine.
        progress: told how far a long piece of work is.
        watched: what turns see the memory through.
        make_key: as in `open_store`.
        alone: as in `open_store`.
    """
    writer = make_writer(settings, clock or SystemClock())
    store = await open_store(settings, make_key=make_key, alone=alone)
    try:
        wake = asyncio.Event()
        context = make_context(
            watched(store), settings, clock=clock, new_id=new_id, embedder=embedder, writer=writer,
            wake_annotator=wake.set, progress=progress,
        )  # fmt: skip
        await set_up(context, settings)
        await store.finish_forgetting()
        place = place_of(settings) if settings.database_url else settings.data
        yield Tact(context, registry(str(place)), wake)
    finally:
        await store.close()
        if writer is not None:
            await writer.close()


async def set_up(context: Context, settings: Settings) -> None:
    """Give a new memory its first policy, and make the configured accounts the owner's."""
    from config.defaults import default_policy  # noqa: PLC0415

    async with context.store.transaction() as tx:
        policy = await tx.policy()
        if policy.version == 0:
            first = default_policy(settings.owner_name, settings.timezone)
            await tx.save_policy(replace(first, unresolved=settings.unresolved), context.clock.now())
        people = await tx.people()
        for account in settings.owner_accounts:
            if account not in people.owners:
                await tx.own(account)


async def meet(context: Context, account: AccountId, name: str, at: datetime) -> None:
    """Name a contact, as `/meet` does: no label, no right."""
    async with context.store.transaction() as tx:
        person = (await tx.people()).person(account)
        policy = await tx.policy()
        await tx.call(person, name)
        if person not in policy.contacts:
            contacts = {**policy.contacts, PersonId(person): ()}
            await tx.save_policy(replace(policy, contacts=contacts), at)
