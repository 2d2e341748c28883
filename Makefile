# `make demo` is the place to start. `make help` lists the rest.

PYTHON ?= python3
# One more than the cores of a small machine: many tests wait for something.
WORKERS ?= 3

BIN := .venv/bin
READY := .venv/.ready
LOCKS := requirements.lock docs/deploy/runtime.lock
PACKAGES := bot connectors engine storage config
# The lock is made by one known version of uv, kept apart from the project's own environment.
UV_VERSION := 0.13.9
UV := .stamps/uv-$(UV_VERSION)/bin/uv
COMPILE := env -u UV_INDEX -u UV_DEFAULT_INDEX -u UV_INDEX_URL -u UV_EXTRA_INDEX_URL -u UV_FIND_LINKS \
	$(UV) pip compile --quiet --no-config --universal --generate-hashes --python-version 3.11 \
	--custom-compile-command 'make lock' $(UPGRADE)

.PHONY: help setup demo test slow oracle mutants lint types imports format lock check-lock vectors same-in-chroma ci release clean
.DEFAULT_GOAL := help

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

setup: $(READY) ## make .venv from the hashed lock (again only when the lock or pyproject.toml changed)

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Tact needs Python 3.11 or newer, and '$(PYTHON)' is $$(command -v $(PYTHON) >/dev/null && $(PYTHON) -V 2>&1 || echo not there). Try: make setup PYTHON=python3.12" >&2; \
		exit 1; }
	@test -x $(BIN)/python || { echo "Making .venv with $$($(PYTHON) -V)"; $(PYTHON) -m venv .venv; } || { \
		echo "No venv could be made. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@echo "Installing what requirements.lock names (about a minute the first time)"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

demo: $(READY) ## play the bundled story: one memory, an owner, two contacts, a group and a stranger
	@$(BIN)/tact demo

# Only the engine's own tests are measured: it takes every test twice its time, and what covers the engine should be
# about the engine.
ENGINE := tests/engine tests/properties
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

test: $(READY) ## the quick tests, and every branch of the engine covered
	$(PYTEST) --cov --cov-report=term --cov-fail-under=100 $(ENGINE)
	$(PYTEST) $(ENGINE:%=--ignore=%)

slow: $(READY) ## the tests that install, kill and isolate real processes
	$(BIN)/python -m pytest -m slow

oracle: $(READY) ## the engine against the second reading of its equations: 2,000 cases an assertion
	HYPOTHESIS_PROFILE=ci $(BIN)/python -m pytest -n $(WORKERS) tests/oracle/test_agreement.py

mutants: $(READY) ## whether some test notices each single fault in the gate (long; not part of ci)
	WORKERS=$(WORKERS) $(BIN)/python tests/mutation/mutants.py $(MODULES)

lint: $(READY) check-lock ## ruff, the formatter, the Dockerfile and the lock
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/hadolint Dockerfile

types: $(READY) ## mypy, strict
	$(BIN)/mypy

imports: $(READY) ## the direction of imports
	$(BIN)/lint-imports --no-logo

format: $(READY) ## put the code in shape
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

lock: $(UV) ## resolve afresh, keeping versions that still fit (all newer ones: make lock UPGRADE=--upgrade)
	@$(COMPILE) --group dev --extra chroma pyproject.toml --output-file requirements.lock
	@$(COMPILE) --extra chroma --constraint requirements.lock pyproject.toml --output-file docs/deploy/runtime.lock
	@$(MAKE) --no-print-directory setup check-lock

vectors: $(READY) ## embed the default categories afresh, for the file that ships with Tact
	$(BIN)/python -m bot.memory.known_vectors

check-lock: $(READY)
	$(BIN)/python .ci/check_lock.py pyproject.toml $(LOCKS)

$(UV):
	@$(PYTHON) -m venv .stamps/uv-$(UV_VERSION)
	@.stamps/uv-$(UV_VERSION)/bin/python -m pip install -qq --disable-pip-version-check uv==$(UV_VERSION)

same-in-chroma: $(READY) ## the demo says the same with its vectors in Chroma
	@mkdir -p .stamps
	@for language in en zh; do \
		$(BIN)/tact demo --lang $$language --vectors exact >.stamps/demo-exact.txt && \
		$(BIN)/tact demo --lang $$language --vectors chroma >.stamps/demo-chroma.txt && \
		diff .stamps/demo-exact.txt .stamps/demo-chroma.txt || exit 1; \
	done && echo "The demo says the same with its vectors in Chroma."

ci: lint types imports test oracle slow same-in-chroma ## all of it, as before every merge

release: $(READY) ## gather changes/, set the version, commit and tag: make release VERSION=1.2.3
	@$(BIN)/python .ci/release.py $(VERSION)

clean: ## remove what these targets made
	rm -rf .venv .stamps build dist .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
