"""The `tact.toml` that `tact init` writes."""

from __future__ import annotations

TEMPLATE = """\
# Settings of this Tact. Every key can also be set as TACT_… in the environment, which wins over this file.
# What Tact may tell whom is not here: see `tact policy show`.

# Language of Tact's own lines: {languages}.
language = {language}

# What Tact calls you, and the accounts that are you. Stable ids only: telegram:12345, matrix:@alice:example.org,
# console:owner. A name or an @name can be taken by somebody else and is refused.
owner_name = {owner_name}
owner_accounts = [{owner_accounts}]

# Two values that the first policy starts with; later they are changed in the policy.
# timezone: the zone that "tomorrow" and "at three" are meant in.
# unresolved: keep = what was said where Tact could not tell who reads is kept for you and its sender; refuse = not kept.
timezone = {timezone}
unresolved = {unresolved}

# Seconds after a message at which Tact says that it has nothing to tell, whatever the reason.
deflect_after_s = 1.0

# Where the key of the memory is: file ("key" in this folder), env (TACT_KEY) or keyring (the system's).
key_source = {key_source}

# Empty: SQLite in this folder. Else postgresql://user@host/database, see docs/deploy/postgresql.md. A password is better
# kept in ~/.pgpass, or in TACT_DATABASE_URL.
database_url = {database_url}

# How vectors are searched: exact (in memory) or chroma (unencrypted, in the folder chroma_path, or on the server
# chroma_url), see docs/vectors.md. The answers are the same.
vectors = "exact"

# A model of your own can word the replies: a section [models.word], see docs/models.md. Without one Tact does.
"""
