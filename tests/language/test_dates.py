from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.language.offline.dates import find_all, resolve

MONDAY = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
LISBON = ZoneInfo("Europe/Lisbon")
ZONES = [
    "Europe/Lisbon",
    "Asia/Shanghai",
    "America/New_York",
    "Pacific/Auckland",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
]


def local(text, zone=LISBON, said_at=MONDAY):
    when = resolve(text, said_at, zone)
    if when is None:
        return None
    return (
        f"{when.at.astimezone(zone):%Y-%m-%d}"
        if when.is_day
        else f"{when.at.astimezone(zone):%Y-%m-%d %H:%M}"
    )


ENGLISH = [
    ("The Atlas launch moved to 12 May.", "2027-05-12"),
    ("on May 12th", "2027-05-12"),
    ("12 May 2028", "2028-05-12"),
    ("the 12th of May", "2027-05-12"),
    ("2027-05-12", "2027-05-12"),
    ("today", "2026-11-30"),
    ("I see him tomorrow", "2026-12-01"),
    ("yesterday", "2026-11-29"),
    ("the day after tomorrow", "2026-12-02"),
    ("I'm away until Friday", "2026-12-04"),
    ("on Monday", "2026-11-30"),
    ("next Friday", "2026-12-11"),
    ("this Sunday", "2026-12-06"),
    ("last Monday", "2026-11-23"),
    ("next week", "2026-12-07"),
    ("next month", "2026-12-01"),
    ("in three days", "2026-12-03"),
    ("in 2 weeks", "2026-12-14"),
    ("a week ago", "2026-11-23"),
    ("at the end of the month", "2026-11-30"),
    ("Dentist tomorrow at 4pm", "2026-12-01 16:00"),
    ("at 4 tomorrow", "2026-12-01 16:00"),
    ("Friday, 12 May at 4pm", "2027-05-12 16:00"),
    ("on 2027-05-12 at 16:30", "2027-05-12 16:30"),
    ("tonight at 8", "2026-11-30 20:00"),
    ("tomorrow morning at 9", "2026-12-01 09:00"),
    ("lunch at noon", "2026-11-30 12:00"),
    ("at 9:15 am", "2026-12-01 09:15"),
    ("4 o'clock", "2026-11-30 16:00"),
    ("3-5pm on Thursday", "2026-12-03 15:00"),
    ("in half an hour", "2026-11-30 10:30"),
    ("by the 12th", "2026-12-12"),
]
CHINESE = [
    ("今天", "2026-11-30"),
    ("明天", "2026-12-01"),
    ("后天", "2026-12-02"),
    ("昨天", "2026-11-29"),
    ("周五交报告", "2026-12-04"),
    ("星期五", "2026-12-04"),
    ("下周五", "2026-12-11"),
    ("这周日", "2026-12-06"),
    ("上周三", "2026-11-25"),
    ("5月12日", "2027-05-12"),
    ("5月12号", "2027-05-12"),
    ("2028年5月12日", "2028-05-12"),
    ("五月十二号", "2027-05-12"),
    ("明年3月1日", "2027-03-01"),
    ("三天后", "2026-12-03"),
    ("两周后", "2026-12-14"),
    ("下周", "2026-12-07"),
    ("下个月", "2026-12-01"),
    ("明天下午三点", "2026-12-01 15:00"),
    ("下午3点半", "2026-11-30 15:30"),
    ("今天16:30", "2026-11-30 16:30"),
    ("明晚八点", "2026-12-01 20:00"),
    ("5月12号下午4点", "2027-05-12 16:00"),
    ("2小时后", "2026-11-30 12:00"),
    ("周四中午", "2026-12-03 12:00"),
]


