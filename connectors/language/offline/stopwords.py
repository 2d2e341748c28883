"""Words without a topic, for the index and for questions.

Three kinds are kept apart. `FUNCTION_*` never carries a topic. `CHAT_*` is how people talk in a chat. `ASK_*` is
how people ask: dropped from questions only, since "news" or "plan" may well be what a stored fact is about.
"""

from __future__ import annotations

from typing import Final

from connectors.patterns import PatternFile

_FILE: Final = PatternFile(__file__, "stopwords")
FUNCTION_EN: Final = frozenset(_FILE.word_list("function_en"))
CHAT_EN: Final = frozenset(_FILE.word_list("chat_en"))
ASK_EN: Final = frozenset(_FILE.word_list("ask_en"))
FUNCTION_ZH: Final = _FILE.word_list("function_zh")
PARTICLES_ZH: Final = "的了吗呢吧啊呀哦噢嘛哈嗯呃哎唉我你您他她它"
CHAR_ZH: Final = frozenset(_FILE.word_list("char_zh"))
CHAT_ZH: Final = _FILE.word_list("chat_zh")
ASK_ZH: Final = _FILE.word_list("ask_zh")
