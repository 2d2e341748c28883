"""From nothing to an answer in a group; what the doctor finds; one Tact a folder."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from bot.cli import run
from bot.doctor import examined
from bot.locking import is_held, only_one
from bot.selftest.telegram_world import BOT, TOKEN
from config.settings import load_settings
from config.tokens import load_token, save_token, token_file
from engine.errors import BadInput
from tests.telegram.conftest import BOB, CAROL, EVE, GROUP, OWNER

ROOT = Path(__file__).parents[2]
ASK = "@tact_bot when is the launch of Borealis?"
TRANSCRIPT = ROOT / "docs" / "channels" / "telegram-transcript.md"


@pytest.fixture
def installed(tmp_path, monkeypatch, stage):
    """A folder that `tact init` made, and the environment that leads to the small Telegram."""
    monkeypatch.setenv("TACT_TELEGRAM_API", stage.wire.url)
    monkeypatch.setenv("TACT_DEFLECT_AFTER_S", "0")
    monkeypatch.delenv("TACT_TELEGRAM_TOKEN", raising=False)
    folder = tmp_path / "mine"
    assert run(["init", "--data", str(folder), "--owner", "Alex", "--timezone", "UTC", "--yes"]) == 0
    shutil.copy(_token(tmp_path), folder.parent / "t")
    return folder


def _token(folder: Path, token: str = TOKEN) -> Path:
    path = folder / "token.txt"
    path.write_text(token + "\n")
    return path


async def tact(*arguments: object) -> int:
    """Run a command in a thread of its own, as it runs a loop of its own."""
    return await asyncio.to_thread(run, [str(a) for a in arguments])


def connect(folder: Path, *more: str):
    return tact("connect", "telegram", "--data", folder, "--token-file", folder.parent / "t", *more)


async def test_the_token_is_tried_and_kept_for_the_owner_s_eyes_only(installed, capsys):
    assert await connect(installed, "--no-wait") == 0
    out = capsys.readouterr().out
    assert re.search(r"https://t\.me/tact_bot\?start=[\w-]{22}\n", out)
    assert TOKEN not in out
    settings = load_settings(installed)
    assert load_token(settings, "telegram", {}) == TOKEN
    assert token_file(settings, "telegram").stat().st_mode & 0o777 == 0o600
    everything = b"".join(path.read_bytes() for path in installed.glob("tact.*"))
    assert TOKEN.encode() not in everything


@pytest.mark.parametrize("token", ["nonsense", "123:wrong", ""])
async def test_a_token_that_is_no_good_is_not_kept(installed, token, capsys):
    (installed.parent / "t").write_text(token)
    assert await connect(installed, "--no-wait") == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert token not in err or not token
    assert not token_file(load_settings(installed), "telegram").exists()


async def test_without_a_memory_or_a_network_it_says_so(tmp_path, installed, monkeypatch, capsys):
    assert await tact("connect", "telegram", "--data", tmp_path / "none") == 2
    assert "tact init" in capsys.readouterr().err
    assert await tact("run", "--data", installed) == 2
    assert "tact connect telegram" in capsys.readouterr().err
    monkeypatch.setenv("TACT_TELEGRAM_API", "http://127.0.0.1:1/bot")
    assert await connect(installed, "--no-wait") == 2
    assert "cannot be reached" in capsys.readouterr().err


async def _open_link(stage, capsys, user: int) -> str:
    """Wait for the link to be printed, and open it."""
    out = ""
    for _ in range(400):
        out += capsys.readouterr().out
        found = re.search(r"start=([\w-]{22})\n", out)
        if found:
            stage.world.say(user, user, f"/start {found[1]}")
            return out
        await asyncio.sleep(0.05)
    raise AssertionError(out)


async def test_it_waits_until_the_link_is_opened_and_then_there_is_an_owner(installed, stage, capsys):
    connecting = asyncio.create_task(connect(installed))
    await _open_link(stage, capsys, OWNER)
    assert await asyncio.wait_for(connecting, 30) == 0
    assert "You are the owner now" in capsys.readouterr().out
    assert f"telegram:{OWNER}" in load_settings(installed).owner_accounts
    assert await connect(installed) == 0
    assert "owner already" in capsys.readouterr().out


async def test_a_transcript_from_connect_to_an_answer_in_a_group(installed, stage, capsys, memory):
    """What docs/channels/telegram-transcript.md shows; `TACT_WRITE_TRANSCRIPT=1` writes it anew."""
    lines = ["$ tact connect telegram"]
    connecting = asyncio.create_task(connect(installed))
    out = await _open_link(stage, capsys, OWNER)
    assert await asyncio.wait_for(connecting, 30) == 0
    printed = (out + capsys.readouterr().out).rstrip()
    lines += [line.replace(str(installed), "~/tact") for line in printed.splitlines()]
    shutil.copy(memory, installed / "tact.db")
    stage.folder = installed
    stage.settings = lambda: load_settings(installed)
    lines += ["", f"{stage.world.texts(OWNER)[-1]}", "", "$ tact run", ""]
    stage.world.chats[GROUP].members[CAROL] = "member"
    async with stage.running():
        for who, user, chat, text in (
            ("Bob → Tact", BOB, BOB, "/start"),
            ("Alex → Tact", OWNER, OWNER, "/meet CODE as Bob"),
            ("Alex → Tact", OWNER, OWNER, "/level add Bob L1-work"),
            ("Alex → Tact", OWNER, OWNER, "confirm"),
            ("Alex → Tact", OWNER, OWNER, "The launch of Borealis is on Friday 4 December 2026."),
            ("Alex → Tact", OWNER, OWNER, "confirm"),
            ("Bob @ Crew", BOB, GROUP, ASK),
            ("Alex @ Crew", OWNER, GROUP, "/rollcall"),
            ("Carol @ Crew", CAROL, GROUP, "(presses the button)"),
            ("Alex @ Crew", OWNER, GROUP, "/audience"),
            ("Alex → Tact", OWNER, OWNER, f"/meet telegram:{CAROL} as Carol"),
            ("Alex → Tact", OWNER, OWNER, "/level add Carol L1-work"),
            ("Alex → Tact", OWNER, OWNER, "confirm earlier"),
            ("Bob @ Crew", BOB, GROUP, ASK),
            ("Eve → Tact", EVE, EVE, "When is the launch of Borealis?"),
        ):
            if "CODE" in text:
                text = text.replace("CODE", stage.world.texts(BOB)[-1].rsplit(" ", 1)[1])  # noqa: PLW2901
            lines.append(f"{who}: {text}")
            before = len(stage.world.sent)
            if text.startswith("("):
                stage.world.press(
                    next(m for m in stage.world.sent if "reply_markup" in m and m["chat"]["id"] == chat), user
                )
            else:
                stage.world.say(chat, user, text, date=stage.stamp())
            await stage.settle()
            await stage.quiet()
            lines += [_shown(message) for message in stage.world.sent[before:]]
    text = "\n".join(lines)
    for pattern, stands in ((r"start=[\w-]{22}", "start=CODE"), (r"[A-Z2-7]{4}-[A-Z2-7]{4}", "ABCD-EFGH"),
                            (r"told me on \d+ \w+", "told me on DAY")):  # fmt: skip
        text = re.sub(pattern, stands, text)
    page = f"{_HEAD}\n```text\n{text}\n```\n"
    if os.environ.get("TACT_WRITE_TRANSCRIPT"):
        TRANSCRIPT.write_text(page, encoding="utf-8")
    assert page == TRANSCRIPT.read_text("utf-8"), (
        "TACT_WRITE_TRANSCRIPT=1 writes it anew; look at what changed"
    )


_HEAD = """\
# From `tact connect telegram` to an answer in a group

