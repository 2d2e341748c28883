"""What a delivery is and became, as columns; what was kept as lists in notes, as rows.

Notes are sealed: whoever has no key (a database that is emptied at once) gets the tables alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import context, op

from storage.types import EncryptedText, Moment, ticks
from storage.vault import Vault

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

NAME = sa.String(length=255)
TURNS_LINES = ("line", "hello", "roll")


def upgrade() -> None:
    op.add_column("outbox", sa.Column("kind", sa.String(length=16), nullable=True))
    op.add_column("outbox", sa.Column("about", NAME, nullable=True))
    op.add_column("outbox", sa.Column("message", NAME, nullable=True))
    op.add_column("outbox", sa.Column("sent_at", sa.BigInteger(), nullable=True))
    _tables()
    _kinds()
    vault = context.config.attributes.get("vault")
    if vault is not None:
        _rows(vault)
        _cards(vault)
    with op.batch_alter_table("outbox", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.alter_column("kind", existing_type=sa.String(length=16), nullable=False)
    op.create_index(op.f("ix_outbox_message"), "outbox", ["message"])
    if op.get_bind().dialect.supports_comments:
        op.create_table_comment("notes", "small documents, each of one thing; row: name")


def _tables() -> None:
    op.create_table(
        "message_versions",
        sa.Column("first", NAME, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("message_id", NAME, nullable=False),
        sa.PrimaryKeyConstraint("first", "position", name=op.f("pk_message_versions")),
        comment="edits of a message, in order",
    )
    op.create_index(op.f("ix_message_versions_message_id"), "message_versions", ["message_id"])
    op.create_table(
        "rooms",
        sa.Column("container_id", NAME, nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=True),
        sa.Column("introduced", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("container_id", name=op.f("pk_rooms")),
    )
    op.create_table(
        "room_accounts",
        sa.Column("container_id", NAME, nullable=False),
        sa.Column("account_id", NAME, nullable=False),
        sa.Column("known", sa.Boolean(), nullable=False),
        sa.Column("bot", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("container_id", "account_id", name=op.f("pk_room_accounts")),
        sa.ForeignKeyConstraint(
            ["container_id"],
            ["rooms.container_id"],
            name=op.f("fk_room_accounts_container_id_rooms"),
            ondelete="CASCADE",
        ),
    )
    op.create_table(
        "moved_chats",
        sa.Column("container_id", NAME, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("earlier", NAME, nullable=False),
        sa.PrimaryKeyConstraint("container_id", "position", name=op.f("pk_moved_chats")),
        comment="the ids that a chat had before",
    )
    op.create_table(
        "shown",
        sa.Column("name", NAME, nullable=False),
        sa.Column("container_id", NAME, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=True),
        sa.Column("mine", sa.Boolean(), nullable=False),
        sa.Column("quiet", sa.Boolean(), nullable=False),
        sa.Column("link", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_shown")),
        comment="what platforms still show of what was erased",
    )
    op.create_table(
        "left_behind",
        sa.Column("message_id", NAME, nullable=False),
        sa.PrimaryKeyConstraint("message_id", name=op.f("pk_left_behind")),
        comment="messages that a restore knew as handled, and which its backup did not have",
    )


OUTBOX = sa.table(
    "outbox",
    *map(sa.column, ("key", "container_id", "kind", "about", "message")),
    sa.column("sent_at", Moment),
)


def _kinds() -> None:
    """What each delivery was, by the key that said so until now; what is not surely a reply or a line is the owner's."""
    for (key,) in op.get_bind().execute(sa.select(OUTBOX.c.key)).all():
        about = key.removeprefix("doubt/").rpartition("#")[0] if key.startswith("doubt/") else None
        values = {"kind": _kind(key), "about": about}
        op.execute(OUTBOX.update().where(OUTBOX.c.key == key).values(values))


def _kind(key: str) -> str:
    first, *rest = key.partition("!")[0].partition("#")[0].split("/")
    if first in {"hello", "slow"} and len(rest) == 1:
        return "line"
    if first.startswith("t_") and len(rest) == 1:
        return "reply" if rest[0] == "reply" else "line" if rest[0] in TURNS_LINES else "owner"
    return "owner"


def _rows(vault: Vault) -> None:
    """Notes that hold lists become rows."""
    notes = sa.table("notes", sa.column("name"), sa.column("value", EncryptedText("notes", "value")))
    bind = op.get_bind()
    every = {
        n: vault.open_text(v, n)
        for n, v in bind.execute(sa.select(notes.c.name, notes.c.value).order_by(notes.c.name))
    }
    gone = []
    for name, value in every.items():
        start, _, rest = name.partition(":")
        kind, _, rest_of_two = rest.partition(":")
        if name == "left behind":
            _insert("left_behind", ({"message_id": m} for m in json.loads(value)))
        elif start == "versions":
            _insert(
                "message_versions",
                ({"first": rest, "position": n, "message_id": m} for n, m in enumerate(value.split(","))),
            )
        elif start == "moved":
            earlier = [one for one in value.split(" ") if one]
            _insert(
                "moved_chats",
                ({"container_id": rest, "position": n, "earlier": m} for n, m in enumerate(earlier)),
            )
        elif name.startswith("erasing:shown:"):
            _shown(vault, rest.partition(":")[2], json.loads(value))
        elif kind == "room" and value.startswith("{"):
            _room(start, rest_of_two, json.loads(value))
        elif kind == "at":
            _place(rest_of_two, value)
        elif start != "edited" and kind != "sent":
            continue
        gone.append(name)
    for name in gone:
        op.execute(notes.delete().where(notes.c.name == name))


