"""Telegram: evidence of who can read, messages in, released words out."""
