"""The policy file: reading it back changes nothing, and every mistake is named with its line and column."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.defaults import default_policy
from config.policy_file import load, loads
from config.policy_text import dump
from engine.errors import BadInput, PolicyFault, UnknownLabel
from engine.ids import OWNER, AccountId, CategoryName, ContainerId, PersonId
from engine.labels import L0, Label, Lattice
from engine.people import People, Seen
from engine.policy import Category, Holding, Policy, ReleaseSetting
from engine.retention import Retention

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
BOB, ANA, TIM, TIM2 = (
    PersonId("p_bob"),
    PersonId("telegram:2"),
    PersonId("telegram:3"),
    PersonId("telegram:4"),
)
PEOPLE = People(
    owners=frozenset({AccountId("telegram:9")}),
    joined={AccountId("telegram:1"): BOB, AccountId("discord:1234567"): BOB},
    names={BOB: ("Bob", "Bobby"), ANA: ("Ana",), TIM: ("Tim",), TIM2: ("tim",), OWNER: ("Me",)},
    seen={AccountId("console:odd id"): Seen(AccountId("console:odd id"), "Mallory", NOON)},
)


def contacts(text: str):
    return loads(f"contacts:\n{text}", PEOPLE)


def test_export_and_apply_of_a_full_policy_is_no_change():
    policy = replace(
        default_policy("Ann", "Asia/Shanghai", "refuse"),
        rho=0.25,
        blacklist_scope="fact",
        covers_for=frozenset({BOB, TIM2}),
        room_consents=frozenset({ContainerId("telegram:-5")}),
        contacts={
            BOB: (Holding(Label(1, "work")), Holding(Label(2, "life"), NOON)),
            ANA: (),
            TIM: (Holding(Label(3)),),
            TIM2: (Holding(Label(4)),),
            PersonId("irc:nobody^"): (),
            PersonId("console:odd id"): (),
        },
        lines={
            ("greeting", "en"): " hello\n\n- there: # x ",
            ("greeting", "zh"): "你好",
            ("about", "en"): "",
        },
        retention=Retention(
            {ContainerId("telegram:-5"): 30, ContainerId("console:room:a b"): 9},
            {CategoryName("health"): 365},
        ),
    )
    categories = list(policy.categories)
    categories[0] = replace(categories[0], past=((NOON, (L0,)), (NOON.replace(hour=13), (Label(2, "work"),))))
    categories[1] = replace(categories[1], release=ReleaseSetting.OWN, description={"zh": ""}, examples={})
    policy = replace(policy, categories=tuple(categories))
    text = dump(policy, PEOPLE)
    document = loads(text, PEOPLE)
    assert document.policy == policy
    assert document.names == ()
    assert dump(document.policy, PEOPLE) == text


words = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=30)
names = st.text(
    st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), min_size=1, max_size=20
).map(str.strip)


@given(
    st.lists(
        names.filter(lambda n: n and n.isprintable() and n.casefold() != "unauthorised"),
        unique_by=str.casefold,
        max_size=4,
    ),
    words,
    words,
    st.floats(0, 1),
    st.sampled_from([2, 3, 5]),
)
def test_whatever_the_words_reading_back_gives_the_same(category_names, description, line, rho, depth):
    lattice = Lattice(depth, () if depth == 2 else ("life", "work", "中文"))
    labels = lattice.labels()
    policy = Policy(
        lattice=lattice,
        rho=rho,
        categories=tuple(
            Category(
                CategoryName(n), (labels[i % len(labels)],), {"en": description}, {"zh": (line, description)}
            )
            for i, n in enumerate(category_names)
        ),
        contacts={BOB: tuple(Holding(label) for label in labels[1:])},
        lines={("greeting", "zh"): line},
    )
    assert loads(dump(policy, PEOPLE), PEOPLE).policy == policy


def test_an_empty_mapping_is_the_plain_policy():
    assert loads("{}", PEOPLE).policy == Policy()


@pytest.mark.parametrize(
    ("text", "where", "says"),
    [
        ("", "p.yaml", "empty"),
        ("a: [", "p.yaml:1:5", "not YAML"),
        ("a: 1\n\tb: 2", "p.yaml:2:1", "not YAML"),
        ("a: 1\n---\nb: 2", "p.yaml:2:1", "not YAML"),
        ("a: \x00", "p.yaml", "not YAML"),
        ("[" * 5000, "p.yaml", "not YAML"),
        ("- a", "p.yaml:1:1", "keys and values"),
        ("ownr: Ann", "p.yaml:1:1", "no key 'ownr' here - owner?"),
        ("owner: Ann\nzzz: 1", "p.yaml:2:1", "no key 'zzz' here - one of owner, "),
        ("owner: Ann\nrho: 0.1\nowner: Eve", "p.yaml:3:1", "'owner' is there twice - the first is at line 1"),
        ("owner: {a: b}", "p.yaml:1:8", "a text"),
        ("owner:", "p.yaml:1:7", "a text"),
        ("owner: true", "p.yaml:1:8", "a text"),
        ("owner: !!python/object:os.system x", "p.yaml:1:8", "a text"),
        ("<<: {owner: Ann}", "p.yaml:1:1", "a text"),
        ("? [a]\n: b", "p.yaml:1:3", "a text"),
        ("rho: high", "p.yaml:1:6", "number"),
        ("rho: .nan", "p.yaml:1:6", "no number"),
        ("rho: 1.5", "p.yaml:1:6", "from 0 to 1"),
        ("timezone: Mars/Base", "p.yaml:1:11", "Europe/Berlin"),
        ("unresolved: mabe", "p.yaml:1:13", "one of keep, refuse"),
        ("blacklist_scope: events", "p.yaml:1:18", "event?"),
        ("lattice: {depth: 1}", "p.yaml:1:18", "from 2 to 9"),
        ("lattice: {depth: 3.5}", "p.yaml:1:18", "whole number"),
        ("lattice: {depth: 2}", "p.yaml:1:10", "remove the domains"),
        ("lattice: {domains: []}", "p.yaml:1:10", "name a domain"),
        ("lattice: {domains: [a, A]}", "p.yaml:1:20", "twice"),
        ("lattice: {domains: [a-b]}", "p.yaml:1:21", "letters and digits"),
        ("categories: [a]", "p.yaml:1:13", "keys and values"),
        ("categories: {a: {}}", "p.yaml:1:14", "no labels"),
        (
            "categories:\n  a:\n    labels: [L1-work, L9-work]",
            "p.yaml:3:23",
            "no label 'L9-work' - one of L0, L1-life",
        ),
        ("categories: {a: {labels: []}}", "p.yaml:1:26", "label is missing"),
        ("categories: {a: {labels: [L3, l3]}}", "p.yaml:1:31", "twice"),
        ("categories: {a: {labels: [L0, L2-work]}}", "p.yaml:1:26", "cannot be among several"),
        ("categories: {a: {labels: [L4, L2-work]}}", "p.yaml:1:26", "cannot be among several"),
        ("categories: {a: {labels: L3}, A: {labels: L3}}", "p.yaml:1:31", "already"),
        ("categories: {Unauthorised: {labels: L3}}", "p.yaml:1:14", "already"),
        ("categories: {a: {labels: L3, release: allways}}", "p.yaml:1:39", "one of never"),
        ("categories: {a: {labels: L3, description: {fr: x}}}", "p.yaml:1:44", "one of en, zh"),
        ("categories: {a: {labels: L3, examples: {en: x}}}", "p.yaml:1:45", "a list"),
        (
            "categories: {a: {labels: L3, past: [{until: 2026-01-01T00:00:00, labels: L0}]}}",
            "p.yaml:1:45",
            "no zone",
        ),
        ("categories: {a: {labels: L3, past: [{until: soon, labels: L0}]}}", "p.yaml:1:45", "no date"),
        ("categories: {a: {labels: L3, past: [{labels: L0}]}}", "p.yaml:1:37", "missing"),
        ("retention: {chats: {a: soon}}", "p.yaml:1:24", "'soon' is no period - write 30d"),
        ("retention: {chats: {a: 0d}}", "p.yaml:1:24", "is no period"),
        ("retention: {rooms: {}}", "p.yaml:1:13", "no key 'rooms'"),
        ("retention: {categories: {health: 1y}}", "p.yaml:1:26", "no category 'health'"),
        ("lines: {greting: {en: x}}", "p.yaml:1:9", "greeting?"),
    ],
)
def test_a_mistake_is_named_with_line_and_column(text, where, says):
    with pytest.raises(BadInput) as caught:
        loads(text, PEOPLE, "p.yaml", ("greeting", "about"))
    assert str(caught.value).startswith(f"{where}: ")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_errors_of_labels_keep_their_kind():
    with pytest.raises(UnknownLabel):
        loads("categories: {a: {labels: L9}}", PEOPLE)
    with pytest.raises(PolicyFault):
        contacts("  Bob: {labels: [L0]}")


def test_names_resolve_through_the_names_the_owner_gave():
    document = contacts(
        "  bobby: {labels: L1-work}\n  Ana: {accounts: [telegram:2], labels: [{label: L3, since: 2026-11-30T13:00:00+01:00}]}\n"
        "  telegram:7: {labels: []}\n  irc:zed: {}"
    )
    assert document.policy.contacts == {
        BOB: (Holding(Label(1, "work")),),
        ANA: (Holding(Label(3), NOON),),
        PersonId("telegram:7"): (),
        PersonId("irc:zed"): (),
    }
    assert document.names == ()


def test_a_new_name_beside_an_account_is_a_name_given():
    document = contacts(
        "  Carol: {accounts: [telegram:5], labels: L3}\n  Robert: {accounts: [telegram:1, discord:1234567]}"
    )
    assert document.names == ((PersonId("telegram:5"), "Carol"), (BOB, "Robert"))


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("  Carol: {labels: L3}", "2:3", "nobody is called 'Carol'"),
        ("  Annna: {labels: L3}", "2:3", "Ana? If not, add accounts"),
        ("  Mallory: {labels: L3}", "2:3", "nobody is called 'Mallory'"),
        ("  Tim: {labels: L3}", "2:3", "the name of 2 persons - add accounts: one of telegram:3; telegram:4"),
        ("  Ana: {accounts: telegram:1}", "2:3", "somebody else (telegram:2)"),
        ("  Bob: {accounts: [telegram:1, telegram:2]}", "2:20", "different persons"),
        ("  Ann: {accounts: [telegram:9]}", "2:20", "is yours"),
        ("  Me: {labels: L3}", "2:3", "this is you"),
        ("  telegram:9: {labels: L3}", "2:3", "this is you"),
        ("  Bob: {accounts: ['@bob']}", "2:20", "platform:id"),
        ("  Bob: {accounts: [telegram:bob]}", "2:20", "telegram:12345"),
        ("  Bob: {}\n  bobby: {}", "3:3", "an entry already"),
        ("  Bob: {lables: L3}", "2:9", "labels?"),
        ("  Bob: {labels: [L0]}", "2:18", "nobody but you can hold L0"),
        ("  Bob: {labels: [{since: 2026-11-30T13:00:00Z}]}", "2:18", "label is missing"),
        ("  Bob:", "2:7", "keys and values"),
    ],
)
def test_a_doubtful_contact_is_refused(text, place, says):
    with pytest.raises(BadInput) as caught:
        contacts(text)
    assert str(caught.value).startswith(f"policy.yaml:{place}: ")
    assert says in str(caught.value)


def test_an_account_is_decisive_where_a_name_is_not():
    assert contacts("  Tim: {accounts: telegram:4, labels: L3}").policy.contacts == {
        TIM2: (Holding(Label(3)),)
    }


def test_a_file_is_read_from_disk_and_named_by_its_name(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("# a comment\nowner: 安\n", encoding="utf-8")
    assert load(path, PEOPLE).policy.owner_name == "安"
    path.write_bytes(b"owner: \xff")
    with pytest.raises(BadInput, match="UTF-8"):
        load(path, PEOPLE)
    with pytest.raises(BadInput, match=r"missing\.yaml: it cannot be read"):
        load(tmp_path / "missing.yaml", PEOPLE)
    with pytest.raises(BadInput, match="longer than"):
        loads("#" * 1_000_001, PEOPLE)
