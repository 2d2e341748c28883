"""Speak to the outside: chat platforms, language, span detectors. They report and never decide.

Each connector knows `engine` only; none knows another, and only `bot` wires them.
"""
