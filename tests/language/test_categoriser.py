"""The annotators on the default categories. `categories.tsv` set the numbers; `categories_heldout.tsv` met the lexicon once."""

from collections import Counter
from pathlib import Path

import pytest

from config.defaults import default_categories
from connectors.language.offline import OfflineCategoriser, lexical, load_embedder
from connectors.language.offline.embedder import NoEmbedder
from engine.ids import CategoryName
from engine.items import Confidence
from engine.labels import L0
from engine.policy import Category

DATA = Path(__file__).parent / "data"
CATEGORIES = default_categories()
RHO = 0.1

needs_model = pytest.mark.skipif(load_embedder().dimension == 0, reason="no embedding wheel on this machine")


def rows(name):
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines]


def outcome(expected, suggestions):
    """`right`, `silent`, `private` (two categories: nobody hears it) or `wrong` (one, and not this)."""
    found = {s.category for s in suggestions if s.confidence >= RHO}
    wanted = set() if expected == "none" else set(expected.split("+"))
    if found == wanted:
        return "right"
    if not found:
        return "silent"
    return "private" if len(found) > 1 else "wrong"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mum's birthday dinner is on Sunday", "family"),
        ("The Atlas launch moved to 12 May", "work-projects"),
        ("Mum's knee operation is on Friday", "family+health"),
        ("Dentist tomorrow at 4pm", "appointments"),
        ("I'm in Lisbon until Thursday", "whereabouts"),
        ("Ana's email is ana@example.org", "contact-details"),
        ("Bob's salary goes up in January", "work-confidential"),
        ("The rent goes up to 1,200", "money"),
        ("My favourite colour is green", "none"),
        ("妈妈的生日饭在周日", "family"),
        ("阿特拉斯项目推迟到5月12日上线", "work-projects"),
        ("妈妈周五做膝盖手术", "family+health"),
        ("明天下午四点看牙", "appointments"),
        ("我这周在上海出差", "whereabouts"),
        ("我的新手机号是13900001111", "contact-details"),
        ("我最喜欢绿色", "none"),
    ],
)
def test_words_name_the_topic_before_time_and_place(text, expected):
    assert outcome(expected, lexical.suggest(text, CATEGORIES)) == "right"


def test_the_lexical_annotator_is_rarely_wrong():
    counted = Counter(outcome(c, lexical.suggest(t, CATEGORIES)) for _, c, t in rows("categories.tsv"))
    assert counted["wrong"] <= 4
    assert counted["right"] >= 0.9 * counted.total()


def test_without_a_model_only_words_speak():
    (found,) = OfflineCategoriser(NoEmbedder()).suggest(["The Atlas launch moved to 12 May"], CATEGORIES)
    assert {s.annotator for s in found} == {Confidence.LEXICAL}


def test_a_category_of_the_owners_is_known_by_its_own_words():
    band = Category(
        CategoryName("band"),
        (L0,),
        {"en": "my band: rehearsals, gigs, songs, guitar"},
        {"en": ("We rehearse on Tuesday with the drummer",)},
    )
    (found,) = OfflineCategoriser(NoEmbedder()).suggest(
        ["The gigs with the new guitar were great"], (*CATEGORIES, band)
    )
    assert [s.category for s in found] == ["band"]


def test_without_categories_nobody_says_anything():
    assert OfflineCategoriser(NoEmbedder()).suggest(["The Atlas launch moved"], ()) == [()]


class Plain:
    """Vectors that depend on the first letter only; enough to see the arithmetic."""

    name = "plain"
    dimension = 26

    def query(self, text):
        import numpy as np  # noqa: PLC0415

        row = np.full(26, 0.05, "<f4")
        row[(ord(text[0].lower()) - 97) % 26] = 1
        return (row / np.linalg.norm(row)).tobytes()

    def passages(self, texts):
        return [self.query(text) for text in texts]


def test_the_nearest_centroid_wins_and_a_far_second_is_not_named():
    one = Category(CategoryName("one"), (L0,), {"en": "xa"}, {})
    two = Category(CategoryName("two"), (L0,), {"en": "zb"}, {})
    (found,) = OfflineCategoriser(Plain()).suggest(["xylophone"], (one, two))
    near = [s for s in found if s.annotator is Confidence.EMBEDDING]
    assert [(s.category, s.confidence) for s in near] == [("one", 0.95)]


@needs_model
def test_both_annotators_agree_on_plain_statements_and_a_topic_outranks_its_day():
    texts = {
        "Mum's birthday dinner is on Sunday": {"family"},
        "The Atlas launch moved to 12 May": {"work-projects"},
        "Granddad's funeral is on Tuesday": {"family"},
        "妈妈周日在海天餐厅过生日": {"family"},
        "阿特拉斯项目推迟到5月12日上线": {"work-projects"},
        "The sea was rough and grey": set(),
    }
    found = OfflineCategoriser(load_embedder()).suggest(list(texts), CATEGORIES)
    assert [{s.category for s in suggestions if s.confidence >= RHO} for suggestions in found] == list(
        texts.values()
    )
    winners = [s for s in found[0] if s.annotator is Confidence.EMBEDDING]
    assert winners[0].confidence >= 0.6


@needs_model
@pytest.mark.slow
@pytest.mark.parametrize("name", ["categories.tsv", "categories_heldout.tsv"])
def test_measured_on_every_labelled_sentence(name):
    labelled = rows(name)
    found = OfflineCategoriser(load_embedder(2)).suggest([text for *_, text in labelled], CATEGORIES)
    counted = Counter(outcome(c, f) for (_, c, _), f in zip(labelled, found, strict=True))
    assert counted["wrong"] <= 0.03 * counted.total()
    assert counted["right"] >= 0.88 * counted.total()
