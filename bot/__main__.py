"""`python -m bot` is `tact`."""

from bot.cli.app import main

main()
