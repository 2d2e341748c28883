"""Measurements: suites played through the real memory and the real turn, and how far the outcome is from what is due."""
