"""Cutting a message into sentences, and taking openings off them. Every piece is a stretch of the message itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_END: Final = re.compile(
    r"[.!?]+[\"'”’)\]]*(?=\s)|[。！？；]+[”’」）)]*|[!?]+(?=[\u4e00-\u9fff])|;(?=\s)|\n+"
)
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|no|vs|approx|etc|e\.g|i\.e|a\.m|p\.m|jr|sr|inc|ltd|dept|tel|jan|feb|mar|apr|aug|sept?|oct|nov|dec)|\b[A-Z])\.$",
    re.IGNORECASE,
)
_TAG: Final = re.compile(r"^\s*[#＃](?P<hint>[\w-]+)[:：,，]?\s*")
_LABEL: Final = re.compile(r"^\s*(?P<hint>[^\W\d_]{3,20}|[\u4e00-\u9fff]{2,6})[:：](?!//)\s*(?=[^\d\s])")
_NO_HINT: Final = frozenset(
    "note fyi remember correction update news btw reminder warning todo secret private confidential http https 更正 备注 注意 提醒 记住".split()
)

_OPENING_EN: Final = re.compile(
    r"""^[\s,.!–—-]*(?:
      (?:hi|hello|hey|hiya|good\ (?:morning|afternoon|evening|day)|dear)(?:\ (?:there|all|everyone|again|tact|(?-i:[A-Z])\w+))?\s*(?:[,!.:–—-]+\s*|(?=\s(?:i|i'm|we|my|the|can|could|do|what|when|where|who|is|are|how|any|just)\b))
    | (?:tact|@\w+)\s*[,:!]\s*
    | (?:ok|okay|well|so|oh|ah|yes|yeah|yep|no|nope|sure|anyway|thanks|thank\ you|please|sorry|also|and|hm+|right|great|cool|listen|look|actually|honestly)\s*[,!:–—-]+\s*
    | (?:btw|by\ the\ way|fyi|for\ your\ information|just\ so\ you\ know|jsyk|for\ the\ record|heads[\ -]up|ps|p\.s\.|oh\ and|oh\ by\ the\ way)[\s,:!–—-]+(?:that\s+)?
    | (?:(?:please|can\ you|could\ you|pls|also)\s+)*(?:remember|note|keep\ in\ mind|bear\ in\ mind|make\ a\ note|write\ down|take\ note|you\ should\ know|i\ want\ you\ to\ know|let\ it\ be\ known|memo|save|store)(?:\s+(?:this\s*:|that\b)|\s*[:–—-])\s*
    | (?:note|update|news|memo|reminder|todo|correction|warning|important)\s*[:–—-]\s*
    )""",
    re.IGNORECASE | re.VERBOSE,
)  # fmt: skip
_OPENING_ZH: Final = re.compile(
    r"""^[\s，。,!！]*(?:
      (?:你好|您好|嗨|哈喽|早上好|早安|上午好|下午好|晚上好|大家好)[呀啊]?(?:[，,！!。~～\s]+|(?=我|请))
    | (?:对了|另外|顺便说一?下|顺便|话说|嗯+|哦+|好的?|是的|那个|其实|更正|补充一?下|说一下|跟你说一?下|告诉你一?下|通知一?下)[，,：:！!\s]+
    | (?:请|麻烦|帮我)?(?:你)?(?:记住|记一下|记下来?|备注一?下?|注意|备忘|提醒一下|记录一?下)[，,：:！!\s]*
    )""",
    re.VERBOSE,
)
LONGEST: Final = 500
"""Characters of a sentence."""
_EDGES: Final = " \t\r\n,，;；:：–—-"


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, trimmed, each with its end mark; dots in numbers and abbreviations end nothing.

    One that goes on and on is cut: the rules take time with the square of its length.
    """
    for piece in _ended(text):
        while len(piece) > LONGEST:
            blank = piece.rfind(" ", 1, LONGEST)
            head = piece[: blank if blank > 0 else LONGEST]
            yield head
            piece = piece[len(head) :].strip()  # noqa: PLW2901 - what is left of it
        if piece:
            yield piece


def _ended(text: str) -> Iterator[str]:
    start = 0
    for match in _END.finditer(text):
        piece = text[start : match.end()]
        if match[0].startswith(".") and _ABBREVIATION.search(piece.rstrip()):
            continue
        if piece.strip():
            yield piece.strip()
        start = match.end()
    if text[start:].strip():
        yield text[start:].strip()


def tag(text: str) -> tuple[str | None, str]:
    """A leading category hint and the text without it.

    `#family …` is taken off; `family: …` stays in the text, since only the caller knows whether it names a category.
    """
    tagged = _TAG.match(text)
    if tagged:
        return tagged["hint"], text[tagged.end() :]
    labelled = _LABEL.match(text)
    if labelled and labelled["hint"].lower() not in _NO_HINT:
        return labelled["hint"], text
    return None, text


def without_opening(sentence: str) -> str:
    """The sentence without greeting, vocative, "by the way", "remember that" and the like."""
    while True:
        match = _OPENING_EN.match(sentence) or _OPENING_ZH.match(sentence)
        if match is None or not match[0]:
            return sentence.strip()
        sentence = sentence[match.end() :]


def trimmed(piece: str) -> str:
    """A piece without blanks and joining marks at its edges, and without a bracket that has lost its partner."""
    piece = piece.strip(_EDGES)
    for opening, closing in ("()", "（）", "“”", "「」"):
        if piece.count(opening) > piece.count(closing) and piece.startswith(opening):
            piece = piece[1:].strip(_EDGES)
        elif piece.count(closing) > piece.count(opening) and piece.rstrip("。.!！").endswith(closing):
            piece = piece.rstrip("。.!！")[:-1].strip(_EDGES)
    return piece
