# Everything that is done to this folder has a target here; `make help` lists them.
# Nothing needs to be set up first: each target makes the environment that it needs, once.

SHELL := bash
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help run play test long load bench faults simulate check protos baseline golden format runtime dev sdk-ends clean

help: ## lists the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: runtime ## starts a Redis server, the engine and the scoring service; Ctrl-C stops them
	@exec $(BIN)/cheeseboard run

play: runtime ## plays in the terminal, on what `make run` started or on its own
	@exec $(BIN)/cheeseboard-play $(ARGS)

test: dev ## all that CI runs: checks, the SDK with the oldest and newest libraries, tests
	@$(MAKE) --no-print-directory check
	@$(MAKE) --no-print-directory sdk-ends
	@$(BIN)/python -m pytest -q -n 3 --dist loadgroup

long: dev ## the long forms of tests: 20,000 states for leaks, deep perft, hundreds of games of each game, 1,000 reaction windows
	@CHEESEBOARD_LEAK_STATES=20000 CHEESEBOARD_LAW_EXAMPLES=400 CHEESEBOARD_DEEP_PERFT=1 CHEESEBOARD_GAMES=200 \
		CHEESEBOARD_HEIST_GAMES=300 CHEESEBOARD_HEIST_WINDOWS=1000 CHEESEBOARD_CHEAT_TRICK_GAMES=300 \
		$(BIN)/python -m pytest -q --timeout 3600 tests/rules/test_leaks.py tests/rules/test_laws.py tests/rules/test_golden.py \
		tests/e2e/test_games.py tests/e2e/test_heist_games.py tests/e2e/test_heist_races.py tests/e2e/test_cheat_trick_games.py

check: dev ## format, lint, types, imports, contracts
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/buf lint protos
	tools/check_baseline.sh
	tools/protos.sh --check

sdk-ends: dev ## the SDK's wheel with the oldest and the newest libraries it declares, against a running stack
	@$(BIN)/python -m tools.sdk_ends

format: dev ## formats the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

protos: dev ## generates the code in protos/
	tools/protos.sh

baseline: dev ## at a release: writes down what `make check` must find unbroken from now on
	$(BIN)/buf build protos -o protos/baseline.binpb

load: runtime ## plays by the thousand on a stack of its own; ARGS="--profile quick" is short, ARGS=--help lists the rest
	@$(BIN)/cheeseboard-load $(ARGS)

bench: dev ## measures, prints a table and writes build/bench.json
	@$(BIN)/python -m tests.bench

faults: dev ## kills everything by the hundred under load, and prints what came of it; half an hour
	@$(BIN)/python -m tests.faults

simulate: dev ## how long players wait for a match; writes the table in engine_service/matchmaking/README.md
	$(BIN)/python -m tests.matchmaking.simulation

golden: dev ## plays the golden games and tables again; read the diff
	$(BIN)/python -m tests.rules.golden
	$(BIN)/python -m tests.tables.releases

clean: ## removes environments and caches, not the data of `make run`
	rm -rf .venv .venv-* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

runtime:
	@tools/setup.sh runtime

dev:
	@tools/setup.sh dev
