"""What harms if exposed (PL3): identity papers, cards and accounts, medical findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from connectors.patterns import PatternFile
from connectors.spans.checksums import is_card, is_chinese_id, is_iban

Check = Callable[[str], bool]
Rule = tuple[str, re.Pattern[str], Check | None]


_CHECKS: Final[Mapping[str, Check]] = {"card": is_card, "chinese_id": is_chinese_id, "iban": is_iban}
RULES: Final[tuple[Rule, ...]] = tuple(
    (row["kind"], pattern, _CHECKS[row["check"]] if "check" in row else None)
    for pattern, row in PatternFile(__file__, "harmful_data").rows("rule", re.IGNORECASE | re.ASCII)
)
