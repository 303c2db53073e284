"""The games that this client can show: one package or file for each, one line in `registry`."""
