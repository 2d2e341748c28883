import pytest


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("Ana works at Borealis", [("Ana", "works at", "Borealis")]),
        ("Ana lives in Porto", [("Ana", "lives in", "Porto")]),
        ("Ana is Bob's sister", [("Ana", "sister of", "Bob")]),
        ("My sister Ana is ill", [("I", "sister", "Ana"), ("Ana", "is", "ill")]),
        ("Ana likes tea", [("Ana", "likes", "tea")]),
        ("Ana has a dog", [("Ana", "has", "a dog")]),
        ("Ana bought a boat", [("Ana", "bought", "a boat")]),
        ("Ana moved to Porto", [("Ana", "moved to", "Porto")]),
        ("Ana and Bob are moving to Porto", [("Ana", "moving to", "Porto"), ("Bob", "moving to", "Porto")]),
        ("Ana is married to Bob", [("Ana", "married to", "Bob")]),
        ("Ana is allergic to nuts", [("Ana", "allergic to", "nuts")]),
        ("Ana leads Atlas", [("Ana", "leads", "Atlas")]),
        ("Bob is a doctor", [("Bob", "is", "a doctor")]),
        ("I live in Porto", [("I", "lives in", "Porto")]),
        ("Mum's birthday dinner is on Sunday", [("Mum", "birthday dinner", "Sunday")]),
        ("The weather is nice", []),
        ("安娜在北极光公司工作", [("安娜", "在…工作", "北极光公司")]),
        ("安娜住在波尔图", [("安娜", "住在", "波尔图")]),
        ("安娜是鲍勃的姐姐", [("安娜", "是…的姐姐", "鲍勃")]),
        ("我妹妹安娜在里斯本", [("I", "妹妹", "安娜")]),
        ("我住在波尔图", [("I", "住在", "波尔图")]),
        ("鲍勃对花生过敏", [("鲍勃", "对…过敏", "花生")]),
    ],
)
def test_edges_are_as_stated(read, text, edges):
    (statement,) = read(text).statements
    assert [(r.subject, r.predicate, r.object) for r in statement.relations] == edges


def test_what_is_said_of_a_third_person_is_about_that_person(read):
    """Field case 48: the teller is not the subject."""
    (statement,) = read("Jack hates football").statements
    assert {r.subject for r in statement.relations} == {"Jack"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I met Ana and Bob Smith in Rome", {"Ana", "Bob Smith", "Rome"}),
        ("On Friday I see Dr. Silva", {"Dr. Silva"}),
        ("my sister is with Mum", {"my sister", "Mum"}),
        ("The launch is on Monday", set()),
        ("我妈妈和李老师见面", {"我妈妈", "李老师"}),
        ("王伟在家", {"王伟"}),
    ],
)
def test_persons_mentioned(read, text, names):
    (statement,) = read(text).statements
    assert names <= set(statement.names)
    assert bool(statement.names) == bool(names)
