import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.annotation import Join


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Atlas launch moved to 12 May.", ["The Atlas launch moved to 12 May."]),
        ("Hi Tact! I'm in Porto until Friday.", ["I'm in Porto until Friday."]),
        ("Mum is ill. Bob is in Rome.", ["Mum is ill.", "Bob is in Rome."]),
        ("remember that Ana is vegetarian", ["Ana is vegetarian"]),
        ("Please note: the plumber comes at nine", ["the plumber comes at nine"]),
        ("FYI the office is closed", ["the office is closed"]),
        ("By the way, Bob is back", ["Bob is back"]),
        ("I like small but cosy places", ["I like small but cosy places"]),
        ("Bob is late because of the rain", ["Bob is late because of the rain"]),
        ("Dr. Silva called at 4.30 p.m. about Mum", ["Dr. Silva called at 4.30 p.m. about Mum"]),
        ("ok. lol. Bob moved to Rome", ["Bob moved to Rome"]),
        ("Lisbon", []),
        ("记住妈妈周日生日", ["妈妈周日生日"]),
        ("记一下：安娜吃素", ["安娜吃素"]),
        ("你好！我在波尔图。鲍勃回来了。", ["我在波尔图。", "鲍勃回来了。"]),
        ("对了，我周五不在", ["我周五不在"]),
    ],
)
def test_statements_are_the_tellers_own_words(read, text, expected):
    assert [s.text for s in read(text).statements] == expected


@pytest.mark.parametrize(
    ("text", "texts", "joins"),
    [
        (
            "Atlas is late because the vendor is slow",
            ["Atlas is late", "the vendor is slow"],
            [Join("because", 0, 1)],
        ),
        ("Ana is ill, so I stay home", ["Ana is ill", "I stay home"], [Join("because", 1, 0)]),
        (
            "I wanted to come but the flight was cancelled",
            ["I wanted to come", "the flight was cancelled"],
            [Join("but", 0, 1)],
        ),
        ("I like Bob. But he is always late.", ["I like Bob.", "he is always late."], [Join("but", 0, 1)]),
        ("项目推迟了，因为供应商晚了", ["项目推迟了", "供应商晚了"], [Join("because", 0, 1)]),
        ("因为下雨，所以比赛取消了", ["下雨", "比赛取消了"], [Join("because", 1, 0)]),
        ("我想去，但是航班取消了", ["我想去", "航班取消了"], [Join("but", 0, 1)]),
        ("虽然很累，但我去了", ["很累", "我去了"], [Join("but", 0, 1)]),
    ],
)
def test_because_and_but_between_clauses_become_joins(read, text, texts, joins):
    found = read(text)
    assert [s.text for s in found.statements] == texts
    assert list(found.joins) == joins


@pytest.mark.parametrize(
    ("text", "hint", "kept"),
    [
        ("#family Mum is ill", "family", "Mum is ill"),
        ("#家庭 妈妈病了", "家庭", "妈妈病了"),
        ("family: Mum is ill", "family", "family: Mum is ill"),
        ("Mum is ill", None, "Mum is ill"),
        ("16:30 is fine for me", None, "16:30 is fine for me"),
        ("https://example.org is our site", None, "https://example.org is our site"),
    ],
)
def test_a_leading_tag_is_a_hint(read, text, hint, kept):
    (statement,) = read(text).statements
    assert (statement.hint, statement.text) == (hint, kept)


@pytest.mark.parametrize(
    ("text", "correction"),
    [
        ("Correction: the demo is on Friday", True),
        ("Actually, it's on Saturday", True),
        ("The launch moved to 12 May", True),
        ("The meeting was postponed to Friday", True),
        ("not Friday but Saturday", True),
        ("更正：发布会在周六", True),
        ("发布会改到周六", True),
        ("Ana moved to Porto", False),
        ("The launch is on 12 May", False),
        ("发布会在周六", False),
    ],
)
def test_only_explicit_corrections_are_marked(read, text, correction):
    assert [s.correction for s in read(text).statements] == [correction]


@pytest.mark.parametrize(
    ("text", "secret", "sensitive"),
    [
        ("The wifi password is hunter22", True, False),
        ("门禁密码是4821", True, False),
        ("Here's the code for the front door. It's 4821.", True, False),
        ("I've been diagnosed with asthma", False, True),
        ("We changed the password policy", False, False),
        ("The code review is on Friday", False, False),
    ],
)
def test_spans_mark_the_statement_that_holds_them(read, text, secret, sensitive):
    last = read(text).statements[-1]
    assert (last.secret, last.sensitive) == (secret, sensitive)


def test_what_somebody_says_of_himself_is_a_statement_of_his_alone(read):
    """Field case 10: "I'm Luke" must not make anybody Luke."""
    found = read("I'm Luke")
    assert [s.text for s in found.statements] == ["I'm Luke"]
    assert found.statements[0].relations == ()


def test_the_owner_is_no_third_person(read):
    assert read("Alex met Bob in Rome").statements[0].names == ("Bob", "Rome")


BITS = [
    "don't tell Carol", "别告诉妈妈", "because", "but", "因为", "但是", "Mum is ill", "我在家", ".", "。", "?", "(", ")", "tell them", "就说", "hi", "#a", "password: x1!y",
    "if anyone asks", "Bob", "和", ", ", " ", "\n", "between us", "保密", "actually", "on Friday", "下周五", "👍", "“", "”", "'s", "I'm",
]  # fmt: skip


@given(st.lists(st.sampled_from(BITS), max_size=12), st.sampled_from(["", " "]))
def test_no_mixture_fails_and_statements_are_made_of_the_message(read, bits, glue):
    text = glue.join(bits)
    found = read(text)
    for statement in (*found.statements, *found.covers):
        assert statement.text
        assert is_within(statement.text, text)
    for join in found.joins:
        assert {join.left, join.right} <= set(range(len(found.statements)))


@given(st.text(max_size=300))
def test_any_text_can_be_read_and_asked(read, ask, text):
    found, query = read(text), ask(text)
    assert all(is_within(s.text, text) for s in (*found.statements, *found.covers))
    assert query.wide == (not query.terms)


def is_within(piece, text):
    """A stretch of the text; after a request in brackets was taken out, its letters in their order."""
    letters = iter(text)
    return piece in text or ("(" in text or ("（" in text and all(letter in letters for letter in piece)))
