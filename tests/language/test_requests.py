import pytest

from engine.annotation import Request


@pytest.mark.parametrize(
    ("text", "names", "statements"),
    [
        ("I got the job but don't tell Carol.", ("Carol",), ["I got the job"]),
        ("Please don't tell Carol that I'm in Porto", ("Carol",), ["I'm in Porto"]),
        ("Don't let Mum know I'm ill", ("Mum",), ["I'm ill"]),
        ("My mum (don't tell Carol) is ill.", ("Carol",), ["My mum is ill."]),
        (
            "Keep this from my boss, I have an interview on Friday",
            ("my boss",),
            ["I have an interview on Friday"],
        ),
        ("Don't tell Carol, Bob is ill", ("Carol",), ["Bob is ill"]),
        ("I'm leaving. Don't tell Carol and Bob Smith.", ("Carol", "Bob Smith"), ["I'm leaving."]),
        ("Between us, I'm leaving Borealis", (), ["I'm leaving Borealis"]),
        ("The salary is 90k, this is confidential", (), ["The salary is 90k"]),
        ("I'm moving to Porto, keep it between us", (), ["I'm moving to Porto"]),
        ("I'm moving to Porto. Not a word to anyone!", (), ["I'm moving to Porto."]),
        ("I'm pregnant. Please keep this private.", (), ["I'm pregnant."]),
        ("我生病了，别告诉妈妈和爸爸。", ("妈妈", "爸爸"), ["我生病了"]),
        ("别告诉妈妈我在医院", ("妈妈",), ["我在医院"]),
        ("别告诉 Ana 我买了戒指", ("Ana",), ["我买了戒指"]),
        ("别告诉Ana我买了戒指", ("Ana",), ["我买了戒指"]),
        ("别告诉 Ana 和 Bob 我升职了", ("Ana", "Bob"), ["我升职了"]),
        ("别告诉妈妈和Ana我升职了", ("妈妈", "Ana"), ["我升职了"]),
        ("不要让 Mary Jane 知道我在找工作", ("Mary Jane",), ["我在找工作"]),
        ("别跟 Ana 说我生病了", ("Ana",), ["我生病了"]),
        ("别让安娜知道我在找工作", ("安娜",), ["我在找工作"]),
        ("我们下周结婚，不要跟鲍勃说", ("鲍勃",), ["我们下周结婚"]),
        ("我和安娜下个月结婚，先保密", (), ["我和安娜下个月结婚"]),
        ("只告诉你，我要辞职了", (), ["我要辞职了"]),
        ("我要辞职了，别外传", (), ["我要辞职了"]),
    ],
)
def test_a_request_names_its_targets_and_leaves_the_statement(read, text, names, statements):
    found = read(text)
    assert found.requests == (Request(names, back=False),)
    assert [s.text for s in found.statements] == statements


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("don't tell Carol", ("Carol",)),
        ("don't tell carol", ("carol",)),
        ("Don't tell Carol about the party", ("Carol",)),
        ("Please never mention this to Bob Smith.", ("Bob Smith",)),
        ("don't tell my sister Ana", ("my sister Ana",)),
        ("don't tell anyone", ()),
        ("this stays between us", ()),
        ("Can you keep this between us?", ()),
        ("Don't say anything to the team, ok?", ("the team",)),
        ("别告诉妈妈", ("妈妈",)),
        ("保密", ()),
        ("谁都别说", ()),
        ("千万不要对任何人说", ()),
    ],
)
def test_a_message_that_states_nothing_speaks_of_what_was_said_before(read, text, names):
    found = read(text)
    assert found.requests == (Request(names, back=True),)
    assert found.statements == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Don't tell Carol, she would worry", ("Carol",)),
        ("Please keep it private, it's important to me", ()),
        ("别告诉妈妈，她会担心", ("妈妈",)),
    ],
)
def test_a_reason_for_the_request_also_speaks_of_what_was_said_before(read, text, names):
    assert read(text).requests == (Request(names, back=False), Request(names, back=True))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Keep Carol out of it", ("Carol",)),
        ("Bob must never find out", ("Bob",)),
        ("I'd rather Bob didn't know", ("Bob",)),
        ("This mustn't reach Carol", ("Carol",)),
        ("I'd appreciate it if you didn't tell Carol", ("Carol",)),
        ("Could you not tell Carol about this?", ("Carol",)),
        ("Best not tell Carol", ("Carol",)),
        ("Tell no one", ()),
        ("Say nothing to Carol", ("Carol",)),
        ("Please be discreet", ()),
        ("Don't tell Carol or her sister", ("Carol", "her sister")),
        ("不想让妈妈知道", ("妈妈",)),
        ("妈妈不能知道", ("妈妈",)),
        ("这个消息不能公开", ()),
        ("替我瞒着老板", ("老板",)),
        ("这事儿别让老板知道", ("老板",)),
    ],
)
def test_the_same_request_in_other_words(read, text, names):
    assert read(text).requests == (Request(names, back=True),)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Carol doesn't know yet.", ("Carol",)),
        ("Bob asked me not to tell Carol about the move", ("Carol",)),
        ("We plan a surprise party for Carol", ("Carol",)),
        ("我瞒着妈妈去了医院", ("妈妈",)),
    ],
)
def test_words_that_also_state_something_stay_in_the_statement(read, text, names):
    found = read(text)
    assert found.requests == (Request(names, back=False),)
    assert [s.text for s in found.statements] == [text]


@pytest.mark.parametrize(
    "text",
    ["I don't know.", "don't forget the milk", "I never tell jokes", "Don't worry about it", "we signed a confidential agreement",
     "You can't tell the difference", "公司签了保密协议", "我不知道他什么时候来", "Tell me about Carol", "I told Carol about it"],
)  # fmt: skip
def test_other_words_are_no_request(read, text):
    assert read(text).requests == ()


@pytest.mark.parametrize(
    ("text", "covers", "truths"),
    [
        (
            "I'm at an interview, but tell them I'm at the dentist",
            ["I'm at the dentist"],
            ["I'm at an interview"],
        ),
        ("If anyone asks, I'm at the dentist.", ["I'm at the dentist."], []),
        ("If Bob asks where I am, tell him I'm ill", ["I'm ill"], []),
        ("I'm at the dentist if anyone asks", ["I'm at the dentist"], []),
        ("The official version is that we are moving for the schools", ["we are moving for the schools"], []),
        (
            "Officially I'm at the dentist, really I'm at an interview",
            ["I'm at the dentist"],
            ["I'm at an interview"],
        ),
        ("Just say we are on holiday.", ["we are on holiday."], []),
        ("我在面试，有人问就说我在看牙", ["我在看牙"], ["我在面试"]),
        ("就说我在看牙医", ["我在看牙医"], []),
        ("对外就说系统维护", ["系统维护"], []),
        ("官方说法是我在休假，其实我在面试", ["我在休假"], ["我在面试"]),
    ],
)
def test_a_cover_story_is_kept_apart_from_the_truth(read, text, covers, truths):
    found = read(text)
    assert [s.text for s in found.covers] == covers
    assert [s.text for s in found.statements] == truths


@pytest.mark.parametrize(
    "text",
    [
        "I told them I'm ill",
        "I'll tell everyone that I'm leaving",
        "When Bob asks a question he is shy",
        "他就说了一句话",
        "他告诉大家他要结婚了",
    ],
)
def test_a_report_is_no_cover_story(read, text):
    assert read(text).covers == ()
