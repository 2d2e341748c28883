"""Questions that name a topic and nothing in it are answered by what is about that topic."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from connectors.language.offline.question_units import ask
from connectors.language.offline.topics import speaks_of, topics_asked

WORK, FAMILY = "The Falcon release slips to 3 June.", "My daughter Mia starts school in September."
WORK_ZH, FAMILY_ZH = "猎鹰项目的上线推迟到6月3日。", "妈妈下个月搬来和我们住。"


def topics(question: str) -> frozenset[str]:
    """What the question asks about, for an owner called Sam or 老林."""
    return topics_asked(ask(question, datetime(2026, 5, 4, 9, tzinfo=UTC), ZoneInfo("UTC"), ("Sam", "老林")))


@pytest.mark.parametrize(
    "question",
    ["Any updates on work?", "What's Sam's news at work?", "Is the project on track?", "工作上有什么消息？"],
)
def test_work(question: str) -> None:
    """Work, in both languages, and nothing of the family."""
    asked = topics(question)
    assert [speaks_of(text, asked) for text in (WORK, FAMILY, WORK_ZH, FAMILY_ZH)] == [
        True,
        False,
        True,
        False,
    ]


@pytest.mark.parametrize(
    "question",
    [
        "Tell me about the family",
        "What is happening with the family this week?",
        "家里怎么样？",
        "老林家里最近有什么安排？",
    ],
)
def test_family(question: str) -> None:
    """The family, and nothing of work."""
    asked = topics(question)
    assert [speaks_of(text, asked) for text in (WORK, FAMILY, WORK_ZH, FAMILY_ZH)] == [
        False,
        True,
        False,
        True,
    ]


@pytest.mark.parametrize(
    "question",
    [
        "When is the work dinner?",
        "How is the family dog?",
        "What's up with the Falcon project?",
        "What's new?",
        "海蓝公司的合同签了吗？",
    ],
)
def test_a_more_particular_word_decides_alone(question: str) -> None:
    """Something named, or nothing at all: no topic."""
    assert topics(question) == frozenset()
