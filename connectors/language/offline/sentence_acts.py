"""What a sentence does: ask, state, greet, thank, or ask about Tact itself."""

from __future__ import annotations

import re
from typing import Final

from connectors.language.offline.index_terms import tokens
from engine.annotation import Act, Language

_GREETING: Final = re.compile(
    r"""^(?:/start(?:@\w+)?(?:\ .*)?|(?:hi+|hello+|hey+|hiya|yo|howdy|greetings|hallo|hola|salut|ola|olá|good\ (?:morning|afternoon|evening|day)|morning|evening)
      (?:[,!\s]+(?:there|again|all|everyone|everybody|folks|guys|tact|bot|(?-i:[A-Z])\w+|to\ you))*
      |(?:nice|good|great|pleased)\ to\ (?:meet|see)\ you(?:\ too)?|how\ (?:are|r)\ (?:you|u|things)(?:\ (?:doing|today|all))*|how(?:'s|’s|\ is)\ it\ going|how\ do\ you\ do
      |(?:你|您|大家)?好(?:呀|啊|哇|吗)?|你们好|嗨+|哈喽|hello|早(?:上好|安|啊)?|上午好|中午好|下午好|晚上好|在吗|在不在|有人吗|你好吗|最近好吗)
      [\s,，.!！。~～?？😀-🙏👋🌞☀️❤️]*$""",
    re.IGNORECASE | re.VERBOSE,
)
_THANKS: Final = re.compile(
    r"""^(?:(?:ok(?:ay)?|great|perfect|super|cool|wow|oh|好的?|嗯|行)[,!.，。！\s]*)?(?:many\ |so\ many\ )?(?:thanks?|thank\ (?:you|u)|thx|ty|tysm|cheers|much\ appreciated|i\ appreciate\ (?:it|that)|you(?:'re|’re)\ (?:the\ best|a\ star)|obrigad[oa]|merci|gracias
      |谢谢|多谢|感谢|谢了|谢啦|辛苦了|麻烦了)(?:你|您|啦|了|大家)?(?:[\s,，]+(?:a\ lot|a\ (?:million|bunch|ton)|so\ much|very\ much|again|for\ [^?]{1,60}|in\ advance|(?:good)?bye|再见|拜拜|tact|everyone|all|then|mate|man|(?-i:[A-Z])\w+))*[\s,，.!！。~～🙏❤️😊👍😀-🙏]*$""",
    re.IGNORECASE | re.VERBOSE,
)
_TAIL: Final = r"(?:[\s,]+(?:exactly|really|again|then|by\ the\ way|anyway|please|tact|actually|even|though|btw|here|or\ what|or\ (?:a\ )?(?:bot|human|person|real\ person|robot|machine|man))){0,3}[\s?？!.！。]*$"
_ABOUT: Final = re.compile(
    rf"""^(?:(?:so|and|but|wait|sorry|excuse\ me|hmm?)[\s,]+)*(?:(?:who|what)(?:\ the\ \w+)?(?:\ are|['’]re|\ r)\ (?:you|u)|(?:who|what)\ is\ (?:this|tact)(?:\ (?:bot|thing|account))?|(?:what|who)['’]s\ (?:this|tact)(?:\ (?:bot|thing|account))?
      |(?:are|r)\ (?:you|u)\ (?:(?:a|an|just\ a|some\ kind\ of|the|really\ a)\ )?(?:bot|robot|chat\ ?bot|human(?:\ being)?|real(?:\ person)?|person|ai|a\.i\.|machine|computer|assistant|program|alive|chatgpt|llm|language\ model|\w+['’]s\ (?:assistant|bot|delegate|secretary))
      |am\ i\ (?:talking|speaking|writing|chatting)\ (?:to|with)\ (?:a|an|the)?\ ?(?:bot|robot|human|machine|real\ person|person|ai|\w+)|who\ am\ i\ (?:talking|speaking|writing|chatting)\ (?:to|with)
      |is\ this\ (?:a\ )?(?:bot|robot|human|an?\ (?:ai|assistant)|automated|automatic|really\ \w+|(?-i:[A-Z])\w+)|what(?:['’]s|\ is)\ your\ (?:name|job|purpose|role)|what\ (?:can|do)\ you\ do(?:\ here)?|what\ are\ you\ (?:for|able\ to\ do)|how\ do\ you\ work
      |who\ (?:made|built|wrote|runs|owns|programmed)\ (?:you|this\ bot)|whose\ (?:bot|assistant)\ are\ you|(?:please\ )?introduce\ yourself|tell\ me\ (?:about|who)\ you(?:rself|\ are)|/about(?:@\w+)?
      |(?:请问)?(?:你|您)(?:到底|究竟)?是(?:谁|什么|哪位|干什么的|做什么的|啥|机器人|真人|人工智能|ai|人|活人|人还是机器人|机器人还是人|真人还是机器人|谁的(?:助理|助手|机器人))(?:吗|呀|啊|呢|么|吧)?|(?:请问)?(?:你|您)(?:叫(?:什么(?:名字)?|啥)|能(?:做|干)(?:什么|啥)|会(?:做|干)?(?:什么|啥)|有什么(?:功能|用))(?:呀|啊|呢)?
      |这是(?:谁|什么(?:机器人|东西)?|机器人|真人)(?:吗|呀|啊)?|我在(?:跟|和)(?:谁|机器人|真人)(?:说话|聊天|聊|讲话)(?:吗|呢|呀)?|(?:请)?(?:介绍一下你自己|自我介绍(?:一下)?)|谁(?:做|开发|制作|创造)的?(?:了)?你){_TAIL}""",
    re.IGNORECASE | re.VERBOSE,
)
_MINE: Final = r"(?:my|our|this|these|those|all\ of\ this|everything|what|the\ things|that|any\ of\ this|all\ my|all\ of\ my)"
_PRIVACY: Final = re.compile(
    rf"""^(?:(?:so|and|but|wait|sorry|hmm?|please|can\ you|could\ you|will\ you|i\ want\ you\ to|i\ would\ like\ you\ to|i['’]d\ like\ you\ to|i\ want\ to\ know|tell\ me)[\s,]+)*(?:/(?:privacy|forgetme)(?:@\w+)?
      |(?:what|which\ \w+|how\ much|what\ (?:data|information|info|else|exactly))\ (?:do|did|have|will|are)\ you\ (?:\w+\ )?(?:remember|know|store|stored|keep|kept|have|save|saved|record|recorded|collect|collected|log|hold|storing|keeping|recording)\ (?:about|on|of|from)\ (?:me|us|my)\b.*
      |what\ (?:have\ you|did\ you|do\ you)\ (?:got\ |remember\ |keep\ |store\ )?(?:stored|saved|recorded|kept|written\ down)(?:\ about\ me|\ here)?
      |who(?:\ else)?\ (?:can|will|could|is\ able\ to|gets\ to|may|has\ access|sees?|reads?|is\ reading)\ ?(?:to\ )?(?:read|see|access|look\ at|view)?\ ?{_MINE}\b.*
      |(?:can|will|does|could|is)\ (?:any(?:one|body)(?:\ else)?|some(?:one|body)(?:\ else)?|he|she|they|your\ (?:owner|boss|master)|the\ owner|(?-i:[A-Z])\w+)\ (?:able\ to\ |also\ )?(?:read|see|access|get|reading|seeing)\ {_MINE}\b(?:\ (?:message|chat|conversation|i)\w*)?.*
      |(?:please\ )?(?:forget|delete|erase|remove|wipe|clear|destroy)\ (?:all\ |everything\ )?(?:of\ )?(?:my|me|our|what\ (?:i|we)|everything\ (?:i|we|you\ (?:know|have|remember)|about\ me)|all\ (?:i|my)|this\ (?:chat|conversation)|that\ i|about\ me|i\ (?:said|told|wrote))\b.*
      |(?:how\ (?:can|do)\ i|can\ i|i\ want\ to|i['’]d\ like\ to)\ (?:have\ |get\ )?(?:delete|forget|erase|remove|have|get)?\ ?(?:my|our)\ (?:messages?|data|words|history|info(?:rmation)?)(?:\ (?:forgotten|deleted|erased|removed))?.*
      |(?:do|are|will|did|have|don't|aren't)\ you\ (?:\w+\ )?(?:store|save|keep|record|log|remember|collect|share|storing|saving|keeping|recording|logging|sharing|stored|forward|pass\ on|sell|leak|tell\ (?:anyone|others|\w+))\ (?:{_MINE}|anything|conversations|messages|data|chats|a\ (?:log|record)|what\ i)\b.*
      |(?:is|are)\ (?:this|these|our|my)\ (?:chat|conversation|messages?|channel|data|words)?\ ?(?:\w+\ )?(?:private|confidential|secret|recorded|logged|stored|saved|encrypted|secure|safe|being\ (?:recorded|stored|logged|saved)|end[-\ ]to[-\ ]end\b.*)
      |(?:where|how(?:\ long)?)\ (?:is|are|do\ you)\ (?:store|keep|save)?\ ?(?:my|our|this|these|the)\ ?(?:data|messages?|chat|conversation|words|information)?\ ?(?:stored|kept|saved|processed|used)?
      |(?:what(?:['’]s|\ is)\ )?(?:your|the)?\ ?(?:privacy|data)\ (?:policy|protection|rules?|notice|statement|practices)
      |(?:关于我|对于我)[，,]?(?:你|您)?(?:都|还)?(?:知道|记得|记住|存了?|保存了?|记录了?|了解)(?:了|些|哪些)*(?:什么|多少|哪些)?.{{0,6}}
      |(?:你|您)(?:都|还|会|到底)*(?:记得|记住|知道|存了?|保存|记录|收集|储存|存储|了解)(?:了|过|些|着|哪些|多少|什么)*(?:关于|有关)我(?:的)?(?:什么|哪些|多少|事|信息|数据|东西|内容|吗|些|了)*
      |(?:你|您)(?:都|还)?(?:记得|知道|了解)我(?:的)?(?:什么|哪些(?:事|信息|东西)?|多少)
      |(?:还有)?(?:谁|哪些人|什么人|别人|其他人|有人|主人|他|她)(?:能|可以|会)(?:不能)?(?:看到?|看见|读到?|查看|访问)(?:到)?(?:我|这|这里|这些|我们)(?:说|写|发)?(?:的)?(?:话|消息|聊天(?:记录)?|内容|信息|对话|东西|个)?(?:吗|呢|呀|么)?
      |(?:请|麻烦|能不能|可以|帮我|能)*(?:把)?(?:忘掉|忘记|忘了|删除|删掉|清除|抹掉|清空|删了)(?:掉)?(?:我|关于我|所有我|我们|全部)(?:说|写|发|的|过|给你|讲)*(?:话|消息|内容|数据|记录|信息|一切|所有|聊天记录|东西|事)?.{{0,6}}
      |(?:请|麻烦|帮我)?把(?:我|关于我)(?:说|写|发|的|过)*(?:话|消息|内容|数据|记录|信息|聊天记录|东西)?(?:都|全)?(?:忘掉|忘了|删掉|删除|删了|清除|抹掉).{{0,4}}
      |(?:你|您)(?:会|会不会|是否(?:会)?|有没有|在)(?:保存|记录|存储|储存|记住|记下|泄露|分享|转发|告诉别人|收集)(?:我|这|我们|聊天|消息|对话|这些)?(?:说|写|发)?(?:的|什么)?(?:话|消息|聊天(?:记录)?|内容|信息|数据|对话|隐私|东西|事)?(?:吗|呢|么|呀)?
      |(?:这|这里|我们的|这个)(?:聊天|对话|消息|群)?(?:是|会)?(?:私密|保密|加密|被记录|被保存|安全|隐私)(?:的)?(?:吗|么|不)
      |(?:我的)?(?:数据|消息|聊天记录|信息)(?:会)?(?:存|保存|储存|放)在?(?:哪|哪里|哪儿|什么地方|多久)(?:里)?(?:呢|呀)?|隐私(?:政策|条款|声明|权)?(?:是什么|怎么样|呢)?)[\s?？!.！。]*$""",
    re.IGNORECASE | re.VERBOSE,
)
_CHATTER: Final = re.compile(
    r"""^(?:ok(?:ay|ey)?|k+|kk|yes|yeah|yep|yup|no|nope|nah|sure|fine|great|good|nice|cool|perfect|awesome|amazing|wow|oh|ah+|oops|hm+|lol+|lmao|rofl|(?:ha|he|hi){2,}h?|haha+|xd+|omg|wtf|done|deal|right|exactly|true|indeed|got\ it|i\ see|me\ too|same(?:\ here)?
      |sounds\ (?:good|great|fine)|no\ (?:problem|worries|idea|way|thanks)|np|nvm|never\ ?mind|of\ course|all\ (?:good|right)|alright|you(?:'re|’re)?\ welcome|welcome|sorry(?:\ about\ that)?|my\ bad|i\ don['’]t\ know|idk|dunno|not\ sure|maybe|whatever|wait|one\ (?:sec|moment)|brb|just\ a\ (?:sec|moment|minute)|lets?\ go|let\ me\ (?:know|see|check|think)|will\ do|on\ it|good\ (?:luck|job|one|point|idea)|well\ done|congrat(?:s|ulations)|happy\ \w+(?:\ \w+)?|have\ (?:a\ )?(?:\w+\ )?(?:fun|day|night|weekend|evening|one|time|trip)|take\ care|(?:that['’]s|it['’]s|this\ is)\ (?:ok(?:ay)?|great|fine|good|nice|cool|funny|true|right|awesome|sad|bad|crazy|all|it)|i\ (?:agree|know|think\ so|hope\ so|guess(?:\ so)?)|love\ it|test(?:ing)?|please|tact|(?:good)?bye(?:[\s-]bye)?|good\ night|see\ (?:you|ya)(?:\ (?:later|soon|tomorrow|then|around))?|cya|ttyl
      |好的?|好吧|好啊|好滴|行|行吧|可以|嗯+|哦+|噢+|啊+|哈+|呵+|嘿+|嘻+|呃|是|是的|对|对的|没错|不|不是|不用了?|没事|没关系|没问题|不客气|知道了|明白|明白了|了解|收到|好嘞|太好了|真好|真棒|厉害|加油|恭喜|赞|真的|真的吗|不知道|随便|等等|等一下|稍等|测试|祝你.{1,8}|再见|拜拜|晚安|回头见|明天见|生日快乐|新年快乐|节日快乐|辛苦)
      (?:[\s,!.，。！~～]+(?:ok(?:ay)?|yes|yeah|no|then|too|man|mate|lol|(?:ha)+|哈+|的|了|啊|呀|吧))*[\s,，.!！。~～?？…]*$""",
    re.IGNORECASE | re.VERBOSE,
)

