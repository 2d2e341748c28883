"""The in-memory twin's parts: the port a second time, in plain loops, sharing nothing with the SQL side but the port."""
