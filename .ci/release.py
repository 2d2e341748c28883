"""Make a release: gather the change fragments, set the version, commit and tag.

    python .ci/release.py 1.2.3

Nothing is pushed. What stands in the way is one line, the exit code is 2, and nothing has been touched.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

WORDS = ("privacy", "added", "changed", "fixed", "removed")
"""The first line of a fragment, in the order in which they are gathered."""
PLACES = {"pyproject.toml": 'version = "{}"\n', "docs/deploy/compose.yaml": "image: tact:{}\n"}
"""Where the version stands."""
_VERSION = re.compile(r"\d+\.\d+\.\d+")


class NotNow(Exception):
    """Why there can be no release."""


def gathered(fragments: Sequence[Path], version: str, day: date) -> str:
    """The page of a version.

    Raises:
        NotNow: there are none, or one does not begin with a word of `WORDS`, alone, and go on with text.
    """
    found: dict[str, list[str]] = {word: [] for word in WORDS}
    for path in fragments:
        word, _, text = path.read_text(encoding="utf-8").partition("\n")
        if word not in found or not text.strip():
            raise NotNow(f"{path.name}: the first line is one of {', '.join(WORDS)}, and text follows")
        found[word].append("- " + " ".join(text.split()) + "\n")
    if not any(found.values()):
        raise NotNow("changes/unreleased is empty: there is nothing to release")
    parts = (f"\n## {word.capitalize()}\n\n{''.join(lines)}" for word, lines in found.items() if lines)
    return f"# {version} ({day.isoformat()})\n" + "".join(parts)


def versions(root: Path, version: str) -> dict[Path, str]:
    """Each file that names the version, as it will be.

    Raises:
        NotNow: it is no version, not later than the present one, or does not stand where it should.
    """
    if not _VERSION.fullmatch(version):
        raise NotNow(f"{version or 'nothing'} is no version: make release VERSION=1.2.3")
    new = {}
    for name, line in PLACES.items():
        text = (root / name).read_text(encoding="utf-8")
        before, after = (re.escape(part) for part in line.split("{}"))
        old = re.findall(f"{before}({_VERSION.pattern}){after}", text)
        if len(old) != 1:
            raise NotNow(f"{name}: the version is not there once")
        if _numbers(old[0]) >= _numbers(version):
            raise NotNow(f"{version} is not later than {old[0]}")
        new[root / name] = text.replace(line.format(old[0]), line.format(version))
    return new


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split("."))


def release(root: Path, version: str, day: date) -> None:
    """Do it, as one commit with a tag.

    Raises:
        NotNow: something stands in the way; nothing has been touched.
    """
    new = versions(root, version)
    if git(root, "status", "--porcelain"):
        raise NotNow("there are changes that are not committed")
    if git(root, "tag", "--list", version):
        raise NotNow(f"there is a tag {version}")
    fragments = sorted((root / "changes" / "unreleased").glob("*.md"))
    new[root / "changes" / f"{version}.md"] = gathered(fragments, version, day)
    for path, text in new.items():
        path.write_text(text, encoding="utf-8")
    for path in fragments:
        path.unlink()
    git(root, "add", "--all", "changes", *PLACES)
    git(root, "commit", "--quiet", "--message", f"Tact {version}")
    git(root, "tag", "--annotate", version, "--message", f"Tact {version}")


def git(root: Path, *arguments: str) -> str:
    """What git says.

    Raises:
        NotNow: it refuses.
    """
    done = subprocess.run(  # noqa: S603 - words of our own
        ["git", *arguments],  # noqa: S607 - wherever it is
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NotNow(f"git {arguments[0]}: {' '.join(done.stderr.split())}")
    return done.stdout


def main(version: str = "") -> int:
    """Make the release of the folder that this script is in; returns the exit code."""
    try:
        release(Path(__file__).resolve().parents[1], version, datetime.now(UTC).date())
    except NotNow as why:
        print(why, file=sys.stderr)
        return 2
    print(f"Tagged. Make it public: git push --follow-tags origin HEAD {version}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
