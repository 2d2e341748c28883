import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.language.offline.index_terms import PLACE_TERM, language_of, tokens


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The launch is on Friday", "en"),
        ("项目推迟了", "zh"),
        ("Atlas 项目推迟到5月12日", "zh"),
        ("Mum (妈妈) comes on Friday", "en"),
        ("", "en"),
        ("12:30", "en"),
        ("😀", "en"),
    ],
)
def test_the_language_is_the_one_most_words_are_in(text, language):
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("launches", "launch"),
        ("Carol's", "carol"),
        ("Borealis’ offices", "borealis office"),
        ("José", "jose"),
        ("ＡＢＣ１２", "abc12"),
        ("Mum", "mother"),
        ("妈妈", "mother"),
        ("go live", "上线"),
    ],
)
def test_ways_to_write_the_same_word_are_one_term(left, right):
    assert set(tokens(left)) == set(tokens(right))


@pytest.mark.parametrize(
    "text", ["the of and is", "what when where who", "什么时候", "的了吗呢", "ok lol haha please", "怎么样"]
)
def test_words_without_a_topic_are_left_out(text):
    assert tokens(text) == ()


@pytest.mark.parametrize(
    ("text", "term"),
    [("12 May 2027", "may"), ("at 16:30", "16:30"), ("2027-05-12", "2027-05-12"), ("5月12日", "12")],
)
def test_numbers_and_dates_are_kept(text, term):
    assert term in tokens(text)


def test_the_verb_may_is_not_the_month():
    assert "may" not in tokens("it may rain")


def test_chinese_is_cut_into_characters_and_neighbours():
    assert set(tokens("波尔图")) == {"波", "尔", "图", "波尔", "尔图"}


def test_a_character_that_builds_words_stands_in_pairs_only():
    found = tokens("会议")
    assert "会" not in tokens("会不会")
    assert found


@pytest.mark.parametrize(
    "text", ["I'm in Porto until Friday", "Landed in Oslo", "我这周在上海", "We are away"]
)
def test_where_the_teller_is_has_a_term_of_its_own(text):
    assert PLACE_TERM in tokens(text)


@pytest.mark.parametrize("text", ["I'm allergic to nuts", "The launch is in January", "I'm in love"])
def test_other_statements_do_not_have_it(text):
    assert PLACE_TERM not in tokens(text)


@given(st.text())
def test_any_text_has_terms_and_the_same_ones_again(text):
    assert tokens(text) == tokens(text)
    assert all(term for term in tokens(text))
