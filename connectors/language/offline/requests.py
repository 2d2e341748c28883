"""Confidentiality requests: "don't tell Carol", "between us", "别告诉妈妈", "保密" (privacy-model §3, lists)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from connectors.language.offline.name_mentions import KIN_ZH
from connectors.language.offline.sentences import trimmed

_ITEM: Final = (
    r"(?!(?:i|i'm|i’m|it|it's|we|he|she|this|that|but|because|so|please|ok|okay|yet|not|my\ god)\b)"
    r"(?:(?:my|our|the|his|your|their|her(?=\s[a-z]))\s+)?(?:(?:rest\ of\ the|other|whole)\s+)?[^\W\d_][\w’'-]{0,30}(?:\s+(?-i:[A-Z])[\w’'-]{1,30}){0,3}"
)
_WHO: Final = rf"(?P<who>{_ITEM}(?:(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or|nor|&)\s+){_ITEM}){{0,5}})"
_THIS: Final = r"(?:this|it|that|all\ (?:this|that)|any\ of\ (?:this|it)|anything|a\ thing|a\ word|these\ things|what\ i\ (?:said|told\ you))"
_END: Final = (
    rf"(?:\s+(?:know|find\ out|see|hear|learn)(?!\s+(?:how|what|who|where|why|when)))?(?:\s+(?:about\s+|of\s+)?{_THIS})?"
    r"(?:,?\s+(?:yet|please|though|for\ now|ok(?:ay)?|either|at\ all|right|just\ yet|until\ (?:i|we|it|then|\w+day)\b[^,.;!?]{0,30}|under\ any\ circumstances))*(?:\s+ever)?(?![\w’'])"
)
_TOPIC: Final = r"(?:\s+about\s+(?!to\b)[^.,;!?)]+?(?=\s+but\b|\s+because\b|[.,;!?)]|$))?"
_NOT: Final = (
    r"(?<!\bi\ )(?<!\bhe\ )(?<!\bshe\ )(?<!\bthey\ )(?<!\bwho\ )"  # somebody's habit is no request
    r"(?:(?:please|pls|just|but|and|so|also)\s+){0,4}(?:you\s+)?(?:don[’']?t|do\ not|never|(?:must|should|can|may)(?:n[’']t|not|\ not)|no\ need\ to|not\ to|make\ sure\ not\ to|try\ not\ to)"
    r"\s+(?:ever\s+|please\s+|you\s+dare\s+|go\s+)?"
)
_TELL: Final = rf"(?:tell|inform|show|notify|let(?=.{{1,60}}\b(?:know|see|hear|find)\b)|(?:mention|say|repeat|explain|reveal|leak|breathe|share|forward|pass|speak|talk)\s+(?:{_THIS}\s+)?(?:(?:of|about)\s+{_THIS}\s+)?(?:on\s+)?(?:to|with)|(?:discuss|share)\s+{_THIS}\s+with)"
_KEPT: Final = r"(?:(?:just\ |strictly\ |only\ )?between\ (?:us|you\ and\ me|ourselves|the\ two\ of\ us)|to\ yourself|(?:a\ )?secret|private|confidential|quiet|under\ (?:your\ hat|wraps)|hush[-\ ]?hush|off\ the\ record|among(?:st)?\ (?:us|ourselves)|in\ confidence|in\ the\ family)"
_STRONG: Final = r"(?:(?:strictly|highly|still|very|a|top|absolutely|completely|really|totally)\s+){0,4}"


_PREFER: Final = r"(?:(?:i[’']d|i\s+would|it\s+would\s+be)\s+(?:really\s+)?(?:appreciate\s+(?:it\s+)?|be\s+(?:glad|grateful|happy)\s+|prefer\s+(?:it\s+)?|good\s+|great\s+|better\s+|nice\s+)|please\s+)"


@dataclass(frozen=True, slots=True)
class _Form:
    """`cut`: the words say nothing else and are taken off; otherwise they stay part of the statement.

    `alone`: when it is found, the piece is left as it is.
    """

    pattern: re.Pattern[str]
    cut: bool = True
    alone: bool = False


def _en(pattern: str, *, cut: bool = True, alone: bool = False) -> _Form:
    return _Form(re.compile(rf"(?<![\w’'-])(?:{pattern})", re.IGNORECASE | re.VERBOSE), cut, alone)


_ENGLISH: Final = (
    _en(rf"(?:asked|told|begged|wants|made)\s+(?:me|us)\s+(?:\w+\s+){{0,2}}?not\s+to\s+{_TELL}\s+{_WHO}", cut=False, alone=True),
    _en(rf"{_NOT}{_TELL}\s+(?!me\b|us\b){_WHO}{_END}{_TOPIC}"),
    _en(rf"{_NOT}(?:say\s+(?:anything|a\ (?:word|thing))|mention\s+{_THIS}|repeat\s+{_THIS}|spread\s+{_THIS}|share\s+{_THIS}|forward\s+{_THIS}|pass\s+{_THIS}\s+on|talk\s+about\s+{_THIS}){_END}"),
    _en(rf"(?:(?:please|pls|just|but|and|so|let[’']?s|can\ you|could\ you|we\ should|you\ should)\s+){{0,4}}keep\s+(?:(?:{_THIS}|the\ news|all\ of\ this|quiet\ about\ {_THIS})\s*)?(?:(?:{_KEPT}|\s)(?:\s*from\s+{_WHO})?|from\s+{_WHO.replace('?P<who>', '?P<who2>')}){_END}"),
    _en(rf"(?:(?:please|and|but|so)\s+){{0,4}}(?:{_THIS}\s+(?:is|stays|remains|(?:must|should|has\ to|needs\ to)\ (?:stay|remain|be\ kept)|was\ said)|it[’']s|that[’']s|this[’']s)\s+{_STRONG}(?:confidential|private|secret|between\ (?:us|you\ and\ me)|off\ the\ record|not\ public|not\ for\ (?:sharing|others|everyone)|under\ (?:wraps|embargo)|hush-hush|in\ confidence){_END}(?=\s*(?:[.,;:!?)–—-]|$|but\b|and\b|so\b))"),
    _en(r"(?:just\s+|strictly\s+|this\s+is\s+)?between\s+(?:us|you\s+and\s+me|ourselves|the\s+two\s+of\s+us)(?:\s+(?:only|please))?(?=\s*(?:[.,;:!?)–—-]|$|but\b|and\b))"),
    _en(rf"not\s+a\s+word(?:\s+(?:about|of)\s+{_THIS})?(?:\s+(?:about\ {_THIS}\s+)?to\s+{_WHO})?{_END}"),
    _en(r"(?:for\s+)?your\s+(?:eyes|ears)[\s-]only|(?:i[’']?m\s+telling\s+you\s+(?:this\s+)?)?in\s+(?:strict(?:est)?\s+)?confidence|off\s+the\s+record|(?:strictly\s+|highly\s+)?confidential(?:ly)?(?=\s*(?:[:.,!)–—-]|$))|top\s+secret(?=\s*(?:[:.,!)–—-]|$))|(?<=\()(?:private|secret)(?=\))|^\s*(?:private|secret)\s*:|mum[’']s\s+the\s+word"),
    _en(rf"(?:and\s+|but\s+|so\s+)?(?!(?:i|we|you|it|who|what|there|that|this)\b){_WHO}\s+(?:(?:must|should|can|may|need)\ never|need\ not|ought\ not\ to|mustn[’']t|must\ not|can(?:no|[’'])t|should(?:\ not|n[’']t)|(?:is|are)(?:\ not|n[’']t)\ (?:supposed|meant|allowed)\ to|may\ not|is\ not\ to|need(?:\ not|n[’']t)|do(?:es)?n[’']t\ (?:need|have)\ to)\s+(?:know|find\ out|hear|see|learn){_END}{_TOPIC}(?=\s*(?:[.,;:!?)]|$|and\b|but\b|that\b))"),
    _en(rf"(?!(?:i|we|you|it|who|what|there|that|this)\b){_WHO}\s+(?:do(?:es)?(?:\ not|n[’']t)|has\ no\ idea|have\ no\ idea)\s*(?:know)?(?:\s+(?:about\s+)?{_THIS})?(?:\s+(?:yet|so\ far))?(?=\s*(?:[.;!)]|$|and\b|but\b|,))", cut=False),
    _en(r"(?:nobody|no\s+one)(?:\s+else)?\s+(?:knows?|(?:should|must|may|can|needs?\s+to|has\s+to)\s+know|is\s+supposed\s+to\s+know)(?:\s+(?:about\s+)?(?:this|it|that))?(?:\s+yet)?(?=\s*(?:[.,;!)]|$|and\b|but\b))"),
    _en(r"(?:only\s+you|you(?:[’']re|\s+are)\s+the\s+only\s+(?:one|person)\s+who)\s+knows?(?:\s+(?:about\s+)?(?:this|it|that))?"),
    _en(rf"keep\s+{_WHO}\s+out\s+of\s+(?:this|it|that|the\ loop){_END}"),
    _en(rf"(?:{_PREFER})?(?:best|better|rather|^please|^|if\s+you\s+(?:did|could|would))(?:n[’']t|\s+not|^not|not)\s+(?:to\s+)?{_TELL}\s+(?!me\b|us\b){_WHO}{_END}"),
    _en(rf"(?:i[’']d\s+(?:rather|prefer(?:\s+(?:that|it\s+if))?)|i\s+(?:would\s+)?prefer(?:\s+that)?)\s+{_WHO}\s+(?:did(?:n[’']t|\s+not)|not)\s+(?:know|find\s+out|hear|learn){_END}"),
    _en(rf"i\s+(?:really\s+)?(?:don[’']?t|do\s+not)\s+want\s+(?!to\b){_WHO}\s+to\s+(?:know|find\s+out|hear|learn|see){_END}"),
    _en(rf"{_THIS}\s+(?:must|should|can|may)(?:n[’']t|not|\s+not|\s+never)\s+(?:reach|leak\s+to|(?:get|go|come)(?:\s+back|\s+out)?\s+to)\s+{_WHO}{_END}"),
    _en(rf"{_THIS}\s+(?:must|should|can|may)(?:n[’']t|not|\s+not|\s+never)\s+(?:get\s+(?:out|around)|leak(?:\s+out)?|leave\s+this\s+(?:chat|room)|go\s+any\s+further){_END}"),
    _en(rf"(?:tell\s+(?:no\s?(?:-\s?)?one|nobody|not\s+a\s+soul)|say\s+nothing(?:\s+(?:of|about)\s+{_THIS})?(?:\s+to\s+{_WHO})?){_END}"),
    _en(r"(?:please\s+)?(?:be\s+discreet|(?:don[’']?t|do\s+not)\s+(?:spread\s+the\s+word|make\s+(?:this|it)\s+public|gossip)|hush[\s,-]+hush|^(?:s+h+h*|psst?))(?=\s*(?:[.,;:!…)–—-]|$|about\b|please\b))"),
    _en(rf"(?:this\s+is\s+|this\s+stays\s+|strictly\s+)?(?:not\s+for\s+{_WHO}[’']s?\s+(?:ears|eyes)|(?:just|only|strictly)\s+for\s+you(?:r\s+(?:ears|eyes))?|for\s+you\s+(?:only|alone))(?=\s*(?:[.,;:!)–—-]|$))"),
    _en(rf"(?:i|we)\s+(?:have(?:n[’']t|\s+not)|did(?:n[’']t|\s+not))\s+(?:yet\s+)?(?:tell|told)\s+(?!me\b|you\b|us\b){_WHO}", cut=False),
    _en(rf"(?:nobody|no\s+one)\s+(?:at|in|on|from)\s+[\w\ ]{{2,24}}?\s+(?:knows?|has\s+been\s+told)(?:\s+(?:about\s+)?{_THIS})?(?:\s+yet)?(?=\s*(?:[.,;!)]|$|and\b|but\b))", cut=False),
    _en(rf"(?:hide|conceal)\s+(?:{_THIS}\s+)?from\s+{_WHO}"),
    _en(rf"without\s+(?:telling\s+{_WHO}|{_WHO.replace('?P<who>', '?P<who2>')}\s+(?:knowing|finding\s+out))", cut=False),
    _en(rf"behind\s+{_WHO}[’']s\s+back|a\s+surprise\s+(?:\w+\s+)?for\s+{_WHO.replace('?P<who>', '?P<who2>')}|(?:it[’']s|is)\s+a\s+(?:surprise|secret)(?=\s*(?:[.,;!)]|$))", cut=False),
)  # fmt: skip

_ONE_ZH: Final = (
    rf"(?:(?:我|你|他|她|我们|咱)?的?{KIN_ZH}|任何人|其他人|别人|外人|旁人|大家|所有人|他们|她们|他|她|谁|[A-Za-z](?:(?![\u4e00-\u9fff])[\w.'-])*(?:\ [A-Z](?:(?![\u4e00-\u9fff])[\w'-])*)*"
    r"|[\u4e00-\u9fff]{1,3}?(?:老师|医生|经理|总监|主任|先生|女士|总|哥|姐)|[\u4e00-\u9fff]{2,4}?)"
)
# A name in Latin letters often stands between blanks: 别告诉 Ana 我买了戒指
_WHO_ZH: Final = rf"\s?(?P<who>{_ONE_ZH}(?:\s?[、，和跟与及]\s?{_ONE_ZH}){{0,4}}?)\s?(?!\s?[、和跟与及])"
_STOP_ZH: Final = r"(?=[，。！？、；,.!?;（）()\s“”]|$|这|那|我|他的|她的|关于|说|哦|啊|噢|哈|吧|呀|哟|了)"
_NOT_ZH: Final = r"(?:(?:千万|请|拜托|麻烦|你|可|先|暂时|但是?|不过|所以|一定|记得|也|都|务必|这件?事儿?|此事|这个消息|这个|，|,|\s){0,6})(?:别|不要|不能|不可以?|勿|不许|不准|切勿|甭|莫)(?:再|先|去|急着)?"
_TAIL_ZH: Final = r"(?:这件?事情?|这个|这些|那件事|那个)?(?:啊|哦|噢|呀|哈|吧|哟|呢|了)*"


def _zh(pattern: str, *, cut: bool = True) -> _Form:
    return _Form(re.compile(pattern, re.VERBOSE), cut)


_CHINESE: Final = (
    _zh(rf"{_NOT_ZH}(?:把?(?:这件?事|这个|这些|它)?)(?:告诉|告知|通知|透露给|讲给|说给|发给|转给){_WHO_ZH}(?:听|看|知道)?{_STOP_ZH}{_TAIL_ZH}"),
    _zh(rf"{_NOT_ZH}(?:让|叫|被){_WHO_ZH}(?:知道|发现|晓得|看到?|听到?|察觉){_TAIL_ZH}"),
    _zh(rf"{_NOT_ZH}(?:跟|和|同|对|向|给){_WHO_ZH}(?:说起?|讲起?|提起?|透露|聊起?|泄露){_TAIL_ZH}"),
    _zh(rf"{_NOT_ZH}(?:告诉|告知)(?P<rest>)"),
    _zh(rf"(?:跟|对|和)?(?:谁|任何人)[都也]?(?:别|不要|不能|不许)(?:说|告诉|讲|提|透露)起?{_TAIL_ZH}|谁也不(?:要|能|许)(?:说|告诉){_TAIL_ZH}"),
    _zh(rf"{_NOT_ZH}(?:外传|说出去|往外说|往外传|传出去|传开|声张|张扬|泄露|泄密|乱说|到处说|转发){_TAIL_ZH}"),
    _zh(rf"(?:[，,\s]|请|要|对){{0,6}}?(?:对|向){_WHO_ZH}(?:要|请|务必|必须)?保密{_TAIL_ZH}"),
    _zh(r"(?:请|要|务必|一定|必须|记得|帮我|替我|暂时|先|目前|得|需要|绝对|严格|这件?事|这个|你|也|都|还){0,8}保密(?!协议|条款|工作|级|性|单位|制度|局|柜|费|期|项目)(?:啊|哦|呀|吧|哈|噢)*(?=[，。！!,.;；：:）)\s]|$)"),
    _zh(r"(?:这事?|这件事)?(?:我)?(?:只|就|仅)(?:告诉|跟|和|对)你(?:一个人|一个)?(?:说|讲)?(?:的)?|(?:只有|就)你(?:一个人)?知道(?:就[好行])?|你(?:自己|一个人)?知道就[好行]|咱俩知道就行|天知地知[，,]?你知我知|(?:这是)?(?:我们|咱们|咱俩|你我|我俩)(?:之间)?的(?:小)?秘密|这是(?:个)?秘密|(?:悄悄|偷偷|私下)(?:地)?(?:告诉|跟)你(?:说)?|保守秘密|守口如瓶|仅限你我"),
    _zh(rf"(?:请|帮我|替我|先|一定|要){{1,3}}瞒着{_WHO_ZH}(?=[，。！!,]|$)"),
    _zh(rf"(?:我|暂时|先|还|目前|也|并){{0,4}}不(?:太)?(?:想|希望|愿意?|打算)(?:让|被|叫){_WHO_ZH}(?:知道|发现|晓得|看到?|听到?){_TAIL_ZH}"),
    _zh(rf"{_WHO_ZH}(?:千万|绝对|还|暂时)*(?:不能|不可以|不该|别)(?:知道|发现|晓得){_TAIL_ZH}(?=[，。！!,；;：:]|$)"),
    _zh(rf"{_NOT_ZH}(?:对外)?(?:公开|宣布|曝光|公布|张扬){_TAIL_ZH}(?=[，。！!,；;]|$)|(?:暂不|暂时不|先不)(?:对外)?(?:公开|宣布|公布){_TAIL_ZH}"),
    _zh(rf"(?:说好|约好|商量好|决定|暂时|先|还是|就|^)(?:了)?(?:先|暂时)?不(?:告诉|通知){_WHO_ZH}(?<!我){_STOP_ZH}", cut=False),
    _zh(rf"瞒着{_WHO_ZH}(?=[，。！]|$|[\u4e00-\u9fff])|{_WHO_ZH.replace('?P<who>', '?P<who2>')}(?:还|都|暂时|目前)*不知道(?:这件?事|呢|这个)?(?=[，。！,!]|$)|没(?:有)?人知道(?=[，。！,!]|$)|给{_WHO_ZH.replace('?P<who>', '?P<who3>')}(?:一个|个)?惊喜", cut=False),
)  # fmt: skip

_NOBODY: Final = re.compile(
    r"^(?:(?:any|every|some)(?:one|body)\b.*|(?:the\ )?others?|people|folks|no\s?one|nobody|them|him|her|he|she|they|us|a|any|all|else|the\ world"
    r"|任何人|其他人|别人|外人|旁人|大家|所有人|他们|她们|他|她|谁|这|我|人)$",
    re.IGNORECASE | re.VERBOSE,
)
_SPLIT: Final = re.compile(
    r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or|nor|&)\s+|[、，]|(?<=[\u4e00-\u9fff])[和跟与及](?=[\u4e00-\u9fff])|(?<=[A-Za-z])\s*[和跟与及]\s*|\s*[和跟与及]\s*(?=[A-Za-z])",
    re.IGNORECASE,
)
_LEFT_JOIN: Final = re.compile(
    r"(?:[\s,，;；:：–—-]|\b(?:but|and|so|please|pls|just|also|then|though|oh|ok)\b|但是|但|不过|所以|请|而且|并且){1,12}$",
    re.IGNORECASE,
)
_RIGHT_JOIN: Final = re.compile(
    r"^(?:[\s,，;；:：.!。！–—-]|\b(?:but|and|so|that|please|ok|okay)\b[,\s]|但是|但(?!愿)|不过|所以|而且)+",
    re.IGNORECASE,
)
_WORDS: Final = re.compile(r"[^\W_]")
_VERB: Final = re.compile(r"^\s*(?:is|are|was|were|has|have|had|will|can|won[’']t|isn[’']t)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """What is left of a sentence, and the requests in it: names as they stand, none when the target is unclear."""

    pieces: tuple[str, ...]
    targets: tuple[tuple[str, ...], ...]


def take(sentence: str) -> Found:
    """Take the requests out of a sentence.

    Returns:
        The stretches around them in order, joining words at the seams dropped. A request in brackets leaves one piece.
    """
    targets: list[tuple[str, ...]] = []
    pieces = [sentence]
    for form in (*_CHINESE, *_ENGLISH):
        before = len(targets)
        pieces = [rest for piece in pieces for rest in _apply(form, piece, targets)]
        if form.alone and len(targets) > before:
            break
    return Found(tuple(p for p in map(trimmed, pieces) if _WORDS.search(p)), tuple(dict.fromkeys(targets)))


def _apply(form: _Form, piece: str, targets: list[tuple[str, ...]]) -> list[str]:
    match = form.pattern.search(piece)
    if match is None or not match[0].strip():
        return [piece]
    who, end = _target(piece, match)
    targets.append(who)
    if not form.cut:
        return [piece]
    left, right = piece[: match.start()], piece[end:]
    bracketed = left.rstrip().endswith(("(", "（")) and right.lstrip().startswith((")", "）"))
    if bracketed:
        left, right = left.rstrip()[:-1].rstrip(), right.lstrip()[1:]
        return [left + right if right.strip(" .。!！") else left]
    return [_LEFT_JOIN.sub("", left), _RIGHT_JOIN.sub("", right)]


def _target(piece: str, match: re.Match[str]) -> tuple[tuple[str, ...], int]:
    """The names asked to be kept out, and where the request ends."""
    groups = match.groupdict()
    key = next((k for k in ("who", "who2", "who3") if groups.get(k)), None)
    if key is None:
        return (), match.end()
    items = [item for item in _SPLIT.split(match[key]) if item]
    end = match.end()
    if len(items) > 1 and _VERB.match(piece[end:]):
        # "Don't tell Carol, Bob is ill": the last one begins what is told.
        last = items.pop()
        end = match.start(key) + match[key].rindex(last)
    return tuple(item.strip() for item in items if not _NOBODY.match(item)), end
