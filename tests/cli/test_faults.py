"""Every fault is one line on standard error that says what to do, and nothing happens."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli.faults import show
from engine.errors import BadInput, NotReleased, StoreFault

WRONG_FILES = {
    "not yaml": ("contacts: [\n", "policy.yaml:2:1"),
    "an unknown key": ("categoires: {}\n", "policy.yaml:1:1"),
    "a label that is none": ("categories:\n  work:\n    labels: [L9]\n", "policy.yaml:3:14"),
    "nobody of that name": ("contacts:\n  Zoe: {labels: [L1-work]}\n", "policy.yaml:2:3"),
    "an account that anybody can take": ("contacts:\n  Zoe: {accounts: ['@zoe']}\n", "policy.yaml:2:20"),
}

FAULTS = {
    "no such command": (["chatt"], "no such command"),
    "no such option": (["chat", "--nope"], "--nope"),
    "one argument too many": (["status", "now"], "now"),
    "an option without its value": (["chat", "--data"], "--data"),
    "a language that Tact does not speak": (["demo", "--lang", "fr"], "fr"),
    "no story": (["play"], "FILE.yaml"),
    "a story that is not there": (["play", "{tmp}/none.yaml"], "none.yaml"),
    "a story that is a folder": (["play", "{tmp}"], "Is a directory"),
    "a step without words": (["play", "{tmp}/silent.yaml"], "silent.yaml:2: step 1: 'owner' says nothing"),
    "a story that is no text": (["play", "{tmp}/noise.yaml"], "no text in UTF-8"),
    "a policy file that is not there": (["policy", "check", "{tmp}/none.yaml"], "none.yaml"),
    "a policy without a memory": (["policy", "show"], "tact init"),
    "a status without a memory": (["status", "--data", "{tmp}/empty"], "tact init"),
    "an erasure without a memory": (["forget", "--finish"], "tact init"),
    "a run without a memory": (["run"], "there is no memory here - tact init makes one"),
    "forgetting outside the chat": (["forget"], "/forget"),
    "an import without a memory": (["import", "irc", "{tmp}/2004-11-15.log"], "tact init"),
    "a log that is not there": (
        ["import", "irc", "{tmp}/none.log", "--draft-roster", "{tmp}/r.yaml"],
        "none.log",
    ),
    "a backup that is not there": (
        ["restore", "{tmp}/none.backup", "--data", "{tmp}/new"],
        "none.backup: there is no such file",
    ),
    "a suite that is not there": (["bench", "audience", "--suite", "{tmp}/none.jsonl"], "none.jsonl"),
    "no suite": (["bench", "audience"], "--suite"),
    "a zone that is none": (["init", "--timezone", "Mars/Olympus", "--data", "{tmp}/new"], "Mars/Olympus"),
    "a name that is no line": (["init", "--owner", "a\nb", "--data", "{tmp}/new"], "one line"),
    "a folder that is a file": (["init", "--data", "{tmp}/2004-11-15.log"], "2004-11-15.log"),
    "a data folder under a file": (["init", "--data", "{tmp}/2004-11-15.log/x"], "2004-11-15.log"),
}


def one_line(text: str) -> bool:
    return text.startswith("tact: ") and text.count("\n") == 1 and text.endswith("\n")


@pytest.mark.parametrize(("arguments", "named"), FAULTS.values(), ids=FAULTS)
def test_bad_input_is_one_line_that_names_the_fault_and_ends_with_2(
    tact, tmp_path: Path, arguments: list[str], named: str
) -> None:
    (tmp_path / "2004-11-15.log").write_text("[12:00] <ann> hello\n")
    (tmp_path / "silent.yaml").write_text("steps:\n- owner\n")
    (tmp_path / "noise.yaml").write_bytes(b"\xff\xfe\xfd")

    done = tact(*(argument.format(tmp=tmp_path) for argument in arguments))

    assert done.code == 2
    assert one_line(done.err), done.err
    assert named in done.err
    assert done.out == ""
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(("text", "place"), WRONG_FILES.values(), ids=WRONG_FILES)
@pytest.mark.parametrize("command", ["check", "apply"])
def test_a_fault_in_a_policy_file_has_its_line_and_column(
    tact, folder: Path, tmp_path: Path, command: str, text: str, place: str
) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(text)

    done = tact("policy", command, str(file), "--data", str(folder))

    assert done.code == 2
    assert one_line(done.err), done.err
    assert place in done.err


def test_a_setting_that_is_wrong_is_named(tact, folder: Path) -> None:
    with (folder / "tact.toml").open("a") as file:
        file.write("langauge = 'en'\n")

    done = tact("status", "--data", str(folder))

    assert done.code == 2
    assert one_line(done.err)
    assert "langauge" in done.err


def test_another_key_opens_nothing_and_says_so(tact, folder: Path, tmp_path: Path) -> None:
    tact("init", "--data", str(tmp_path / "other"))
    (folder / "key").write_bytes((tmp_path / "other" / "key").read_bytes())

    done = tact("status", "--data", str(folder))

    assert done.code == 3
    assert one_line(done.err)


def test_a_key_that_others_can_read_is_refused(tact, folder: Path) -> None:
    (folder / "key").chmod(0o644)

    done = tact("status", "--data", str(folder))

    assert done.code == 2
    assert "chmod 600" in done.err


def test_a_key_that_others_can_read_is_no_wrong_key_to_the_doctor(tact, folder: Path) -> None:
    (folder / "key").chmod(0o644)

    done = tact("doctor", "--offline", "--data", str(folder))

    assert done.code == 1
    assert "chmod 600" in done.out
    assert "backup" not in done.out


def test_a_key_that_is_gone_is_to_be_put_back_and_not_made_anew(tact, folder: Path) -> None:
    (folder / "key").unlink()

    done = tact("status", "--data", str(folder))

    assert done.code == 2
    assert one_line(done.err)
    assert "put it back from your backup" in done.err


@pytest.mark.parametrize("command", ["status", "chat"])
def test_a_memory_that_was_emptied_is_no_new_memory(tact, folder: Path, command: str) -> None:
    (folder / "tact.db").write_bytes(b"")

    done = tact(command, "--data", str(folder))

    assert done.code == 3
    assert one_line(done.err)
    assert "is empty" in done.err
    assert (folder / "tact.db").read_bytes() == b""


@pytest.mark.parametrize("streams", ["<&-", ">&-", "<&- >&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["chat", "--help"])
def test_streams_that_are_closed_are_streams_without_anything_in_them(streams: str, command: str) -> None:
    ran = f"{sys.executable} -m bot {command} {streams}"
    done = subprocess.run(ran, shell=True, capture_output=True, text=True, check=False)  # noqa: S602 - the shell closes them

    assert (done.returncode, done.stderr) == (0, "")


def test_output_that_cannot_be_written_is_told_in_one_line() -> None:
    ran = f"{sys.executable} -m bot --help > /dev/full"
    done = subprocess.run(ran, shell=True, capture_output=True, text=True, check=False)  # noqa: S602 - the shell's file is the point

    assert done.returncode == 1
    assert one_line(done.stderr), done.stderr
    assert "make room" in done.stderr


def test_a_disk_that_is_full_is_no_fault_inside(folder: Path) -> None:
    room = (folder / "tact.db").stat().st_size + 1024
    told = "".join(f"The meeting of team {n} is on Friday the {n}.\n" for n in range(1, 31))

    done = subprocess.run(
        [sys.executable, "-m", "bot", "chat", "--data", str(folder)],
        input=told,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )

    assert done.returncode == 3
    assert one_line(done.stderr), done.stderr
    assert "the memory cannot be used" in done.stderr


def test_words_of_a_fault_inside_are_never_shown(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(error: Exception) -> None:
        raise error

    for debugging in ("", "1"):
        monkeypatch.setenv("TACT_DEBUG", debugging)
        for error in (ValueError("canary"), NotReleased("canary")):
            with pytest.raises(type(error)) as caught:
                fail(error)
            assert show(caught.value) == 1
    told = capsys.readouterr().err

    assert "ValueError" in told
    assert "test_faults.py:" in told
    assert "canary" not in told


def test_errors_raised_on_purpose_keep_their_exit_codes(capsys) -> None:
    assert show(BadInput("x")) == 2
    assert show(StoreFault("x\ny")) == 3
    assert capsys.readouterr().err == "tact: x\ntact: x y\n"


def test_an_interrupted_command_ends_with_130(tact, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("bot.cli.upkeep.status", interrupted)

    assert tact("status").code == 130


def test_a_reader_that_goes_away_is_no_fault() -> None:
    done = subprocess.run(  # noqa: S602 - the shell's pipe is the point
        f"{sys.executable} -c 'from bot.cli.app import main; main()' --help | head -c 1",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stderr == ""


def test_a_chat_that_is_told_to_stop_takes_its_sandbox_with_it(tmp_path: Path) -> None:
    chat = subprocess.Popen(
        [sys.executable, "-m", "bot", "chat"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert chat.stdin is not None
    assert chat.stdout is not None
    chat.stdin.write("/rooms\n")
    chat.stdin.flush()
    assert "/rooms" in chat.stdout.readline()
    assert list(tmp_path.glob("tact-chat-*"))

    chat.send_signal(signal.SIGTERM)

    _, told = chat.communicate(timeout=20)
    assert told == ""
    assert chat.returncode == 128 + signal.SIGTERM
    assert list(tmp_path.glob("tact-chat-*")) == []
