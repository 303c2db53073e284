"""What must hold when things break: players play through lines that fail, everything is killed, and a journal of what
every client was told is compared with what the table says in the end.

`python -m tests.faults` is the long form with its table of figures; the tests here are the short one.
"""
