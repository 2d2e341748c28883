"""Tests that an installation runs on itself, with what they need inside the package."""
