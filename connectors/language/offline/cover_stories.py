"""Cover stories: "if anyone asks, I'm at the dentist", "就说我在看牙" (privacy-model §3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from connectors.language.offline.sentences import trimmed

_SOMEBODY: Final = r"(?:any(?:one|body)(?:\ else)?|some(?:one|body)|people|they|he|she|the\ others|my\ \w+|the\ \w+|(?-i:[A-Z])[\w’'-]+|mum|mom|dad)"
_THEM: Final = r"(?:them|people|every(?:one|body)(?:\ else)?|any(?:one|body)(?:\ who\ asks|\ else)?|the\ (?:others|rest|team|office|world)|others|him|her)"
_SAY: Final = rf"(?:(?:please|just|then|simply|you\ can|you\ should|let[’']?s)\s+){{0,4}}(?:say|tell\s+(?:{_THEM}|(?-i:[A-Z])[\w’'-]+|my\ \w+)|answer|reply|pretend|claim|act\ as\ if|make\ out)(?:\s+that)?\s*[,:]?"
_ABOUT: Final = r"(?:\s+(?:about|for|after|where|why|what|when|how|if|whether)\b[^,:;.!?]*?)?"
_QUOTE: Final = r"[\"“”']?"

# "I'll tell them …" and "he wants to tell everyone …" are plans, not instructions.
_INSTRUCTION: Final = r"(?<!['’]ll\ )(?<!\bwill\ )(?<!\bto\ )(?<!\bnot\ )(?<!n['’]t\ )(?<!\bi\ )(?<!\bwe\ )(?<!\bthey\ )(?<!\bnever\ )(?<!\bcan\ )(?<!\bmust\ )"

_EN: Final = tuple(
    re.compile(rf"(?<![\w’'])(?:{pattern})", re.IGNORECASE | re.VERBOSE)
    for pattern in (
        rf"(?:if|when|in\ case|should|whenever)\s+{_SOMEBODY}\s+(?:asks?|wonders?|wants?\ to\ know|calls?|enquires?){_ABOUT}\s*,?\s*{_SAY}\s*{_QUOTE}(?P<cover>[^\n]+)",
        rf"(?:if|when|in\ case)\s+{_SOMEBODY}\s+asks?{_ABOUT}\s*[,:]\s*{_QUOTE}(?P<cover>(?:i|i’m|i'm|we|he|she|it|my|the)\b[^\n]+)",
        rf"{_INSTRUCTION}(?:(?:can|could|would)\ you\s+)?(?:(?:please|just|simply|and|but)\s+){{0,4}}tell\s+{_THEM}(?:\s+that)?\s*+[,:]?\s*+{_QUOTE}(?P<cover>(?!(?:about|what|when|where|why|how|who|if|whether|to)\b)[^\n]+)",
        rf"(?:(?:please|just|simply)\s+){{0,4}}say(?:\s+that)?\s+{_QUOTE}(?P<cover>(?:i|i’m|i'm|we|we're|he|she|he's|she's|it's|my|the)\b[^\n]+)",
        rf"(?:the\ |our\ |my\ )?(?:official|public|cover|agreed)\s+(?:version|story|line|reason|explanation|answer)\s*(?:is|:|=)(?:\s+that)?\s*[,:]?\s*{_QUOTE}(?P<cover>[^\n]+)",
        rf"(?:officially|publicly|for\ (?:every(?:one|body)\ else|the\ others|outsiders)|as\ far\ as\ {_SOMEBODY}\s+(?:knows?|(?:is|are)\ concerned))\s*,?\s*{_QUOTE}(?P<cover>(?:i|i'm|i’m|we|we're|he|she|it|my|the|this|it's|he's|she's)\b[^\n]+)",
        rf"(?:^|(?<=[,;]\s))(?P<cover>[^\n,]+?)\s*,?\s+if\s+{_SOMEBODY}\s+asks?(?=\s*(?:[.!,;]|$))",
    )
)  # fmt: skip
_TRUTH: Final = re.compile(
    r"\s*[,;.–—-]?\s+(?:but\s+)?(?:really|in\ truth|in\ fact|actually|the\ truth\ is(?:\ that)?|in\ reality)\s*,?\s+(?=\w)|\s*[,;]\s*(?:but|because)\s+(?=(?:i|we)\b)",
    re.IGNORECASE | re.VERBOSE,
)
_ZH: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:如果|要是|若|假如|万一|以后)?(?:有人|别人|谁|大家|他们|他|她|[\u4e00-\u9fff]{2,4}?|[A-Z][a-z]+)?(?:要是|如果)?问(?:起来?|到|我)?[^，,。：:说]{0,10}?[，,]?\s?(?:你|您)?(?:都|就|请|可以)*(?:说|回答|讲|告诉(?:他们|她们|他|她|大家|人家))(?:是)?[：:，,“「]?\s?(?P<cover>[^。！？\n”」]+)",
        r"(?<![\u4e00-\u9fff])(?:但是?|不过|[你请])?就(?:说|讲)[：:，,“「]?\s?(?P<cover>[^。！？\n”」]+)",
        r"(?:但是?|不过|所以|请)?(?:对外|对别人|对大家|对其他人|跟别人|跟大家|和别人|跟他们|对他们)(?:就|都|一律|统一|宣布|请|可以)*(?:说|宣称|称|讲)(?:是)?[：:，,“「]?\s?(?P<cover>[^。！？\n”」]+)",
        r"(?:官方|公开|统一|对外)(?:的)?(?:说法|版本|口径|理由|解释)(?:就)?(?:是|为)?[：:，,“「]?\s?(?P<cover>[^。！？\n”」]+)",
        r"(?<![\u4e00-\u9fff])(?:但是?|不过|请|你)?(?:就)?告诉(?:他们|她们|大家|别人|其他人|同事们?|人家)(?:说)?[：:，,“「]?\s?(?P<cover>(?!我们?的?(?:电话|地址))[^。！？\n”」]{2,})",
        r"(?<![\u4e00-\u9fff])(?:但是?|不过|请|你)?(?:假装|装作)(?:说)?(?P<cover>[^。！？\n”」，,]+)",
    )
)  # fmt: skip
_TRUTH_ZH: Final = re.compile(r"[，,；;]?\s?(?:但?其实|但?实际上|但?事实上|但?真实情况是|真相是)[，,]?\s?")
_LEFT: Final = re.compile(
    r"(?:[\s,，;；:：–—-]|\b(?:but|and|so|please|then|though)\b|但是|但|不过|所以){1,12}$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence taken apart: what is true (stretches), and what others are to be told."""

    truths: tuple[str, ...]
    covers: tuple[str, ...]


def take(sentence: str) -> Told:
    """Take a cover story out of a sentence; a sentence without one comes back as a truth."""
    for pattern in (*_ZH, *_EN):
        match = pattern.search(sentence)
        if match is None:
            continue
        cover, truth = _apart(match["cover"])
        before = _LEFT.sub("", sentence[: match.start()])
        behind = sentence[match.end() :]
        truths = tuple(
            piece for piece in map(trimmed, (before, truth, behind)) if re.search(r"[^\W_]", piece)
        )
        return Told(truths, (trimmed(cover),)) if trimmed(cover) else Told((sentence,), ())
    return Told((sentence,), ())


def _apart(cover: str) -> tuple[str, str]:
    """The cover story, and the truth that follows it in the same sentence ("…, really I'm at an interview")."""
    for pattern in (_TRUTH, _TRUTH_ZH):
        turn = pattern.search(cover)
        if turn is not None and turn.start() > 1:
            return cover[: turn.start()].rstrip("\"”'」 "), cover[turn.end() :]
    return cover.rstrip("\"”'」 "), ""
