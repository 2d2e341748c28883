"""The policy a new installation starts with."""

import pytest

from config.defaults import default_categories, default_policy, display_name, find_category
from config.languages import category_names
from engine.ids import CategoryName
from engine.policy import Category, ReleaseSetting

LABELS = {
    "whereabouts": ("L2-life", "L2-work"),
    "appointments": ("L2-life",),
    "contact-details": ("L2-life",),
    "work-projects": ("L2-work",),
    "work-confidential": ("L1-work",),
    "family": ("L2-life",),
    "health": ("L1-life",),
    "money": ("L1-life",),
}


def test_there_are_eight_categories_with_their_labels_and_every_fact_is_confirmed():
    policy = default_policy("安", "Asia/Shanghai", "refuse")
    assert {c.name: tuple(map(str, c.labels)) for c in policy.categories} == LABELS
    assert {c.release for c in policy.categories} == {ReleaseSetting.CONFIRM}
    assert policy.contacts == {}
    assert (policy.owner_name, policy.timezone, policy.unresolved) == ("安", "Asia/Shanghai", "refuse")


@pytest.mark.parametrize("category", default_categories(), ids=lambda c: c.name)
def test_each_has_a_description_and_examples_in_both_languages(category):
    assert set(category.description) == set(category.examples) == {"en", "zh"}
    assert all(category.description.values())
    for texts in category.examples.values():
        assert len(texts) >= 5
    assert all(text.isascii() for text in category.examples["en"])
    assert not any(text.isascii() for text in category.examples["zh"])


def test_no_sentence_is_an_example_of_two_categories():
    texts = [text for c in default_categories() for part in c.examples.values() for text in part]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    "text", ["work-projects", "Work Projects", " WORK_projects ", "工作项目", "ＷＯＲＫ－projects"]
)
def test_a_category_is_found_by_its_name_in_either_language(text):
    found = find_category(default_categories(), text)
    assert found is not None
    assert found.name == "work-projects"


def test_every_default_has_a_chinese_name_of_its_own():
    assert len(set(category_names("zh").values())) == len(category_names("zh")) == 9
    for category in default_categories():
        assert find_category(default_categories(), display_name(category.name, "zh")) is category
        assert display_name(category.name, "en") == category.name
    assert display_name(None, "zh") == "未归类"
    assert display_name(CategoryName("hobby"), "zh") == "hobby"


def test_a_name_the_owner_gave_counts_before_a_chinese_name_of_another():
    own = Category(CategoryName("家庭"), default_categories()[0].labels)
    assert find_category([*default_categories(), own], "家庭") is own
    assert find_category(default_categories(), "nothing") is None
    assert find_category([own], "family") is None
