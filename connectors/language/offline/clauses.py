"""Cutting a sentence at "because" and "but", where both sides could stand alone. Nothing else is cut."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from connectors.language.offline.sentences import trimmed

Kind = Literal["because", "but"]

_SUBJECT: Final = re.compile(
    r"^(?:i|you|he|she|it|we|they|there|this|that|these|those|everyone|everybody|nobody|no one|someone|somebody|nothing|everything)\b|^(?:i|you|he|she|it|we|they|there|that)['’]",
    re.IGNORECASE,
)
_VERB: Final = re.compile(
    r"\b(?:is|are|was|were|am|be|been|has|have|had|do|does|did|will|would|can|could|should|must|may|might|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|hasn['’]t|haven['’]t|won['’]t"
    r"|can['’]t|doesn['’]t|don['’]t|didn['’]t|wouldn['’]t|couldn['’]t|got|gets|get|went|goes|go|came|comes|come|took|takes|take|made|makes|make|said|says|say|told|wants|want|needs|need"
    r"|left|leaves|leave|moved|lost|found|fell|broke|hates|hate|loves|love|likes|like|works|work|lives|live|knows|know|thinks|think|feels|feel|hurts|costs|quit|met|saw|sold|bought|paid|gave|kept|ran|runs|sent"
    r"|signed|starts|start|ends|end|opens|closes|arrives|lands|flies|flew|means|seems|looks|stays|stay|sleeps|eats|plays|pays|helps|asks|calls|hopes|plans|prefers|owns|sees|gives|sells|buys|wins|won)\b"
    r"|['’](?:s|re|m|ll|ve|d)\b|\b[a-z]{3,}ed\b",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W_]+(?:['’]\w+)*")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_SHORTEST_ZH: Final = 2


@dataclass(frozen=True, slots=True)
class Cut:
    """Two stretches in the order of the text; `first` is None where the sentence joins on to the one before.

    `first kind second`; the other way round when `turned` ("Ana is ill, so I stay": the reason comes first).
    """

    kind: Kind
    first: str | None
    second: str
    turned: bool = False


@dataclass(frozen=True, slots=True)
class _Form:
    kind: Kind
    pattern: re.Pattern[str]


def _form(kind: Kind, pattern: str) -> _Form:
    return _Form(kind, re.compile(rf"^{pattern}$", re.IGNORECASE | re.DOTALL))


_FORMS: Final = (
    _form("because", r"(?:because|since|as)\s+(?P<right>[^,]+?),\s*(?P<left>.+)"),
    _form("but", r"(?:although|though|even though|while)\s+(?P<left>[^,]+?),\s*(?P<right>.+)"),
    _form("because", r"(?P<left>.+?)[,;]?\s+(?:because(?!\s+of\b)|cause|cuz|'cause)\s+(?P<right>.+)"),
    _form("but", r"(?P<left>.+?)[,;–—-]?\s+(?:but|however|although|though|yet(?=\s+(?:i|he|she|we|they|it|the)\b))[,]?\s+(?P<right>.+)"),
    _form("because", r"(?P<right>.+?),\s*(?:so|therefore|that['’]s why|which is why)\s+(?P<left>.+)"),
    _form("because", r"(?:因为|由于)(?P<right>[^，,]+?)[，,]\s?(?:所以|因此)?(?P<left>.+)"),
    _form("because", r"(?P<right>.+?)[，,；;]?\s?(?:所以|因此)(?P<left>.+)"),
    _form("because", r"(?P<left>.+?)[，,；;]?\s?(?:因为|由于)(?P<right>.+)"),
    _form("but", r"(?:虽然|尽管)(?P<left>.+?)[，,]\s?(?:但是|但|可是|可|不过|还是)?(?P<right>.+)"),
    _form("but", r"(?P<left>.+?)[，,；;]?\s?(?:但是|可是|不过|然而|只是)[，,]?(?P<right>.+)"),
    _form("but", r"(?P<left>.+?)[，,；;]\s?(?:但|却|可(?!能|以|爱))(?P<right>.+)"),
)  # fmt: skip
_JOINS_ON: Final = re.compile(
    r"^(?:(?P<but>but|however|though|but then)[,\s]\s*|(?P<but_zh>但是|可是|不过|然而|但)[，,]?)",
    re.IGNORECASE,
)


def cut(sentence: str) -> Cut | None:
    """The cut at the first joining word with a full clause on either side; None where there is none."""
    for form in _FORMS:
        match = form.pattern.match(sentence)
        if match is None:
            continue
        left, right = trimmed(match["left"]), trimmed(match["right"])
        if is_clause(left) and is_clause(right):
            turned = match.start("right") < match.start("left")
            return Cut(form.kind, right, left, turned=True) if turned else Cut(form.kind, left, right)
    joined = _JOINS_ON.match(sentence)
    if joined and is_clause(trimmed(sentence[joined.end() :])):
        return Cut("but", None, trimmed(sentence[joined.end() :]))
    return None


def is_clause(piece: str) -> bool:
    """Whether a piece could be a sentence: English, a subject and a verb; Chinese, long enough."""
    han = len(_HAN.findall(piece))
    if han:
        return han >= _SHORTEST_ZH
    words = _WORD.findall(piece)
    if len(words) < 2:  # noqa: PLR2004 - a subject and a verb
        return False
    if _SUBJECT.match(piece):
        return True
    verb = _VERB.search(piece)
    return verb is not None and verb.start() > 0
