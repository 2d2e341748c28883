"""The running process, written once for all platforms: inbox, dispatcher, lanes, outbox, notices, maintenance."""
