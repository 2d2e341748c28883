"""One turn: record, route, recall, judge, tell, word, look again, send."""