_SUBJECT: Final = r"(?:i|you|he|she|it|we|they|this|that|these|those|there|any(?:one|body|thing)?|some(?:one|body|thing)?|every(?:one|body|thing)|the|a|an|my|your|his|her|our|their|all|mum|mom|dad|(?-i:[A-Z])[\w’'-]*)"
_AUX: Final = r"(?:is|are|was|were|do|does|did|can|could|will|would|should|shall|has|have|had|may|might|am|must|isn['’]?t|aren['’]?t|wasn['’]?t|weren['’]?t|don['’]?t|doesn['’]?t|didn['’]?t|can['’]?t|couldn['’]?t|won['’]?t|wouldn['’]?t|shouldn['’]?t|hasn['’]?t|haven['’]?t)"
_ASKING_EN: Final = re.compile(
    rf"""^(?:(?:and|so|but|ok|okay|well|then|hey|also|please|pls|sorry|excuse\ me|btw|quick\ question)[\s,:]+)*(?:
      (?:who|whom)\b(?!\ (?:cares|knows)\b)|whose\b|which\b(?!\ (?:is|was|means)\ (?:why|great|nice|fine|good))
      | what\b(?!\ (?:a|an)\b)(?!\ (?:i|we)\ \w+\ (?:is|was)\b)(?!ever)
      | (?:when|where|why|how)\ ?(?:{_AUX}|['’](?:s|re|d|ll)|about|come|many|much|long|old|far|often|big|tall|well|else|exactly|to|soon|not|early|late|bad|good|serious|expensive|likely)\b|(?:when|where|why|how)[\s?!.]*$
      | (?:when|where|how|why)s\b
      | (?:has|have|had)\ (?:i|you|he|she|it|we|they|any(?:one|body|thing)|the|my|your|his|her|our|(?-i:[A-Z])[\w’'-]*)\b(?!\ (?:best|worst|most))
      | (?!has\b|have\b|had\b|do\ not\b|may\ \d|will\ (?:is|has|was)\b){_AUX}\ {_SUBJECT}\b(?<!\bdon['’]t\ you)
      | (?:is|are|was|were|any|got\ any|anything|anyone|anybody|something|what['’]s|who['’]s|where['’]s|when['’]s|how['’]s)\ (?:new|news|updates?|up|idea|word|plans?|chance|info(?:rmation)?|going\ on|happening|interesting|else|special|on|about|from|with|wrong|planned|scheduled|{_SUBJECT})\b
      | (?:tell|show|give|inform|brief|update|fill|catch|enlighten)\ (?:me|us)\b(?!\ when\ you\b) | remind\ (?:me|us)\ (?:what|when|where|who|how|why|which|of|about|again)\b
      | (?:i|we)\ (?:wonder|was\ wondering|were\ wondering|am\ wondering|want\ to\ know|wanna\ know|need\ to\ know|would\ (?:like|love)\ to\ know|have\ a\ question|wanted\ to\ ask|am\ curious|need\ (?:info|information|an?\ update|details))\b
      | (?:i|we)['’](?:d|m|re)\ (?:like\ to\ know|love\ to\ know|wondering|curious)\b
      | let\ (?:me|us)\ know\ (?:what|when|if|whether|where|who|how|why|which)\b
      | (?:summari[sz]e|recap|list|describe|explain|repeat|find\ out|look\ up|check\ (?:if|whether|when)|search|name)\b
      | (?:curious|asking|wondering)\ (?:about|whether|if|what|when|how|who)\b
      | (?:news|updates?|status|details?|info(?:rmation)?|summary|word)\ (?:on|of|about|from|regarding|please)\b | (?:news|updates?|summary)[\s.!]*$
      )""",
    re.IGNORECASE | re.VERBOSE,
)
_NOT_ASKING_ZH: Final = re.compile(
    r"不知道|不清楚|不晓得|不确定|忘了|没什么|没有什么|没啥|不怎么|怎么都|不管|无论|不论|随便|谁都|谁也|什么都|什么也|哪都|哪里都|哪儿都|哪也|几个人都|多少有点|怎么说呢|不管怎|就说|什么的(?:$|[，。])|问(?:我|他|她)|多么|为什么呢$|(?:告诉|跟|和)(?:我|他|她)(?:说|讲)?(?:了)?他|好几|几天前|几个(?:月|星期|小时|人)"
)
_ASKING_ZH: Final = re.compile(
    r"""吗[\s。.！!~～啊呀]*$|(?<!你)呢[\s。.！!~～]*$|什么|怎么|怎样|如何|哪(?:里|儿|天|个|些|位|年|家|种|一|国|款)|(?:在|去|住|到)哪|谁(?!都|也)|多少|多久|多大|多远|多长|多高|几(?:点|号|时|岁|个|天|月|次|位|人|年|楼|路|班)|周几|星期几|礼拜几|何时|何地|为何|何处|是否|啥|咋
      |(?P<v>[是有能会要去来在行对好用可])(?:不|没)(?P=v)|可不可以|知不知道|愿不愿意|想不想|喜不喜欢|方不方便|有没|吃没吃
      |^(?:请|麻烦|能|可以|帮忙|帮我|你|快|再)*(?:告诉我|说说|讲讲|介绍(?:一下)?|总结(?:一下)?|概括(?:一下)?|列出|列一下|汇总|查一?下|查查|问一?下|提醒我.{0,4}(?:什么|几|哪|谁)|复述|描述|解释|更新一下)
      |^(?:请问|想问|我想问|我想知道|想知道|想了解|我想了解|问问|打听)|(?:有什么|有啥|有没有).{0,8}(?:消息|新闻|事|进展)|(?:最近|近来)(?:好吗|还好|如何|忙不忙|过得)|近况$|^最新(?:消息|进展|情况)|^.{0,10}(?:消息|进展|近况|情况)[\s?？]*$""",
    re.VERBOSE,
)
_TAG_ONLY: Final = re.compile(
    r"(?:^|[,，.。!！\s])(?:ok(?:ay)?|alright|all\ right|please|yeah|can\ you|could\ you|will\ you|would\ you|好吗|好吧|行吗|行不行|可以吗|好不好|能做到吗|拜托)[?？]+\s*$",
    re.IGNORECASE,
)
_ENDS_ASKING: Final = re.compile(r"[?？][\s\"'”’)）!！\U0001F300-\U0001FAFF]*$")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_LETTERS: Final = re.compile(r"[^\W_]")


