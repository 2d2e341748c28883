"""What harms if exposed (PL3): identity papers, cards and accounts, medical findings."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from connectors.spans.checksums import is_card, is_chinese_id, is_iban

Check = Callable[[str], bool]
Rule = tuple[str, re.Pattern[str], Check | None]


def _rule(kind: str, pattern: str, check: Check | None = None, flags: int = re.IGNORECASE) -> Rule:
    """The group `v` is the span; without one, all of the match."""
    return kind, re.compile(pattern, flags | re.ASCII | re.VERBOSE), check


_CONDITION: Final = r"""(?:(?:type\ [12]\ )?diabet(?:es|ic)|hypertension|high\ blood\ pressure|hiv(?:[-\ ]positive)?|aids|(?:\w+\ )?depress(?:ion|ed)
    |bipolar(?:\ disorder)?|schizophrenia|(?:\w+\ )?anxiety(?:\ disorder)?|panic\ (?:disorder|attacks)|ptsd|adhd|ocd|autis(?:m|tic)|asthma
    |epilep(?:sy|tic)|(?:\w+\ )?(?:cancer|carcinoma|tumou?r|lymphoma|melanoma)|leuka?emia|hepatitis(?:\ [abc])?|cirrhosis|chlamydia|gonorrh?oea|gonorrhea
    |syphilis|herpes|hpv|endometriosis|pcos|miscarriage|pregnan(?:t|cy)|arrhythmia|atrial\ fibrillation|heart\ (?:failure|attack|disease)
    |(?:a\ )?stroke|crohn'?s(?:\ disease)?|(?:ulcerative\ )?colitis|lupus|multiple\ sclerosis|parkinson'?s|alzheimer'?s|dementia|migraines?|gout
    |kidney\ (?:stones?|disease|failure)|anorexi[ac]|bulimi[ac]|alcoholi(?:sm|c)|addict(?:ion|ed)|sleep\ apno?ea|(?:hypo|hyper)thyroidism
    |tuberculosis|pneumonia|an(?:a)?emia|thrombosis|fibromyalgia|arthritis|osteoporosis|psoriasis|spondylitis|personality\ disorder|endometriosis|celiac|coeliac|glaucoma|cataracts?|hernia|burn-?out
    |[a-z]{3,}(?:itis|osis|emia|aemia|oma|pathy|algia|plegia|rrhea)|[a-z'\ ]{3,20}\ (?:syndrome|disease|disorder|infection|deficiency|dystrophy|palsy))"""
_CONDITION_ZH: Final = r"""(?:[12一二]型糖尿病|糖尿病|银屑病|白癜风|皮肤病|性病|胃病|肾病|肝病|眼病|传染病|高血压|高血脂|冠心病|心脏病|心梗|房颤|心衰|脑梗|脑出血|脑瘤|中风|(?:[重中轻]度|产后)?抑郁症?|双相(?:情感障碍)?|躁郁症
    |精神分裂症?|焦虑症|惊恐障碍|强迫症|多动症|自闭症|艾滋病?|HIV阳性|梅毒|淋病|湿疣|疱疹|[甲乙丙]肝|肝硬化|肝炎|肺炎|哮喘|癫痫|肺结核|痛风|[肾胆]结石
    |肾衰竭?|尿毒症|甲亢|甲减|红斑狼疮|帕金森|阿尔茨海默|老年痴呆|流产|怀孕|厌食症|白内障|青光眼|骨折|阿尔兹海默|强直性脊柱炎|鼻炎|胃炎|肠炎|关节炎|肾炎|皮炎|脑膜炎|[\u4e00-\u9fff]{1,4}?(?:癌|瘤|综合征|综合症|结节|息肉|囊肿|肌瘤|突出|增生))"""
_CUE: Final = r"""(?:diagnosed\ with|diagnosis(?:\ is|\ of|:)?|suffer(?:s|ing|ed)?\ from|tested\ positive\ for|(?:being\ )?treated\ for|treatment\ for|recovering\ from
    |history\ of|\bhas|\bhave|\bhad|'ve\ got|'s\ got|\bgot|living\ with|relapse\ of|also\ have|thinks?\ (?:it'?s|i\ have)|turned\ out\ to\ be|\b(?:i|he|she|mum|mom|dad|wife|husband|daughter|son|sister|brother)(?:'m|'s|\ is|\ am)
    |pills?\ for|meds?\ for|medication\ for|because\ of\ (?:my|his|her)|\b(?:my|his|her|mum's|mom's|dad's))"""
_CUE_ZH: Final = (
    r"(?:确诊|诊断|患有?|得了?|查出|检查出|病史|复发|治疗|怀疑|可能是|有|因为|做|手术|住院|吃药|是)"
)
_CARD: Final = r"(?:\d{13,19}|\d{4}(?:[\ -]\d{4}){2,3}(?:[\ -]\d{1,4})?|\d{4}[\ -]\d{6}[\ -]\d{4,5})"
_DRUG: Final = r"""(?:metformin|insulin|sertraline|fluoxetine|prozac|zoloft|xanax|lithium|lexapro|adderall|ritalin|warfarin|prednisone|methotrexate|truvada|tamoxifen
    |chemo(?:therapy)?|antidepressants?|[a-z]{4,}(?:pril|sartan|statin|azole|pam|lam|mab|gliptin|olol|oxetine|traline|cillin|mycin|triptyline))(?:\ \d+\ ?(?:mg|mcg|units))?"""

RULES: Final[tuple[Rule, ...]] = (
    _rule("national_id", r"(?<![\d.])\d{17}[\dx](?![\da-z])", is_chinese_id),
    _rule("national_id", r"(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])"),
    _rule("national_id", r"""(?:(?<![a-z])ssn|social\ security(?:\ (?:number|no\.?))?|national\ (?:id|insurance)(?:\ (?:number|no\.?))?|id\ card(?:\ (?:number|no\.?))?|身份证(?:号码?)?)
        [^\d\n]{0,10}(?P<v>[a-z]{0,2}\d[\d\ -]{5,18}[\da-z])(?![\d])"""),
    _rule("passport", r"(?:passport(?:\ (?:number|no\.?))?|护照(?:号码?)?)[^a-z\d\n]{0,4}(?:is|was|:|是|为)?[^a-z\d\n]{0,4}(?P<v>[a-z]{0,2}\d{6,9})(?!\d)"),
    _rule("driving_licence", r"(?:driv(?:er'?s?|ing)\ licen[sc]e(?:\ (?:number|no\.?))?|驾驶证(?:号|编号)?|驾照(?:号)?)[^a-z\d\n]{0,4}(?:is|:|是|为)?[^a-z\d\n]{0,4}(?P<v>[a-z]{0,5}\d[\da-z-]{5,17})"),
    _rule("bank_card", rf"(?<![\d.-]){_CARD}(?![\d-])", is_card),
    _rule("bank_card", r"(?:card(?:\ (?:number|no\.?))?|visa|mastercard|amex|卡号|[银信储借][行用蓄记]卡(?:号)?)[^\d\n]{0,8}(?P<v>(?:\d[\ -]?){12,18}\d)(?!\d)"),
    _rule("iban", r"(?<![a-z0-9])[a-z]{2}\d{2}(?:\ ?[a-z0-9]{4}){2,7}(?:\ ?[a-z0-9]{1,3})?(?![a-z0-9])", is_iban),
    _rule("bank_account", r"(?:(?:(?:bank|checking|savings|current)\ )?(?:account|acct)(?:\ number|\ no\.?|\ \#)|(?:bank|checking|savings|current)\ (?:account|acct)|银行账[号户]|[对收付]公?款?账[号户]|账户号|开户账号)[^\d\n]{0,10}(?P<v>\d[\d\ -]{6,22}\d)(?!\d)"),
    _rule("location", r"(?<![\d.])-?\d{1,3}\.\d{3,8}\s*°?\s*[ns]?\s*[,，/\ ]\s*-?\d{1,3}\.\d{3,8}\s*°?\s*[ew]?(?![\d.])"),
    _rule("medical", rf"{_CUE}\s+(?:(?:an?|the|my|his|her|some|chronic|severe|mild|early|late|stage\ \w+|pretty\ bad|really\ bad|bad|probably|possibly|now)\ ){{0,4}}(?P<v>{_CONDITION})(?![a-z])(?!\s(?:research|stud(?:y|ies)|article|awareness|statistics|charity|lecture|book|conference|project))"),
    _rule("medical", rf"(?<![a-z])(?P<v>{_CONDITION})(?=\ (?:test|tests|results?|biopsy|treatment|therapy|medication|meds|clinic|diagnosis|report|check-?up)(?![a-z]))"),
    _rule("medical", r"(?:put\ (?:me|him|her)\ on|prescribed(?:\ (?:me|him|her))?|started\ (?:me|him|her)\ on|(?<![a-z])on)\ (?P<v>(?-i:[A-Z])[a-z]{4,14})(?=\ (?:\d+\ ?mg|(?:once|twice|three\ times)\ (?:a|per)\ day|daily|for\ (?:my|his|her)))"),
    _rule("medical", rf"(?<![a-z])(?:taking|takes?|on|prescribed(?:\ \w+)?|prescription\ for|dose\ of|started|switched\ to|put\ (?:me|him|her)\ on)\s+(?:\d+\ ?mg\ (?:of\ )?)?(?P<v>{_DRUG})(?![a-z])"),
    _rule("medical", r"(?:blood\ pressure|(?<![a-z])bp|hba1c|(?<![a-z])a1c|blood\ sugar|cholesterol|cd4(?:\ count)?|viral\ load|血压|血糖|胆固醇|尿酸|糖化血红蛋白)[^\d\n]{0,16}(?P<v>\d{1,3}(?:\ ?/\ ?\d{2,3}|\.\d+)?\ ?%?)(?!\d)"),
    _rule("medical", r"(?:医生|大夫)[^，。！？\n]{0,4}?(?:开了?|换成了?|配了?)(?P<v>[\u4e00-\u9fff]{2,7}?)(?=[，。！,\s]|$|\d|一天|每天)"),
    _rule("medical", rf"{_CUE_ZH}[^，。！？\n]{{0,6}}?(?P<v>{_CONDITION_ZH})(?!研究|文章|科普|专家|讲座|知识|会议|项目|日)"),
    _rule("medical", rf"(?P<v>{_CONDITION_ZH})(?=的?(?:检查|化验|报告|治疗|复查|药|诊断|手术|复发|晚期|早期))"),
)  # fmt: skip
