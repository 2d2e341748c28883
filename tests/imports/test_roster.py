"""The roster is the owner's word: read strictly, placed on the log's clock, and drafted so that it reads back the same."""

from datetime import date
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.roster_file import Stay, check_single, draft, load_roster, stays
from engine.errors import BadInput

DAY = date(2020, 3, 1)


def written(tmp_path, text):
    path = tmp_path / "roster.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_roster_is_read(tmp_path):
    roster = load_roster(
        written(
            tmp_path,
            'channel: "#kiln"\nday: 2020-03-01\ntimezone: Europe/Lisbon\npresent:\n'
            '  - {nick: wren, from: "09:00", to: 09:30}\n  - {nick: wren, from: 2020-03-02 00:10}\n  - nick: "[f]"\n',
        )
    )
    assert (roster.channel, roster.day, roster.zone) == ("#kiln", DAY, ZoneInfo("Europe/Lisbon"))
    assert [(p.nick, str(p.start), str(p.end)) for p in roster.present] == [
        ("wren", "09:00", "09:30"),
        ("wren", "2020-03-02 00:10", "None"),
        ("[f]", "None", "None"),
    ]


@pytest.mark.parametrize(
    ("text", "where", "says"),
    [
        ("channel: '#kiln'", "1:1", "nobody is named"),
        ("present: wren", "1:10", "a list"),
        ("present: [wren]", "1:11", "keys and values"),
        ("present: [{from: '09:00'}]", "1:11", "nick is missing"),
        ("present: [{nick: two words}]", "1:18", "no blanks"),
        ("present: [{nick: wren, form: '09:00'}]", "1:24", "from?"),
        ("present: [{nick: wren, from: '24:00'}]", "1:30", "no time of day"),
        ("present: [{nick: wren, from: nine}]", "1:30", "no time of day"),
        ("present: [{nick: wren, from: 900}]", "1:30", "no time of day"),
        ("present: [{nick: wren, from: '2020-02-30 09:00'}]", "1:30", "no such day"),
        ("channel: kiln\npresent: []", "1:10", "no channel"),
        ("day: Monday\npresent: []", "1:6", "no day"),
        ("timezone: Mars\npresent: []", "1:11", "no time zone"),
        ("present: []\npresent: []", "2:1", "twice"),
    ],
)
def test_a_mistake_is_named_with_line_and_column(tmp_path, text, where, says):
    with pytest.raises(BadInput) as caught:
        load_roster(written(tmp_path, text))
    assert str(caught.value).startswith(f"roster.yaml:{where}: ")
    assert says in str(caught.value)


def placed(tmp_path, entry, first, last, cycle=1440):
    roster = load_roster(written(tmp_path, f"present: [{{nick: wren{entry}}}]"))
    (stay,) = stays(roster, DAY, first, last, cycle)
    return stay.start, stay.end


@pytest.mark.parametrize(
    ("entry", "first", "last", "cycle", "expected"),
    [
        ("", 540, 600, 1440, (540, 600)),
        (", from: '09:10'", 540, 600, 1440, (550, 600)),
        (", to: '09:10'", 540, 600, 1440, (540, 550)),
        (", from: '08:00', to: '11:00'", 540, 600, 1440, (480, 660)),
        (", from: '08:00', to: '08:30'", 540, 600, 1440, (480, 510)),  # before the log: there in none of it
        (", from: '11:00'", 540, 600, 1440, (660, 600)),  # after it: the same
        # over midnight
        (", from: '23:50', to: '00:10'", 1380, 1500, 1440, (1430, 1450)),
        (", from: '00:10'", 1380, 1500, 1440, (1450, 1500)),
        (", from: '22:00'", 1380, 1500, 1440, (1320, 1500)),
        (", from: '2020-03-02 00:10', to: '2020-03-02 09:00'", 1380, 1500, 1440, (1450, 1980)),
        # a clock of twelve hours, written as in the log or with the hours of the afternoon
        (", from: '12:18', to: '01:05'", 18, 291, 720, (18, 65)),
        (", from: '12:18', to: '13:05'", 18, 291, 720, (18, 65)),
    ],
)
def test_times_are_placed_on_the_clock_of_the_log(tmp_path, entry, first, last, cycle, expected):
    assert placed(tmp_path, entry, first, last, cycle) == expected


@pytest.mark.parametrize(
    "entry", [", from: '09:30', to: '09:10'", ", to: '08:00'", ", from: '11:00', to: '10:30'"]
)
def test_nobody_leaves_before_coming(tmp_path, entry):
    with pytest.raises(BadInput, match=r"^roster\.yaml:1:\d+: wren leaves before coming"):
        placed(tmp_path, entry, 540, 600)


def test_a_roster_without_a_day_is_for_one_log(tmp_path):
    roster = load_roster(written(tmp_path, "present: [{nick: wren}]"))
    check_single(roster, [1])
    with pytest.raises(BadInput, match="which of 2 logs"):
        check_single(roster, [1, 2])
    check_single(load_roster(written(tmp_path, "day: 2020-03-01\npresent: []")), [1, 2])


NICKS = st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S"]), min_size=1, max_size=9)


@given(st.data(), st.sampled_from([720, 1440]), st.integers(0, 1439), st.integers(0, 2000))
def test_a_draft_reads_back_as_what_was_drafted(tmp_path_factory, data, cycle, first, length):
    first %= cycle
    last = first + length
    spans = st.tuples(st.integers(first, last), st.integers(first, last)).map(sorted)
    entries = data.draw(st.lists(st.tuples(NICKS, spans), max_size=4))
    drafted = draft(
        [(n, a, b, "seen") for n, (a, b) in entries], channel="#kiln", day=DAY, timezone="UTC", cycle=cycle
    )
    roster = load_roster(written(tmp_path_factory.mktemp("r"), drafted))
    assert stays(roster, DAY, first, last, cycle) == tuple(Stay(n, a, b) for n, (a, b) in entries)
    assert (roster.channel, roster.day) == ("#kiln", DAY)


def test_a_draft_says_that_it_proves_nothing():
    text = draft([("wren", 541, 549, "not seen to leave")], channel="", day=DAY, timezone="UTC")
    assert text.startswith("# DRAFT.")
    assert '- {nick: "wren", from: "09:01", to: "09:09"} # not seen to leave' in text.replace("  #", " #")
