"""`make release`: what it makes of the fragments, and that it touches nothing when something stands in the way."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from datetime import date
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DAY = date(2026, 12, 1)
_spec = importlib.util.spec_from_file_location("release", ROOT / ".ci" / "release.py")
release = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(release)


def git(*arguments: str, at: Path) -> str:
    return subprocess.run(["git", *arguments], cwd=at, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A committed project at 0.1.0 with three fragments."""
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Somebody")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "somebody@example.org")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    files = {
        "pyproject.toml": '[project]\nname = "tact"\nversion = "0.1.0"\ndependencies = ["a>=0.1.0"]\n',
        "docs/deploy/compose.yaml": "services:\n  tact:\n    image: tact:0.1.0\n",
        "changes/unreleased/a.md": "fixed\nIt works.\n",
        "changes/unreleased/b.md": "privacy\nNobody hears\nof it.\n",
        "changes/unreleased/c.md": "fixed\nIt works as well.\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    git("init", "--quiet", at=tmp_path)
    git("add", "--all", at=tmp_path)
    git("commit", "--quiet", "--message", "Begin", at=tmp_path)
    return tmp_path


def test_a_release_gathers_sets_commits_and_tags(project):
    release.release(project, "0.2.0", DAY)
    page = (project / "changes" / "0.2.0.md").read_text("utf-8")
    assert page == (
        "# 0.2.0 (2026-12-01)\n\n## Privacy\n\n- Nobody hears of it.\n"
        "\n## Fixed\n\n- It works.\n- It works as well.\n"
    )
    assert not list((project / "changes" / "unreleased").glob("*"))
    assert '"0.2.0"\ndependencies = ["a>=0.1.0"]' in (project / "pyproject.toml").read_text("utf-8")
    assert "image: tact:0.2.0\n" in (project / "docs/deploy/compose.yaml").read_text("utf-8")
    assert git("status", "--porcelain", at=project) == ""
    assert git("log", "--format=%s", "0.2.0", at=project) == "Tact 0.2.0\nBegin\n"


@pytest.mark.parametrize("version", ["", "0.2", "v0.2.0", "0.2.0rc1", "0.1.0", "0.0.9"])
def test_only_a_later_version_is_one(project, version):
    with pytest.raises(release.NotNow, match=r"is no version|is not later"):
        release.release(project, version, DAY)
    assert git("status", "--porcelain", at=project) == ""


def _stray(project):
    (project / "stray").touch()
    return "not committed"


def _tagged(project):
    git("tag", "0.2.0", at=project)
    return "there is a tag"


def _wordless(project):
    (project / "changes" / "unreleased" / "b.md").write_text("Privacy\nNobody hears of it.\n", "utf-8")
    git("commit", "--quiet", "--all", "--message", "A word", at=project)
    return r"b\.md: the first line"


def _nothing(project):
    git("rm", "--quiet", "-r", "changes", at=project)
    git("commit", "--quiet", "--message", "Nothing", at=project)
    return "nothing to release"


@pytest.mark.parametrize("hinder", [_stray, _tagged, _wordless, _nothing])
def test_what_stands_in_the_way_is_said_and_nothing_is_touched(project, hinder):
    said = hinder(project)
    before = git("status", "--porcelain", at=project), git("rev-parse", "HEAD", at=project)
    with pytest.raises(release.NotNow, match=said):
        release.release(project, "0.2.0", DAY)
    assert (git("status", "--porcelain", at=project), git("rev-parse", "HEAD", at=project)) == before


def test_the_version_is_found_in_this_project_and_its_fragments_can_be_gathered():
    assert set(release.versions(ROOT, "9999.0.0")) == {ROOT / name for name in release.PLACES}
    fragments = [*ROOT.glob("changes/unreleased/*.md")]
    if fragments:
        assert release.gathered(fragments, "9999.0.0", DAY).startswith("# 9999.0.0 (2026-12-01)\n\n## ")
