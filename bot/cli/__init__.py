"""The command line's parts. `bot/cli/app.py` imports each only when its command is run, so that `tact --help` is quick."""
