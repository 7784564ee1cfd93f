# Everything that a person repeats. The first call makes .venv; PYTHON says with which interpreter.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
RESULTS := results/examples

.PHONY: grade test test-hostile test-others test-fast build check lint format bench fuzz clean

grade: $(READY)  ## grade the example submissions
	$(BIN)/autograder build --keep
	$(BIN)/autograder grade examples/submissions --assignment self_attention --out $(RESULTS) --jobs 2 --allow-degraded

test: $(READY)  ## all tests, in two halves side by side
	$(MAKE) --jobs=2 --output-sync=target test-hostile test-others

test-hostile: $(READY)  ## the adversary's suite, and nbgrader for real
	$(BIN)/python -m pytest tests/attacks tests/nbgrader tests/fuzz

test-others: $(READY)
	$(BIN)/python -m pytest --ignore tests/attacks --ignore tests/nbgrader --ignore tests/fuzz

test-fast: $(READY)  ## the tests that take seconds
	$(BIN)/python -m pytest -m "not slow"

build: $(READY)  ## write assignments/ from solutions/
	$(BIN)/autograder build

check: $(READY)  ## fail if assignments/ is not what solutions/ makes
	$(BIN)/autograder build --check

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)  ## measure against the peers, in one run each
	$(BIN)/python -m benchmarks.student_pytest
	$(BIN)/python -m benchmarks.judges
	$(BIN)/python -m benchmarks.submissions
	$(BIN)/python -m benchmarks.nbgrader_autograde
	$(BIN)/python -m benchmarks.explaining
	$(BIN)/python -m benchmarks.confusion --pairs
	$(BIN)/python -m benchmarks.random_edits

fuzz: $(READY)  ## hours of odd files and frames, compressed into a quarter of one
	$(BIN)/python -m tests.fuzz --frames 100000 --submissions 10000

clean:  ## results and caches; never anybody's work
	rm -rf results .mypy_cache .ruff_cache .pytest_cache

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev,instructor,notebook]"
	touch $@
