"""Play Cheeseboard's games in a terminal. The shell knows tables, seats and clocks; each game brings its own screen."""
