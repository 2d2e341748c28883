"""One setting is changed, and nothing else of the file."""

from __future__ import annotations

import stat

import pytest

from config.settings import FILE_NAME, load_settings, write_settings
from config.settings_edit import change_setting
from engine.errors import BadInput


def test_only_that_line_changes(tmp_path):
    path = write_settings(tmp_path, owner_name="Mia")
    before = path.read_text()
    assert change_setting(path, "vectors", "chroma")
    assert path.read_text() == before.replace('vectors = "exact"', 'vectors = "chroma"')
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_settings(tmp_path).vectors == "chroma"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'vectors = "chroma"\n'),
        ('language = "zh"', 'language = "zh"\nvectors = "chroma"\n'),
        ('  vectors="exact" # mine\n', 'vectors = "chroma"\n'),
        (
            'a = 1\n\n[models.word]\nvectors = "x"\n',
            'a = 1\nvectors = "chroma"\n\n[models.word]\nvectors = "x"\n',
        ),
        ('# vectors = "exact"\nb = 2\n', '# vectors = "exact"\nb = 2\nvectors = "chroma"\n'),
    ],
)
def test_a_missing_one_goes_before_the_tables(tmp_path, before, after):
    path = tmp_path / FILE_NAME
    path.write_text(before)
    assert change_setting(path, "vectors", "chroma")
    assert path.read_text() == after


def test_no_file_is_made(tmp_path):
    assert not change_setting(tmp_path / FILE_NAME, "vectors", "chroma")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_text_stays_as_it_is(tmp_path):
    path = tmp_path / FILE_NAME
    path.write_bytes(b"\xff")
    with pytest.raises(BadInput):
        change_setting(path, "vectors", "chroma")
    assert path.read_bytes() == b"\xff"
