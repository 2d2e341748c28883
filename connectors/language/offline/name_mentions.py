"""Mentions of persons as they stand in a text. Generous: the caller resolves them against names the owner gave."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

KIN_EN: Final = (
    r"(?:mum|mom|mother|mummy|mommy|dad|father|daddy|sister|brother|sis|bro|wife|husband|son|daughter|kids?|children|parents|grandma|grandpa|granny"
    r"|grandmother|grandfather|gran|aunt|auntie|uncle|cousin|nephew|niece|girlfriend|boyfriend|partner|fianc[eé]e?|ex|in-laws|mother-in-law|father-in-law"
    r"|sister-in-law|brother-in-law|stepmother|stepfather|boss|manager|landlord|landlady|flatmate|roommate|neighbou?r|colleague|friend|doctor|lawyer|accountant)"
)
_STANDALONE_KIN: Final = (
    r"(?:Mum|Mom|Mummy|Mommy|Mother|Dad|Daddy|Father|Grandma|Grandpa|Granny|Gran|Auntie|Aunt|Uncle)"
)
KIN_ZH: Final = (
    "(?:妈妈|爸爸|老妈|老爸|母亲|父亲|爸妈|父母|姐姐|妹妹|哥哥|弟弟|姐夫|嫂子|老婆|老公|妻子|丈夫|媳妇|爱人|儿子|女儿|孩子|爷爷|奶奶|外公|外婆|姥姥|姥爷"
    "|叔叔|阿姨|舅舅|舅妈|姑姑|姑妈|姨妈|伯伯|表哥|表弟|表姐|表妹|堂哥|堂弟|堂姐|堂妹|岳父|岳母|丈母娘|公公|婆婆|女朋友|男朋友|女友|男友|未婚妻|未婚夫|前妻|前夫|前女友|前男友"
    "|室友|房东|老板|领导|同事|邻居|妈|爸)"
)
_SURNAMES: Final = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕张孔曹严金魏陶姜谢邹章云苏潘葛范彭鲁韦马苗方俞任袁柳唐罗薛雷贺倪汤毕郝邬安常于傅康伍余顾孟黄穆萧尹姚邵汪毛"
    "戴宋熊纪舒项祝董梁杜蓝季贾江童颜郭梅林钟徐邱骆高夏蔡田樊胡凌霍万卢莫房丁邓洪石崔龚程邢裴陆荣翁段富焦谷侯温庄柴阎廖易聂曾关刘叶白乔欧司"
)
_TITLE_ZH: Final = (
    "(?:老师|医生|大夫|教授|经理|总监|主任|律师|先生|女士|小姐|师傅|警官|护士|教练|阿姨|叔叔|总|哥|姐)"
)
_VERB_AHEAD_ZH: Final = r"(?=在|是|说|要|会|去|来|住|有|和|跟|喜欢|讨厌|打算|准备|今天|明天|昨天|后天|下周|上周|周|也|不|没|想|把|已经|刚|的|过敏|搬|买|换|辞|生|做|管|负责|领导|，|。|、|$)"

_COMMON: Final = frozenset(
    """
    I I'm I'll I've I'd The A An This That These Those It It's He She They We You My Your His Her Our Their There Here Then Now
    What When Where Who Why How Which Is Are Was Were Do Does Did Can Could Will Would Should Shall May Might Must Have Has Had Am
    And But Or So If Because Since While As At In On By For To From With About After Before Until Between Not No Yes Ok OK Okay Please Thanks
    Thank Hi Hello Hey Good Morning Dear Also Just Well Actually Maybe Today Tomorrow Tonight Yesterday Monday Tuesday Wednesday Thursday Friday
    Saturday Sunday Mon Tue Wed Thu Fri Sat Sun January February March April May June July August September October November December Jan Feb Mar
    Apr Jun Jul Aug Sep Sept Oct Nov Dec Christmas Easter Internet English Chinese French German Spanish Portuguese Tact Everyone Everybody
    Anyone Anybody Nobody Someone Somebody Never Don't Let Let's Tell Keep Remember Note FYI BTW CEO CTO CFO HR IT PM AM TV USA UK EU Only Both All
    Some Any Every Each Another New Next Last First Second Still Yet Again Correction Officially Really PS Re
    """.split()
)  # fmt: skip
_CAPITAL: Final = r"[A-Z\u00c0-\u00de][\w’'\u00df-\u024f-]*[a-z\u00df-\u024f]|[A-Z][a-z]?\.?(?= [A-Z][a-z])"
_RUN: Final = re.compile(
    rf"(?<![\w'’#@/])(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.?\s+)?(?:{_CAPITAL})(?:\s+(?:de |da |van |von |del |la )?(?:{_CAPITAL}))*"
)
_KIN: Final = re.compile(
    rf"\b(?:my|his|her|our|their|your)\s+(?:(?:little|big|older|younger|twin|eldest|youngest|best|old)\s+)?{KIN_EN}\b(?!-)|\b{_STANDALONE_KIN}\b|\b(?:mum|mom|dad|grandma|grandpa)\b",
    re.IGNORECASE,
)
_ZH: Final = re.compile(
    rf"(?P<kin>(?:(?:我们|咱们|我|你|他|她|咱)的?)?{KIN_ZH})"
    rf"|(?P<nick>[小老阿][{_SURNAMES}])(?![\u4e00-\u9fff]{{0,1}}(?:时|年|说))"
    rf"|(?P<title>[{_SURNAMES}][\u4e00-\u9fff]{{0,2}}?{_TITLE_ZH})"
    rf"|(?<![\u4e00-\u9fff])(?P<full>[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?){_VERB_AHEAD_ZH}"
    rf"|(?:和|跟|与|叫|给|找|约|见|陪|帮|问|请|让)(?P<with>[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?){_VERB_AHEAD_ZH}"
)
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")


def names_in(text: str, owner_names: Sequence[str] = ()) -> tuple[str, ...]:
    """Persons mentioned, in order, each once: capitalised words, kin terms, titles, Chinese names by their shape.

    Args:
        owner_names: names of the owner, which are left out.
    """
    found = [(m.start(), m[0]) for m in _KIN.finditer(text)]
    found += [(start, name) for start, name in _capitalised(text)]
    if _HAN.search(text):
        for match in _ZH.finditer(text):
            group = match.lastgroup or "full"
            found.append((match.start(group), match[group]))
    mine = {name.casefold() for name in owner_names}
    ordered = dict.fromkeys(name for _, name in sorted(found) if name.casefold() not in mine)
    return tuple(ordered)


def _capitalised(text: str) -> list[tuple[int, str]]:
    """Runs of capitalised words, common ones cut off at either end."""
    found = []
    for match in _RUN.finditer(text):
        words = re.sub(r"['’]s\b", "", match[0]).split()
        while words and _bare(words[0]) in _COMMON:
            words.pop(0)
        while words and _bare(words[-1]) in _COMMON:
            words.pop()
        if words and not re.fullmatch(_STANDALONE_KIN, words[0]):
            found.append((match.start() + match[0].find(words[0]), " ".join(words)))
        elif len(words) > 1:
            found.append((match.start(), " ".join(words)))
    return found


def _bare(word: str) -> str:
    return word.rstrip(".,")
