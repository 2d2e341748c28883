import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.spans.checksums import is_card, is_chinese_id, is_iban
from connectors.spans.rules import detect

SECRETS = [
    ("the wifi password is sunshine", "sunshine"),
    ("password: hunter2", "hunter2"),
    ("The password for the shared drive is still winter-garden", "winter-garden"),
    ("My PIN is 4821", "4821"),
    ("door code 4821#", "4821#"),
    ("The code for the front door is 7734", "7734"),
    ("alarm code is 1290", "1290"),
    ("the safe combination is 12-34-56", "12-34-56"),
    ("your code is 482913", "482913"),
    ("482 913 is your login code", "482 913"),
    ("API key: abcd1234efgh5678", "abcd1234efgh5678"),
    ("use postgres://bob:s3cret@db.example/x", "postgres://bob:s3cret@db.example/x"),
    ("家里的wifi密码：sunny2020", "sunny2020"),
    ("密码是abc12345", "abc12345"),
    ("门禁密码是4821", "4821"),
    ("验证码 482913", "482913"),
    ("保险箱密码 8842", "8842"),
    ("密码是ａｂｃ１２３４５", "ａｂｃ１２３４５"),
    ("my pass\u200bword is hunter2", "hunter2"),
]
HARMLESS = [
    "password policy", "the code review is on Friday", "The password is wrong", "I forgot my password", "the pin on the map", "code 404 error",
    "the error code is 5003", "the zip code is 94110", "dress code is casual", "password reset is needed", "Pin it to the board",
    "The launch moved to 12 May", "flight TP 1234 at 10:30", "my phone is 912 345 678", "the door is open until 18:00", "api key rotation is on Monday",
    "The security code review is on 2026-12-04", "the promo code is 20231", "密码忘了", "代码评审在周五", "门禁卡在桌上", "验证码还没收到", "<Password_1> is mine",
]  # fmt: skip
SENSITIVE = [
    ("card 4111 1111 1111 1111", "bank_card"),
    ("IBAN GB82 WEST 1234 5698 7654 32", "iban"),
    ("身份证11010519491231002X", "national_id"),
    ("my SSN is 123-45-6789", "national_id"),
    ("passport number is X1234567", "passport"),
    ("I've been diagnosed with type 2 diabetes", "medical"),
    ("妈妈确诊了糖尿病", "medical"),
]


@pytest.mark.parametrize(("text", "value"), SECRETS)
def test_what_opens_something_is_found_where_it_stands(text, value):
    assert [text[s.start : s.end] for s in detect(text) if s.level == 4] == [value]


@pytest.mark.parametrize("text", HARMLESS)
def test_talk_about_codes_and_passwords_is_no_secret(text):
    assert [s for s in detect(text) if s.level == 4] == []


@pytest.mark.parametrize(("text", "kind"), SENSITIVE)
def test_what_harms_if_exposed_is_found(text, kind):
    assert [s.kind for s in detect(text) if s.level == 3] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "4111 1111 1111 1112",
        "a cancer research conference",
        "GB82 WEST 1234 5698 7654 33",
        "order 123456789012345",
    ],
)
def test_a_wrong_check_digit_or_mere_talk_is_not(text):
    assert [s for s in detect(text) if s.level == 3] == []


def test_check_digits():
    assert is_card("4111111111111111")
    assert not is_card("0000000000000000")
    assert is_iban("DE89 3704 0044 0532 0130 00")
    assert not is_iban("DE89")
    assert is_chinese_id("11010519491231002X")
    assert not is_chinese_id("110105194912310021")


@given(st.text(max_size=400))
def test_spans_lie_in_the_text_and_never_overlap(text):
    end = 0
    for span in detect(text):
        assert end <= span.start < span.end <= len(text)
        end = span.end


def test_a_secret_deep_in_a_long_text_is_found():
    text = "bla " * 10_000 + "the wifi password is hunter22"
    assert text[detect(text)[-1].start :] == "hunter22"
