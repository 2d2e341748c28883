"""What opens something at once (PL4): passwords, codes, keys, tokens, seed phrases, connection strings.

Patterns are ASCII-guarded by hand: to `re`, a Han character is a word character, so a word boundary is none beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

Check = Callable[[str], bool]
Rule = tuple[str, re.Pattern[str], Check | None]

SHORTEST: Final = 4
"""Characters of a password; what is shorter is none."""

# Said after "password is" without being one.
_NO_PASSWORD: Final = frozenset(
    """
    wrong incorrect correct right invalid valid expired expiring required needed missing empty blank changed reset the a an my your our his her
    not in on at with for to of by it is was that this too very so quite same different stored saved written safe secure insecure weak strong
    short long old new unknown lost forgotten compromised leaked protected hidden set done due fine good bad known still already always never
    now only just also being going under and or but case sensitive enough hard easy complicated policy manager field reminder hint there here
    what which who where how something anything nothing mine yours unchanged working broken up off stuck between me you them us gone public
    private secret confidential fixed rotated rotating one two three unique complex simple rejected accepted denied ok okay
    """.split()
)


def _password(value: str) -> bool:
    return len(value) >= SHORTEST and value.lower().strip(".,!?") not in _NO_PASSWORD


def _mixed(value: str) -> bool:
    """Letters and a digit, or a sign that words don't have: what is given without "is" must look like a password."""
    return (
        len(value) >= SHORTEST
        and bool(re.search(r"\d|[!@#$%^&*_]", value))
        and not re.fullmatch(r"[\d.,:-]*", value)
    )


def _key_like(value: str) -> bool:
    return bool(re.search(r"\d", value) and re.search(r"[A-Za-z]", value))


def _rule(kind: str, pattern: str, check: Check | None = None) -> Rule:
    """The group `v` is the span; without one, all of the match."""
    return kind, re.compile(pattern, re.IGNORECASE | re.ASCII | re.VERBOSE), check


_SEP: Final = (
    r"""\s*(?:[.!]\s+)?(?:\bis\b|\bwas\b|\bit['’]s\b|\bit\ is\b|=|:|：|->|→|是|为|\bto\b)?\s*["'`“‘「]?"""
)
_IS: Final = r"""\s*(?:(?:\bis|\bwas|['’]s)(?:\ (?:now|still|actually|currently|just|set\ to|changed\ to))?\s|=|:|：|->|→|现在是|还是|是|为|改成了?|改为了?|设成了?|设为|换成了?)\s*["'`“‘「]?"""
_FOR: Final = r"(?:\ (?:for|of|to|on|at|in)\ [^\n:=：，。,.!?]{1,40}?)?"
_VALUE: Final = r"""(?P<v>[^\s"'`”’」，。；、！？,;<>（）()\u4e00-\u9fff]{3,64})"""
_WORD: Final = r"(?:pass\s?words?|passwd|pass\s?code|pass\s?phrase|passkey|pwd|pw)"
_WORD_ZH: Final = r"(?:密码|口令|通行码|暗号)"
_NUMBER: Final = r"(?P<v>[#*]?\d[\d-]{1,9}\d[#*]?)(?![\d])"
_DOOR: Final = (
    r"(?:front|back|garage|main)?\ ?(?:door|gate|alarm|safe|lock(?:box)?|entry|entrance|building|garage|key\ ?pad|access|unlock|locker|luggage"
    r"|burglar\ alarm|screen|phone|sim|card|debit|credit|atm|bank|vault|deposit\ box|intercom|shed|bike\ lock|pass)"
)

