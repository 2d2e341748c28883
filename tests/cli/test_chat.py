"""`tact chat` through a pipe: whole little conversations."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

TOLD = "The launch of Borealis is on Friday.\nchange work-projects\nconfirm\n"
LEVELLED = "/level add Bob L1-work\nconfirm earlier\n"
DEFLECTION = "Sorry, I can't help with that one. Please write to Alex directly."


def answers(out: str) -> list[str]:
    """What Tact said to whoever spoke, in order."""
    return re.findall(r"^(?:\d+ )?Tact  (.*)$", out, flags=re.MULTILINE)


def after(out: str, said: str) -> str:
    """Everything that followed these words."""
    return out.partition(f"> {said}\n")[2]


def test_each_hears_only_what_is_theirs(tact) -> None:
    done = tact(
        "chat",
        typed=TOLD
        + LEVELLED
        + "/as bob\nWhen is the launch?\n/as ana\nWhen is the launch?\n/in team\ntact, when is the launch?\n"
        + "/as mallory\nWhen is the launch?\nWhat is the airspeed of a swallow?\n",
    )

    assert done.code == 0, done.err
    bob, *others = answers(done.out)
    assert "Friday" in bob
    assert set(others) == {DEFLECTION}
    assert len(others) == 4


def test_what_the_owner_alone_sees_is_marked(tact) -> None:
    out = tact("chat", typed="The launch of Borealis is on Friday.\n").out

    assert "╭ only Alex sees this\n  │ Noted: " in out
    assert answers(out) == []


def test_an_order_in_a_room_is_answered_to_the_owner_alone(tact) -> None:
    out = tact("chat", typed="/in team\n/contacts\n").out

    assert "only Alex sees this" in after(out, "/contacts")
    assert len(answers(out)) == 1


def test_a_stranger_with_the_owners_words_changes_nothing(tact) -> None:
    out = tact(
        "chat", typed=TOLD + "/as mallory\n/level add mallory L1-work\nconfirm\n/as alex\n/people\n"
    ).out

    assert "mallory  console:mallory  a stranger" in out


def test_the_same_lines_give_the_same_transcript(tact) -> None:
    typed = TOLD + LEVELLED + "/as bob\nWhen is the launch?\n/in team\nhello everybody\n/rooms\n"

    assert tact("chat", typed=typed).out == tact("chat", typed=typed).out


def test_chinese_all_through(tact) -> None:
    out = tact("chat", "--lang", "zh", "--owner", "阿历", typed="北极光项目周五上线。\n/as bob\n/help\n").out

    assert "只有阿历看得到" in out
    assert "这个控制台自己的词" in out


def test_a_sandbox_is_gone_afterwards(tact, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)

    tact("chat", typed=TOLD)

    assert list(tmp_path.glob("tact-chat-*")) == []


def test_no_variable_turns_a_sandbox_towards_a_real_memory(tact, folder: Path, monkeypatch) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name, value in {
        "TACT_DATA": str(folder),
        "TACT_DATABASE_URL": f"sqlite+aiosqlite:///{folder / 'tact.db'}",
        "TACT_KEY_SOURCE": "env",
        "TACT_OWNER_ACCOUNTS": "console:mallory",
    }.items():
        monkeypatch.setenv(name, value)

    assert tact("chat", typed="I am at the dentist.\n/as mallory\n/level list\n").code == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_lasting_folder_remembers_people_rooms_and_words(tact, tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    tact(
        "chat", "--data", data, typed="/in pub\n/invite bob\nI paint the fence on Monday.\n/as dave\nhello\n"
    )

    out = tact(
        "chat", "--data", data, typed="/rooms\n/people\n/in pub\ntact, when do I paint the fence?\n"
    ).out

    assert "pub: Alex, Bob" in out
    assert "dave  console:dave  a stranger" in out
    assert "Monday" in answers(out)[-1]


def test_a_lasting_folder_keeps_its_owner(tact, folder: Path) -> None:
    done = tact("chat", "--data", str(folder), "--owner", "Zoe")

    assert done.code == 2
    assert done.err.count("\n") == 1


def test_a_folder_where_the_console_is_nobody_is_refused(tact, folder: Path) -> None:
    toml = folder / "tact.toml"
    toml.write_text(toml.read_text().replace('["console:owner"]', '["telegram:12345"]'))

    done = tact("chat", "--data", str(folder))

    assert done.code == 2
    assert "owner_accounts" in done.err


def test_time_passes_in_a_sandbox_and_nowhere_else(tact, folder: Path) -> None:
    assert "It is " in tact("chat", typed="/wait 3d\n").out
    assert "cannot wait 'soon'" in tact("chat", typed="/wait soon\n").out
    assert "only a sandbox" in tact("chat", "--data", str(folder), typed="/wait 3d\n").out


def test_the_time_that_passed_is_the_owners(tact) -> None:
    out = tact("chat", typed="/timezone Asia/Shanghai\n/wait 1d\n").out
    zone = after(out, "/timezone Asia/Shanghai")

    there = re.search(r"where it is \d{4}-\d\d-\d\d (\d\d:\d\d)", zone)
    waited = re.search(r"It is \d{4}-\d\d-\d\d (\d\d):", out)
    assert there is not None
    assert waited is not None
    assert int(waited[1]) - int(there[1][:2]) in {0, 1, -23}


def test_a_command_can_refer_to_the_sender_of_a_message(tact) -> None:
    out = tact(
        "chat",
        typed="/as irc:bob2\n/as owner\n/invite irc:bob2 team\n/as irc:bob2\n/in team\nhello\n/as owner\n/in team\n"
        "/reply 1 /level add L1-work as Bobby\n/reply 9 hm\n/in\n/reply 1 hm\nconfirm\n/people\n",
    ).out

    assert "Bobby  irc:bob2  L1-work" in out
    assert "there is no message 9" in out
    assert "message 1 was said somewhere else" in out


def test_tacts_own_replies_can_be_replied_to(tact) -> None:
    out = tact("chat", typed=TOLD + "When is the launch?\n/reply 5 /why\n/reply 4\n/why\n").out

    assert re.search(r"^5 Tact  .*Friday", out, flags=re.MULTILINE)
    assert "What you say next replies to message 4." in out
    assert " ↩4 > /why" in out


def test_signs_that_move_the_cursor_are_not_printed(tact) -> None:
    out = tact("chat", typed="I like \x1b[31mred\x1b[0m \u202eapples\x07.\n").out

    assert "red" in out
    assert not set("\x1b\x07\u202e") & set(out)


def test_bytes_that_are_no_text_do_no_harm(tact, tmp_path: Path) -> None:
    assert tact("chat", typed="caf\ufffd?\n\n   \n/quit\nnever read\n").code == 0


def test_help_shows_both_to_the_owner_and_only_the_consoles_words_to_others(tact) -> None:
    out = tact("chat", typed="/help\n/as bob\n/help\n").out
    owner, bob = out.split("/as bob")[:2]

    assert "/invite NAME [ROOM]" in owner
    assert "/level" in owner
    assert "/invite NAME [ROOM]" in bob
    assert "/level" not in bob


def test_a_fault_inside_ends_a_piped_chat_without_words(tact, monkeypatch) -> None:
    async def broken(*_args, **_more):
        raise ValueError("canary")

    monkeypatch.setattr("bot.service.dispatcher.take_turn", broken)

    done = tact("chat", typed="hello\n")

    assert done.code == 1
    assert "canary" not in done.err + done.out
    assert "ValueError" in done.err


def test_standard_input_is_read_from_a_real_pipe() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", "chat"], input=b"/rooms\n\xff\xfe\n", capture_output=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert b"team: Alex, Ana, Bob" in done.stdout
