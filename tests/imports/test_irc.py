"""Lines of an IRC log become typed rows; every line becomes exactly one, and time never goes back."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.imports.irc import (
    DAY,
    HALF_DAY,
    Came,
    Malformed,
    Passed,
    Renamed,
    Said,
    Went,
    day_of,
    decoded,
    folded_nick,
    parse,
)
from connectors.imports.signs import Sign, signs

SHARED = Path(__file__).parents[3] / "shared" / "data" / "irc" / "dev"


def one(line: str):
    (row,) = parse([line]).rows
    return row


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("[09:05] <wren> the kiln is ready", Said(1, 545, "wren", "the kiln is ready")),
        ("[09:05:59] <wren> the kiln", Said(1, 545, "wren", "the kiln")),
        ("[09:05] <@|wr[en]`> a <b> c", Said(1, 545, "|wr[en]`", "a <b> c")),
        ("[09:05]  * wren fires the kiln", Said(1, 545, "wren", "wren fires the kiln")),
        ("[09:05] -wren:#kiln- all out", Said(1, 545, "wren", "all out")),
        ("=== wren fires the kiln", Said(1, 0, "wren", "wren fires the kiln")),
        ("[09:05] <wren> \x02bold\x0f \x0304,12red\x03 text", Said(1, 545, "wren", "bold red text")),
        ("[09:05] <wren>", Passed(1, 545)),
        ("[09:05] <wren>   ", Passed(1, 545)),
        ("[09:05]  * wren", Passed(1, 545)),
        ("", Passed(1, 0)),
        ("=== mode/#kiln [+o wren]  by finch", Passed(1, 0)),
        ("=== Topic (#kiln): glaze", Passed(1, 0)),
        ("=== wren [~w@host.example]  has joined #Kiln", Came(1, 0, "wren", "#kiln")),
        ("=== [wren]  [~w@host.example]  has joined #kiln", Came(1, 0, "[wren]", "#kiln")),
        ("[09:05] -!- wren [w@host] has joined #kiln", Came(1, 545, "wren", "#kiln")),
        ('=== wren [~w@host.example]  has left #kiln ["bye [all]"]', Went(1, 0, "wren", "#kiln")),
        ("=== wren [~w@host.example]  has quit [Ping timeout]", Went(1, 0, "wren", "")),
        ("=== wren is now known as wren_away", Renamed(1, 0, "wren", "wren_away")),
        ("=== wren is now known as [a] guest", Said(1, 0, "wren", "wren is now known as [a] guest")),
        ("[25:05] <wren> x", Malformed(1, 0, "no such time of day")),
        ("[09:61] <wren> x", Malformed(1, 0, "no such time of day")),
        ("wren: hello", Malformed(1, 0, "no time and no ===")),
        ("<wren> hello", Malformed(1, 0, "no time and no ===")),
        ("[09:05] hello", Malformed(1, 545, "neither <nick> nor * nick after the time")),
        ("[09:05] <two words> hello", Malformed(1, 545, "neither <nick> nor * nick after the time")),
        ("[09:05] <wren> " + "x" * 4000, Malformed(1, 545, "longer than 4000 characters")),
    ],
)
def test_a_line_is_read_as_what_it_is(line, row):
    assert one(line) == row


@given(
    st.lists(st.text(max_size=60) | st.from_regex(r"\[\d\d:\d\d\] <\w+> \w+", fullmatch=True), max_size=30)
)
def test_whatever_the_lines_each_is_one_row_and_time_never_goes_back(lines):
    rows = parse(lines).rows
    assert [row.line for row in rows] == list(range(1, len(lines) + 1))
    minutes = [row.minute for row in rows]
    assert minutes == sorted(minutes)


@given(st.binary(max_size=300))
def test_whatever_the_bytes_there_is_a_line_for_every_line_end(content):
    lines = decoded(content)
    content = content.removeprefix(b"\xef\xbb\xbf")
    assert len(lines) == content.count(b"\n") + (0 if content.endswith(b"\n") or not content else 1)


def test_lines_are_utf8_and_where_they_are_not_western_european():
    assert decoded(b"\xef\xbb\xbfa\r\ncaf\xc3\xa9\x85\ncaf\xe9\n") == ["a", "cafÃ©…", "café"]
    assert decoded("小\u2028周\x85\n".encode()) == ["小\u2028周\x85"]


def test_text_is_not_in_the_repr():
    assert "kiln" not in repr(one("[09:05] <wren> the kiln"))


def stamped(*times):
    return parse([f"[{time}] <wren> x" for time in times])


def test_after_midnight_the_minutes_go_on():
    log = stamped("23:58", "23:59", "00:00", "00:01", "23:00", "01:00")
    assert [row.minute for row in log.rows] == [1438, 1439, 1440, 1441, 2820, 2940]
    assert (log.cycle, log.first, log.last) == (DAY, 1438, 2940)


def test_a_clock_put_right_is_no_midnight():
    assert [row.minute for row in stamped("02:59", "02:00", "02:30", "03:01").rows] == [179, 179, 179, 181]


def test_a_clock_of_twelve_hours_is_noticed():
    log = stamped("12:18", "12:59", "01:00", "04:00", "11:59", "12:00", "01:00")
    assert [row.minute for row in log.rows] == [18, 59, 60, 240, 719, 720, 780]
    assert log.cycle == HALF_DAY


def test_silence_from_noon_to_the_next_night_is_no_clock_of_twelve_hours():
    assert stamped("13:00", "12:59", "01:00").cycle == DAY
    assert stamped("00:30", "12:59", "01:00").cycle == DAY


def test_lines_without_a_time_get_that_of_the_line_before():
    log = parse(
        [
            "=== wren [w@h]  has joined #kiln",
            "[09:05] <wren> x",
            "=== wren is now known as w2",
            "[09:06] <w2> y",
        ]
    )
    assert [row.minute for row in log.rows] == [545, 545, 545, 546]
    assert log.channel == "#kiln"


def test_an_empty_log_has_nothing_in_it():
    log = parse([])
    assert (log.rows, log.first, log.last, log.channel) == ((), 0, 0, "")


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2004-11-15_03.ascii.txt", date(2004, 11, 15)),
        ("#kiln.2004-11-15.log", date(2004, 11, 15)),
        ("2004-13-15.log", None),
        ("12004-11-15.log", None),
        ("kiln.log", None),
    ],
)
def test_the_day_is_in_the_name(name, day):
    assert day_of(name) == day


def test_nicks_differ_by_more_than_the_case_of_letters():
    assert folded_nick("WrEn[A]") == "wren[a]"
    assert folded_nick("wren{a}") != folded_nick("wren[a]")
    assert folded_nick("Ｗren") == "Ｗren"


def test_signs_of_presence_leave_out_the_minutes_at_the_edges():
    log = parse(
        [
            "[09:00] <finch> morning",
            "=== wren [w@h]  has joined #kiln",
            "[09:05] <wren> hi",
            "[09:10] <finch> hi",
            "=== wren [w@h]  has left #kiln []",
            "[09:20] <finch> gone",
            "=== wren [w@h]  has joined #kiln",
            "[09:30] <wren> back",
            "=== Wren is now known as wren_out",
            "[09:40] <finch> still here",
            "[09:50] <wren_out> bye",
            "[09:50] <once> x",
        ]
    )
    assert signs(log) == [
        Sign("finch", 541, 579, left=False),
        Sign("wren", 541, 549, left=True),
        Sign("wren", 561, 569, left=True),
        Sign("wren_out", 571, 589, left=False),
    ]


def test_joining_again_without_leaving_counts_until_the_last_word_only():
    log = parse(
        [
            "[09:00] <finch> x",
            "=== wren [w@h]  has joined #kiln",
            "[09:05] <wren> x",
            "[09:30] <finch> x",
            "=== wren [w@h]  has joined #kiln",
            "[09:40] <wren> x",
        ]
    )
    assert [s for s in signs(log) if s.nick == "wren"] == [
        Sign("wren", 541, 544, left=False),
        Sign("wren", 571, 579, left=False),
    ]


@pytest.mark.skipif(
    not SHARED.is_dir(), reason="an extra: real logs are not beside this clone, and nothing rests on them"
)
def test_extra_real_logs_hold_no_line_that_is_not_understood():
    for path in sorted(SHARED.glob("*.ascii.txt")):
        log = parse(decoded(path.read_bytes()))
        assert not [row for row in log.rows if isinstance(row, Malformed)]
        assert log.last - log.first < DAY
        assert day_of(path.name) is not None
