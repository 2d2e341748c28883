"""Fixed public lines: the same bytes for everybody but the owner. `{owner}` is the only placeholder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_EN: Final = {
    "greeting": "Hello! I'm {owner}'s assistant, and I answer for {owner} when I can. Ask me something, or tell me what {owner} should know.",
    "thanks": "You're welcome.",
    "smalltalk": "Noted. If you have a question for {owner}, just ask it here.",
    "about": (
        "I'm {owner}'s assistant, a program that answers for {owner}. I remember what is said where I am present, and {owner} can read it."
        " I pass on only what {owner} lets me. If you would like your messages forgotten, ask {owner}: one command removes them."
    ),
    "privacy": (
        "I'm {owner}'s assistant. I remember what is said in the chats I am in, so that I can answer for {owner}, and {owner} can read all of it."
        " What you tell me here I don't tell others unless {owner} decides so. To have your messages forgotten, ask {owner}, who removes them with one command."
    ),
    "deflection": "Sorry, I can't help with that one. Please write to {owner} directly.",
    "command": "Only {owner} can give me commands here.",
    "moved": "I've answered in our direct chat.",
    "noted": "Noted; {owner} can read this. If you have a question, just ask.",
    "nothing": "I remember nothing that answers this.",
    "stranger": (
        "Hello! I'm {owner}'s assistant, a program that answers for {owner}. I remember what you write here, and {owner} can read it."
        " I don't know you yet. If {owner} knows you, tell {owner} this code:"
    ),
    "slow": "That was a lot at once. Please write again in a few minutes.",
    "rollcall": "{owner} would like to know who is in this group. Please press the button once.",
    "here": "I'm here",
    "pressed": "Thank you.",
}
_ZH: Final = {
    "greeting": "你好！我是{owner}的助理，会尽量替{owner}回答。有什么想问的，或想让{owner}知道的，请告诉我。",
    "thanks": "不客气。",
    "smalltalk": "好的。如果有事想问{owner}，直接在这里问就行。",
    "about": (
        "我是{owner}的助理，一个替{owner}回答问题的程序。我在场时大家说的话我会记住，{owner}可以看到这些内容。"
        "我只转述{owner}允许我说的事。如果希望删除你的消息，请告诉{owner}，一条命令就能删掉。"
    ),
    "privacy": (
        "我是{owner}的助理。为了替{owner}回答，我会记住我所在聊天里说过的话，{owner}可以看到全部内容。"
        "你在这里告诉我的事，除非{owner}决定，我不会告诉别人。想删除你的消息，请告诉{owner}，一条命令就能删掉。"
    ),
    "deflection": "抱歉，这个我帮不上忙。请直接联系{owner}。",
    "command": "这里只有{owner}可以对我下命令。",
    "moved": "我已经在我们的私聊里回答了。",
    "noted": "记下了，{owner}看得到。有问题的话，直接问就行。",
    "nothing": "我的记忆里没有能回答这个的内容。",
    "stranger": (
        "你好！我是{owner}的助理，一个替{owner}回答问题的程序。你在这里写的话我会记住，{owner}可以看到。"
        "我还不认识你。如果{owner}认识你，请把这个代码告诉{owner}："
    ),
    "slow": "一下子太多了，请过几分钟再写。",
    "rollcall": "{owner}想知道群里有哪些人，请按一下按钮。",
    "here": "我在",
    "pressed": "谢谢。",
}
_LINES: Final[Mapping[str, Mapping[str, str]]] = {"en": _EN, "zh": _ZH}

NAMES: Final = tuple(_EN)
"""Every line there is."""


class OfflineLines:
    """`engine.ports.Lines` over the built-in wording."""

    def line(self, name: str, language: str, custom: Mapping[tuple[str, str], str], owner: str) -> str:
        """The line of this name, the owner's own wording first; a language without lines gets the English ones.

        Raises:
            KeyError: if no line has this name: a name is written in code and never comes from a user.
        """
        built_in = _LINES.get(language, _EN)[name]
        # Plain replacement: other braces in the owner's wording are just braces.
        return custom.get((name, language), built_in).replace("{owner}", owner)
