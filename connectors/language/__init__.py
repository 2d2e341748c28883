"""Language: finding statements and requests in messages, embedding, categorising, wording replies.

`offline` needs no model and no network.
"""
