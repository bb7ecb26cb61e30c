# `make lab` opens the lessons, `make test` checks everything. Both make .venv first, with the pinned versions.

PYTHON ?= python3
PORT ?= 8888
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable

# On CI the peers (scikit-learn, ranx, …) must be there; elsewhere their tests say how to install them.
EXTRAS := test,site
ifdef CI
EXTRAS := test,site,peers,dask
endif

# A worker for each core; what belongs together stays on one worker (conftest.py says what does).
PARALLEL := -n logical
NBVAL := --nbval --nbval-current-env --nbval-cell-timeout=60

ROOT_FLAG := $(if $(filter 0,$(shell id -u)),--allow-root)
WINDOW_FLAG := $(if $(filter no,$(BROWSER)),--no-browser)

.PHONY: lab test test-long check lessons lint notebooks bench bench-ui site screenshots peers constraints clean proofs

lab: .venv/.lab
	$(BIN)/python -m jupyterlab --ServerApp.root_dir="$(CURDIR)" --ServerApp.port=$(PORT) $(ROOT_FLAG) $(WINDOW_FLAG) \
		--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb

test: .venv/.test
	$(BIN)/python -m pytest $(PARALLEL) $(NBVAL) tests ndcg_lab notebooks README.md

# Everything that `make test` runs, the campaigns at their full size, and the tours through every lesson.
test-long: .venv/.test
	NDCG_LAB_LONG=1 $(BIN)/python -m pytest $(PARALLEL) $(NBVAL) tests ndcg_lab notebooks README.md

# For every edit: lint, types and the unit tests.
check: lint
	$(BIN)/python -m pytest -q $(PARALLEL) --ignore tests/browser tests ndcg_lab README.md

# The lessons as they are committed, on the Python of this environment.
lessons: .venv/.test
	$(BIN)/python -m pytest -q $(PARALLEL) $(NBVAL) notebooks

lint: .venv/.test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m repo_review .

# Run every lesson in a fresh kernel and write it back, the same bytes each time.
notebooks: .venv/.lab
	$(BIN)/python tools/notebooks.py

# Compile proofs/Ndcg.v and let Coq check statements of the known cases, lesson 01 and real runs.
proofs: .venv/.test
	@command -v coqc >/dev/null || { echo "Coq is missing: apt-get install coq"; exit 1; }
	$(BIN)/python -m pytest tests/proofs

# The book: all lessons, the conventions and the API as pages that load nothing from elsewhere.
site: .venv/.test
	$(BIN)/python tools/site.py

# Tables: exact values here against sympy, batches against the peers; each on the same data, in one run.
bench: .venv/.test
	$(INSTALL) ".[peers]"
	$(BIN)/python -m benchmarks.exact
	$(BIN)/python -m benchmarks.batch

# One table: from a key to the changed page, in JupyterLab, against an empty callback.
bench-ui: .venv/.test
	$(BIN)/python -m benchmarks.ui

# The pictures in README, from a real JupyterLab in Chromium.
screenshots: .venv/.test
	$(BIN)/python -m tools.screenshots

# Install the other systems' own packages, which some tests compare with, and rebuild lesson 09's record and README's table.
peers: .venv/.test
	$(INSTALL) ".[peers]"
	$(BIN)/python -m tools.record_peers
	$(BIN)/python -m tools.readme

# Take the newest versions; binder/requirements.txt then follows by hand, as its tests tell.
constraints: .venv/.test
	$(BIN)/uv pip compile pyproject.toml --upgrade --extra test --extra site --extra peers --extra dask --universal \
		--python-version 3.11 --no-emit-index-url --no-header --no-annotate --output-file constraints.txt

.venv/.python:
	$(PYTHON) -m venv .venv
	touch $@

.venv/.lab: pyproject.toml constraints.txt binder/overrides.json | .venv/.python
	$(INSTALL) .
	mkdir -p .venv/share/jupyter/lab/settings
	cp binder/overrides.json .venv/share/jupyter/lab/settings/
	touch $@

.venv/.test: .venv/.lab
	$(INSTALL) ".[$(EXTRAS)]"
	touch $@

clean:
	rm -rf .venv site .mypy_cache .pytest_cache .ruff_cache .hypothesis
