"""A stack of Cheeseboard on this machine, for clients that bring their own."""
