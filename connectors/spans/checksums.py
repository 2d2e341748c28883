"""Check digits: what tells a card or an identity number from any long number."""

from __future__ import annotations

from typing import Final

_CN_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CN_CHECKS: Final = "10X98765432"
_CARD_LENGTHS: Final = range(13, 20)
_IBAN_LENGTHS: Final = range(15, 35)


def is_card(value: str) -> bool:
    """Whether the digits are as many as a bank card's, not all the same, and pass Luhn's test."""
    digits = [int(c) for c in value if c.isdigit()]
    if len(digits) not in _CARD_LENGTHS or len(set(digits)) == 1:
        return False
    doubled = [d * 2 - 9 * (d > 4) for d in digits[-2::-2]]  # noqa: PLR2004 - two digits from five on
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def is_iban(value: str) -> bool:
    """Whether the value is an international account number by its remainder of 97."""
    packed = "".join(value.split()).upper()
    if len(packed) not in _IBAN_LENGTHS or not packed.isalnum() or not packed.isascii():
        return False
    turned = packed[4:] + packed[:4]
    return int("".join(str(int(c, 36)) for c in turned)) % 97 == 1


def is_chinese_id(value: str) -> bool:
    """Whether the value is a mainland identity number: eighteen places, the last one a check."""
    body, check = value[:17], value[17:].upper()
    if len(value) != 18 or not body.isdigit():  # noqa: PLR2004 - the length is the norm's
        return False
    total = sum(int(d) * w for d, w in zip(body, _CN_WEIGHTS, strict=True))
    return _CN_CHECKS[total % 11] == check
