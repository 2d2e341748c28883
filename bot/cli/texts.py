"""What the console says itself, in English and Chinese. Both languages have the same keys and placeholders."""

from __future__ import annotations

from bot.cli import backup_texts, vector_texts

EN = {
    "init.ask_language": "Language of Tact's own lines (en or zh)",
    "init.ask_owner": "What shall Tact call you?",
    "init.ask_zone": 'Your time zone, in which "tomorrow" is meant',
    "init.made": "Made {folder}, for your eyes only:",
    "init.settings": "  tact.toml  settings, with comments",
    "init.memory": "  tact.db    the memory, encrypted, with a first policy: eight categories; nobody may hear anything yet",
    "init.memory_on_server": (
        "  The memory is in {place}, encrypted, with a first policy: eight categories; nobody may hear anything yet.\n"
        "  tact.toml names it. If it asks for a password: ~/.pgpass, PGPASSWORD, or TACT_DATABASE_URL."
    ),
    "init.key": (
        "  key        opens the memory. Back it up, apart from the rest: without it nothing can be read again,\n"
        "             and whoever has both can read everything."
    ),
    "init.key_elsewhere": "  The key is in your {source}. Back it up: without it nothing can be read again.",
    "compact.done": "What was forgotten is off the disk.",
    "compact.read": "another Tact is reading this memory - end it, then say this again",
    "compact.held": (
        "another session of the database can still see what was forgotten (a backup, an open transaction, a replication"
        " slot) - end it, then say this again"
    ),
    "compact.vectors": (
        "PostgreSQL has nothing of it any more, but Chroma still has its vectors"
        " - end the other Tact that holds them, or see to Chroma's server, then say this again"
    ),
    "compact.by_hand": "PostgreSQL keeps what was forgotten in its tables' files until they are written anew - tact forget --compact",
    "compact.no_checkpoint": (
        "What was forgotten is out of the tables' files. This user may not ask PostgreSQL for a CHECKPOINT, so the old"
        " files are let go of at the next one, minutes from now; its administrator can say CHECKPOINT at once."
    ),
    "compact.under_way": "Writing the tables anew",
    "init.next": "Next:",
    "init.next_chat": "try everything in a sandbox, playing everybody",
    "join": ", ",
    "only_owner": "only {owner} sees this",
    "chat.sandbox": "A sandbox: nothing here is kept. {owner} is the owner of this Tact, and you play everybody.",
    "chat.lasting": "Your memory in {folder}. What is said here is kept; you play everybody.",
    "chat.try": "Try this:",
    "chat.try1": "1. Tell Tact something:  The launch of Borealis is on Friday.   Then answer its card:  confirm",
    "chat.try2": "2. Let Bob hear work, what you said before too:  /level add Bob L1-work   then:  confirm earlier",
    "chat.try3": "3. Be Bob:  /as bob   and ask:  When is the launch?   Then ask as a stranger:  /as mallory",
    "chat.more": "/help says what else there is; Tab completes; /quit or Ctrl-D ends.",
    "chat.working": "Looking through the memory",
    "chat.quit": "/quit or Ctrl-D ends.",
    "chat.listens": "Tact listens. In a room it answers when it is named: tact, when is the launch?",
    "chat.fault": "a fault inside Tact ({name}); what was said before it is kept",
    "chat.owner_named": "the owner of this memory has a name already",
    "chat.owner_fix": "the policy says it: tact policy export, owner:",
    "chat.no_console": "the console is nobody here: console:owner is not among owner_accounts",
    "who.missing": "who?",
    "who.several": "several people are called {name}",
    "who.odd": "nobody can be called {name!r}",
    "who.odd_fix": "a name is one word of letters, digits, . _ or -; or write an account, such as irc:bob2",
    "as.stranger": "{name} is a stranger: {owner} has never met them.",
    "as.left": "{name} is not in {room}, so this is their direct chat with Tact.",
    "in.made": "New room {room}: {people}. /invite NAME brings somebody in.",
    "in.there": "{room}: {people}",
    "in.now": "Now in {room}: {people}",
    "room.odd": "no room can be called {room!r}",
    "room.outside": "{name} is not in {room} ({people})",
    "room.none": "there is no room {room!r}",
    "room.missing": "which room?",
    "rooms.none": "No rooms. /in NAME makes one.",
    "kick.outside": "{name} is not in {room}",
    "people.owner": "the owner",
    "people.stranger": "a stranger",
    "people.no_label": "a contact without a label",
    "reply.none": "there is no message {number}",
    "reply.elsewhere": "message {number} was said somewhere else",
    "reply.fix": "the numbers are at the left of the lines of this place",
    "reply.armed": "What you say next replies to message {number}.",
    "wait.real": "here time passes by itself: only a sandbox can wait",
    "wait.odd": "cannot wait {span!r}",
    "wait.now": "It is {time} now.",
    "help.title": "Words of this console (Tact never sees them):",
    "help.as": "speak as somebody: a name, or an account such as irc:bob2; a new name is a stranger",
    "help.in": "go to a room, made anew with whoever is here; alone: back to the direct chat",
    "help.invite": "bring somebody into a room",
    "help.kick": "take somebody out of a room",
    "help.rooms": "rooms and who is in them",
    "help.people": "everybody, their accounts, and what they are to the owner",
    "help.reply": "reply to message number N",
    "help.wait": "let time pass (s, m, h, d, w)",
    "help.help": "this list, or one word or command of it",
    "help.quit": "end the chat (or Ctrl-D)",
    "help.else": "Everything else goes to Tact, from whoever is speaking; the owner's commands too.",
}

