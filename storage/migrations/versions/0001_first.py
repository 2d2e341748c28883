"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:  # noqa: PLR0915 - a list of tables
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("person_id", sa.String(length=255), nullable=True),
        sa.Column("owner", sa.Boolean(), nullable=False),
        sa.Column("display_name", sa.LargeBinary(), nullable=True),
        sa.Column("first_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
    )
    op.create_table(
        "audiences",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("everyone", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audiences")),
        sa.UniqueConstraint("digest", name=op.f("uq_audiences_digest")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "cards",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("forgotten", sa.Boolean(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_cards")),
        sa.UniqueConstraint("id", name=op.f("uq_cards_id")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "changes",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_changes")),
        comment="append-only: what other processes must read again",
        sqlite_autoincrement=True,
    )
    op.create_table(
        "containers",
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("title", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_containers")),
    )
    op.create_table(
        "inbox",
        sa.Column("event", sa.String(length=64), nullable=False),
        sa.Column("message_id", sa.String(length=255), nullable=False),
        sa.PrimaryKeyConstraint("event", name=op.f("pk_inbox")),
    )
    op.create_table(
        "meta",
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_meta")),
        comment="row: name",
    )
    op.create_table(
        "names",
        sa.Column("person_id", sa.String(length=255), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", "position", name=op.f("pk_names")),
    )
    op.create_table(
        "outbox",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("container_id", sa.String(length=255), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("forgotten", sa.Boolean(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_outbox_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_outbox_state"), "outbox", ["state"], unique=False)
    op.create_table(
        "policy_versions",
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("document", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("version", name=op.f("pk_policy_versions")),
        comment="append-only; row: version",
    )
    op.create_table(
        "tombstones",
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "id", name=op.f("pk_tombstones")),
    )
    op.create_table(
        "audience_members",
        sa.Column("audience_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.String(length=255), nullable=False),
        sa.ForeignKeyConstraint(
            ["audience_id"],
            ["audiences.id"],
            name=op.f("fk_audience_members_audience_id_audiences"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("audience_id", "person_id", name=op.f("pk_audience_members")),
    )
    op.create_index(op.f("ix_audience_members_person_id"), "audience_members", ["person_id"], unique=False)
    op.create_table(
        "facts",
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("event_id", sa.String(length=255), nullable=False),
        sa.Column("session_id", sa.String(length=255), nullable=False),
        sa.Column("container_id", sa.String(length=255), nullable=False),
        sa.Column("teller", sa.String(length=255), nullable=False),
        sa.Column("said_at", sa.BigInteger(), nullable=False),
        sa.Column("audience_id", sa.Integer(), nullable=False),
        sa.Column("first_hand", sa.Boolean(), nullable=False),
        sa.Column("owner_typed", sa.Boolean(), nullable=False),
        sa.Column("unresolved", sa.Boolean(), nullable=False),
        sa.Column("confidential", sa.Boolean(), nullable=False),
        sa.Column("cover", sa.Boolean(), nullable=False),
        sa.Column("secret", sa.Boolean(), nullable=False),
        sa.Column("sensitive", sa.Boolean(), nullable=False),
        sa.Column("kept_private", sa.Boolean(), nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.Column("confirmed", sa.BigInteger(), nullable=True),
        sa.Column("superseded_by", sa.String(length=255), nullable=True),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.Column("details", sa.LargeBinary(), nullable=False),
        sa.Column("terms", sa.LargeBinary(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(
            ["audience_id"], ["audiences.id"], name=op.f("fk_facts_audience_id_audiences")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_facts")),
    )
    op.create_index(op.f("ix_facts_audience_id"), "facts", ["audience_id"], unique=False)
    op.create_index(op.f("ix_facts_event_id"), "facts", ["event_id"], unique=False)
    op.create_index(op.f("ix_facts_session_id"), "facts", ["session_id"], unique=False)
    op.create_table(
        "links",
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("session_id", sa.String(length=255), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("left_id", sa.String(length=255), nullable=False),
        sa.Column("right_id", sa.String(length=255), nullable=False),
        sa.Column("message_id", sa.String(length=255), nullable=False),
        sa.Column("audience_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["audience_id"], ["audiences.id"], name=op.f("fk_links_audience_id_audiences")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_links")),
    )
    op.create_index(op.f("ix_links_audience_id"), "links", ["audience_id"], unique=False)
    op.create_index(op.f("ix_links_left_id"), "links", ["left_id"], unique=False)
    op.create_index(op.f("ix_links_message_id"), "links", ["message_id"], unique=False)
    op.create_index(op.f("ix_links_right_id"), "links", ["right_id"], unique=False)
    op.create_index(op.f("ix_links_session_id"), "links", ["session_id"], unique=False)
    op.create_table(
        "messages",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("container_id", sa.String(length=255), nullable=False),
        sa.Column("session_id", sa.String(length=255), nullable=False),
        sa.Column("sender", sa.String(length=255), nullable=False),
        sa.Column("account", sa.String(length=255), nullable=False),
        sa.Column("sent_at", sa.BigInteger(), nullable=False),
        sa.Column("audience_id", sa.Integer(), nullable=False),
        sa.Column("unresolved", sa.Boolean(), nullable=False),
        sa.Column("alone", sa.Boolean(), nullable=False),
        sa.Column("origin", sa.String(length=32), nullable=False),
        sa.Column("reply_to", sa.String(length=255), nullable=True),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["audience_id"], ["audiences.id"], name=op.f("fk_messages_audience_id_audiences")
        ),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_messages")),
        sa.UniqueConstraint("id", name=op.f("uq_messages_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_messages_audience_id"), "messages", ["audience_id"], unique=False)
    op.create_index(
        op.f("ix_messages_container_id_sent_at"), "messages", ["container_id", "sent_at"], unique=False
    )
    op.create_index(op.f("ix_messages_reply_to"), "messages", ["reply_to"], unique=False)
    op.create_index(op.f("ix_messages_session_id"), "messages", ["session_id"], unique=False)
    op.create_table(
        "outbox_facts",
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("fact_id", sa.String(length=255), nullable=False),
        sa.ForeignKeyConstraint(
            ["key"], ["outbox.key"], name=op.f("fk_outbox_facts_key_outbox"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key", "position", name=op.f("pk_outbox_facts")),
    )
    op.create_index(op.f("ix_outbox_facts_fact_id"), "outbox_facts", ["fact_id"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("container_id", sa.String(length=255), nullable=False),
        sa.Column("audience_id", sa.Integer(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.Column("messages", sa.Integer(), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("annotated", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["audience_id"], ["audiences.id"], name=op.f("fk_sessions_audience_id_audiences")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_audience_id"), "sessions", ["audience_id"], unique=False)
    op.create_index(op.f("ix_sessions_container_id"), "sessions", ["container_id"], unique=False)
    op.create_table(
        "sightings",
        sa.Column("account_id", sa.String(length=255), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("container_id", sa.String(length=255), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_sightings_account_id_accounts"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", "container_id", name=op.f("pk_sightings")),
    )
    op.create_table(
        "turns",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("message_id", sa.String(length=255), nullable=False),
        sa.Column("container_id", sa.String(length=255), nullable=False),
        sa.Column("asker", sa.String(length=255), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("audience_id", sa.Integer(), nullable=False),
        sa.Column("policy_version", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(length=32), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("forgotten", sa.Boolean(), nullable=False),
        sa.Column("viewers", sa.LargeBinary(), nullable=False),
        sa.Column("question", sa.LargeBinary(), nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.Column("reply", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["audience_id"], ["audiences.id"], name=op.f("fk_turns_audience_id_audiences")
        ),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_turns")),
        sa.UniqueConstraint("id", name=op.f("uq_turns_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_turns_at"), "turns", ["at"], unique=False)
    op.create_index(op.f("ix_turns_audience_id"), "turns", ["audience_id"], unique=False)
    op.create_index(op.f("ix_turns_message_id"), "turns", ["message_id"], unique=False)
    op.create_table(
        "edges",
        sa.Column("fact_id", sa.String(length=255), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("subject", sa.LargeBinary(), nullable=False),
        sa.Column("predicate", sa.LargeBinary(), nullable=False),
        sa.Column("object", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["fact_id"], ["facts.id"], name=op.f("fk_edges_fact_id_facts"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("fact_id", "position", name=op.f("pk_edges")),
    )
    op.create_table(
        "fact_sources",
        sa.Column("fact_id", sa.String(length=255), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(length=255), nullable=False),
        sa.ForeignKeyConstraint(
            ["fact_id"], ["facts.id"], name=op.f("fk_fact_sources_fact_id_facts"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("fact_id", "position", name=op.f("pk_fact_sources")),
    )
    op.create_index(op.f("ix_fact_sources_message_id"), "fact_sources", ["message_id"], unique=False)
    op.create_table(
        "list_entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("fact_id", sa.String(length=255), nullable=True),
        sa.Column("event_id", sa.String(length=255), nullable=True),
        sa.Column("colour", sa.String(length=16), nullable=False),
        sa.Column("person_id", sa.String(length=255), nullable=True),
        sa.Column("basis", sa.String(length=16), nullable=False),
        sa.Column("set_by", sa.String(length=255), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("real_truth", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["fact_id"], ["facts.id"], name=op.f("fk_list_entries_fact_id_facts"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_list_entries")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_list_entries_event_id"), "list_entries", ["event_id"], unique=False)
    op.create_index(op.f("ix_list_entries_fact_id"), "list_entries", ["fact_id"], unique=False)
    op.create_table(
        "tellings",
        sa.Column("message_id", sa.String(length=255), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("fact_id", sa.String(length=255), nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"], ["messages.id"], name=op.f("fk_tellings_message_id_messages"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("message_id", "position", name=op.f("pk_tellings")),
        comment="facts that a reply of Tact's told",
    )
    op.create_index(op.f("ix_tellings_fact_id"), "tellings", ["fact_id"], unique=False)
    op.create_table(
        "turn_items",
        sa.Column("turn_id", sa.String(length=255), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.String(length=255), nullable=False),
        sa.Column("allowed", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.String(length=64), nullable=False),
        sa.Column("viewer", sa.String(length=255), nullable=False),
        sa.ForeignKeyConstraint(
            ["turn_id"], ["turns.id"], name=op.f("fk_turn_items_turn_id_turns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("turn_id", "role", "position", name=op.f("pk_turn_items")),
        comment="role: decision, withheld or used",
    )
    op.create_index(op.f("ix_turn_items_item_id"), "turn_items", ["item_id"], unique=False)


def downgrade() -> None:
    op.drop_table("turn_items")
    op.drop_table("tellings")
    op.drop_table("list_entries")
    op.drop_table("fact_sources")
    op.drop_table("edges")
    op.drop_table("turns")
    op.drop_table("sightings")
    op.drop_table("sessions")
    op.drop_table("outbox_facts")
    op.drop_table("messages")
    op.drop_table("links")
    op.drop_table("facts")
    op.drop_table("audience_members")
    op.drop_table("tombstones")
    op.drop_table("policy_versions")
    op.drop_table("outbox")
    op.drop_table("names")
    op.drop_table("meta")
    op.drop_table("inbox")
    op.drop_table("containers")
    op.drop_table("changes")
    op.drop_table("cards")
    op.drop_table("audiences")
    op.drop_table("accounts")
