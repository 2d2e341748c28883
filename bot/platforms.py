"""The registry of platforms: the only place that names one. Each is imported when it is connected, and not before."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engine.errors import BadInput
from engine.ids import AccountId, ContainerId
from engine.platform import Platform, Rooms


@dataclass(frozen=True, slots=True)
class Kind:
    """A platform that can be connected.

    Args:
        name: as ids begin, and as commands call it.
        title: as people call it.
        make: a platform from a token, what is known of its groups, the clock, and the address of a server of one's own
            (empty: the platform's); raises anything for what is no token.
        example: an account of it, as a person writes it.
        api_variable: the environment variable with such an address.
        token_fix: what to do about a line that is no token.
    """

    name: str
    title: str
    make: Callable[[str, Rooms, Callable[[], datetime], str], Platform]
    example: str
    api_variable: str
    token_fix: str

    def connected(self, token: str, rooms: Rooms, now: Callable[[], datetime], base: str = "") -> Platform:
        """The platform with this token.

        Raises:
            BadInput: it is no token. The library's own words may hold it, so they are not passed on.
        """
        try:
            return self.make(token, rooms, now, base or os.environ.get(self.api_variable, ""))
        except Exception:  # noqa: BLE001 - whatever the library says
            raise BadInput("this is no token", fix=self.token_fix) from None

    def owns(self, name: AccountId | ContainerId) -> bool:
        """Whether an account or a chat is one of this platform's."""
        return name.startswith(f"{self.name}:")


def _telegram(token: str, rooms: Rooms, now: Callable[[], datetime], base: str) -> Platform:
    from connectors.telegram.client import HOME, Api  # noqa: PLC0415 - the client loads only when connected
    from connectors.telegram.platform import Telegram  # noqa: PLC0415

    return Telegram(Api(token, base or HOME), rooms, now)


PLATFORMS: Final[Mapping[str, Kind]] = {
    kind.name: kind
    for kind in (
        Kind(
            "telegram",
            "Telegram",
            _telegram,
            "telegram:12345",
            "TACT_TELEGRAM_API",
            "copy the line that BotFather sent, like 123456:ABC...",
        ),
    )
}
USUAL: Final = next(iter(PLATFORMS.values()))
"""Examples are of it, and the crash self-test plays its wire."""


def title_of(name: AccountId | ContainerId) -> str:
    """What people call the platform of an account or a chat; as its ids begin, if it is none of these."""
    platform = name.partition(":")[0]
    return PLATFORMS[platform].title if platform in PLATFORMS else platform
