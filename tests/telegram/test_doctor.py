"""`tact doctor`: each fault with what to do about it, and an exit code that says whether there is one."""

from __future__ import annotations

import json
import re
import shutil
from email.utils import formatdate

from bot.cli import doctor
from bot.cli.doctor import examined
from bot.selftest import telegram_wire
from bot.selftest.telegram_world import BOT, TOKEN
from bot.texts import languages, texts
from config.keys import save_token, token_file
from config.settings import load_settings
from engine.mailroom import Arrival, Sending, State
from tests.model.fake import Back, says, sends, serving
from tests.telegram.commandline import connect, open_link, tact
from tests.telegram.conftest import BOB, GROUP, OWNER


async def found(folder, *, offline: bool = False):
    """What it finds, by what it is about."""
    return {finding.about: finding for finding in await examined(folder, offline=offline)}


async def faults(folder, *, offline: bool = True) -> dict[str, str]:
    """The fixes of the faults, by what they are about."""
    return {f.about: f.fix for f in (await found(folder, offline=offline)).values() if f.state == "fault"}


async def test_it_finds_nothing_wrong_where_nothing_is(installed, stage, capsys):
    import asyncio  # noqa: PLC0415 - for this one

    connecting = asyncio.create_task(connect(installed))
    await open_link(stage, capsys, OWNER)
    await connecting
    everything = await found(installed)
    assert {f.state for f in everything.values()} == {"ok"}
    assert set(everything) == {
        "settings",
        "files",
        "disk",
        "database",
        "tables",
        "vectors",
        "telegram",
        "clock",
    }
    assert await tact("doctor", "--data", installed) == 0
    shown = capsys.readouterr().out
    assert "ok     telegram: @tact_bot" in shown
    assert TOKEN not in shown
    assert await tact("doctor", "--data", installed, "--json") == 0
    assert {f["state"] for f in json.loads(capsys.readouterr().out)} == {"ok"}


async def test_without_settings_or_a_memory(tmp_path, installed):
    nothing = await faults(tmp_path / "none")
    assert nothing == {"database": f"tact init --data {tmp_path / 'none'}"}
    (installed / "tact.toml").write_text('owner_accounts = ["@alice"]\n')
    assert "telegram:12345" in (await found(installed))["settings"].what
    assert await tact("doctor", "--data", installed) == 1


async def test_a_lost_key_is_not_made_anew(installed):
    """A new key would open nothing, and stand where the right one has to come back."""
    (installed / "key").unlink()
    assert "backup" in (await faults(installed))["key"]
    assert not (installed / "key").exists()


async def test_another_key_or_a_damaged_file(installed):
    kept = (installed / "key").read_text()
    (installed / "key").write_text("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n")
    assert "right key" in (await faults(installed))["database"]
    (installed / "key").write_text(kept)
    (installed / "tact.db").write_bytes(b"SQLite format 3\0" + bytes(5000))
    assert "tact restore" in (await faults(installed))["database"]


async def test_what_others_can_read(installed):
    await connect(installed, "--no-wait")
    token_file(load_settings(installed), "telegram").chmod(0o644)
    (installed / "tact.db").chmod(0o640)
    (installed / "key").chmod(0o604)
    installed.chmod(0o755)
    wrong = [f for f in await examined(installed, offline=True) if f.about == "files"]
    assert [f.fix.split()[:2] for f in wrong] == [["chmod", "700"], *[["chmod", "600"]] * 3]


async def test_little_room(installed, monkeypatch):
    monkeypatch.setattr(doctor, "_ROOM_FOR", 1 << 62)
    assert (await faults(installed))["disk"] == "make room: 200 MB at least"


async def test_no_token_a_bad_one_and_nobody_to_own_it(installed, stage, monkeypatch):
    assert (await found(installed))["telegram"].fix == f"tact connect telegram --data {installed}"
    await connect(installed, "--no-wait")
    assert (await faults(installed))[
        "owner"
    ] == f"tact connect telegram --data {installed} --link, and open the link"
    stage.wire.order("getMe", "error", 401)
    assert "tact connect telegram" in (await faults(installed, offline=False))["telegram"]
    monkeypatch.setenv("TACT_TELEGRAM_API", "http://127.0.0.1:1/bot")
    assert "network" in (await faults(installed, offline=False))["telegram"]
    monkeypatch.setenv("TACT_TELEGRAM_TOKEN", "no token\n")
    everything = await found(installed)
    assert everything["telegram"].state == "fault"
    assert "no token" not in everything["telegram"].what.replace("this is no token", "")
    assert await tact("doctor", "--data", installed) == 1