Made by `tests/telegram/test_connecting.py` against the small Telegram of `tact selftest`, with the unmodified client
library. `→` is a private chat, `@` a group; indented is what Tact sent and where;
`[[ ]]` are buttons.
"""


def _shown(message) -> str:
    chat = message["chat"]
    place = chat.get("title") or chat["first_name"]
    text = message["text"].replace("\n", "\n        ")
    rows = message.get("reply_markup", {"inline_keyboard": []})["inline_keyboard"]
    buttons = "".join(f" [[{button['text']}]]" for row in rows for button in row)
    return f"    ({place}) {text}{buttons}"


async def test_a_second_run_says_who_holds_the_folder(installed, capsys):
    await connect(installed, "--no-wait")
    capsys.readouterr()
    with only_one(installed):
        assert is_held(installed)
        assert await tact("run", "--data", installed) == 2
    assert f"process {os.getpid()}" in capsys.readouterr().err
    assert not is_held(installed)


async def test_a_signal_to_end_ends_it_cleanly(installed, stage):
    await connect(installed, "--no-wait")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", "--data", str(installed), stderr=subprocess.PIPE
    )
    for _ in range(400):
        if stage.wire.count("getUpdates"):
            break
        await asyncio.sleep(0.05)
    stage.world.say(BOB, BOB, "Hi there")
    while not stage.world.texts(BOB):  # noqa: ASYNC110 - another process answers
        await asyncio.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    _, errors = await asyncio.wait_for(process.communicate(), 30)
    assert (process.returncode, errors) == (0, b"")
    assert not is_held(installed)


async def found(folder: Path, **more):
    return {f.about: f for f in await examined(folder, offline=more.get("offline", False))}, [
        (f.about, f.state) for f in await examined(folder, offline=more.get("offline", False))
    ]


async def test_the_doctor_finds_nothing_wrong_where_nothing_is(installed, stage, capsys):
    connecting = asyncio.create_task(connect(installed))
    await _open_link(stage, capsys, OWNER)
    await connecting
    _, states = await found(installed)
    assert [entry for entry in states if entry[1] == "fault"] == []
    assert ("clock", "ok") in states
    assert await tact("doctor", "--data", installed, "--json") == 0


async def test_each_fault_has_its_fix(installed, stage, capsys, tmp_path):
    assert (await found(tmp_path / "none"))[0]["database"].fix == "tact init"
    assert (await found(installed))[0]["telegram"].fix == "tact connect telegram"
    await connect(installed, "--no-wait")
    by_name, _ = await found(installed, offline=True)
    assert "tact connect telegram" in by_name["owner"].fix
    token_file(load_settings(installed), "telegram").chmod(0o644)
    (installed / "tact.db").chmod(0o640)
    faults = [f for f in await examined(installed, offline=True) if f.about == "files"]
    assert [f.fix.split()[0] for f in faults] == ["chmod"] * 2
    token_file(load_settings(installed), "telegram").chmod(0o600)
    stage.world.bot |= {
        "can_read_all_group_messages": False,
        "can_join_groups": False,
        "supports_inline_queries": True,
    }
    minded = [f.what for f in await examined(installed, offline=False) if f.state == "mind"]
    assert {"/setjoingroups", "/setprivacy", "/setinline"} <= set(re.findall(r"/set\w+", " ".join(minded)))
    stage.wire.order("getMe", "error", 401)
    assert [f.state for f in await examined(installed, offline=False) if f.about == "telegram"] == ["fault"]
    assert await tact("doctor", "--data", installed) == 1
    assert "->" in capsys.readouterr().out


async def test_a_group_without_rights_is_named(installed, stage, capsys, memory):
    await connect(installed, "--no-wait")
    shutil.copy(memory, stage.folder / "tact.db")
    async with stage.running() as service:
        await service.hub.rooms.saw(GROUP, BOB)
    (stage.folder / "key").write_text("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n")
    (stage.folder / "key").chmod(0o600)
    save_token(load_settings(stage.folder), "telegram", TOKEN)
    stage.world.chats[GROUP].members[BOT] = "member"
    by_name, _ = await found(stage.folder)
    assert "administrator" in by_name["group"].fix
    capsys.readouterr()


def test_a_token_that_others_can_read_is_refused(tmp_path):
    from config.settings import Settings  # noqa: PLC0415 - beside what it is about

    settings = Settings(data=tmp_path)
    save_token(settings, "telegram", "1:a")
    token_file(settings, "telegram").chmod(0o644)
    with pytest.raises(BadInput, match="chmod 600"):
        load_token(settings, "telegram", {})
    assert load_token(settings, "telegram", {"TACT_TELEGRAM_TOKEN": "2:b"}) == "2:b"
    with suppress(FileNotFoundError):
        token_file(settings, "telegram").unlink()
    assert load_token(settings, "telegram", {}) == ""


@pytest.mark.parametrize(
    "owner", ["@alice", "alice", "telegram:1087968824", "telegram:777000", "telegram:-1001"]
)
def test_a_name_or_a_service_s_id_cannot_be_the_owner(tmp_path, owner, capsys):
    (tmp_path / "tact.toml").write_text(f'owner_accounts = ["{owner}"]\n')
    assert run(["run", "--data", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert "owner_accounts" in err
