import pytest

from engine.annotation import Act

GREETING = ["hi", "Hello!", "Good morning", "hey Tact!", "/start", "How are you?", "你好", "早上好！", "在吗"]
THANKS = ["thanks", "Thank you so much!", "ok thanks", "Thanks for letting me know", "谢谢你", "多谢！"]
ABOUT = [
    "who are you?",
    "What are you",
    "are you a bot?",
    "Am I talking to Alex?",
    "what can you do?",
    "你是谁",
    "你是机器人吗？",
    "你能做什么？",
]
PRIVACY = [
    "/privacy", "what do you remember about me?", "who can read this?", "forget my messages", "do you store my messages?",
    "Please delete everything I said", "is this chat private?", "Can Alex read this?", "how long do you keep my messages?",
    "你记得我什么？", "谁能看到我的消息？", "删除我的消息", "你会保存我的消息吗", "请把我说的话都忘掉",
]  # fmt: skip
QUESTION = [
    "When is the launch?", "who leads Atlas", "What do you know about Ana?", "tell me about the launch", "any news from Alex",
    "remind me what Ana said", "what's up with Atlas", "is Bob free on Friday", "do you know when he is back", "and Bob?",
    "Hi! When is he back?", "thanks, and when is the launch?", "Ana is ill. Who takes over?", "The launch is on Friday, right?",
    "what do you remember about the launch", "who can read the Atlas document", "how is Alex", "summarise everything", "Did you tell Carol?",
    "安娜在哪里", "项目什么时候上线", "他周五有空吗", "鲍勃怎么样了", "几点开会", "谁负责阿特拉斯", "告诉我最新进展", "最近有什么消息", "他去不去", "你好，他在哪？",
]  # fmt: skip
STATEMENT = [
    "I'm Luke", "Jack hates football", "The Atlas launch moved to 12 May.", "Hi! I'm in Porto until Friday", "When I was in Porto, I met Ana",
    "What a day it was", "May 12 works for me", "Bob quit.", "Will is ill", "Had lunch with Bob", "I know who did it", "remember that Ana is vegetarian",
    "FYI the office is closed", "note: the plumber comes at nine", "don't tell Carol", "keep it between us", "tell them I'm at the dentist",
    "Don't tell Carol, ok?", "Can you tell them I'm at the dentist?",
    "我在波尔图", "你好，我周五不在", "妈妈住院了", "我不知道他什么时候来", "记住妈妈周日生日", "记一下：安娜吃素", "没什么大事", "他告诉我他要结婚了", "别告诉妈妈", "保密",
]  # fmt: skip
SMALLTALK = ["ok", "lol", "👍", "😂😂", "yes", "cool!", "no problem", "", "...", "哈哈", "嗯嗯", "好的"]


@pytest.mark.parametrize(
    ("text", "act"),
    [
        *((text, Act.GREETING) for text in GREETING),
        *((text, Act.THANKS) for text in THANKS),
        *((text, Act.ABOUT) for text in ABOUT),
        *((text, Act.PRIVACY) for text in PRIVACY),
        *((text, Act.QUESTION) for text in QUESTION),
        *((text, Act.STATEMENT) for text in STATEMENT),
        *((text, Act.SMALLTALK) for text in SMALLTALK),
    ],
)
def test_what_a_message_does(read, text, act):
    assert read(text).act is act


def test_a_question_is_no_statement(read):
    assert read("The launch is on Friday, right?").statements == ()


def test_a_statement_beside_a_question_is_kept(read):
    assert [s.text for s in read("Ana is ill. Who takes over?").statements] == ["Ana is ill."]
