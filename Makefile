# Everything that a person repeats; `make help` lists it. The first call makes .venv; PYTHON says with which interpreter.
PYTHON ?= python3
VENV := .venv
RESULTS := results/examples

ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif

# Which versions are installed: those of constraints.txt, or `floors` or `newest` (see make test-floors).
CONSTRAINTS ?= constraints.txt
# Says for what .venv is ready: grading needs no mypy and no browser.
GRADING := $(VENV)/ready-to-grade
TESTING := $(VENV)/ready-to-test
LINTING := $(VENV)/ready-to-lint

# Compiled modules are kept: the tests start many interpreters.
export PYTHONDONTWRITEBYTECODE :=

PIP = $(BIN)/python -m pip install --disable-pip-version-check --progress-bar on -c $(CONSTRAINTS)
# First what the sandbox trusts, each file by its hash; pip then leaves it as it is.
LOCKED = $(BIN)/python -m pip install --disable-pip-version-check --require-hashes -r sandbox.lock
PYTEST = $(BIN)/python -m pytest -n logical --maxprocesses 8 --dist worksteal

# What is proven once more on other machines: commands, truth tables and attacks.
MATRIX = $(PYTEST) tests/commands tests/truth tests/attacks
# As an ordinary user, who may write to no folder of the project.
NOBODY = setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent PYTHONDONTWRITEBYTECODE=1

.PHONY: help grade check test test-all test-install coverage faults test-floors test-newest test-processor test-user test-no-bubblewrap test-matrix
.PHONY: lint build format bench fuzz clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1|\2/' | column -t -s '|' 2>/dev/null || grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST)

grade: $(GRADING)  ## grade the example submissions
	$(BIN)/autograder build --keep
	$(BIN)/autograder grade examples/submissions --assignment self_attention --out $(RESULTS) --jobs 2 --allow-degraded

check: lint  ## lint, types and the unit tests: about a minute
	$(PYTEST) -q -m "unit and not large" --durations=10

test: $(TESTING)  ## what proves the kit: also rows, workers and commands; 5 minutes
	$(BIN)/autograder build --check
	$(PYTEST) -m "not slow and not install" --durations=10

test-all: $(TESTING)  ## also whole rows, many seeds, browsers, kernels, courses and clusters; half an hour
	$(BIN)/autograder build --check
	$(PYTEST) -m "not install" --durations=10

test-install: $(TESTING)  ## what installs packages or runs as another user
	$(PYTEST) -m install --durations=10

coverage: $(TESTING)  ## which lines and branches these tests run, in forked processes too
	$(PYTEST) -q -m "not install" --cov=autograder --cov-report=
	$(BIN)/python -m coverage report --skip-covered --sort=cover

faults: $(TESTING)  ## which tests find small faults in the code; half an hour
	$(BIN)/python -m tests.faults

test-floors:  ## commands, truth tables and attacks with the lowest versions that pyproject.toml allows
	$(MAKE) VENV=.venv-floors CONSTRAINTS=constraints-floors.txt test-matrix

test-newest:  ## the same with the newest versions
	$(MAKE) VENV=.venv-newest CONSTRAINTS=constraints-newest.txt test-matrix

test-processor:  ## the same with the last digits of an old processor
	ATEN_CPU_CAPABILITY=default MKL_ENABLE_INSTRUCTIONS=SSE4_2 $(MAKE) test-matrix

test-user: $(TESTING)  ## the same as an ordinary user; root only
	$(NOBODY) $(MATRIX) -p no:cacheprovider

test-no-bubblewrap: $(TESTING)  ## the same where bubblewrap does not work
	PATH="$(CURDIR)/tests/no_bubblewrap:$$PATH" $(MATRIX)

test-matrix: $(TESTING)
	$(MATRIX)

lint: $(LINTING)  ## style, types, and which way imports run
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

build: $(GRADING)  ## write assignments/ from solutions/
	$(BIN)/autograder build

format: $(LINTING)  ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(TESTING)  ## measure against the peers, in one run each
	$(BIN)/python -m benchmarks.waiting
	$(BIN)/python -m benchmarks.judges
	$(BIN)/python -m benchmarks.submissions
	$(BIN)/python -m benchmarks.nbgrader_autograde
	$(BIN)/python -m benchmarks.explaining
	$(BIN)/python -m benchmarks.confusion
	$(BIN)/python -m benchmarks.random_edits
	$(BIN)/python -m benchmarks.scale
	$(BIN)/python -m benchmarks.coordinator 500 2000
	$(BIN)/python -m benchmarks.mutants

fuzz: $(TESTING)  ## many odd files and frames, a quarter of an hour
	$(BIN)/python -m tests.fuzz --frames 100000 --submissions 10000

clean:  ## remove results and caches; never anybody's work
	rm -rf results .mypy_cache .ruff_cache .pytest_cache

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(GRADING): pyproject.toml sandbox.lock $(CONSTRAINTS) | $(BIN)/python
	@echo "Installing torch, nbgrader and what else grading needs into $(VENV); on a slow line this takes minutes."
	$(LOCKED)
	$(PIP) -e ".[instructor]"
	@touch $@

$(TESTING): pyproject.toml sandbox.lock $(CONSTRAINTS) | $(BIN)/python
	@echo "Installing what the tests need into $(VENV)."
	$(LOCKED)
	$(PIP) -e ".[cluster,dev,instructor,notebook]"
	@touch $@ $(GRADING)

$(LINTING): $(TESTING)
	@echo "Installing ruff, mypy and import-linter into $(VENV)."
	$(PIP) -e ".[cluster,dev,instructor,lint,notebook]"
	@touch $@
