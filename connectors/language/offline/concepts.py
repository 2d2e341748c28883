"""Words that mean the same in a chat, across English and Chinese: one index term each. Data only.

Small on purpose: everyday things people ask a delegate about. It lets words alone bridge the two languages, and an
embedder widen it.
"""

from __future__ import annotations

from typing import Final

# canonical term | English words and phrases | Chinese words
_GROUPS: Final = """
mother | mum mom mummy mommy mother mama | 妈妈 母亲 老妈 妈咪 妈
father | dad daddy father papa | 爸爸 父亲 老爸 爸
parents | parents folks | 爸妈 父母
sister | sister sis | 姐姐 妹妹 姐妹
brother | brother bro | 哥哥 弟弟 兄弟
wife | wife | 老婆 妻子 媳妇 太太
husband | husband | 老公 丈夫
son | son boy | 儿子
daughter | daughter girl | 女儿 闺女
child | child children kid kids | 孩子 小孩
grandmother | grandma grandmother granny gran | 奶奶 外婆 姥姥
grandfather | grandpa grandfather granddad grandad | 爷爷 外公 姥爷
birthday | birthday | 生日
wedding | wedding marry marries married marriage marrying | 结婚 婚礼 嫁
divorce | divorce divorced divorcing | 离婚
surgery | surgery operation surgical | 手术 开刀
doctor | doctor gp physician | 医生 大夫
dentist | dentist dental | 牙医 看牙 牙科
hospital | hospital clinic | 医院 住院
ill | ill sick unwell illness disease | 生病 病了 得病 得了什么病 不舒服 什么病
diabetes | diabetes diabetic | 糖尿病
pregnant | pregnant pregnancy | 怀孕
allergy | allergic allergy allergies | 过敏
knee | knee | 膝盖
arm | arm | 胳膊 手臂
phone | phone telephone mobile cellphone number numbers | 电话 手机号码 手机号 手机 号码
email | email e-mail mail | 邮箱 邮件 电邮
address | address | 地址
password | password passcode | 密码
office | office | 办公室 公司
home | home | 在家 家里
holiday | holiday holidays vacation | 度假 休假 假期 放假
travel | travel travelling traveling trip journey | 旅行 旅游 出差
flight | flight plane fly flies flying | 飞机 航班 机票
train | train | 火车 高铁
meeting | meeting meetings | 会议 开会
launch | launch launches launched launching rollout "go live" "goes live" "going live" "went live" | 上线 发布会 发布
release | release releases released ship ships shipped shipping "goes out" "go out" | 发版 发售
deadline | deadline due | 截止 期限
delay | delay delayed late postpone postponed behind | 推迟 延期 延迟 晚了 耽误
cancel | cancel cancelled canceled cancellation | 取消
move | move moved moving | 搬家 搬到 改到 挪到
project | project projects | 项目
lead | lead leads leading led charge responsible manages managing | 负责 领导 主管 带队
client | client clients customer customers | 客户
vendor | vendor supplier vendors suppliers | 供应商
sensor | sensor sensors | 传感器
deliver | deliver delivered delivers delivery | 送来 送到 交货 到货
report | report reports | 报告
layoff | layoff layoffs redundancies redundant "lay off" "laid off" "laying off" "let go" | 裁员 裁掉 裁人
hire | hire hires hiring hired recruit recruiting | 招聘 招人 录用
resign | resign resigned resigns resignation quit quits leaving | 辞职 离职 辞呈
salary | salary salaries wage wages pay earn earns | 工资 薪水 年薪 月薪
contract | contract | 合同
company | company firm | 公司
sell | sell sells selling sold sale | 卖掉 卖了 出售
buy | buy buys buying bought purchase | 买了 购买 买下
money | money cash | 钱
owe | owe owes owed owing debt debts | 欠
mortgage | mortgage | 房贷
loan | loan loans lend lent borrow borrowed | 贷款 借给
rent | rent | 房租 租金
tax | tax taxes | 税
savings | savings | 存款 积蓄
car | car | 车子 汽车 开车
house | house flat apartment | 房子 公寓
dog | dog | 狗
cat | cat | 猫
dinner | dinner supper | 晚饭 晚餐 吃饭
lunch | lunch | 午饭 午餐
coffee | coffee | 咖啡
party | party parties | 派对 聚会 聚餐
school | school conservatory university college | 学校 学院 大学 小学 中学 上学
exam | exam exams test tests | 考试
football | football soccer | 足球
vegetarian | vegetarian vegan | 吃素 素食
meat | meat | 肉
like | like likes liked love loves fond | 喜欢
hate | hate hates dislike dislikes | 讨厌
read | read reads reading book books | 读书 看书
free | free available availability | 有空 空闲
busy | busy | 忙
wait | wait waiting | 等待
interview | interview interviews | 面试
job | job position | 工作 职位
visa | visa | 签证
passport | passport | 护照
weather | weather | 天气
break | broke broken break | 摔断 断了 骨折
ski | ski skiing skied | 滑雪
leave | away | 不在
"""


def _entries() -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    words: dict[str, str] = {}
    phrases: dict[str, str] = {}
    chinese: dict[str, str] = {}
    for line in _GROUPS.strip().splitlines():
        term, english, han = (part.strip() for part in line.split("|"))
        for index, part in enumerate(english.split('"')):
            if index % 2:
                phrases[part] = term
            else:
                words.update(dict.fromkeys(part.split(), term))
        chinese.update({word: term for word in han.split() if word not in chinese})
    return words, phrases, chinese


WORDS, PHRASES, CHINESE = _entries()
"""English word, English phrase and Chinese word to their canonical term."""
