"""Catalogues: what their files may hold, and what is said in a language that lacks a text."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.texts.catalogues import Catalogues, entries, read_catalogue
from engine.errors import BadInput

HEADER = 'msgid ""\nmsgstr ""\n"Language: en\\n"\n\n'


def written(root: Path, language: str, text: str, name: str = "all.po") -> Path:
    folder = root / language
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(HEADER + text, encoding="utf-8")
    return folder


@pytest.fixture
def catalogues(tmp_path: Path) -> Catalogues:
    written(tmp_path, "zh", 'msgid "a.hello"\nmsgstr "你好，{name}"\n')
    written(
        tmp_path, "en", 'msgid "a.hello"\nmsgstr "Hello, {name}"\n\nmsgid "a.bye"\nmsgstr "Bye {name!r}"\n'
    )
    written(tmp_path, "pt", 'msgid "a.hello"\nmsgstr "Olá, {name}"\n')
    return Catalogues(tmp_path)


def test_a_third_language_is_one_folder(catalogues):
    assert catalogues.languages() == ("en", "pt", "zh")
    assert catalogues.say("pt", "a.hello", name="Ana") == "Olá, Ana"


def test_what_a_language_lacks_is_said_in_english(catalogues):
    assert catalogues.say("pt", "a.bye", name="Ana") == "Bye 'Ana'"
    assert catalogues.say("fr", "a.hello", name="Ana") == "Hello, Ana"
    assert catalogues.say("../pt", "a.hello", name="Ana") == "Hello, Ana"


def test_a_text_that_no_language_has_is_a_fault(catalogues):
    with pytest.raises(KeyError, match=r"a\.none"):
        catalogues.say("pt", "a.none")


def test_nothing_is_read_before_it_is_said(tmp_path):
    written(tmp_path, "en", 'msgid "a.b"\nmsgstr "c"\n')
    written(tmp_path, "xx", "not a catalogue")
    assert Catalogues(tmp_path).say("en", "a.b") == "c"


def test_strings_go_on_and_have_signs_of_their_own(tmp_path):
    text = 'msgid ""\n"a."\n"b"\n# between\nmsgstr ""\n"one\\n"\n"\\t\\"two\\" \\\\n\u2028"\n'
    assert read_catalogue(written(tmp_path, "en", text)) == {"a.b": 'one\n\t"two" \\n\u2028'}


def test_what_is_empty_or_fuzzy_is_not_translated_yet(tmp_path):
    text = (
        'msgid "a.b"\nmsgstr ""\n#, fuzzy\nmsgid "a.c"\nmsgstr "c"\n#~ msgid "a.d"\nmsgid "a.e"\nmsgstr "e"\n'
    )
    assert read_catalogue(written(tmp_path, "en", text)) == {"a.e": "e"}


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("msgid 'a.b'", "no msgid, msgstr or string"),
        ('msgid "a.b" # remark', "no msgid, msgstr or string"),
        ('msgid "a"b"', "no msgid, msgstr or string"),
        (r'msgid "\x"', "no msgid, msgstr or string"),
        ('msgctxt "a"', "no msgid, msgstr or string"),
        ('msgstr[0] "a"', "no msgid, msgstr or string"),
        ("hello", "no msgid, msgstr or string"),
        ('msgstr "a"', "no msgid comes before"),
        ('"a"', "no msgid comes before"),
        ('msgid "a.b"\nmsgid "a.c"\nmsgstr "c"', "'a.b' has no msgstr"),
        ('msgid "a.b"', "'a.b' has no msgstr"),
    ],
)
def test_anything_else_is_an_error_that_names_file_and_line(line, what):
    with pytest.raises(BadInput, match=rf"^some\.po:3: {what}"):
        list(entries(f"# a remark\n\n{line}", "some.po"))


def test_a_second_msgstr_is_refused():
    with pytest.raises(BadInput, match=r"^some\.po:3: no msgid"):
        list(entries('msgid "a"\nmsgstr "b"\nmsgstr "c"', "some.po"))


def test_an_id_is_there_once_in_all_files_of_a_language(tmp_path):
    folder = written(tmp_path, "en", 'msgid "a.b"\nmsgstr "c"\n', "first.po")
    written(tmp_path, "en", '\nmsgid "a.b"\nmsgstr "d"\n', "second.po")
    with pytest.raises(BadInput) as caught:
        read_catalogue(folder)
    assert str(caught.value) == f"{folder}/second.po:6: 'a.b' is at {folder}/first.po:5 already"
