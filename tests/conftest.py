"""Hypothesis profiles: `HYPOTHESIS_PROFILE=ci` looks longer. No deadline: a slow machine is no failure."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much]}
settings.register_profile("default", max_examples=50, **COMMON)
settings.register_profile("ci", max_examples=200, **COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
