"""Words that tell what a statement is about, for the eight categories Tact starts with. Data only.

`TOPICS` are looked at first. `TIME_AND_PLACE` count only when no topic is named: a birthday dinner on Sunday is family,
and a launch that moved to 12 May is work, whatever day they name.
"""

from __future__ import annotations

import re
from typing import Final


def _words(english: str, chinese: str) -> re.Pattern[str]:
    """One pattern of whole English words (each line an alternative) and Chinese words."""
    alternatives = "|".join(line.strip() for line in english.strip().splitlines())
    han = "|".join(chinese.split())
    return re.compile(rf"(?<![\w’'-])(?:{alternatives})(?![\w-])|(?:{han})", re.IGNORECASE)


_BODY: Final = r"(?:knee|hip|back|neck|shoulder|wrist|ankle|foot|leg|arm|hand|eye|ear|tooth|teeth|stomach|belly|chest|heart|lung|liver|kidney|throat|head|skin|elbow|finger|toe|gall\s?bladder|prostate|breast)"

FAMILY: Final = _words(
    r"""(?:my|his|her|our|their|the|your|\w+['’]s)\s+(?:\w+\s+)?(?:mother|father|sister|brother|sis|bro|wife|husband|spouse|sons?|daughters?|kids?|child|children|baby|toddler|twins|parents?|aunt|uncle|cousins?|nephew|niece|fianc[eé]e?|in-laws|partner|girlfriend|boyfriend|ex-wife|ex-husband|siblings?)(?:['’]s)?
    mum(?:my)?(?:['’]s)?|mom(?:my)?(?:['’]s)?|dad(?:dy)?(?:['’]s)?|grand(?:ma|pa|mother|father|parents?|son|daughter|child|children)(?:['’]s)?|gran(?:ny)?|nana|auntie
    (?:mother|father|sister|brother|son|daughter)s?-in-law|in-laws|step(?:mother|father|son|daughter|brother|sister)|family|relatives|siblings?
    wedding|divorc(?:e|ed|es|ing)|(?:getting|got|get)\s+(?:married|engaged)|kindergarten|nursery\s+school|daycare|school\s+play|parents['’]\s+evening|family\s+reunion|christening
    gran(?:d)?dad|my\s+folks|(?:my|a)\s+twin|funeral|(?:our|wedding)\s+anniversary|birthdays?|our\s+(?:little\s+one|boy|girl)|newborn|the\s+baby|god(?:son|daughter|father|mother)|suspended\s+from\s+school|school\s+(?:trip|run|fees|concert)|homework|parent-teacher|playdate|baptism|adopt(?:ed|ing|ion)|custody|splitting\s+up|separated|honeymoon|babysit\w*|sibling""",
    "妈妈 爸爸 老妈 老爸 妈 爸 母亲 父亲 爸妈 父母 姐姐 妹妹 哥哥 弟弟 姐夫 嫂子 老婆 老公 妻子 丈夫 媳妇 爱人 儿子 女儿 孩子 宝宝 双胞胎 爷爷 奶奶 外公 外婆 姥姥 姥爷"
    " 叔叔 舅舅 姑姑 姨妈 伯伯 表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹 岳父 岳母 丈母娘 公公 婆婆 亲戚 家人 全家 婚礼 离婚 结婚 订婚 幼儿园 家长会 满月酒 女朋友 男朋友 葬礼 纪念日 侄女 侄子 外甥 小家伙 满月 百日宴 探亲 生日 团圆 年夜饭 家里人 娃 小孩 学校演出 上小学 高考 班主任 亲家 婆家 娘家 二胎 弟妹 大姨 小姨 姑妈 奶娃 孙子 孙女 带孩子",
)
HEALTH: Final = _words(
    rf"""diagnos\w*|symptoms?|migraines?|headaches?|fever|flu|covid|coughing|a\s+(?:bad\s+)?(?:cold|cough)|nausea|nauseous|vomit\w*|threw\s+up|throwing\s+up|allerg\w+|asthma|diabet\w+|cancer|tumou?r|chemo\w*
    surgery|(?:an?\s+)?operation\s+(?:on|for)|{_BODY}\s+(?:op|operation|surgery|replacement|pain|ache|problem|injury|infection)|(?:had|having|needs?|have)\s+an?\s+operation|hospital\w*|intensive\s+care|emergency\s+room|a&e
    injur\w+|fractur\w+|sprain\w*|torn|ligament|(?:broke|broken|hurt|hurts|twisted|pulled|dislocated)\s+(?:my|his|her)\s+\w+|(?:my|his|her)\s+(?:\w+\s+)?{_BODY}\s+(?:\w+\s+)?(?:hurts?|aches?|is\s+(?:swollen|sore|broken|killing)|needs?)|aches?|sore\s+throat
    blood\s+(?:tests?|pressure|sugar|results?)|cholesterol|mri|x-?ray|biopsy|ultrasound|test\s+results|antibiotics?|antidepressants?|painkillers?|medication|medicines?|pills?|prescri\w+|insulin|inhaler|dose|side\s+effects
    therapist|therapy|psychiatr\w+|psycholog\w+|depress\w+|anxiety|panic\s+attacks?|burn-?out|insomnia|adhd|autis\w+|bipolar|pregnan\w+|miscarriage|ivf|vaccin\w+|booster|physio\w*|slipped\s+disc|wisdom\s+(?:tooth|teeth)|heart\s+attack|stroke|infection|inflam\w+|pneumonia
    (?:i['’]m|i\s+am|is|are|feel|feeling|feels|been|fell|felt|was)\s+(?:\w+\s+)?(?:ill|sick|unwell|dizzy|faint)|off\s+sick|sick\s+leave|sober|rehab|stopped\s+(?:drinking|smoking)|quit\s+(?:drinking|smoking)|sleep\s+apnoea|parkinson['’]?s?|alzheimer['’]?s?|dementia|slept\s+badly|doctor\s+(?:says|said|thinks|found)|hernia|cataract|arthritis|epilep\w+|hepatitis|hiv
    lump|can['’]t\s+sleep|sleepless|hay\s+fever|chicken\s?pox|measles|scarlet\s+fever|rash|eczema|swollen|bleed\w*|bruis\w+|concussion|crutches|plaster\s+cast|in\s+a\s+cast|wheelchair|hearing\s+aid|thyroid|iron\s+deficiency|menopause|relapse[ds]?|remission|hospice|ambulance|stitches|stomach\s+bug|food\s+poisoning|reflux|ulcer|kidney\s+stones?|gout|tonsil\w*|sinus\w*|bronchitis|tinnitus|vertigo|my\s+back['’]s|contagious|quarantine|dialysis|blood\s+count|tested\s+positive|hot\s+flushes|lactose\s+intoleran\w+|gluten|coeliac|celiac|panic""",
    "高血压 低血压 血压 糖尿病 癌 肿瘤 化疗 手术 住院 出院 确诊 诊断 症状 偏头痛 头疼 头痛 发烧 感冒 流感 新冠 咳嗽 恶心 呕吐 过敏 哮喘 骨折 韧带 扭伤 受伤 拉伤 背疼 腰疼 胃疼 肚子疼 牙疼 腿疼 疼 验血 体检结果 检查结果"
    " 抗生素 抗抑郁 止痛药 吃药 药 处方 心理医生 心理咨询 抑郁 焦虑症 焦虑 失眠 没睡好 怀孕 流产 疫苗 理疗 椎间盘 智齿 心脏病 中风 感染 发炎 肺炎 生病 病了 不舒服 头晕 戒酒 戒烟 帕金森 阿尔茨海默 痴呆 白内障 胆囊 疝气 癫痫 肝炎 医生说 复查 病情 康复 肿块 活检 睡不着 胆固醇 花粉 水痘 麻疹 皮疹 湿疹 肿了 流血 骨裂 石膏 拐杖 甲状腺 缺铁 更年期 痛经 复发 病危 急诊 救护车 缝针 肠胃 拉肚子 食物中毒 溃疡 痛风 扁桃体 支气管 中耳炎 耳鸣 眩晕 腰又 闪了腰 颈椎 关节炎 阳性 打针 输液 透析 结石 近视手术 乳糖不耐 尿酸 血糖",
)
MONEY: Final = _words(
    r"""mortgage|loans?|debts?|ow(?:e|es|ed|ing)|(?:the|my|our)\s+rent|rent\s+(?:goes|went|is|was|increase)|landlord\s+(?:wants|raised|raises|put)|savings?|sav(?:ed|ing)\s+(?:up|for|money)|overdraft|overdrawn|bank\s+(?:account|balance|statement|loan)|credit\s+(?:card|score|limit)|card\s+(?:was|got|is)\s+(?:declined|blocked|maxed)
    tax(?:es)?|tax\s+(?:refund|return|bill)|refund|invest(?:ed|ing|ments?)?|index\s+fund|my\s+(?:shares|stocks|portfolio)|shares|stocks|crypto\w*|bitcoin|pension|inherit\w*|inheritance|estate|(?:electricity|gas|water|phone|heating|vet|dentist)\s+bill|(?:paid|pay|pays|paying)\s+(?:back|off|\d|[€$£]|my\s+(?:bills|debts|rent))|cost\s+(?:me|us)|costs?\s+(?:\d|[€$£])
    lend(?:ing|s)?|lent|borrow(?:ed|ing|s)?|payday|bankrupt\w*|insolven\w*|deposit\s+(?:on|for)|down\s?payment|instal?ments?|interest\s+rate|net\s+worth|household\s+budget|insurance\s+(?:paid|pays|premium|claim)|pocket\s+money|alimony|child\s+support|scholarship|lottery|gambl\w+|(?:i|we)\s+(?:earn|spent|spend)\s+\S*\d
    set\s+(?:us|me|him|her|them)\s+back|rainy[\s-]day|isa|401k|payout|wrong\s+horse|(?:behind\s+on|missed)\s+(?:\w+\s+){0,3}payments?|credit\s+card\s+payments?|wire\s+transfer|transferred\s+\S*\d\S*|(?:i['’]m|we['’]re|am|are)\s+(?:flat\s+)?broke|(?:can['’]t|cannot|could)\s+afford|short\s+of\s+(?:money|cash)|cash|sold\s+(?:my|our|the)\s+(?:car|house|flat|shares)\s+for|bought\s+\w+\s+\w+\s+for\s+\S*\d|for\s+[€$£]\s?\d\S*|[€$£]\s?\d\S*|\d\S*\s+(?:euros?|dollars|pounds|quid|bucks|a\s+month|per\s+month)|down\s+(?:\w+\s+)?percent|current\s+account|direct\s+debit""",
    r"房贷 车贷 贷款 欠 债 房租 租金 存款 积蓄 攒钱 攒 透支 银行账户 银行卡 信用卡 余额 税 退税 补税 投资(?!人|者|方) 基金 股票 炒股 炒币 比特币 养老金 退休金 遗产 继承 账单 电费 水费 保险费 花了 花掉 借给 借了 借钱 还钱 还款 首付 分期 利息 破产 奖学金 彩票 赔了 亏了 亏 抚养费 零花钱 理财 理赔 应急的钱 跌了 花九万 要花\d+ 要花[一二两三四五六七八九十百千万]+ 转账 汇款 没钱 手头紧 买不起 现金 取钱 工资卡 红包 压岁钱 公积金 多收 还信用卡 没还 汇率 债券 存了 存款 定期",
)
CONFIDENTIAL: Final = _words(
    r"""lay(?:ing|s)?\s+off|lay-?offs?|laid\s+off|redundan\w+|let(?:ting)?\s+(?:\w+\s+){1,3}go|(?:to|will|must|we|i|they|be|got|was|been|get)\s+fir(?:e|ed)|firing|sack(?:ed|ing)|dismiss\w*|resign\w*|hand(?:ed|ing|s)?\s+in\s+(?:his|her|their|my)\s+(?:notice|resignation)|(?:gave|given|giving)\s+(?:\w+\s+)?notice|quit(?:s|ting)?\s+(?:his|her|their|the)\s+(?:job|company)
    hir(?:e|ed|ing)|salar(?:y|ies)|pay\s+(?:rise|raise|cut|gap)|a\s+raise|bonus(?:es)?|promot(?:e|ed|ion|ions|ing)|headcount|severance|merger|merg(?:e|ing)\s+with|acqui(?:re|res|red|ring|sition)|take-?over|buy-?out|(?:offer|bid)\s+(?:for|to\s+buy)\s+(?:the|our|us)|sell(?:ing)?\s+the\s+(?:company|business|\w+\s+(?:office|division|site|plant|unit))
    negotiat\w+|in\s+talks|investors?|funding\s+round|term\s+sheet|valuation|nda|unannounced|not\s+(?:yet\s+)?(?:announced|public|signed|official)|(?:haven['’]t|hasn['’]t)\s+(?:been\s+)?(?:signed|announced)|tender|our\s+(?:lowest|best|final)\s+(?:price|offer)|margins?|(?:renew|extend|terminate|cancel)\w*\s+(?:\S+\s+){0,2}contract|restructur\w*|clos(?:e|es|ing)\s+(?:down\s+)?the\s+\w+\s+(?:office|site|plant|branch|factory)
    lawsuit|litigation|earns?\s+\S*\d\S*|insider|trade\s+secret|board\s+(?:wants|decided|plans|will)|replac(?:e|ing)\s+the\s+(?:ceo|cfo|cto|head)|going\s+public|ipo|cash\s+runway|runway|probation\s+period|poach\w*|whistle-?blow\w*
    (?:final|written|formal)\s+warning|shut(?:ting)?\s+(?:down\s+)?the\s+\w+\s+(?:branch|office|site|plant|factory)|offered\s+(?:me|him|her)\s+(?:the|a)\s+(?:\w+\s+)?(?:job|position|role|post)|job\s+offer|settle(?:ment)?\s+with|suing|sued|new\s+hire|notice\s+period|(?:about\s+to|will|might|may)\s+leave\s+us|los(?:e|ing)\s+(?:our|the)\s+(?:\w+\s+)?(?:client|account|customer|contract)|reorgani[sz]ation|reorg|cutbacks?|cost[\s-]cutting|non-compete|stock\s+options|equity|leav(?:e|ing)\s+the\s+company|head-?hunter|counter-?offer|performance\s+(?:plan|improvement|review)|harassment|hr\s+(?:case|investigation|complaint)|data\s+breach|been\s+hacked|ransomware|profit\s+warning|revenue|insolvency|nobody\s+(?:here|at\s+work)\s+knows|demot\w+|disciplinary""",
    "裁员 裁掉 裁人 解雇 辞退 开除 开掉 炒掉 离职 辞职 辞呈 提了离职 招聘 招人 录用 年薪 月薪 薪资 薪水 工资 涨薪 加薪 降薪 奖金 升职 晋升 编制 遣散费 合并 并购 收购 买下来 谈判 在谈 投资人 融资 估值 保密协议 未公开 没公布 还没公布 没宣布 还没签 投标 标书 底价 报价 利润率 续签 续约 解约 重组 关掉 关闭 分公司 董事会想 诉讼 上市 挖人 挖走 商业机密 试用期 最后一次警告 警告信 办事处 撤掉 和解 跳槽 挖角 猎头 请我去当 竞业 期权 股权 绩效 投诉 数据泄露 亏损 营收 利润 人事调整 调岗 降职 年终奖 撤资 资金链 走人 散伙 新东家 劝退 优化名单 股东",
)
PROJECTS: Final = _words(
    r"""projects?|launch(?:es|ed|ing)?|go(?:es|ing)?[\s-]live|deadlines?|sprint|stand-?ups?|releas(?:e|es|ed|ing)|roadmap|milestones?|deploy\w*|migration|beta|prototype|demo|clients?|customers?|vendors?|suppliers?|kick-?off|(?:design|code|security|status|project|peer)\s+reviews?|reviewing|pull\s+requests?|merge\s+requests?|backlog|bug\s?fix|bugs|ticket(?:s)?\s+(?:is|are|for)|module|features?
    (?:\w+\s+)?reports?\s+(?:is|are|for|by)|quarterly|slides|presentation|(?:team|client|project|status|weekly|staff|department|planning|budget|all-hands|steering)\s+(?:meeting|call)|(?:the|a|our|this|in|next)\s+meeting|meetings?\s+(?:with|about|is|was|on|at|moved)|workshop|hackathon|all-hands|town\s+hall|conference|webinar|proposal|grant|specs?|specification|requirements|load\s+test|test\s+phase|qa
    ship(?:s|ped|ping)|version\s+\w+|v\d+|handover|takes?\s+over|took\s+over|onboarding|colleagues?|co-?workers?|intern|kpis?|okrs?|code\s+freeze|server|database|api|invoice|contractor|pilot|rollout|roll-?out|offsite|timesheets?|shift\s+(?:plan|rota)|behind\s+schedule|ahead\s+of\s+schedule
    audit\w*|retro(?:spective)?|the\s+build|front-?end|back-?end|present(?:ing|s|ed)?\s+(?:the|our|my|to)\s+\w+|(?:the|our)\s+(?:\w+\s+)?team(?!\s+(?:lost|won|plays?|scored))|(?:first|second|third|final|next|new|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter)\s+version|sign(?:s|ed)?\s+off|spreadsheet|estimate|integration|staging|in\s+production|scrum|jira|wireframes?|mock-?ups?|refactor\w*|strategy|campaign|newsletter|trade\s+fair|keynote|procurement|shipment|warehouse|q[1-4]|forecast|crm|help\s?desk|tender\s+documents|press\s+release|white\s?paper|user\s+(?:test|tests|testing|stories|interviews)|acceptance|go-live|steering\s+committee|architecture|prod|hotfix|outage|downtime|dev|changelog|backups?""",
    "项目 上线 发布 截止 期限 迭代 站会 例会 周会 会议 开会 评审 代码 部署 迁移 测试版 测试 原型 演示 客户 供应商 启动会 需求 模块 功能 报告 季度 幻灯片 汇报 方案 提案 版本 交接 接手 同事 团队 验收 交付 进度 里程碑 服务器 数据库 加班 实习生 研讨会 培训 合同评审 排期 复盘 审计 复盘 构建 前端 后端 接口 上架 签字 立项 预算 出货 订单 讲数据 数据分析 文档 设计稿 仓库 运营 推广 周报 月报 PPT ppt 材料准备 故障 宕机 联调 内测 公测 灰度 改版 投产 荷兰团队 那版 选题 展会 发版 排产 工单",
)
CONTACT: Final = _words(
    r"""(?:phone|mobile|cell|office|home|work|landline|fax|direct|new|room|his|her|my|their|our|\w+['’]s)\s+(?:phone\s+)?numbers?|number\s*(?:is|:|changed)|(?:e-?mail|mail|postal|home|new|street|mailing|our|my|his|her)\s+address|e-?mails?|(?:my|his|her|their|our|new|\w+['’]s)\s+(?:mobile|cell|phone|landline|handle|username|website|homepage|telegram|whatsapp|signal|skype|discord|instagram|linkedin)|user\s?name|post\s?code|zip\s+code|po\s+box|post\s+box|p\.o\.\s+box
    (?:reach|call|text|ring|phone|contact|write\s+to|message|find)\s+(?:\w+\s+){1,3}(?:at|on|under|via)\s+\S*[\d@]\S*|contact\s+details|website|handle|on\s+telegram|phone
    sim|new\s+(?:phone|mobile|number|email|address)|(?:for|in)\s+(?:emergencies|an\s+emergency)|mailbox""",
    "电话 手机号 手机号码 号码 邮箱 邮件地址 电子邮件 地址 微信 微信号 QQ 用户名 网址 网站 联系方式 邮编 信箱 座机 传真 新号 新卡",
)
REACHABLE: Final = re.compile(
    r"[\w.+-]+@[\w-]+\.[\w.-]+|(?<![\w.])@\w{3,}|(?<![\d.:,-])(?!(?:19|20)\d\d-\d\d?-\d)\+?\(?\d(?:[\d ()-]{5,})\d(?![\d:.,]\d)|https?://|www\.|\b\d{1,4}[A-Za-z]? (?-i:[A-Z])\w+ (?:Street|St|Road|Rd|Lane|Avenue|Ave|Drive|Close|Way|Square)\b|[\u4e00-\u9fff]{1,8}(?:路|街|道|巷)\d+号",
    re.IGNORECASE,
)
"""A number, an address or a name one can be reached under, by its shape."""

