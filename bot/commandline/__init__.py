"""The command line's parts. `bot/cli.py` imports each only when its command is run, so that `tact --help` is quick."""
