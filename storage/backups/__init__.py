"""Backups: making one, copies before a change, putting one in the place of a memory."""
