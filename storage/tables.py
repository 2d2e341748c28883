"""The tables (SQLAlchemy Core). `migrations/` makes exactly these; a test compares the two.

Ids, times, marks and verdicts lie open; whatever can hold words is `EncryptedText`. Rows seal their words under the
row's name given in each table's comment.
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

from storage.types import EncryptedText, Moment

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _id(name: str, *, primary: bool = False, null: bool = False, index: bool = False) -> Column[str]:
    return Column(name, String(255), primary_key=primary, nullable=null, index=index or None)


def _words(table: str, column: str, *, null: bool = False) -> Column[object]:
    return Column(column, EncryptedText(table, column), nullable=null)


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean(create_constraint=False), nullable=False)


def _audience() -> Column[int]:
    return Column("audience_id", Integer, ForeignKey("audiences.id"), nullable=False, index=True)


def _place() -> Column[int]:
    return Column("position", Integer, nullable=False)


def _fact(*, cascade: bool = True) -> Column[str]:
    return Column(
        "fact_id",
        String(255),
        ForeignKey("facts.id", ondelete="CASCADE" if cascade else None),
        nullable=False,
    )


meta = Table("meta", metadata, _id("name", primary=True), _words("meta", "value"), comment="row: name")

# People. Row: the account; `person/position` for names.
accounts = Table(
    "accounts",
    metadata,
    _id("id", primary=True),
    _id("person_id", null=True),
    _flag("owner"),
    _words("accounts", "display_name", null=True),
    Column("first_at", Moment, nullable=True),
)
sightings = Table(
    "sightings",
    metadata,
    Column("account_id", String(255), ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    _place(),
    _id("container_id"),
    PrimaryKeyConstraint("account_id", "container_id"),
)
names = Table(
    "names",
    metadata,
    _id("person_id"),
    _place(),
    _words("names", "name"),
    PrimaryKeyConstraint("person_id", "position"),
)
policy_versions = Table(
    "policy_versions",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    _words("policy_versions", "document"),
    comment="append-only; row: version",
)

# Audiences, interned.
audiences = Table(
    "audiences",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),
    _flag("everyone"),
    sqlite_autoincrement=True,
)
audience_members = Table(
    "audience_members",
    metadata,
    Column("audience_id", Integer, ForeignKey("audiences.id", ondelete="CASCADE"), nullable=False),
    _id("person_id", index=True),
    PrimaryKeyConstraint("audience_id", "person_id"),
)

# Conversations. Row: the id.
containers = Table(
    "containers",
    metadata,
    _id("id", primary=True),
    Column("kind", String(32), nullable=False),
    _words("containers", "title"),
)
inbox = Table("inbox", metadata, Column("event", String(64), primary_key=True), _id("message_id"))
sessions = Table(
    "sessions",
    metadata,
    _id("id", primary=True),
    _id("container_id", index=True),
    _audience(),
    Column("opened_at", Moment, nullable=False),
    Column("last_at", Moment, nullable=False),
    Column("messages", Integer, nullable=False),
    _flag("closed"),
    _flag("annotated"),
)
messages = Table(
    "messages",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("id", String(255), nullable=False, unique=True),
    _id("container_id"),
    _id("session_id", index=True),
    _id("sender"),
    _id("account"),
    Column("sent_at", Moment, nullable=False),
    _audience(),
    _flag("unresolved"),
    _flag("alone"),
    Column("origin", String(32), nullable=False),
    _id("reply_to", null=True, index=True),
    _words("messages", "text"),
    _words("messages", "raw"),
    Index(None, "container_id", "sent_at"),
    sqlite_autoincrement=True,
)
tellings = Table(
    "tellings",
    metadata,
    Column("message_id", String(255), ForeignKey("messages.id", ondelete="CASCADE"), nullable=False),
    _place(),
    _id("fact_id", index=True),
    PrimaryKeyConstraint("message_id", "position"),
    comment="facts that a reply of Tact's told",
)

# Facts and what belongs to them. Row: the fact; `fact/position` for edges.
facts = Table(
    "facts",
    metadata,
    _id("id", primary=True),
    _id("event_id", index=True),
    _id("session_id", index=True),
    _id("container_id"),
    _id("teller"),
    Column("said_at", Moment, nullable=False),
    _audience(),
    *(_flag(name) for name in ("first_hand", "owner_typed", "unresolved", "confidential", "cover", "secret")),
    *(_flag(name) for name in ("sensitive", "kept_private", "settled")),
    Column("confirmed", Moment, nullable=True),
    _id("superseded_by", null=True),
    _words("facts", "text"),
    _words("facts", "details"),
    _words("facts", "terms"),
    _words("facts", "vector", null=True),
)
fact_sources = Table(
    "fact_sources",
    metadata,
    _fact(),
    _place(),
    _id("message_id", index=True),
    PrimaryKeyConstraint("fact_id", "position"),
)
list_entries = Table(
    "list_entries",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("fact_id", String(255), ForeignKey("facts.id", ondelete="CASCADE"), nullable=True, index=True),
    _id("event_id", null=True, index=True),
    Column("colour", String(16), nullable=False),
    _id("person_id", null=True),
    Column("basis", String(16), nullable=False),
    _id("set_by"),
    Column("at", Moment, nullable=False),
    _flag("real_truth"),
    sqlite_autoincrement=True,
)
edges = Table(
    "edges",
    metadata,
    _fact(),
    _place(),
    _words("edges", "subject"),
    _words("edges", "predicate"),
    _words("edges", "object"),
    PrimaryKeyConstraint("fact_id", "position"),
)
links = Table(
    "links",
    metadata,
    _id("id", primary=True),
    _id("session_id", index=True),
    Column("kind", String(16), nullable=False),
    _id("left_id", index=True),
    _id("right_id", index=True),
    _id("message_id", index=True),
    _audience(),
)

# What was done. Row: the id or key.
turns = Table(
    "turns",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("id", String(255), nullable=False, unique=True),
    _id("message_id", index=True),
    _id("container_id"),
    _id("asker"),
    Column("at", Moment, nullable=False, index=True),
    _audience(),
    Column("policy_version", Integer, nullable=False),
    Column("outcome", String(32), nullable=False),
    Column("digest", String(64), nullable=False),
    _flag("forgotten"),
    _words("turns", "viewers"),
    _words("turns", "question"),
    _words("turns", "payload"),
    _words("turns", "reply"),
    sqlite_autoincrement=True,
)
turn_items = Table(
    "turn_items",
    metadata,
    Column("turn_id", String(255), ForeignKey("turns.id", ondelete="CASCADE"), nullable=False),
    Column("role", String(16), nullable=False),
    _place(),
    _id("item_id", index=True),
    _flag("allowed"),
    Column("reason", String(64), nullable=False),
    _id("viewer"),
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
    _flag("done"),
    _flag("forgotten"),
    _words("cards", "body"),
    sqlite_autoincrement=True,
)
outbox = Table(
    "outbox",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("key", String(255), nullable=False, unique=True),
    _id("container_id"),
    Column("state", String(16), nullable=False, index=True),
    _flag("forgotten"),
    _words("outbox", "text"),
    sqlite_autoincrement=True,
)
outbox_facts = Table(
    "outbox_facts",
    metadata,
    Column("key", String(255), ForeignKey("outbox.key", ondelete="CASCADE"), nullable=False),
    _place(),
    _id("fact_id", index=True),
    PrimaryKeyConstraint("key", "position"),
)
arrivals = Table(
    "arrivals",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("key", String(255), nullable=False, unique=True),
    Column("done", Boolean(create_constraint=False), nullable=False, index=True),
    _words("arrivals", "payload", null=True),
    comment="raw events of platforms, kept before they are acknowledged; row: key",
    sqlite_autoincrement=True,
)
notes = Table(
    "notes",
    metadata,
    _id("name", primary=True),
    _words("notes", "value"),
    comment="what a platform keeps about its rooms; row: name",
)
tombstones = Table(
    "tombstones",
    metadata,
    Column("kind", String(16), nullable=False),
    _id("id"),
    Column("at", Moment, nullable=False),
    PrimaryKeyConstraint("kind", "id"),
)
changes = Table(
    "changes",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    _id("id"),
    comment="append-only: what other processes must read again",
    sqlite_autoincrement=True,
)