@pytest.mark.parametrize(("text", "expected"), [*ENGLISH, *CHINESE])
def test_a_time_expression_is_resolved_in_the_owners_zone(text, expected):
    assert local(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "12/5",
        "every Friday",
        "每周五",
        "I may 12",
        "24/7",
        "no time here",
        "the second item",
        "没有时间",
        "Fridays",
        "version 3.16",
        "3月亮",
    ],
)
def test_what_is_ambiguous_or_a_habit_or_no_time_has_no_date(text):
    assert local(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the party was on Saturday", "2026-11-28"),
        ("We shipped on 28 Nov", "2026-11-28"),
        ("the party is on Saturday", "2026-12-05"),
        ("I met her on Friday", "2026-11-27"),
        ("the launch was moved to Friday", "2026-12-04"),
        ("I was told the demo is on Friday", "2026-12-04"),
    ],
)
def test_a_bare_day_is_ahead_unless_the_clause_speaks_of_the_past(text, expected):
    assert local(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("not Friday but Saturday", "2026-12-05"),
        ("it moved from Friday to Saturday", "2026-12-05"),
        ("从周五改到周六", "2026-12-05"),
        ("不是周五，是周六", "2026-12-05"),
    ],
)
def test_what_is_no_longer_so_is_dropped(text, expected):
    assert local(text) == expected


@pytest.mark.parametrize("name", ZONES)
@pytest.mark.parametrize("text", ["12 May 2027", "5月12日", "tomorrow"])
def test_a_day_reads_the_same_in_utc_and_in_the_owners_zone(name, text):
    zone = ZoneInfo(name)
    when = resolve(text, MONDAY, zone)
    assert when is not None
    assert when.at.astimezone(zone).date() == when.at.astimezone(UTC).date()


def test_today_is_the_owners_today():
    late = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)
    assert local("today", ZoneInfo("Asia/Shanghai"), late) == "2026-12-01"
    assert local("today", ZoneInfo("America/New_York"), late) == "2026-11-30"


def test_the_phrase_is_as_it_stands():
    when = resolve("Dinner on Friday at 7pm, bring wine", MONDAY, LISBON)
    assert when is not None
    assert when.phrase == "Friday at 7pm"


def test_several_times_are_found_in_order():
    phrases = [m.when.phrase for m in find_all("Monday in Porto, Thursday in Rome", MONDAY, LISBON)]
    assert phrases == ["Monday", "Thursday"]


def test_a_time_that_reads_differently_another_day_is_marked():
    relative = {m.when.phrase: m.relative for m in find_all("tomorrow, and then on 12 May", MONDAY, LISBON)}
    assert relative == {"tomorrow": True, "12 May": False}


@given(st.text(), st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)), st.sampled_from(ZONES))  # noqa: DTZ001
def test_any_text_has_aware_utc_times_or_none(text, moment, name):
    when = resolve(text, moment.replace(tzinfo=UTC), ZoneInfo(name))
    assert when is None or when.at.utcoffset() == timedelta(0)


@given(
    st.lists(
        st.sampled_from(
            [
                "on",
                "Friday",
                "12",
                "May",
                "at",
                "4",
                "pm",
                "下周",
                "三点",
                "月",
                "号",
                "last",
                "in",
                "99",
                "years",
                "9999-12-31",
            ]
        )
    ),
    st.sampled_from(ZONES),
)
def test_no_mixture_of_time_words_fails(words, name):
    for text in (" ".join(words), "".join(words)):
        for mention in find_all(text, MONDAY, ZoneInfo(name)):
            assert text[mention.start : mention.end] == mention.when.phrase


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("The contract gets signed on 20 March.", 2026),
        ("The papers are signed on 20 March.", 2026),
        ("We signed it on 20 February.", 2026),
        ("The papers were signed on 20 March.", 2025),
    ],
)
def test_a_participle_after_gets_or_is_does_not_make_it_past(text: str, year: int) -> None:
    """Only a verb of its own speaks of the past."""
    when = resolve(text, datetime(2026, 3, 2, 9, tzinfo=UTC), ZoneInfo("UTC"))
    assert when is not None
    assert when.at.year == year
