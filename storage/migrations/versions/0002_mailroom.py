"""Raw events of platforms, and what is known of their rooms."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "arrivals",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_arrivals")),
        sa.UniqueConstraint("key", name=op.f("uq_arrivals_key")),
        comment="raw events of platforms, kept before they are acknowledged; row: key",
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_arrivals_done"), "arrivals", ["done"], unique=False)
    op.create_table(
        "notes",
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_notes")),
        comment="what a platform keeps about its rooms; row: name",
    )


def downgrade() -> None:
    op.drop_table("notes")
    op.drop_index(op.f("ix_arrivals_done"), table_name="arrivals")
    op.drop_table("arrivals")