APPOINTMENTS: Final = _words(
    r"""appointments?|dentist|hairdresser|haircut|barber|optician|check-?up|gp|doctor['’]s|(?:see|seeing|visit|meet)\s+the\s+\w+|booked|rebooked|book(?:ing|s)?\s+(?:a|the|us|me)|reserv\w+|table\s+(?:for|at)|(?:lunch|dinner|coffee|drinks?|brunch|breakfast|tea|supper|date|beer|beers|a\s+walk)\s+with|massage|manicure|facial|tattoo
    plumber|electrician|handyman|locksmith|chimney\s+sweep|cleaner\s+comes|(?:man|guy|woman|people|technician|fitter)\s+from\s+the|(?:to|into|in)\s+the\s+garage|car\s+service|mot|vet|notary|viewing|tickets?\s+for|delivery|deliver(?:ed|s)|driving\s+lesson|piano\s+lesson|yoga\s+class|embassy|visa\s+interview|consulate|parcel
    eye\s+test|tailor|fitting|pick(?:ing)?\s+up\s+(?:the|my|a)\s+\w+|(?:pizza|sushi|burgers?|ramen|cake|cocktails|cinema|film)\s+with|meet(?:ing)?\s+(?-i:[A-Z])\w+\s+(?:for|at|on|tomorrow|tonight)|(?:got|have|bought)\s+(?:us\s+)?(?:\w+\s+)?(?:seats|tickets)|opera|theatre|concert|(?:boiler|gas|cable|repair|heating|washing\s+machine)\s+(?:guy|man|engineer|technician)|sign(?:ed|ing)?\s+up\s+for|blood\s+donation|inspection|surveyor|rehearsal|class\s+at|dermatologist|orthodontist|podiatrist|acupuncture|pedicure|tyre\s+change|passport\s+office|town\s+hall\s+appointment|registry\s+office|house\s+viewing|piano\s+tuner""",
    "预约 约了 约好 牙医 看牙 理发 剪头发 配眼镜 体检 看医生 订了 订位 订座 位子 请吃饭 吃午饭 吃晚饭 喝一杯 按摩 美甲 水管工 电工 师傅 上门 修车 保养 宠物医院 兽医 公证 看房 快递 聚餐 约会 驾校 钢琴课 瑜伽课 签证面试 验光 裁缝 歌剧票 电影票 演唱会 门票 修空调 来修 检修 (?:和|跟|同)[^，。]{1,6}?(?:吃|喝|看电影|见面|打球|逛街) 献血 换轮胎 办护照 办签证 民政局 取西装 试衣 补牙 洗牙 洗车 年检",
)
WHEREABOUTS: Final = _words(
    r"""(?:i['’]m|i\s+am|we['’]re|we\s+are|i['’]ll\s+be|we['’]ll\s+be|i\s+will\s+be|(?:he|she)(?:['’]s|\s+is)|won['’]t\s+be|not|staying|stay|living|now|still|stuck|spending\s+\w+|be)\s+(?:still\s+|back\s+|now\s+|only\s+|all\s+\w+\s+|just\s+)?(?:in|at|near|on\s+(?:the|a)\s+(?:train|plane|bus|road|motorway|ferry|beach|coast)|off\s+to|away|abroad|out\s+of\s+(?:the\s+)?(?:office|town|country)|back|home)
    flights?|airport|flying|landed|lands|boarding|train|station|travel(?:l?ing|s)?|trip|road\s+trip|holidays?|vacation|abroad|back\s+(?:in|home|on|at|around|by|from)|on\s+(?:my|the|our)\s+way|traffic|out\s+of\s+(?:the\s+)?office|away|work(?:ing)?\s+from\s+home|at\s+home|at\s+the\s+(?:gym|office|beach|library|pool|cabin|coast|hotel)|hotel|airbnb|heading\s+(?:to|home|back)|leav(?:e|ing)\s+for|arriv\w+|off\s+to|in\s+town|commut\w+|camping|hiking\s+in|cruise|layover
    check(?:ed|ing)?\s+in(?:to)?|lobby|downstairs|upstairs|driving\s+(?:up|down|to|back|over)|(?:crashing|sleeping|staying)\s+(?:at|over)|won['’]t\s+be\s+(?:around|there|in)|(?:waiting|parked)\s+(?:at|in|outside)|at\s+the\s+(?:gate|border|airport|station|lake|park|bar|pub|cafe|supermarket|allotment|workshop)|in\s+the\s+(?:car|lobby|mountains|office|queue)|fl(?:y|ying)\s+(?:back|to|out|home)|be\s+(?:there|here)\s+(?:by|at|around)|passing\s+through|popping\s+out|on\s+site|jet-?lagged|sail\w*|weekend\s+away|out\s+of\s+reach|no\s+signal""",
    "出差 在家办公 在家 不在 回来 回家 回城 回国 到了 刚到 路上 机场 高铁 火车 飞机 航班 飞 旅行 旅游 度假 出国 国外 外地 酒店 堵车 堵在 出门 休假 住到 住在 在办公室 来公司 健身房 宾馆 大堂 楼下 楼上 开车去 在车上 还在华沙 今晚睡 民宿 飞回 转机 登机 落地 动身 出发去 (?:人|我|还|都|周[一二三四五六日天])在(?:上海|北京|广州|深圳|杭州|成都|南京|武汉|西安|重庆|苏州|天津|香港|台北|东京|首尔|伦敦|巴黎|柏林|纽约|里斯本|马德里|罗马|华沙|奥斯陆|新加坡|曼谷) 我(?:还|现在|正|今天|今晚)?在[\u4e00-\u9fff]{1,6}(?:里|家|城|店|站|场|楼|口|边|室|馆|堂)(?=[，。]|$) 没来 早退 不来 迟到",
)

TOPICS: Final = {
    "contact-details": CONTACT,
    "health": HEALTH,
    "money": MONEY,
    "work-confidential": CONFIDENTIAL,
    "work-projects": PROJECTS,
    "family": FAMILY,
}
TIME_AND_PLACE: Final = {"appointments": APPOINTMENTS, "whereabouts": WHEREABOUTS}

OUTRANKS: Final = {
    # A number, a salary or a resignation is what it is, whoever's it is.
    "contact-details": frozenset({"family", "work-projects", "health", "money", "work-confidential"}),
    "work-confidential": frozenset({"work-projects"}),
}
"""A category here, when named, is meant alone among those it outranks."""

NO_TOPIC: Final = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december"
    " today tomorrow tonight yesterday week month year day days weeks morning afternoon evening night time noon new old good bad last next first second"
    " people man woman thing place take takes took make makes made come comes came see back still around".split()
)
"""Words of descriptions and examples that tell nothing about a category."""
