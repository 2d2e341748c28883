"""Alembic's environment: it works on the connection that `storage.migrate` hands over, and on no other."""

from __future__ import annotations

from alembic import context

from engine.failpoints import reach
from storage.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transaction_per_migration=False,
    on_version_apply=lambda **_: reach("migrating"),
)
with context.begin_transaction():
    context.run_migrations()
