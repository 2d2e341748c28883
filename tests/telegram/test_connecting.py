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

from bot.cli.app import run
from bot.selftest.telegram_world import TOKEN
from bot.service.lock import is_held, only_one
from bot.texts import say
from config.keys import load_token, save_token, token_file
from config.settings import load_settings
from engine.errors import BadInput
from tests.telegram.commandline import connect, open_link, tact
from tests.telegram.conftest import BOB, CAROL, EVE, GROUP, OWNER

ROOT = Path(__file__).parents[2]
ASK = "@tact_bot when is the launch of Borealis?"
TRANSCRIPT = ROOT / "docs" / "channels" / "telegram-transcript.md"


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


async def test_it_waits_until_the_link_is_opened_and_then_there_is_an_owner(installed, stage, capsys):
    connecting = asyncio.create_task(connect(installed))
    await open_link(stage, capsys, OWNER)
    assert await asyncio.wait_for(connecting, 30) == 0
    assert "You are the owner now" in capsys.readouterr().out
    assert f"telegram:{OWNER}" in load_settings(installed).owner_accounts
    assert await connect(installed) == 0
    assert "owner already" in capsys.readouterr().out


async def test_a_transcript_from_connect_to_an_answer_in_a_group(installed, stage, capsys, empty_memory):
    """What docs/channels/telegram-transcript.md shows; `TACT_WRITE_TRANSCRIPT=1` writes it anew."""
    lines = ["$ tact connect telegram"]
    connecting = asyncio.create_task(connect(installed))
    out = await open_link(stage, capsys, OWNER)
    assert await asyncio.wait_for(connecting, 30) == 0
    printed = (out + capsys.readouterr().out).rstrip()
    lines += [
        line.replace(f" --data {installed}", "").replace(str(installed), "~/tact")
        for line in printed.splitlines()
    ]
    shutil.copy(empty_memory, installed / "tact.db")
    stage.folder = installed
    stage.settings = lambda: load_settings(installed)
    lines += [
        "",
        f"{stage.world.texts(OWNER)[-1]}",
        "",
        "$ tact run",
        say("en", "run.as", name="tact_bot"),
        "",
    ]
    stage.world.chats[GROUP].members[CAROL] = "member"
    async with stage.running():
        for who, user, chat, text in (
            ("Bob → Tact", BOB, BOB, "/start"),
            ("Alex → Tact", OWNER, OWNER, "/meet CODE as Bob"),
            ("Alex → Tact", OWNER, OWNER, "/level add Bob L1-work"),
            ("Alex → Tact", OWNER, OWNER, "confirm"),
            ("Alex → Tact", OWNER, OWNER, "The launch of Borealis is on Friday 4 December 2026."),
            ("Alex → Tact", OWNER, OWNER, "(presses Confirm)"),
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
                shown = [m for m in stage.world.sent if "reply_markup" in m and m["chat"]["id"] == chat][-1]
                stage.world.press(shown, user)
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
