"""Whether a fact speaks to a question. `relevance.txt` set the numbers, `relevance_heldout.txt` did not."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from connectors.language.offline import ANSWERS, load_embedder, relevance, similarity
from connectors.language.offline.index_terms import language_of, tokens
from connectors.language.offline.question_units import ask

DATA = Path(__file__).parent / "data"
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)

needs_model = pytest.mark.skipif(load_embedder().dimension == 0, reason="no embedding wheel on this machine")


def pairs(name):
    """(question, fact, whether it answers), those that may or may not count left out."""
    facts, found = {}, []
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "fact":
            number, _, text = rest.partition(" ")
            facts[number] = text
        elif kind == "ask":
            question, right, maybe = (*rest.split("|"), "")[:3]
            query = ask(question.strip(), NOW, UTC, ("Alex",))
            kept = facts.keys() - set(maybe.split())
            found += [(query, facts[n], n in right.split()) for n in kept]
    return found


def measured(judged):
    """Precision and recall of (said, true) pairs."""
    right = sum(said and true for said, true in judged)
    return right / max(1, sum(said for said, _ in judged)), right / sum(true for _, true in judged)


@pytest.mark.parametrize(
    ("name", "precision", "recall"), [("relevance.txt", 0.95, 0.7), ("relevance_heldout.txt", 0.88, 0.6)]
)
def test_words_alone(name, precision, recall):
    judged = [(relevance(q, tokens(t), None) >= ANSWERS, true) for q, t, true in pairs(name)]
    found = measured(judged)
    assert found[0] >= precision
    assert found[1] >= recall


def score(question, fact, cosine=None, **more):
    return relevance(ask(question, NOW, UTC, ("Alex",)), tokens(fact), cosine, **more)


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("When is the Atlas launch?", "The Atlas launch moved to 12 May"),
        ("when does Atlas go live", "The Atlas launch moved to 12 May"),
        ("When is his mother's surgery?", "妈妈周五做膝盖手术"),
        ("他妈妈什么时候做手术？", "Mum's knee operation is on Friday"),
        ("Where is Alex?", "I'm in Madrid until Thursday"),
        ("他在哪里？", "我周四之前都在广州"),
        ("What happened to Dave?", "Dave broke his arm skiing"),
    ],
)
def test_the_same_thing_in_other_words_or_the_other_language_answers(question, fact):
    assert score(question, fact) >= ANSWERS


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("When is the Atlas launch?", "The Borealis launch is in June"),
        ("Does Bob owe him money?", "Bob's email is bob@example.org"),
        ("Where is Alex?", "I'm allergic to penicillin"),
        ("Who is Zoe?", "Ana leads Atlas"),
        ("门的密码是多少？", "我的新手机号是13900001111"),
    ],
)
def test_a_shared_name_or_word_is_not_enough(question, fact):
    assert score(question, fact) < ANSWERS


def test_a_far_cosine_withdraws_a_thin_overlap_and_a_near_one_adds_to_it():
    question, fact = "Are there any layoffs?", "We say goodbye to three people in January"
    assert score(question, fact, 0.72) < ANSWERS < score(question, fact, 0.86)


def test_the_day_asked_about_counts():
    question, fact = "Is Alex free on Thursday?", "Lunch with Sofia on Thursday"
    assert score(question, fact, same_day=True) > score(question, fact)


def test_it_stays_between_nought_and_one():
    assert 0 <= score("When is the launch?", "The launch is near", 0.99, same_day=True) <= 1
    assert score("", "anything") == 0


@needs_model
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "precision", "recall"), [("relevance.txt", 0.9, 0.82), ("relevance_heldout.txt", 0.93, 0.75)]
)
def test_words_and_cosines(name, precision, recall):
    model = load_embedder(2)
    judged = []
    for query, text, true in pairs(name):
        cosine = similarity(model.query(query.text), model.passages([text])[0])
        judged.append((relevance(query, tokens(text), cosine, language=language_of(text)) >= ANSWERS, true))
    found = measured(judged)
    assert found[0] >= precision
    assert found[1] >= recall
