"""The load tester: simulated players who find games, play them to the end, leave and come back.

It is a client: it knows the SDK and the contracts, and plays by what it is offered. Whatever happens is due at a time
that was drawn before, and its latency counts from that time, whether or not the tester or the services were late.
"""
