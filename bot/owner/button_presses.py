"""A press of a card's button by the owner, in his direct chat: it does what the words of the card do."""

from __future__ import annotations

from contextlib import suppress

from bot.context import Channel, Context, OwnerAct
from bot.owner.acts import act_once, answer_once, settle
from bot.owner.buttons import card_of, read_press, rows_for, rows_of_categories, tap_of
from bot.owner.cards import tap_card
from bot.owner.taps import Answer
from bot.texts import say
from engine.events import Press as Pressed
from engine.platform import Button, Platform, PlatformFault
from engine.store import Transaction


async def tapped(context: Context, platform: Platform, channel: Channel, pressed: Pressed) -> None:
    """Carry out a press of the owner's: once, however often the platform hands it over.

    A card that does not wait any more, or that there never was, is one line.

    Raises:
        NotWritten: the answer could not be sent; the press may be handled again later.
    """
    container, key = pressed.chat, f"p_{pressed.id}/owner"
    found = await act_once(context, key, container, lambda tx, act: _tap(tx, context, act, pressed))
    if found is not None:
        await answer_once(channel, found)
    async with context.store.transaction() as tx:
        if found is not None:
            await settle(tx, found, container)
        rows = await _rows(tx, context.language, pressed)
    with suppress(PlatformFault):  # the words above are what counts
        press = read_press(pressed.data)
        stale = found is None and not (rows and press and press.turns_a_page)
        await platform.answer(pressed.id, say(context.language, "tap.stale") if stale else "")
        await platform.set_buttons(pressed.message, rows)


async def _tap(tx: Transaction, context: Context, act: OwnerAct, pressed: Pressed) -> str | None:
    press = read_press(pressed.data)
    card = await card_of(tx, press) if press else None
    if press is None or card is None:
        return None
    answer = tap_of(card, press)
    return await tap_card(tx, context, act, card, answer) if answer else None


async def _rows(tx: Transaction, language: str, pressed: Pressed) -> list[list[Button]]:
    """The buttons that the message has from now on; none where there is no card any more."""
    press = read_press(pressed.data)
    card = await card_of(tx, press) if press else None
    if press is None or card is None:
        return []
    if press.tap == Answer.CHANGE:
        names = [category.name for category in (await tx.policy()).categories]
        return await rows_of_categories(tx, card, names, language)
    return rows_for(card, language)
