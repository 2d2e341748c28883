"""Where vectors lie and are compared: one port, and each way to do it in a module of its own."""
