# What people do with this project. Needs Python 3.11 or later and make, nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 5000
# One file or one test for the targets below: make test T=tests/test_cards.py
T ?=
PYTEST = $(BIN)/python -m pytest -rfEs $(if $(T),$(T),-n auto --dist worksteal)
PIN := $(BIN)/uv pip compile --quiet --generate-hashes --universal --python-version 3.11 --no-emit-index-url --custom-compile-command "make pins"

help: ## Show this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

run: $(VENV)/.run ## Set everything up and serve on the home network
	$(BIN)/python -m companion serve --port $(PORT)

test: $(VENV)/.dev ## Run the first tier of tests, minutes; without a browser or PostgreSQL some say so and skip
	$(PYTEST) -m "not slow"

test-slow: $(VENV)/.dev ## Run the second tier, some seven minutes: evenings of phones, stories on PostgreSQL, real proxies, kills
	$(PYTEST) -m "slow and not long"

test-all: $(VENV)/.dev ## Run every test, before a release: also doses at full size, long machines, both kinds of evening on both databases
	$(PYTEST)

coverage: export COVERAGE_FILE = $(CURDIR)/.coverage/data
coverage: $(VENV)/.dev ## Run the first tier and print what it covers; 95 % of the branches of the rules core
	rm -rf .coverage
	mkdir .coverage
	$(BIN)/coverage run -m pytest -q -n auto --dist worksteal -m "not slow"
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --format=total | sed 's/^/The whole program, lines and branches in %: /'
	$(BIN)/python -m tests.tools.core_branches

check: $(VENV)/.dev ## Lint, formatting of code, templates, scripts and styles, types and the arrow of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djhtml --tabwidth 2 --check templates
	$(BIN)/deno fmt --quiet --check
	$(BIN)/deno lint --quiet
	$(BIN)/python -m tests.tools.unused_static
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev ## Format the code, the templates, scripts and styles
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/djhtml --tabwidth 2 templates
	$(BIN)/deno fmt --quiet

proof: $(VENV)/.dev ## Before a release: 100,000 hands judged against trying every group of cards, 100,000 of each game against the judge in the page
	$(BIN)/python -m tests.melds.proof
	$(BIN)/python -m tests.browser.judge_proof

mutants: $(VENV)/.dev ## Break the rules core in 300 small ways, and print those that its tests don't notice
	$(BIN)/python -m tests.tools.mutants

sheets: $(VENV)/.dev ## Before a release: print every score sheet in a browser and count the pages
	$(BIN)/python -m tests.browser.paper.sheets

soak: $(VENV)/.dev ## Before a release, hours: kills, races, power cuts, full disks, backups, strangers, an evening of twenty tables
	$(BIN)/python -m tests.soak

bench: $(VENV)/.dev ## Time the judge; leagues of up to 100,000 games, what pages cost, and live pages
	$(BIN)/python -m bench.melds
	$(BIN)/python -m bench.league
	$(BIN)/python -m bench.pages
	$(BIN)/python -m bench.live
	$(BIN)/python -m bench.phones
	$(BIN)/python -m bench.search

search: $(VENV)/.dev ## Learn the search of the rules anew from tools/questions.tsv.bz2
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-search.txt
	$(BIN)/python -m tools.learn_search

statistics: $(VENV)/.dev ## Print what ratings and chances to win are worth, on made-up leagues
	$(BIN)/python -m bench.statistics

screenshots: $(VENV)/.dev ## Draw docs/screenshots from the running product
	$(BIN)/python -m tests.browser.screenshots

pins: $(VENV)/.dev ## Pin the latest versions of every dependency with hashes
	$(BIN)/pip install --quiet uv
	$(PIN) --upgrade --extra postgresql pyproject.toml -o requirements.txt
	$(PIN) --upgrade --constraint requirements.txt --extra postgresql --extra dev pyproject.toml -o requirements-dev.txt
	$(PIN) --upgrade --constraint requirements-dev.txt --extra search pyproject.toml -o requirements-search.txt

$(VENV)/.run: requirements.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	touch $@

$(VENV)/.dev: requirements-dev.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	touch $@ $(VENV)/.run

.PHONY: help run test test-slow test-all coverage check format proof mutants sheets soak bench search statistics screenshots pins