ZH = {
    "init.ask_language": "Tact 自己说话用的语言（en 或 zh）",
    "init.ask_owner": "Tact 怎么称呼你？",
    "init.ask_zone": "你的时区（“明天”按它来算）",
    "init.made": "已建好 {folder}，只有你能读：",
    "init.settings": "  tact.toml  设置，带注释",
    "init.memory": "  tact.db    加密的记忆，连同第一版规则：八个类别，暂时谁也听不到",
    "init.memory_on_server": (
        "  记忆在 {place} 里，已加密，连同第一版规则：八个类别，暂时谁也听不到。\n"
        "  tact.toml 里写着它在哪里。如果要密码：~/.pgpass、PGPASSWORD 或 TACT_DATABASE_URL。"
    ),
    "init.key": (
        "  key        打开记忆的密钥。请另外备份：没有它，什么也读不出来；\n"
        "             谁两样都有，就什么都能读。"
    ),
    "init.key_elsewhere": "  密钥在你的 {source} 里。请备份：没有它，什么也读不出来。",
    "compact.done": "忘掉的内容已经不在磁盘上了。",
    "compact.read": "另一个 Tact 正在读这份记忆 - 先结束它，再说一遍",
    "compact.held": "数据库的另一个会话还看得到忘掉的内容（备份、没有结束的事务、复制槽） - 先结束它，再说一遍",
    "compact.vectors": "PostgreSQL 里已经没有了，但 Chroma 里还有它的向量 - 先结束占用它的另一个 Tact，或检查 Chroma 服务器，再说一遍",
    "compact.by_hand": "PostgreSQL 会把忘掉的内容留在表的文件里，直到重写这些文件 - tact forget --compact",
    "compact.no_checkpoint": (
        "忘掉的内容已经不在表的文件里了。这个用户不能让 PostgreSQL 做 CHECKPOINT，所以旧文件要等几分钟后的下一次；"
        "管理员可以马上执行 CHECKPOINT。"
    ),
    "compact.under_way": "正在重写各个表",
    "init.next": "接下来：",
    "init.next_chat": "在沙盒里试一试，一个人扮演所有人",
    "join": "、",
    "only_owner": "只有{owner}看得到",
    "chat.sandbox": "这是沙盒，什么都不会留下。{owner}是这个 Tact 的主人，所有人都由你来演。",
    "chat.lasting": "你在 {folder} 里的记忆。这里说的会留下；所有人都由你来演。",
    "chat.try": "试试看：",
    "chat.try1": "1. 告诉 Tact 一件事：  北极光项目周五上线。   然后回答它的卡片：  确认",
    "chat.try2": "2. 让 Bob 听得到工作的事，连同之前说的：  /level add Bob L1-work   然后：  确认 更早",
    "chat.try3": "3. 扮演 Bob：  /as bob   问：  北极光什么时候上线？   再扮演陌生人问一次：  /as mallory",
    "chat.more": "/help 列出其余的；Tab 补全；/quit 或 Ctrl-D 结束。",
    "chat.working": "正在翻找记忆",
    "chat.quit": "/quit 或 Ctrl-D 结束。",
    "chat.listens": "Tact 在听。在群里叫它的名字它才回答：tact，什么时候上线？",
    "chat.fault": "Tact 内部出错（{name}）；之前说的都还在",
    "chat.owner_named": "这份记忆的主人已经有名字了",
    "chat.owner_fix": "名字写在规则里：tact policy export，owner:",
    "chat.no_console": "控制台在这里谁也不是：owner_accounts 里没有 console:owner",
    "who.missing": "谁？",
    "who.several": "有好几个人叫 {name}",
    "who.odd": "没有人能叫 {name!r}",
    "who.odd_fix": "名字是一个词：文字、数字、. _ 或 -；或者写账号，例如 irc:bob2",
    "as.stranger": "{name} 是陌生人：{owner}从没见过。",
    "as.left": "{name} 不在 {room} 里，所以这里是 TA 和 Tact 的私聊。",
    "in.made": "新群 {room}：{people}。/invite 名字 可以拉人进来。",
    "in.there": "{room}：{people}",
    "in.now": "{room} 里现在有：{people}",
    "room.odd": "群不能叫 {room!r}",
    "room.outside": "{name} 不在 {room} 里（{people}）",
    "room.none": "没有群 {room!r}",
    "room.missing": "哪个群？",
    "rooms.none": "还没有群。/in 名字 可以建一个。",
    "kick.outside": "{name} 不在 {room} 里",
    "people.owner": "主人",
    "people.stranger": "陌生人",
    "people.no_label": "没有级别的联系人",
    "reply.none": "没有第 {number} 条消息",
    "reply.elsewhere": "第 {number} 条消息是在别处说的",
    "reply.fix": "编号在这里每一行的左边",
    "reply.armed": "你接下来说的会回复第 {number} 条消息。",
    "wait.real": "这里的时间自己走：只有沙盒可以等",
    "wait.odd": "不能等 {span!r}",
    "wait.now": "现在是 {time}。",
    "help.title": "这个控制台自己的词（Tact 看不到）：",
    "help.as": "以某人的身份说话：名字，或账号如 irc:bob2；新名字就是陌生人",
    "help.in": "去一个群，没有就用在场的人新建；不写名字：回到私聊",
    "help.invite": "拉人进群",
    "help.kick": "请人出群",
    "help.rooms": "有哪些群，谁在里面",
    "help.people": "所有人、他们的账号，以及对主人来说是谁",
    "help.reply": "回复第 N 条消息",
    "help.wait": "让时间过去（s、m、h、d、w）",
    "help.help": "这张表，或其中一项",
    "help.quit": "结束（或 Ctrl-D）",
    "help.else": "其余的都由当前说话的人发给 Tact；主人的命令也是。",
}

LANGUAGES = {
    "en": EN | backup_texts.EN | vector_texts.EN,
    "zh": ZH | backup_texts.ZH | vector_texts.ZH,
}


def say(language: str, key: str, **values: object) -> str:
    """The text of this key in this language, with its placeholders filled.

    Raises:
        KeyError: if no text has this key (a fault of the program).
    """
    return LANGUAGES.get(language, LANGUAGES["en"])[key].format(**values)
