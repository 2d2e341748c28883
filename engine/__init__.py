"""The pure core: it decides what may be told to whom, and does nothing else.

Standard library only; no clock, no randomness, no I/O. Time and randomness are arguments.
Read `audience.py`, then `disclosure.py`, then `release.py`.
"""
