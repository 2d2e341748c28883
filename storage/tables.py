"""The tables (SQLAlchemy Core). `migrations/` makes exactly these; a test compares the two.

Ids, times, marks and verdicts lie open; whatever can hold words is `EncryptedText`, sealed for the row named beside it.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
)

from storage.columns import audience_column, fact_column, flag, name_column, position, words
from storage.types import Moment

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

meta = Table("meta", metadata, name_column("name", primary=True), words("meta", "value"), comment="row: name")

# People. Row: the account; `person/position` for names.
accounts = Table(
    "accounts",
    metadata,
    name_column("id", primary=True),
    name_column("person_id", null=True),
    flag("owner"),
    words("accounts", "display_name", null=True),
    Column("first_at", Moment, nullable=True),
)
sightings = Table(
    "sightings",
    metadata,
    Column("account_id", String(255), ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    position(),
    name_column("container_id"),
    PrimaryKeyConstraint("account_id", "container_id"),
)
names = Table(
    "names",
    metadata,
    name_column("person_id"),
    position(),
    words("names", "name"),
    PrimaryKeyConstraint("person_id", "position"),
)
policy_versions = Table(
    "policy_versions",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    words("policy_versions", "document"),
    comment="append-only; row: version",
)

# Audiences, interned.
audiences = Table(
    "audiences",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),
    flag("everyone"),
    sqlite_autoincrement=True,
)
audience_members = Table(
    "audience_members",
    metadata,
    Column("audience_id", Integer, ForeignKey("audiences.id", ondelete="CASCADE"), nullable=False),
    name_column("person_id", index=True),
    PrimaryKeyConstraint("audience_id", "person_id"),
)

# Conversations. Row: the id.
containers = Table(
    "containers",
    metadata,
    name_column("id", primary=True),
    Column("kind", String(32), nullable=False),
    words("containers", "title"),
)
inbox = Table("inbox", metadata, Column("event", String(64), primary_key=True), name_column("message_id"))
sessions = Table(
    "sessions",
    metadata,
    name_column("id", primary=True),
    name_column("container_id", index=True),
    audience_column(),
    Column("opened_at", Moment, nullable=False),
    Column("last_at", Moment, nullable=False),
    Column("messages", Integer, nullable=False),
    flag("closed"),
    flag("annotated"),
)
messages = Table(
    "messages",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("id", String(255), nullable=False, unique=True),
    name_column("container_id"),
    name_column("session_id", index=True),
    name_column("sender"),
    name_column("account"),
    Column("sent_at", Moment, nullable=False),
    audience_column(),
    flag("unresolved"),
    flag("alone"),
    Column("origin", String(32), nullable=False),
    name_column("reply_to", null=True, index=True),
    words("messages", "text"),
    words("messages", "raw"),
    Index(None, "container_id", "sent_at"),
    sqlite_autoincrement=True,
)
tellings = Table(
    "tellings",
    metadata,
    Column("message_id", String(255), ForeignKey("messages.id", ondelete="CASCADE"), nullable=False),
    position(),
    name_column("fact_id", index=True),
    PrimaryKeyConstraint("message_id", "position"),
    comment="facts that a reply of Tact's told",
)

# Facts and what belongs to them. Row: the fact; `fact/position` for edges.
facts = Table(
    "facts",
    metadata,
    name_column("id", primary=True),
    name_column("event_id", index=True),
    name_column("session_id", index=True),
    name_column("container_id"),
    name_column("teller"),
    Column("said_at", Moment, nullable=False),
    audience_column(),
    *(flag(name) for name in ("first_hand", "owner_typed", "unresolved", "confidential", "cover", "secret")),
    *(flag(name) for name in ("sensitive", "kept_private", "settled")),
    Column("confirmed", Moment, nullable=True),
    name_column("superseded_by", null=True),
    words("facts", "text"),
    words("facts", "details"),
    words("facts", "terms"),
    words("facts", "vector", null=True),
    name_column("vector_model", null=True),
)
fact_sources = Table(
    "fact_sources",
    metadata,
    fact_column(),
    position(),
    name_column("message_id", index=True),
    PrimaryKeyConstraint("fact_id", "position"),
)
list_entries = Table(
    "list_entries",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("fact_id", String(255), ForeignKey("facts.id", ondelete="CASCADE"), nullable=True, index=True),
    name_column("event_id", null=True, index=True),
    Column("colour", String(16), nullable=False),
    name_column("person_id", null=True),
    Column("basis", String(16), nullable=False),
    name_column("set_by"),
    Column("at", Moment, nullable=False),
    flag("real_truth"),
    sqlite_autoincrement=True,
)
edges = Table(
    "edges",
    metadata,
    fact_column(),
    position(),
    words("edges", "subject"),
    words("edges", "predicate"),
    words("edges", "object"),
    PrimaryKeyConstraint("fact_id", "position"),
)
links = Table(
    "links",
    metadata,
    name_column("id", primary=True),
    name_column("session_id", index=True),
    Column("kind", String(16), nullable=False),
    name_column("left_id", index=True),
    name_column("right_id", index=True),
    name_column("message_id", index=True),
    audience_column(),
)

# What was done. Row: the id or key.
turns = Table(
    "turns",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("id", String(255), nullable=False, unique=True),
    name_column("message_id", index=True),
    name_column("container_id"),
    name_column("asker"),
    Column("at", Moment, nullable=False, index=True),
    audience_column(),
    Column("policy_version", Integer, nullable=False),
    Column("outcome", String(32), nullable=False),
    Column("digest", String(64), nullable=False),
    flag("forgotten"),
    words("turns", "viewers"),
    words("turns", "question"),
    words("turns", "payload"),
    words("turns", "reply"),
    sqlite_autoincrement=True,
)
turn_items = Table(
    "turn_items",
    metadata,
    Column("turn_id", String(255), ForeignKey("turns.id", ondelete="CASCADE"), nullable=False),
    Column("role", String(16), nullable=False),
    position(),
    name_column("item_id", index=True),
    flag("allowed"),
    Column("reason", String(64), nullable=False),
    name_column("viewer"),
    PrimaryKeyConstraint("turn_id", "role", "position"),
    comment="role: decision, withheld or used",
)
cards = Table(
    "cards",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("id", String(255), nullable=False, unique=True),
    Column("kind", String(16), nullable=False),
    Column("made_at", Moment, nullable=False),
    flag("done"),
    flag("forgotten"),
    words("cards", "body"),
    sqlite_autoincrement=True,
)
outbox = Table(
    "outbox",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("key", String(255), nullable=False, unique=True),
    name_column("container_id"),
    Column("state", String(16), nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    name_column("about", null=True),
    name_column("message", null=True, index=True),
    Column("sent_at", Moment, nullable=True),
    flag("forgotten"),
    words("outbox", "text"),
    sqlite_autoincrement=True,
)
outbox_facts = Table(
    "outbox_facts",
    metadata,
    Column("key", String(255), ForeignKey("outbox.key", ondelete="CASCADE"), nullable=False),
    position(),
    name_column("fact_id", index=True),
    PrimaryKeyConstraint("key", "position"),
)
arrivals = Table(
    "arrivals",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("key", String(255), nullable=False, unique=True),
    Column("done", Boolean(create_constraint=False), nullable=False, index=True),
    words("arrivals", "payload", null=True),
    comment="raw events of platforms, kept before they are acknowledged; row: key",
    sqlite_autoincrement=True,
)
notes = Table(
    "notes",
    metadata,
    name_column("name", primary=True),
    words("notes", "value"),
    comment="small documents, each of one thing; row: name",
)

# What platforms show and change. Row: the name of what is shown.
message_versions = Table(
    "message_versions",
    metadata,
    name_column("first"),
    position(),
    name_column("message_id", index=True),
    PrimaryKeyConstraint("first", "position"),
    comment="edits of a message, in order",
)
rooms = Table(
    "rooms",
    metadata,
    name_column("container_id", primary=True),
    Column("changes", Integer, nullable=False),
    Column("changed_at", Moment, nullable=True),
    flag("introduced"),
)
room_accounts = Table(
    "room_accounts",
    metadata,
    Column("container_id", String(255), ForeignKey("rooms.container_id", ondelete="CASCADE"), nullable=False),
    name_column("account_id"),
    flag("known"),
    flag("bot"),
    PrimaryKeyConstraint("container_id", "account_id"),
)
moved_chats = Table(
    "moved_chats",
    metadata,
    name_column("container_id"),
    position(),
    name_column("earlier"),
    PrimaryKeyConstraint("container_id", "position"),
    comment="the ids that a chat had before",
)
shown = Table(
    "shown",
    metadata,
    name_column("name", primary=True),
    name_column("container_id"),
    Column("at", Moment, nullable=True),
    flag("mine"),
    flag("quiet"),
    words("shown", "link"),
    comment="what platforms still show of what was erased",
)
left_behind = Table(
    "left_behind",
    metadata,
    name_column("message_id", primary=True),
    comment="messages that a restore knew as handled, and which its backup did not have",
)
tombstones = Table(
    "tombstones",
    metadata,
    Column("kind", String(16), nullable=False),
    name_column("id"),
    Column("at", Moment, nullable=False),
    PrimaryKeyConstraint("kind", "id"),
)
changes = Table(
    "changes",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    name_column("id"),
    comment="append-only: what other processes must read again",
    sqlite_autoincrement=True,
)
