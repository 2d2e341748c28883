"""The in-memory twin's parts: the port a second time, in plain loops; index, ranking and gathering are its own."""
