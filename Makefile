# `make check` and `make test` are all that a newcomer needs; each sets up what it uses.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
JOBS ?= auto
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: check test lint types imports docs reports bench soak mutants lock clean

check: $(READY)
	$(BIN)/fsmcheck check specs --exit-zero

test: $(READY)
	$(BIN)/python -m pytest -q -n $(JOBS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports

docs: $(READY)
	$(BIN)/python docs/generate.py

# The HTML reports of the shipped specs; a minute or two.
reports: $(READY)
	$(BIN)/python docs/reports.py

# Minutes rather than seconds: many generated specs against brute force, and some, with the shipped ones, against SPIN
# and NuSMV where they are installed.
soak: $(READY)
	$(BIN)/python -m tests.soak --count $(or $(COUNT),20000) --seed $(or $(SEED),0)
	@$(BIN)/python -c 'import sys; from tests.peers.witness import peers; sys.exit(not peers())' || exit 0; \
		$(BIN)/python -m tests.soak --peers --count $(or $(PEERS),50) --seed $(or $(SEED),0)

mutants: $(READY)
	$(BIN)/python -m tests.mutants

bench: $(READY)
	$(BIN)/python bench/startup.py
	$(BIN)/python bench/monitor.py
	$(BIN)/python bench/growth.py --edited
	$(BIN)/python bench/peers.py

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("fsmcheck needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

# Needs pip-tools on the path. The file names no package index, so that it installs from whichever is configured.
lock:
	PIP_CONFIG_FILE=/dev/null pip-compile --generate-hashes --allow-unsafe --all-extras --strip-extras --upgrade \
		--no-header --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options \
		--quiet --output-file requirements.body pyproject.toml
	(sed -n '/^#/p;/^[^#]/q' requirements.lock; cat requirements.body) > requirements.next
	mv requirements.next requirements.lock
	rm requirements.body

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
