"""Words without a topic, for the index and for questions. Data only.

Three kinds are kept apart. `FUNCTION_*` never carries a topic. `CHAT_*` is how people talk in a chat. `ASK_*` is
how people ask: dropped from questions only, since "news" or "plan" may well be what a stored fact is about.
"""

from __future__ import annotations

from typing import Final

FUNCTION_EN: Final = frozenset(
    """
    a an the this that these those i me my mine myself we us our ours ourselves you your yours yourself yourselves
    he him his himself she her hers herself it its itself they them their theirs themselves one ones
    am is are was were be been being do does did doing done have has had having will would shall should can could
    may might must ought need needs dare going gonna wanna gotta got get gets
    and or but nor so if then than because as while until till since for of at by with without about against between
    into onto through during before after above below to from up down in out on off over under again further
    here there all any both each few more most other others some such no not only own same too very just also even
    still yet already ever never s t d ll m o re ve y ain aren couldn didn doesn don hadn hasn haven isn mightn
    mustn needn shan shouldn wasn weren won wouldn cannot im ive youre hes shes theyre whats thats lets
    what when where which who whom whose why how whether
    """.split()
)

CHAT_EN: Final = frozenset(
    """
    hi hello hey hiya yo ok okay okey kk yes yeah yep yup no nope nah oh ah uh um hm hmm haha hahaha lol lmao rofl omg
    wow please pls plz thanks thank thx ty cheers sorry btw fyi imo imho afaik well actually really quite maybe perhaps
    anyway basically literally kinda sorta like right sure guys folks
    """.split()
)

ASK_EN: Final = frozenset(
    """
    tell know knows knew known say said says told heard hear ask asked asking wonder wondering remind remember recall
    plan plans planned schedule agenda calendar programme
    anything something everything nothing anyone anybody someone somebody everyone everybody thing things stuff
    news new latest recent recently lately update updates updated happening happened happen happens go goes went
    doing do up going on info information detail details summary summarise summarize summarised sum overview
    give show find let see share word words bit think idea explain describe list mean
    time day date long many much old
    now nowadays currently today's moment days these more else
    status progress state situation owner boss track anyway worth
    """.split()
)

# Characters and words; words are removed first, the longest first.
FUNCTION_ZH: Final = tuple(
    """
    什么时候 是不是 有没有 能不能 可不可以 要不要 会不会 为什么 怎么样 怎么办 怎样 怎么 什么 哪里 哪儿 哪个 哪些 哪天 哪位
    多少 几点 几号 几时 何时 何地 如何 是否 多久 多大 多长 谁的 谁
    我们 你们 他们 她们 它们 咱们 自己 大家 别人 这个 那个 这些 那些 这里 那里 这儿 那儿 这样 那样 这么 那么
    已经 正在 还是 或者 以及 并且 而且 但是 可是 不过 然而 因为 所以 因此 由于 如果 要是 虽然 即使 只要 只有 然后 于是
    一个 一些 一下 一点 有点 非常 特别 比较 可以 可能 应该 需要 能够 没有 不是 就是 的话 之前 以后 之后 关于 对于
    一直 一定 其实 反正 好像 似乎 大概 左右 现在 目前 时候
    """.split()
)

PARTICLES_ZH: Final = "的了吗呢吧啊呀哦噢嘛哈嗯呃哎唉我你您他她它"

# These build words too (上线, 会议), so they are dropped as single characters only.
CHAR_ZH: Final = frozenset(
    "着过得地这那哪谁几很太最更又再也都就才还是在有和与跟及或而但且把被让给对向从到为以于之其所个些么什怎没不别请会能要想去来上下里一"
)

CHAT_ZH: Final = tuple(
    "你好 您好 哈喽 嗨 谢谢 多谢 感谢 好的 好吧 嗯嗯 哈哈哈 哈哈 呵呵 嘿嘿 请问 麻烦 辛苦了".split()
)

ASK_ZH: Final = tuple(
    """
    告诉 知道 听说 记得 想知道 说说 说过 说了 讲讲 介绍 总结 概括 安排 计划 打算 日程 情况 状态 状况 主人 消息 新消息 新闻 近况 最新 最近 近来 进展 新鲜事 动态 事情 事儿 东西
    任何 所有 全部 一切 有事 在忙 忙什么 做什么 干什么 干嘛 干吗 忙啥 干啥 怎么回事 发生 时间 日期
    """.split()
)
