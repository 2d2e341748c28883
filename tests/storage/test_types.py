"""No plain word can be bound to a column that holds words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import Boolean, Integer, String, create_engine, insert, literal_column, select
from sqlalchemy.exc import StatementError

from storage.tables import facts, messages, meta, metadata
from storage.types import EncryptedText, Moment
from storage.vault import Sealed

OPEN = {
    "meta.name", "containers.kind", "inbox.event", "audiences.digest", "arrivals.key", "notes.name", "messages.origin", "list_entries.colour",
    "list_entries.basis", "links.kind", "turns.outcome", "turns.digest", "turn_items.role", "turn_items.reason",
    "facts.vector_model", "cards.id", "cards.kind", "outbox.key", "outbox_facts.key", "outbox.state", "tombstones.kind", "changes.kind",
    "outbox.kind", "outbox.about", "outbox.message", "message_versions.first", "moved_chats.earlier", "shown.name",
}  # fmt: skip
"""Text columns beside ids that lie open: names out of closed sets, digests, names of models, and keys that programs
make."""


def test_every_text_column_is_an_id_a_closed_set_or_sealed():
    for table in metadata.sorted_tables:
        for column in table.c:
            place = f"{table.name}.{column.name}"
            if isinstance(column.type, EncryptedText):
                assert (column.type.table, column.type.column) == (table.name, column.name)
            elif isinstance(column.type, String):
                ids = {
                    "id",
                    "account",
                    "sender",
                    "teller",
                    "asker",
                    "viewer",
                    "set_by",
                    "reply_to",
                    "superseded_by",
                }
                is_id = column.name in ids or column.name.endswith("_id")
                assert is_id or place in OPEN, place
            else:
                assert isinstance(column.type, Integer | Boolean | Moment), place


@pytest.mark.parametrize("value", ["words", b"words", 7])
def test_plain_words_are_refused(value):
    with pytest.raises(TypeError, match=r"facts\.text"):
        facts.c.text.type.process_bind_param(value, None)


def test_words_sealed_for_another_column_are_refused(vault):
    for table, column in (("messages", "text"), ("facts", "details")):
        with pytest.raises(TypeError, match=r"not for facts\.text"):
            facts.c.text.type.process_bind_param(vault.seal_text(table, column, "f1", "words"), None)


def test_no_statement_takes_plain_words(vault):
    engine = create_engine("sqlite://", hide_parameters=True)
    metadata.create_all(engine)
    with engine.connect() as connection:
        for statement in (
            insert(meta).values(name="x", value="canary"),
            select(meta).where(meta.c.value == "canary"),
            meta.update().values(value="canary"),
            select(messages).where(messages.c.text.in_(["canary"])),
        ):
            with pytest.raises((StatementError, TypeError)) as caught:
                connection.execute(statement)
            assert "canary" not in str(caught.value)
        with pytest.raises(Exception, match="literal"):
            str(select(meta).where(meta.c.value == "canary").compile(compile_kwargs={"literal_binds": True}))
        sealed = vault.seal_text("meta", "value", "x", "canary")
        connection.execute(insert(meta).values(name="x", value=sealed))
        read = connection.execute(select(meta.c.value)).scalar_one()
        assert read == sealed
        assert isinstance(read, Sealed)
        assert vault.open_text(read, "x") == "canary"
        raw = connection.execute(select(literal_column("value")).select_from(meta)).scalar_one()
        assert b"canary" not in raw
    engine.dispose()


def test_times_without_a_zone_are_refused():
    with pytest.raises(ValueError, match="zone"):
        Moment().process_bind_param(datetime(2026, 5, 1), None)  # noqa: DTZ001 - on purpose


def test_times_keep_their_microseconds():
    moment = datetime(2026, 5, 1, 12, 0, 0, 123457, tzinfo=UTC)
    stored = Moment().process_bind_param(moment, None)
    assert Moment().process_result_value(stored, None) == moment
