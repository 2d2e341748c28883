"""Buttons under a card: what stands on them, and which card and which tap a press means.

What a button says when it is pressed proves nothing by itself (a platform lets a client send anything). It names a card
by 128 random bits, and counts only as the press of an account of the owner's, in his direct chat, while the card waits.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hmac import compare_digest
from typing import Final

from bot.context import OwnerAct
from bot.texts import say
from config.defaults import display_name
from engine.ids import CategoryName
from engine.platform import Button
from engine.records import Card, CardKind
from engine.store import Transaction

TAP: Final = "tap:"
CHANGE, BACK = "change", "back"
_DATA: Final = re.compile(TAP + r"([\w-]{22}):(confirm|earlier|keep|undo|change|back|c\d{1,3})")
_A_ROW: Final = 2


@dataclass(frozen=True, slots=True)
class Press:
    """What a button says: the card's random name, and the tap."""

    nonce: str
    tap: str


def marks(act: OwnerAct) -> dict[str, str]:
    """What a new card keeps for its buttons: a random name of 128 bits, and the act in which it was made."""
    return {"nonce": secrets.token_urlsafe(16), "deed": act.key}


def read_press(data: str) -> Press | None:
    """What a button's data means, or None if it is no card's."""
    found = _DATA.fullmatch(data)
    return Press(found[1], found[2]) if found else None


async def card_of(tx: Transaction, press: Press) -> Card | None:
    """The card that a press means, while there is anything to be done with it."""
    for card in await tx.cards():
        nonce = _body(card).get("nonce")
        if isinstance(nonce, str) and compare_digest(nonce, press.nonce):
            return card
    return None


async def buttons_of(tx: Transaction, act: OwnerAct, language: str) -> list[list[Button]]:
    """The buttons of the card that was made in an act, if it waits."""
    cards = [card for card in await tx.cards() if act.key and _body(card).get("deed") == act.key]
    return rows_for(cards[0], language) if cards else []


def rows_for(card: Card, language: str) -> list[list[Button]]:
    """The buttons that a card has now: its taps while it waits, `undo` once it is confirmed."""
    body = _body(card)
    if body.get("state") == "confirmed" and not card.done:
        taps = ["undo"]
    elif body.get("state") != "open":
        taps = []
    elif card.kind is CardKind.FACT:
        taps = ["confirm", "keep", CHANGE, "undo"]
    else:
        taps = ["confirm", *(["earlier"] if body.get("earlier") else []), "undo"]
    return _rows(body, [(tap, say(language, f"tap.{tap}")) for tap in taps])


def can_change(card: Card) -> bool:
    """Whether another category can be chosen for it."""
    return card.kind is CardKind.FACT and _body(card).get("state") == "open"


async def rows_of_categories(
    tx: Transaction, card: Card, names: Sequence[CategoryName], language: str
) -> list[list[Button]]:
    """The categories to choose from; the card keeps their order, so that a press means what its button showed."""
    body = {**_body(card), "names": list(names)}
    await tx.put_card(replace(card, body=json.dumps(body, ensure_ascii=False)))
    shown = [(f"c{number}", display_name(name, language)) for number, name in enumerate(names)]
    return _rows(body, [*shown, (BACK, say(language, "tap.back"))])


def category_in(card: Card, press: Press) -> str:
    """The category that a press chose; empty if it chose none."""
    names = _body(card).get("names")
    number = press.tap.removeprefix("c")
    chosen = names[int(number) :][:1] if isinstance(names, list) and number.isdecimal() else []
    return str(chosen[0]) if chosen else ""


def _rows(body: Mapping[str, object], taps: Sequence[tuple[str, str]]) -> list[list[Button]]:
    buttons = [Button(label, f"{TAP}{body.get('nonce')}:{tap}") for tap, label in taps]
    return [buttons[n : n + _A_ROW] for n in range(0, len(buttons), _A_ROW)]


def _body(card: Card) -> dict[str, object]:
    try:
        found = json.loads(card.body)
    except ValueError:  # its words were forgotten
        return {}
    return found if isinstance(found, dict) else {}
