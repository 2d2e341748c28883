"""`python -m bot` is `tact`."""

from bot.cli import main

main()
