"""It acts: wires the core to stores, language and channels, and runs turns."""
