"""The words of a reply: quotes, dates and joining words in the asker's language, without any locale."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, date, datetime, tzinfo

from connectors.language.offline import dates
from connectors.language.offline.wording import wording
from engine.annotation import Language
from engine.ids import OWNER
from engine.items import LinkKind
from engine.sealed_context import ContextFact, SealedContext

EdgeSet = Collection[tuple[int, LinkKind, int]]


def day(value: date, now: date, language: Language, *, weekday: bool = False) -> str:
    """A date, its year only when it is not this one: "Tue 1 Dec", "12月1日周二"."""
    words = wording(language)["date"]
    shape = words["this_year" if value.year == now.year else "other_year"]
    said = str(shape.format(day=value.day, month=words["months"][value.month - 1], year=value.year))
    if not weekday:
        return said
    return str(words["with_weekday"].format(date=said, weekday=words["weekdays"][value.weekday()]))


def moment(value: datetime, zone: tzinfo, now: date, language: Language, *, is_day: bool) -> str:
    """A resolved time: the day, and the hour if one was said."""
    local = value.astimezone(zone)
    said = day(local.date(), now, language, weekday=True)
    if is_day:
        return said
    return str(wording(language)["date"]["with_time"].format(date=said, time=f"{local:%H:%M}"))


def reply(facts: Sequence[ContextFact], edges: EdgeSet, context: SealedContext, zone: tzinfo) -> str:
    """Quote facts in the order of the story; one teller is named once.

    Args:
        facts: the chosen facts, not empty.
        edges: surviving edges by node number.
    """
    groups = _grouped(facts, edges)
    tellers = {_teller(fact, context) for fact in facts}
    if len(groups) == 1:
        return _item("told", groups[0], context, zone)
    if len(tellers) == 1:
        opening = _filled("one_teller", next(iter(tellers)), context)
        return "\n".join((opening, *(_item("item", g, context, zone) for g in groups)))
    opening = _filled("many_tellers", "", context)
    return "\n".join((opening, *(_item("item_of", g, context, zone) for g in groups)))


Group = list[tuple[LinkKind | None, ContextFact]]


def _grouped(facts: Sequence[ContextFact], edges: EdgeSet) -> list[Group]:
    """Facts in order; one that an edge joins to an earlier group follows it there, with its joining word."""
    groups: list[Group] = []
    left = {fact.node: fact for fact in facts}
    for fact in facts:
        if fact.node not in left:
            continue
        group: Group = [(None, left.pop(fact.node))]
        for kind in (LinkKind.BECAUSE, LinkKind.BUT):
            for start, joined, end in sorted(edges, key=lambda e: (e[0], e[2])):
                if joined is kind and start == fact.node and end in left:
                    group.append((kind, left.pop(end)))
        groups.append(group)
    return _reasons_behind(groups, edges)


def _reasons_behind(groups: list[Group], edges: EdgeSet) -> list[Group]:
    """A reason that happened before its result stands first in the story; it is told behind it all the same."""
    heads = {group[0][1].node: group for group in groups if len(group) == 1}
    for start, kind, end in sorted(edges, key=lambda e: (e[0], e[2])):
        target = next((g for g in groups if g[0][1].node == start), None)
        if kind is not LinkKind.THEN and end in heads and target is not None and heads[end] in groups:
            target.append((kind, heads[end][0][1]))
            groups.remove(heads.pop(end))
    return groups


def _teller(fact: ContextFact, context: SealedContext) -> str:
    """The teller as the asker knows them; empty for "you"."""
    if (context.to_owner and fact.teller == OWNER) or (
        not context.to_owner and (fact.own or (context.asker and fact.teller_name == context.asker))
    ):
        return ""
    return fact.teller_name or str(wording(context.language)["reply"]["somebody"])


def _filled(shape: str, teller: str, context: SealedContext, **words: str) -> str:
    """A shape of the asker's language with the teller in it; none is "you"."""
    reply_ = wording(context.language)["reply"]
    who = teller or str(reply_["you"])
    return str(reply_[shape].format(who=who, Who=who[:1].upper() + who[1:], **words))


def _item(shape: str, group: Group, context: SealedContext, zone: tzinfo) -> str:
    head = group[0][1]
    said, quotes = _said_on(head, context, zone), _quotes(group, context, zone)
    return _filled(shape, _teller(head, context), context, said=said, quotes=quotes)


def _said_on(fact: ContextFact, context: SealedContext, zone: tzinfo) -> str:
    return day(fact.said_at.astimezone(zone).date(), context.now.astimezone(zone).date(), context.language)


def _quotes(group: Group, context: SealedContext, zone: tzinfo) -> str:
    joins = {
        kind: wording(context.language)["reply"][kind.value] for kind in (LinkKind.BECAUSE, LinkKind.BUT)
    }
    parts = []
    for kind, fact in group:
        joiner = "" if kind is None else joins.get(kind, "")
        last = fact is group[-1][1]
        parts.append(f"{joiner}“{_quoted(fact, whole=last)}”{_day_meant(fact, context, zone)}")
    return "".join(parts)


def _quoted(fact: ContextFact, *, whole: bool) -> str:
    """The teller's words, nothing put among them; without the full stop where the sentence goes on."""
    text = " ".join(fact.text.split())
    return text if whole else text.rstrip(".。")


def _day_meant(fact: ContextFact, context: SealedContext, zone: tzinfo) -> str:
    """Behind the quote, the day that "tomorrow" was, if the words name it by one that reads differently today."""
    if fact.when is None:
        return ""
    for mention in dates.find_all(fact.text, fact.said_at, zone):
        if mention.relative and mention.when.at == fact.when.astimezone(UTC):
            today = context.now.astimezone(zone).date()
            return f" [{moment(fact.when, zone, today, context.language, is_day=fact.when_is_day)}]"
    return ""
