"""One Monday morning in Lisbon, and the offline reader on it."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from connectors.language.offline import OfflineReader
from connectors.spans.rules import detect

MONDAY = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
LISBON = ZoneInfo("Europe/Lisbon")


@pytest.fixture(scope="session")
def reader():
    return OfflineReader(detect)


@pytest.fixture(scope="session")
def read(reader):
    def reading(text, said_at=MONDAY, zone=LISBON):
        return reader.read(text, said_at, zone, ("Alex",))

    return reading


@pytest.fixture(scope="session")
def ask(reader):
    def query(text, said_at=MONDAY, zone=LISBON):
        return reader.ask(text, said_at, zone, ("Alex",))

    return query
