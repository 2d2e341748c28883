"""Simple `subject -predicate-> object` edges as a statement has them, for the entity graph.

The subject "I" stands for the teller, never for anybody else: what Ana says of Jack is about Jack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from connectors.language.offline.name_mentions import KIN_EN, KIN_ZH
from engine.annotation import Language, Relation

LONGEST_OBJECT: Final = 6
"""Words an object may have; more is a story, not an edge."""
_LONGEST_OBJECT_ZH: Final = 12
MOST: Final = 6

_CAP: Final = r"(?-i:[A-Z\u00c0-\u00de])[\w’'\u00c0-\u024f-]*(?<!['’]s)(?<!['’])"
_NAME: Final = rf"(?:(?:Mr|Mrs|Ms|Dr|Prof)\.?\s+)?{_CAP}(?:\s+{_CAP})*"
_KIN: Final = rf"(?:my|his|her|our|their|your)\s+(?:(?:little|big|older|younger|twin|best|old)\s+)?{KIN_EN}(?:\s+{_CAP}(?:\s+{_CAP})?)?|(?:mum|mom|dad|grandma|grandpa)"
_NOT_NAME: Final = (
    r"(?!(?:the|a|an|this|that|these|those|it|there|here|he|she|they|we|you|what|when|where|who|why|how|which|yes|no|ok|okay|and|but|or|so|if|because|since|today|tomorrow|tonight"
    r"|yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next|last|on|in|at|from|for|to|with|after|before|please|remember|don|do|does|did|is|are|was|were|can|could|will"
    r"|would|should|let|let['’]s|not|my|his|her|our|their|your|everyone|everybody|someone|nobody|all|both|some|just|also|maybe|had|have|has|got|went|keep|tell|ask|send|call|bring|buy|see)\b)"
)
_ONE: Final = rf"(?:I|{_KIN}|(?:the\s+)?{_NOT_NAME}{_NAME}(?:\s+(?:project|launch|team|deal|app|release|party|meeting|contract|office|trip|wedding|birthday))?)"
_WHO: Final = rf"(?P<who>{_ONE}(?:(?:\s*,\s*|\s+and\s+){_ONE}){{0,3}})"
_ADVERB: Final = r"(?:(?:now|also|still|just|really|always|usually|currently|recently|finally|already|apparently|probably|actually|only)\s+)?"
_STOP: Final = r"(?P<object>[^.,;!?。，；()]+)"

_BE: Final = r"(?:\s+(?:is|are|am|was|were|has\ been|have\ been)|['’](?:s|m|re))"


def _verb(pattern: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?:^|(?<=[,;]\s)|(?<=\band\s)|(?<=\bthat\s)){_WHO}{pattern}\s+{_STOP}", re.IGNORECASE | re.VERBOSE
    )


# Shape of the verb, and the predicate it is stored under; None keeps the verb as it stands.
_SHAPES: Final = (
    (_verb(rf"{_BE}\s+{_ADVERB}(?P<verb>married\ to|engaged\ to|allergic\ to|afraid\ of|interested\ in|in\ love\ with|related\ to|responsible\ for|in\ charge\ of|good\ at|based\ in|from|born\ (?:in|on)|friends\ with|dating|seeing|pregnant\ with)"), None),
    (_verb(rf"(?:{_BE}\s+{_ADVERB}|\s+{_ADVERB})(?P<verb>mov(?:e|es|ing)\ (?:in\ with|back\ to|to))"), "moving to"),
    (_verb(rf"\s+(?:has\ |have\ )?{_ADVERB}(?P<verb>moved\ (?:in\ with|back\ to|to))"), None),
    (_verb(rf"(?:{_BE}\s+{_ADVERB}|\s+{_ADVERB})(?:work(?:s|ed|ing)?)\s+(?:as\ [^.,;]{{2,30}}?\s+)?(?P<verb>at|for|in|with|on|as)"), "works {verb}"),
    (_verb(rf"(?:{_BE}\s+{_ADVERB}|\s+{_ADVERB})(?:liv(?:es?|ed|ing))\s+(?P<verb>in|at|with|near)"), "lives {verb}"),
    (_verb(rf"(?:{_BE}\s+{_ADVERB}|\s+{_ADVERB})(?P<verb>leav(?:e|es|ing)|left|quit(?:s|ting)?)"), "leaves"),
    (_verb(rf"(?:{_BE}\s+{_ADVERB}|\s+{_ADVERB})(?P<verb>lead(?:s|ing)?|led|run(?:s|ning)?|manag(?:e|es|ed|ing)|head(?:s|ing)?|own(?:s|ed)?)(?!\ (?:late|out|to|for|away|into)\b)"), "{verb}"),
    (_verb(rf"\s+{_ADVERB}(?P<verb>like|love|hate|prefer|dislike|enjoy|need|want|know|speak|play|study|teach|drive|eat|drink|collect|support|miss|owe)s?"), "{verb}s"),
    (_verb(rf"\s+{_ADVERB}(?P<verb>ha(?:s|ve)(?:\ got)?|had)(?!\s+(?:to|been|just|already|not|never|gone|moved|left|had)\b)"), "has"),
    (_verb(rf"\s+{_ADVERB}(?P<verb>bought|sold|got|lost|found|met|joined|signed|started|finished|postponed|cancelled|booked|won|broke|visited|married|hired|fired|invited|called|sent|ordered|adopted|promised)"), "{verb}"),
    (_verb(rf"{_BE}\s+{_ADVERB}(?P<verb>(?:going|flying|travelling|driving|coming|returning)\ (?:to|from|back|with)|staying\ (?:in|at|with)|visiting|meeting|studying|learning|planning|waiting\ for|looking\ for|selling|buying|reading|writing|building)"), "{verb}"),
)  # fmt: skip
_SISTER_OF: Final = re.compile(
    rf"^{_WHO}{_BE}\s+(?P<of>(?:my|{_CAP}(?:\s+{_CAP})?['’]s?|his|her|our|their))\s+(?:(?:older|younger|little|big|twin|best|new|former|ex-?)\s+)?(?P<role>[a-z-]+(?:\s+(?:in law|manager|lead))?)(?=\s*(?:[.,;!?]|$|and\b|but\b|who\b))",
    re.IGNORECASE,
)
_MY_SISTER: Final = re.compile(
    rf"(?P<of>\b(?:my|our)|\b{_CAP}['’]s)\s+(?:(?:older|younger|little|big|twin|best|new)\s+)?(?P<role>{KIN_EN}),?\s+(?:is\s+called\s+|called\s+|named\s+|is\s+)?(?P<name>{_NOT_NAME}{_CAP}(?:\s+{_CAP})?)",
    re.IGNORECASE,
)
_WHOSE: Final = re.compile(
    rf"(?:^|(?<=[,;]\s)|(?<=\band\s))(?:(?P<of>{_KIN}|{_NOT_NAME}{_NAME})['’]s?|(?P<my>my))\s+(?P<role>(?!{KIN_EN}\b)[a-z][\w-]*(?:\s+[a-z][\w-]*){{0,2}}?)\s+"
    rf"(?:is|are|was|were|will be|starts?|ends?|begins?|(?:has )?moved to|got|opens?|arrives?|leaves?|lands?)\s+(?:on\s+|at\s+)?{_STOP}",
    re.IGNORECASE,
)
_IS_A: Final = re.compile(
    rf"^(?P<who>{_KIN}|{_NOT_NAME}{_NAME}){_BE}\s+(?:now\s+)?(?P<object>(?:an?|the|in|at|on|ill|sick|pregnant|away|back|late|\d+)\b[^.,;!?()]*)",
    re.IGNORECASE,
)
_GENERIC: Final = re.compile(
    rf"^(?P<who>{_KIN}|(?:the\s+)?{_NOT_NAME}{_NAME}(?:\s+(?:project|launch|team|deal|app|release|party|meeting|contract|office|trip|wedding))?)\s+(?P<verb>(?:will\s+|has\s+|have\s+|had\s+|is\s+|are\s+|was\s+)?(?:(?:not|be|been)\s+)?[a-z]{{3,}}(?:s|ed|ing|d|t|n|e|w)(?:\s+(?:to|for|on|in|at|with|up|off|out|from|into|about|of))?)\s+{_STOP}",
    re.IGNORECASE,
)
_NAMED_KIN: Final = re.compile(
    rf"^(?i:my|his|her|our|their|your)\s+(?:\w+\s+)?(?i:{KIN_EN})\s+(?P<name>{_CAP}(?:\s+{_CAP})?)$"
)
_NOT_VERB: Final = re.compile(
    r"^(?:and|the|this|that|his|its|is|was|has|this|next|last|house|dress|was|were|are|from|with|about|into|just|also|then|when|there|these|those|for|not|project|launch)$",
    re.IGNORECASE,
)

_ZH_SUBJECT: Final = (
    rf"(?P<who>我|(?:我|他|她|我们)的?{KIN_ZH}[A-Za-z]*|{KIN_ZH}|[A-Z][\w]*|[\u4e00-\u9fff]{{2,4}}?)"
)
_ZH_SHAPES: Final = (
    (re.compile(rf"^{_ZH_SUBJECT}(?:现在|目前|一直)?在(?P<object>[^，。！？,在]{{2,12}}?)(?:工作|上班|任职)"), "在…工作"),
    (re.compile(rf"^{_ZH_SUBJECT}(?:现在|目前)?(?:负责|领导|主管)(?P<object>[^，。！？,]{{2,12}})"), "负责"),
    (re.compile(rf"^{_ZH_SUBJECT}(?:现在|目前|一直)?住在?(?P<object>[^，。！？,了]{{2,12}})"), "住在"),
    (re.compile(rf"^{_ZH_SUBJECT}(?:要|会|将|打算|准备|已经|下个?月|下周|明年)*搬(?:家)?到(?:了)?(?P<object>[^，。！？,]{{2,12}})"), "搬到"),
    (re.compile(rf"^{_ZH_SUBJECT}对(?P<object>[^，。！？,]{{1,8}})过敏"), "对…过敏"),
    (re.compile(rf"^{_ZH_SUBJECT}(?:和|跟)(?P<object>[\u4e00-\u9fffA-Za-z]{{2,4}}?)(?:要|已经|下个?月|下周)*(?P<verb>结婚|订婚|离婚|分手)"), "和…{verb}"),
    (re.compile(rf"^{_ZH_SUBJECT}(?:很|非常|特别|最|不|一直)*(?P<verb>喜欢|讨厌|爱|恨|想要|需要|害怕)(?P<object>[^，。！？,]{{1,12}})"), "{verb}"),
    (re.compile(rf"^{_ZH_SUBJECT}(?:刚|已经|昨天|今天|上周|最近)*(?P<verb>买|卖|换|养|有|丢|借|订|租|加入|推迟|取消)了?(?P<object>[^，。！？,]{{1,12}})"), "{verb}"),
    (re.compile(rf"^{_ZH_SUBJECT}(?:今天|明天|下周|周[一-龥])*(?P<verb>去|到|回|飞)(?P<object>[\u4e00-\u9fffA-Za-z]{{2,8}}?)(?=[，。！？,了出]|$)"), "{verb}"),
)  # fmt: skip
_ZH_ROLE: Final = re.compile(
    rf"^(?P<who>[\u4e00-\u9fff]{{2,4}}?|[A-Z]\w+)是(?P<of>我|[\u4e00-\u9fff]{{2,4}}?|[A-Z]\w+)的?(?P<role>{KIN_ZH}|朋友|同学|医生|律师|经理|助理|老师)(?=[，。！？,\s]|$)"
)
_ZH_MY: Final = re.compile(
    rf"(?P<of>我|我们)的?(?P<role>{KIN_ZH})(?:叫|是)?(?P<name>[\u4e00-\u9fff]{{2,3}}?|[A-Z]\w+)(?=在|是|要|会|去|来|住|有|和|跟|对|也|不|喜欢|讨厌|搬|买|说|今|明|昨|后|下|上|周|生|的|，|。|$)"
)
_ZH_BAD: Final = frozenset(
    "今天 明天 昨天 后天 现在 下周 上周 这个 那个 我们 你们 他们 她们 大家 公司 项目 因为 所以 如果 但是 不过 还是 可以 没有 不要 已经".split()
)


def relations_in(text: str, language: Language) -> tuple[Relation, ...]:
    """The edges a statement states, at most six, each once."""
    found = _chinese(text) if language == "zh" else _english(text)
    return tuple(dict.fromkeys(found))[:MOST]


def _english(text: str) -> Iterator[Relation]:
    covered = False
    for match in _MY_SISTER.finditer(text):
        yield Relation(_owner(match["of"]), match["role"].lower(), match["name"])
    role = _SISTER_OF.match(text)
    if role:
        covered = True
        for who in _subjects(role["who"]):
            yield Relation(who, f"{role['role'].lower()} of", _owner(role["of"]))
    for match in _WHOSE.finditer(text):
        covered = True
        yield from _edges(_owner(match["of"] or "I"), match["role"].lower(), match["object"])
    for pattern, predicate in _SHAPES:
        match_ = pattern.search(text)
        if match_:
            covered = True
            verb = " ".join(match_["verb"].lower().split())
            yield from _edges(match_["who"], (predicate or "{verb}").format(verb=verb), match_["object"])
    if not covered:
        yield from _fallback(text)


def _fallback(text: str) -> Iterator[Relation]:
    is_a = _IS_A.match(text)
    if is_a:
        yield from _edges(is_a["who"], "is", is_a["object"])
        return
    generic = _GENERIC.match(text)
    if generic and not _NOT_VERB.match(generic["verb"].split()[0]):
        yield from _edges(generic["who"], " ".join(generic["verb"].lower().split()), generic["object"])


def _edges(who: str, predicate: str, said: str) -> Iterator[Relation]:
    """One edge a subject; none when the object is empty or too long."""
    target = re.split(
        r"\s+(?:but|because|so|and\s+(?:i|he|she|we|they|it)|who|which|when|while|if)\b",
        said,
        maxsplit=1,
        flags=re.IGNORECASE,
    )[0]
    words = target.split()
    if 0 < len(words) <= LONGEST_OBJECT:
        for subject in _subjects(who):
            yield Relation(subject, predicate, " ".join(words))


def _subjects(who: str) -> list[str]:
    names = [part.strip() for part in re.split(r"\s*,\s*|\s+and\s+", who, flags=re.IGNORECASE)]
    return [_owner(re.sub(r"^the\s+", "", name, flags=re.IGNORECASE)) for name in names if name]


def _owner(said: str) -> str:
    """Who is meant: "my" is the teller, "Bob's" is Bob, and "my sister Ana" is Ana."""
    bare = re.sub(r"['’]s?$", "", said.strip())
    if bare.lower() in {"my", "our", "i"}:
        return "I"
    named = _NAMED_KIN.match(bare)
    return named["name"] if named else bare


def _chinese(text: str) -> Iterator[Relation]:
    for match in _ZH_MY.finditer(text):
        yield Relation("I", match["role"], match["name"])
    role = _ZH_ROLE.match(text)
    if role:
        yield Relation(_teller(role["who"]), f"是…的{role['role']}", _teller(role["of"]))
    body = _ZH_MY.sub(lambda m: m["name"], text, count=1) if _ZH_MY.match(text) else text
    for pattern, predicate in _ZH_SHAPES:
        found = pattern.match(body)
        if found and found["who"] not in _ZH_BAD and len(found["object"]) <= _LONGEST_OBJECT_ZH:
            yield Relation(
                _teller(found["who"]), predicate.format(**found.groupdict()), found["object"].strip()
            )
            return


def _teller(said: str) -> str:
    return "I" if said in {"我", "我们"} else said