async def test_what_botfather_should_be_told(installed, stage):
    await connect(installed, "--no-wait")
    wrong = {"can_read_all_group_messages": False, "can_join_groups": False, "supports_inline_queries": True}
    stage.world.bot |= wrong
    minded = " ".join(f.what for f in await examined(installed, offline=False) if f.state == "mind")
    assert set(re.findall(r"/set\w+", minded)) == {"/setjoingroups", "/setprivacy", "/setinline"}


async def test_a_clock_that_is_wrong_or_cannot_be_compared(installed, monkeypatch):
    await connect(installed, "--no-wait")
    monkeypatch.setattr(telegram_wire, "formatdate", lambda usegmt: formatdate(1_800_000_000, usegmt=usegmt))
    assert "NTP" in (await faults(installed, offline=False))["clock"]
    monkeypatch.setattr(telegram_wire, "formatdate", lambda usegmt: "some day")
    assert (await found(installed))["clock"].state == "mind"


async def test_a_group_without_rights_is_named(installed, stage, empty_memory):
    shutil.copy(empty_memory, stage.folder / "tact.db")
    async with stage.running():
        await stage.saw(BOB)
    (stage.folder / "key").write_text("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n")
    (stage.folder / "key").chmod(0o600)
    save_token(load_settings(stage.folder), "telegram", TOKEN)
    assert (await found(stage.folder))["group"].what == "Crew: administrator"
    stage.world.chats[GROUP].members[BOT] = "member"
    assert "administrator" in (await found(stage.folder))["group"].fix
    stage.world.chats[GROUP].members[BOT] = "left"
    assert "not in it any more" in (await found(stage.folder))["group"].what
    stage.world.chats[GROUP].members[BOT] = "administrator"
    stage.wire.order("getChatMember", "drop")
    assert (await found(stage.folder))["group"].state == "mind"


async def test_what_waits_in_the_inbox_and_what_may_not_have_arrived(installed):
    from bot.bootstrap import open_store  # noqa: PLC0415 - beside what it plants

    store = await open_store(load_settings(installed))
    async with store.transaction() as tx:
        await tx.keep_arrival(Arrival("telegram:1", "{}"))
        for number, state in enumerate([State.UNCERTAIN, State.HELD, State.SENT]):
            await tx.put_sending(Sending(f"t/line#{number}", f"telegram:{BOB}", "words", state))
    await store.close()
    everything = await found(installed)
    assert (everything["inbox"].state, everything["inbox"].what[:10]) == ("mind", "1 event(s)")
    assert (everything["outbox"].state, everything["outbox"].what[:12]) == ("mind", "2 message(s)")
    assert "/resend" in everything["outbox"].fix


async def test_a_models_server(installed):
    settings = (installed / "tact.toml").read_text()

    def with_model(url: str, more: str = "") -> None:
        text = f'\n[models.word]\nbase_url = "{url}"\nmodel = "m"\nruns_here = true\n{more}'
        (installed / "tact.toml").write_text(settings + text)

    async with serving(says("x")) as server:
        with_model(server.url)
        assert (await found(installed))["model"].state == "ok"
        assert server.asked[-1].path == "/v1/models"
        assert server.asked[-1].body == b""
    down = (await found(installed))["model"]
    assert (down.state, "base_url" in down.fix) == ("mind", True)
    async with serving(sends(Back(b"{}", status=401))) as server:
        with_model(server.url)
        assert "api_key_file" in (await faults(installed, offline=False))["model"]
    with_model("http://127.0.0.1:1/v1", 'api_key_file = "none"\n')
    assert "model" in await faults(installed)


async def test_in_chinese(installed, capsys):
    text = (installed / "tact.toml").read_text()
    (installed / "tact.toml").write_text(text.replace('language = "en"', 'language = "zh"'))
    await connect(installed, "--no-wait")
    assert "令牌有效" in capsys.readouterr().out
    assert await tact("doctor", "--data", installed, "--offline") == 1
    shown = capsys.readouterr().out
    assert "故障" in shown
    assert "主人" in shown
    assert not re.search(r"^(ok|mind|fault) ", shown, re.MULTILINE)


def test_every_state_and_subject_has_its_words():
    for language in languages():
        for name in ("ok", "mind", "fault", "settings", "files", "disk", "key", "database", "tables", "vectors", "inbox", "outbox",
                     "owner", "telegram", "clock", "group", "model"):  # fmt: skip
            assert f"doctor.{name}" in texts(language)