def chat_act(sentence: str) -> Act | None:
    """Greeting, thanks, a question about Tact itself, or small talk, if the whole sentence is one; else None."""
    bare = sentence.strip()
    if not _LETTERS.search(bare):
        return Act.SMALLTALK
    for pattern, act in _FIXED:
        if pattern.match(bare):
            return act
    return None


_FIXED: Final = (
    (_GREETING, Act.GREETING),
    (_THANKS, Act.THANKS),
    (_ABOUT, Act.ABOUT),
    (_PRIVACY, Act.PRIVACY),
    (_CHATTER, Act.SMALLTALK),
)


def asks(sentence: str, language: Language) -> bool:
    """Whether a sentence asks for something to be told: by its mark, its first words, or its particles."""
    if _ENDS_ASKING.search(sentence):
        return True
    if language == "zh" or _HAN.search(sentence):
        return bool(_ASKING_ZH.search(sentence)) and not _NOT_ASKING_ZH.search(sentence)
    return bool(_ASKING_EN.match(sentence))


def without_tag(sentence: str) -> str:
    """The sentence without "ok?" and its like at the end, which asks for consent and not for an answer."""
    return _TAG_ONLY.sub("", sentence).rstrip(" ,，")


_SHORTEST_ZH: Final = 3
_COMMAND: Final = re.compile(
    r"^(?:stop|wait|go|come|look|listen|try|help|thank|welcome|hurry|relax|see|check)\b(?:\W+\w+){0,2}\W*$",
    re.IGNORECASE,
)


def states(sentence: str, language: Language) -> bool:
    """Whether a sentence that asks nothing has enough in it to be kept: content, and more than one word."""
    if chat_act(sentence) is not None or _COMMAND.match(sentence) or not tokens(sentence):
        return False
    if language == "zh":
        return len(_HAN.findall(sentence)) >= _SHORTEST_ZH
    return len(re.findall(r"[^\W_]+(?:['’]\w+)*", sentence)) > 1