def _insert(table: str, rows: Iterable[dict[str, object]]) -> None:
    for row in rows:
        op.execute(sa.table(table, *map(sa.column, row)).insert().values(row))


def _moment(text: str) -> int | None:
    return ticks(datetime.fromisoformat(text)) if text else None


def _room(platform: str, rest: str, kept: dict[str, Any]) -> None:
    chat = f"{platform}:{rest.removeprefix(platform + ':')}"
    changed = _moment(kept.get("changed_at") or "")
    row = {"container_id": chat, "changes": kept.get("changes", 0), "changed_at": changed}
    _insert("rooms", [row | {"introduced": kept.get("introduced", False)}])
    known, bots = (
        {one if isinstance(one, str) else f"{platform}:{one}" for one in kept.get(name, ())}
        for name in ("known", "bots")
    )
    rows = ({"account_id": a, "known": a in known, "bot": a in bots} for a in sorted(known | bots))
    _insert("room_accounts", ({"container_id": chat, **row} for row in rows))


def _place(key: str, value: str) -> None:
    """Which message a part became. Version 0.1 kept a number within the chat."""
    message, _, seconds = value.partition(" ")
    chat = op.get_bind().execute(sa.select(OUTBOX.c.container_id).where(OUTBOX.c.key == key)).scalar()
    if chat is not None:
        whole = ":".join([*chat.split(":")[:2], message]) if message.isdecimal() else message
        at = datetime.fromtimestamp(int(seconds), UTC)
        op.execute(OUTBOX.update().where(OUTBOX.c.key == key).values(message=whole, sent_at=at))


def _shown(vault: Vault, name: str, kept: list[Any]) -> None:
    container, at, mine, link, quiet = kept
    row = {"name": name, "container_id": container, "at": _moment(at), "mine": mine, "quiet": quiet}
    _insert("shown", [row | {"link": vault.seal_text("shown", "link", name, link).data}])


def _cards(vault: Vault) -> None:
    """Cards that wait, in the shape of their types; one that cannot be read asks for nothing any more."""
    cards = sa.table(
        "cards", *map(sa.column, ("id", "done")), sa.column("body", EncryptedText("cards", "body"))
    )
    for name, body in (
        op.get_bind().execute(sa.select(cards.c.id, cards.c.body).where(cards.c.done.is_(False))).all()
    ):
        try:
            new = json.dumps(_card(json.loads(vault.open_text(body, name))), ensure_ascii=False)
        except (ValueError, KeyError, TypeError):
            op.execute(cards.update().where(cards.c.id == name).values(done=True))
        else:
            op.execute(
                cards.update()
                .where(cards.c.id == name)
                .values(body=vault.seal_text("cards", "body", name, new))
            )


def _card(old: dict[str, Any]) -> dict[str, Any]:
    if "about" in old:  # it went back a revision and comes again
        return old
    opens = old.get("opens", {})
    facts = [[name, _audience(who)] for name, who in opens.items() if not name.startswith("=")]
    if "act" in old:
        categories = [[name[1:], who] for name, who in opens.items() if name.startswith("=")]
        about = {"type": "ProposalCard", "proposal": _proposal(old["act"]), "what": old["what"]}
        about |= {"categories": categories, "facts": facts}
    else:
        about = {"type": "FactCard", "facts": old["facts"], "opens": facts, "choices": old.get("names", [])}
    kept = {name: old.get(name, "") for name in ("nonce", "deed")}
    return {"about": about, "state": old.get("state", "open"), **kept}


def _audience(who: list[str]) -> dict[str, Any]:
    return {"members": [] if "*" in who else who, "everyone": "*" in who}


def _proposal(act: dict[str, Any]) -> dict[str, Any]:
    kind = act["kind"]
    if kind == "level":
        return {
            "type": "LevelProposal",
            "person": act["person"],
            "label": _label(act["label"]),
            "called": act.get("called", ""),
        }
    if kind == "category":
        labels, words = [_label(one) for one in act["labels"]], list(act.get("description", {}).items())
        same = {"name": act["name"], "release": act.get("release", "confirm")}
        return {"type": "CategoryProposal", **same, "labels": labels, "description": words}
    if kind == "share":
        everyone = "*" in act["persons"]
        persons = [] if everyone else act["persons"]
        return {"type": "ShareProposal", "facts": act["facts"], "persons": persons, "everyone": everyone}
    if kind == "forget":
        return {"type": "ForgetProposal", "facts": act["facts"], "messages": act["messages"]}
    period = {"days": act["days"], "chat": act["chat"] or None, "category": act["category"] or None}
    return {"type": "RetentionProposal", "period": period}


def _label(text: str) -> dict[str, Any]:
    depth, _, domain = text.removeprefix("L").partition("-")
    return {"depth": int(depth), "domain": domain or None}


def downgrade() -> None:
    for table in ("left_behind", "shown", "moved_chats", "room_accounts", "rooms", "message_versions"):
        op.drop_table(table)
    op.drop_index(op.f("ix_outbox_message"), table_name="outbox")
    with op.batch_alter_table("outbox", table_kwargs={"sqlite_autoincrement": True}) as batch:
        for column in ("sent_at", "message", "about", "kind"):
            batch.drop_column(column)
