"""Owner commands: one registry for every channel; each command has its rights line, grammar, help and examples."""
