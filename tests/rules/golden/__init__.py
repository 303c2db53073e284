"""Golden files of the rules. `python -m tests.rules.golden`, from the root of the repository, writes them anew."""
