"""Hold the lock files against pyproject.toml, without a network.

    python .ci/check_lock.py pyproject.toml LOCK...

The first lock must serve the project and its `dev` group, each further one the project alone and with the
first one's versions. Everything found is printed, one line each; the exit code is 1 if there is anything.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Pins = dict[str, list[Requirement]]

# An address in a lock would send every other machine to it, or tell of this one.
ADDRESS = re.compile(r"\w+://|(?:^|\s)(?:/|~/|\.\.?/)|^[A-Za-z]:\\")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}$")


def read_lock(text: str) -> tuple[Pins, list[str]]:
    """Return the pinned requirements by name, and what is wrong with the text itself."""
    pins: Pins = {}
    wrong = []
    for entry in entries(text):
        requirement, *options = (part.strip() for part in re.split(r"\s(?=--)", entry))
        if requirement.startswith("-"):
            wrong.append(f"an option instead of a requirement: {requirement}")
            continue
        if ADDRESS.search(entry):
            wrong.append(f"an address: {entry}")
            continue
        if not options:
            wrong.append(f"no hash: {requirement}")
        wrong += [
            f"not a sha256 hash: {requirement} {option}" for option in options if not HASH.match(option)
        ]
        pin = Requirement(requirement)
        if [s.operator for s in pin.specifier] != ["=="] or "*" in str(pin.specifier):
            wrong.append(f"not one exact version: {requirement}")
        pins.setdefault(canonicalize_name(pin.name), []).append(pin)
    return pins, wrong


def entries(text: str) -> Iterator[str]:
    """Yield each requirement with its hashes as one line, comments left out."""
    joined = re.sub(r"\\\n\s*", " ", text)
    for line in joined.splitlines():
        entry = re.sub(r"(?:^|\s)#.*", "", line).strip()
        if entry:
            yield entry


def unserved(declared: Iterable[str], pins: Pins) -> Iterator[str]:
    """Yield what is declared and not in the lock, or not in the declared range there."""
    for requirement in map(Requirement, declared):
        locked = pins.get(canonicalize_name(requirement.name), [])
        if not locked:
            yield f"not in the lock: {requirement}"
        for pin in locked:
            version = next(iter(pin.specifier)).version
            if not requirement.specifier.contains(version, prereleases=True):
                yield f"locked at {version}: {requirement}"


def differing(pins: Pins, first: Pins) -> Iterator[str]:
    """Yield what a further lock pins otherwise than the first one."""
    for name, requirements in pins.items():
        known = {str(pin.specifier) for pin in first.get(name, [])}
        for pin in requirements:
            if str(pin.specifier) not in known:
                yield f"not as in the first lock: {pin}"


def main(pyproject: str, *locks: str) -> int:
    """Print what is wrong with the locks and return the exit code."""
    project = tomllib.loads(Path(pyproject).read_text(encoding="utf-8"))
    runtime = project["project"]["dependencies"]
    first: Pins = {}
    found = 0
    for number, lock in enumerate(locks):
        pins, wrong = read_lock(Path(lock).read_text(encoding="utf-8"))
        first = first or pins
        declared = runtime + project["dependency-groups"]["dev"] if number == 0 else runtime
        wrong += [*unserved(declared, pins), *differing(pins, first)]
        found += len(wrong)
        for line in wrong:
            print(f"{lock}: {line}")
    if found:
        print("`make lock` makes the locks again")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