RULES: Final[tuple[Rule, ...]] = (
    _rule("private_key", r"-----BEGIN\ [A-Z0-9\ ]*PRIVATE\ KEY(?:\ BLOCK)?-----(?:[\s\S]*?-----END\ [A-Z0-9\ ]*PRIVATE\ KEY(?:\ BLOCK)?-----|[\s\S]*)"),
    _rule("connection_string", r"(?<![a-z0-9])[a-z][a-z0-9+.-]{1,20}://[^\s:/@]*:[^\s@/]+@[^\s\"'<>，。；、)）\u4e00-\u9fff]+"),
    _rule("connection_string", r"(?:server|data\ source|host|user\ id|database)=[^;\s]+;(?:[^;\n]+;)*?\s*(?:password|pwd)=[^;\s]+;?(?:[^;\s]+=[^;\s]+;?)*"),
    _rule("api_key", r"""(?<![a-z0-9])(?:
        sk-(?:[a-z]+[\d-]*-)*[a-z0-9_-]{16,} | gh[pousr]_[a-z0-9]{20,} | github_pat_[a-z0-9_]{20,} | glpat-[\w-]{16,}
        | xox[abeoprs]-[\w-]{10,} | xapp-[\w-]{10,} | (?:AKIA|ASIA)[A-Z0-9]{12,} | AIza[\w-]{30,} | ya29\.[\w-]{20,}
        | SG\.[\w-]{16,}\.[\w-]{16,} | npm_[a-z0-9]{30,} | pypi-[\w-]{16,} | hf_[a-z0-9]{20,} | LTAI[a-z0-9]{12,26}
        | AKID[a-z0-9]{13,36} | (?:sk|rk|pk)_(?:live|test)_[a-z0-9]{10,} | whsec_[a-z0-9+/=]{16,}
        | shp(?:at|ca|pa|ss)_[a-f0-9]{32} | dop_v1_[a-f0-9]{40,} | \d{8,10}:[\w-]{30,40} )(?![a-z0-9_-])"""),
    _rule("token", r"(?<![a-z0-9])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]{4,})?"),
    _rule("token", r"(?<=bearer\ )[a-z0-9_\-.=+/]{16,}"),
    _rule(
        "api_key",
        r"(?:api[\ _-]?key|(?:access|secret|auth|refresh|session|bot|deploy|account|encryption|license|private)[\ _-]?(?:access[\ _-]?)?(?:key|token|secret|cookie)"
        r"|client[\ _-]?secret|webhook[\ _-]?secret|(?<![a-z])token|密钥|秘钥|私钥|令牌)" + _FOR + _SEP + r"(?P<v>[a-z0-9_\-./+=]{12,})",
        _key_like,
    ),
    _rule("password", rf"(?<![a-z]){_WORD}(?![a-z]){_FOR}{_IS}{_VALUE}(?=$|[\s\"'`”’」，。；、！？,;)）\u4e00-\u9fff])(?!\ (?:to|for|by|in|on|than|that|the|and\ we|because|when|as)\b)", _password),
    _rule("password", rf"(?<![a-z]){_WORD}(?![a-z])\s*[\"'`“‘]?{_VALUE}", _mixed),
    _rule("password", rf"(?<![a-z]){_WORD}(?![a-z])(?:\ (?:back|again|changed|reset|set))?\ (?:to|as)\ [\"'`“‘]?{_VALUE}", _mixed),
    _rule("password", rf"{_WORD_ZH}(?:还|现在|就|都)?{_IS}{_VALUE}", _password),
    _rule("password", rf"{_WORD_ZH}[^\w\n]{{0,3}}{_VALUE}", lambda v: len(v) >= SHORTEST and bool(re.search(r"\d", v))),
    _rule("password", rf"(?:log\s?in|sign\s?in|credentials?|user(?:\s?name)?|account|wi-?fi|admin|账号|账户|用户名)(?:\ (?:is|for\ [\w\ ]{{1,20}}))?\s*[:：=]?\s*[^\s/|，,]{{2,40}}\s*(?:/|\||,\s*|，\s*|\ and\ )\s*(?:{_WORD}|{_WORD_ZH})?\s*[:：=]?\s*{_VALUE}", _mixed),
    _rule("password", rf"(?:wi-?fi|netflix|router|无线|路由器)\ (?:one\ )?(?:is|=|:)\ {_VALUE}", _mixed),
    _rule("pin", rf"(?<![a-z])(?:pin|cvv2?|cvc|(?:pin|{_DOOR})[\ -](?:code|number|pin|combination|combo))(?![a-z]){_FOR}{_SEP}{_NUMBER}"),
    _rule("pin", rf"(?<![a-z])(?:lock\s?box|key\s?safe|key\s?pad){_SEP}{_NUMBER}"),
    _rule("pin", rf"(?<![a-z])(?:code|combination|combo)\ (?:for|to|of|on|at)\ (?:the\ |my\ |our\ |his\ |her\ )?(?:[a-z]+\ ){{0,2}}?{_DOOR}(?![a-z]){_SEP}{_NUMBER}"),
    _rule("pin", rf"(?<!error\ )(?<!status\ )(?<!exit\ )(?<!post\ )(?<!postal\ )(?<!zip\ )(?<!area\ )(?<!country\ )(?<!order\ )(?<!product\ )(?<!response\ )(?<!promo\ )(?<!discount\ )(?<!voucher\ )(?<!booking\ )(?<!course\ )(?<!tracking\ )(?<!colour\ )(?<!color\ )(?<!a-z)(?<=\ )code{_IS}{_NUMBER}"),
    _rule("pin", rf"(?:(?:取款|支付|解锁|锁屏|开机|门禁|门锁|大门|保险[箱柜]|银行卡|信用卡|手机|电梯|储物柜|行李箱|密码锁|车库|防盗|报警器?)的?(?:密码|口令|码|PIN码?)|PIN码?|安全码|开门码|门禁码){_SEP}{_NUMBER}"),
    _rule("otp", r"""(?:(?<![a-z])otp|one[-\ ]time\ (?:code|pass(?:word|code)?|pin)|(?:verification|verify|authenticat(?:ion|or)|2fa|mfa|sms|log[-\ ]?in
        |confirmation|security|sign[-\ ]?in|two[-\ ]factor|backup|recovery)\ codes?|验证码|校验码|动态码|动态密码|短信码|确认码|授权码)
        (?:\ (?:for|to|from)\ [\w\ .'-]{1,25}?)?[^\d\n]{0,14}?(?<!\d)(?P<v>[A-Z]-\d{6}|\d{3}[-\ ]\d{3}|\d{4,8})(?![\d-])"""),
    _rule("otp", r"(?<!\d)(?P<v>\d{3}[-\ ]\d{3}|\d{4,8})(?=\ (?:is|as)\ (?:your|my|the|his|her)\ (?:[\w-]+\ ){0,3}(?:code|otp|pin)(?![a-z]))"),
    _rule("otp", r"(?<![\da-z])(?P<v>\d{4,8})(?=\s*[（(【]?(?:是|为)?(?:您|你|我)?的?[^，,。\d]{0,8}(?:验证码|校验码|动态码|密码))"),
    _rule("seed_phrase", r"""(?:seed(?:\ phrase|\ words)?|(?:recovery|secret|backup|wallet)\ (?:seed\ )?(?:phrase|words)|mnemonic|助记词|恢复词|种子词)
        [^a-z\n]{0,4}(?:(?:for|of|to)\ [\w\ ]{1,24}?)?(?:is|are|was|:)?[^a-z\n]{0,6}(?P<v>(?:[a-z]{3,8}[\ ,，、]+){11,23}[a-z]{3,8})"""),
)  # fmt: skip
