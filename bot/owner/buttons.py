"""Buttons under a card: what stands on them, and which card and which tap a press means.

What a button says when it is pressed proves nothing by itself (a platform lets a client send anything). It names a card
by 128 random bits, and counts only as the press of an account of the owner's, in his direct chat, while the card waits.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hmac import compare_digest
from typing import Final, assert_never

from bot.context import Context, OwnerAct
from bot.owner.taps import Answer, Tap
from bot.texts import say
from config.defaults import display_name
from engine.cards import Card, CardState, FactCard, ProposalCard
from engine.ids import CategoryName
from engine.platform import Button
from engine.store import Transaction

TAP: Final = "tap:"
BACK: Final = "back"
_DATA: Final = re.compile(TAP + r"([\w-]{22}):(confirm|earlier|keep|undo|change|back|c\d{1,3})")
_A_ROW: Final = 2


@dataclass(frozen=True, slots=True)
class Press:
    """What a button says: the card's random name, and the tap."""

    nonce: str
    tap: str

    @property
    def turns_a_page(self) -> bool:
        """Whether it only asks for other buttons."""
        return self.tap in {Answer.CHANGE, BACK}


def new_card(context: Context, act: OwnerAct, about: FactCard | ProposalCard) -> Card:
    """A card made in this act, with a random name of 128 bits for its buttons."""
    nonce = secrets.token_urlsafe(16)
    return Card(context.new_id("c_"), context.clock.now(), about, nonce=nonce, deed=act.key)


def read_press(data: str) -> Press | None:
    """What a button's data means, or None if it is no card's."""
    found = _DATA.fullmatch(data)
    return Press(found[1], found[2]) if found else None


async def card_of(tx: Transaction, press: Press) -> Card | None:
    """The card that a press means, while there is anything to be done with it."""
    cards = await tx.cards()
    return next((c for c in cards if c.nonce and compare_digest(c.nonce, press.nonce)), None)


async def buttons_of(tx: Transaction, act: OwnerAct, language: str) -> list[list[Button]]:
    """The buttons of the card that was made in an act, if it waits."""
    cards = [card for card in await tx.cards() if act.key and card.deed == act.key]
    return rows_for(cards[0], language) if cards else []


def rows_for(card: Card, language: str) -> list[list[Button]]:
    """The buttons that a card has now: its taps while it waits, `undo` once it is confirmed."""
    return _rows(card, [(answer, say(language, f"tap.{answer}")) for answer in _answers(card)])


def _answers(card: Card) -> list[Answer]:
    if card.state is CardState.CONFIRMED and not card.done:
        return [Answer.UNDO]
    if card.state is not CardState.OPEN:
        return []
    match card.about:
        case FactCard():
            return [Answer.CONFIRM, Answer.KEEP, Answer.CHANGE, Answer.UNDO]
        case ProposalCard(facts=facts):
            return [Answer.CONFIRM, *([Answer.EARLIER] if facts else []), Answer.UNDO]
        case _ as never:
            assert_never(never)


async def rows_of_categories(
    tx: Transaction, card: Card, names: Sequence[CategoryName], language: str
) -> list[list[Button]]:
    """The categories to choose from, for a card of facts that waits; none for any other.

    The card keeps their order, so that a press means what its button showed.
    """
    if card.state is not CardState.OPEN or not isinstance(card.about, FactCard):
        return []
    await tx.put_card(replace(card, about=replace(card.about, choices=tuple(names))))
    shown = [(f"c{number}", display_name(name, language)) for number, name in enumerate(names)]
    return _rows(card, [*shown, (BACK, say(language, "tap.back"))])


def tap_of(card: Card, press: Press) -> Tap | None:
    """What a press of one of the card's buttons answers; None if it only asks for other buttons."""
    if press.turns_a_page:
        return None
    if not press.tap.removeprefix("c").isdecimal():
        return Tap(Answer(press.tap))
    choices = card.about.choices if isinstance(card.about, FactCard) else ()
    chosen = choices[int(press.tap[1:]) :][:1]
    return Tap(Answer.CHANGE, str(chosen[0])) if chosen else None


def _rows(card: Card, taps: Sequence[tuple[str, str]]) -> list[list[Button]]:
    buttons = [Button(label, f"{TAP}{card.nonce}:{tap}") for tap, label in taps]
    return [buttons[n : n + _A_ROW] for n in range(0, len(buttons), _A_ROW)]
