"""What Tact says to its owner, in English and Chinese. Both languages have the same keys and placeholders."""

from __future__ import annotations

from bot.texts import forgetting, installing, platforms
from bot.texts.en import TEXTS as EN
from bot.texts.zh import TEXTS as ZH

LANGUAGES = {
    "en": {**EN, **platforms.EN, **forgetting.EN, **installing.EN},
    "zh": {**ZH, **platforms.ZH, **forgetting.ZH, **installing.ZH},
}


def say(language: str, key: str, **values: object) -> str:
    """The text of this key in this language, with its placeholders filled.

    Raises:
        KeyError: if no text has this key (a fault of the program).
    """
    return LANGUAGES.get(language, LANGUAGES["en"])[key].format(**values)
