"""What `tact backup` and `tact restore` say, in English and Chinese."""

from __future__ import annotations

EN = {
    "backup.done": "Backed up to {file}: {facts} facts and {messages} messages, {size}, as of {at}.",
    "backup.key": "The key is in {file}. Keep it apart from the backup: whoever has both can read everything.",
    "backup.no_key": "The key is not in it. Without the key it cannot be read: keep that as well, in another place.",
    "backup.secrets": "Tokens of platforms and keys of models are not in it: tact connect makes a new one.",
    "backup.working": "Backing up",
    "restore.working": "Restoring",
    "restore.reading": "Reading the backup",
    "restore.comparing": "Comparing who may hear what",
    "restore.what": "The backup is of {at} (Tact {tact}): {facts} facts, {messages} messages.",
    "restore.lost": "What was said since then is not in it, and will be gone here.",
    "restore.forgotten": "Forgotten again, because it was forgotten since: {facts} facts, {messages} messages.",
    "restore.policy_same": "Policy: version {version}, the backup's; nothing has been decided since.",
    "restore.policy_present": (
        "Policy: version {version} as it is now, not the backup's; marks, lists and names of now count too "
        "({marks} facts). --policy backup takes the backup's."
    ),
    "restore.policy_backup": "Policy, marks, lists and names: as in the backup. Against now:",
    "restore.opens": "Facts that somebody would hear and would not hear now: {count}",
    "restore.opens_fact": "  {who}: “{text}”",
    "restore.policy_alone": "Policy: version {version}, the backup's. What was closed after {at} is open again: look it over.",
    "restore.no_tombstones": "No memory was here to tell what was forgotten after {at}: forget it again.",
    "restore.uncertain": "{count} message(s) were on their way then and are not sent again: /resend lists them.",
    "restore.unhandled": "{count} event(s) of platforms waited then and are not answered any more.",
    "restore.moved": "What was on its way when the backup was made is still to be done.",
    "restore.ask": "Shall it take the place of the memory in {place}?",
    "restore.unsaid": "there is a memory here, so nothing was restored",
    "restore.unsaid_policy": "the backup's policy may open what is closed now, so nothing was restored",
    "restore.not": "Nothing was changed.",
    "restore.done": "Restored to {place}.",
    "restore.key_elsewhere": "Put the key where key_source says ({source}) before you start Tact.",
    "restore.server": "What was there before is still in the server's files: tact forget --compact drives it off the disk.",
}

ZH = {
    "backup.done": "已备份到 {file}：{facts} 条事实、{messages} 条消息，{size}，截至 {at}。",
    "backup.key": "密钥在 {file}。请与备份分开存放：两者都有的人能读到一切。",
    "backup.no_key": "备份里没有密钥。没有密钥就读不出来：密钥也要另存一处。",
    "backup.secrets": "平台的令牌和模型的密钥不在备份里：用 tact connect 重新连接即可。",
    "backup.working": "备份中",
    "restore.working": "恢复中",
    "restore.reading": "读取备份",
    "restore.comparing": "比较谁能听到什么",
    "restore.what": "备份时间 {at}（Tact {tact}）：{facts} 条事实、{messages} 条消息。",
    "restore.lost": "此后说过的话不在备份里，恢复后这里也不再有。",
    "restore.forgotten": "备份之后被忘记的已再次忘记：{facts} 条事实、{messages} 条消息。",
    "restore.policy_same": "规则：第 {version} 版，即备份中的；此后没有新的决定。",
    "restore.policy_present": (
        "规则：沿用现在的第 {version} 版，不用备份中的；标记、名单和名字也以现在为准（{marks} 条事实）。"
        "要用备份中的，请加 --policy backup。"
    ),
    "restore.policy_backup": "规则、标记、名单和名字：都用备份中的。与现在相比：",
    "restore.opens": "现在听不到、恢复后会有人听到的内容：{count} 条",
    "restore.opens_fact": "  {who}：“{text}”",
    "restore.policy_alone": "规则：第 {version} 版，即备份中的。{at} 之后收紧的又会放开：请检查一遍。",
    "restore.no_tombstones": "这里没有记忆可查 {at} 之后忘记了什么：请再忘记一次。",
    "restore.uncertain": "当时有 {count} 条消息正在发送，不会重发：/重发 可以列出。",
    "restore.unhandled": "当时有 {count} 个平台事件在等待，不再答复。",
    "restore.moved": "备份时还没办完的事会继续办。",
    "restore.ask": "用它取代 {place} 里的记忆吗？",
    "restore.unsaid": "这里已有记忆，所以没有恢复",
    "restore.unsaid_policy": "备份中的规则可能放开现在收紧的内容，所以没有恢复",
    "restore.not": "什么也没有改动。",
    "restore.done": "已恢复到 {place}。",
    "restore.key_elsewhere": "启动 Tact 之前，请把密钥放到 key_source 指定的地方（{source}）。",
    "restore.server": "之前的内容还留在服务器的文件里：tact forget --compact 会把它清出磁盘。",
}
