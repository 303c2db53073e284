"""Protos on one side, the rules' structs on the other. Nothing is decided here."""
