"""What `tact vectors` and `tact reindex` say, in English and Chinese."""

from __future__ import annotations

EN = {
    "vectors.filling": "Putting vectors into Chroma",
    "vectors.in_chroma": "{count} vectors are in Chroma, at {where}.",
    "vectors.in_memory": "{count} vectors are searched in memory; Chroma has none of them any more.",
    "vectors.kept_there": "{count} vectors are searched in memory. Chroma could not be reached at {where}: what is there, its operator has to delete.",
    "vectors.set": 'tact.toml says vectors = "{to}" now; a Tact that runs takes it up when it is started again.',
    "vectors.to_set": 'Set vectors = "{to}" in {file}, or TACT_VECTORS={to}: nothing was changed there.',
    "vectors.overruled": "TACT_VECTORS={value} in the environment still wins over tact.toml.",
    "vectors.on_server": (
        "The server at {where} no longer gives out what was forgotten, but its files may still hold the vectors: its"
        " operator has to delete them (docs/vectors.md)."
    ),
    "reindex.working": "Embedding",
    "reindex.done": "{count} facts have vectors of {model} now.",
    "reindex.nothing": "Every fact has a vector of {model} already.",
}

ZH = {
    "vectors.filling": "把向量放进 Chroma",
    "vectors.in_chroma": "{count} 个向量已在 Chroma 里：{where}。",
    "vectors.in_memory": "{count} 个向量在内存里搜索；Chroma 里已经没有了。",
    "vectors.kept_there": "{count} 个向量在内存里搜索。连不上 {where} 的 Chroma：那里剩下的要由管理员删除。",
    "vectors.set": 'tact.toml 现在写着 vectors = "{to}"；正在运行的 Tact 要重新启动才会采用。',
    "vectors.to_set": '请在 {file} 里写 vectors = "{to}"，或设 TACT_VECTORS={to}：那里什么都没有改。',
    "vectors.overruled": "环境变量 TACT_VECTORS={value} 仍然优先于 tact.toml。",
    "vectors.on_server": "{where} 的服务器不再给出忘记的内容，但那里的文件可能还有向量：要由管理员删除（docs/vectors.md）。",
    "reindex.working": "计算向量",
    "reindex.done": "{count} 条内容现在有 {model} 的向量。",
    "reindex.nothing": "每条内容都已有 {model} 的向量。",
}
