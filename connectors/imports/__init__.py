"""Chat exports, read into typed rows. Pure: no file is opened here, and nobody's audience is decided."""
