PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
PYTEST := $(BIN)/python -m pytest
CATALOGUES := explorer/locale/catalogues

.DEFAULT_GOAL := help
.PHONY: help app test lint bench browser messages accuracy notebooks mutants constraints clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

app: .venv/app.stamp ## start the app and open it in a browser
	@$(BIN)/gdp-explorer

test: lint ## run the linters, then all tests
	sh tests/browser/chromium.sh --install || [ "$$CI" != true ]
	$(PYTEST) -m "not slow"

lint: .venv/test.stamp ## check style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/test.stamp ## run the benchmarks and the slow tests; rewrite BENCHMARKS.md
	sh tests/browser/chromium.sh --install
	PYTHONPATH=tests/support $(BIN)/python tests/bench
	$(PYTEST) -m slow --durations 0

mutants: .venv/mutants.stamp ## put small mistakes into explorer/core and report those that no test notices
	rm -rf mutants
	$(BIN)/python tools/mutate.py run
	$(BIN)/python tools/mutants.py

browser: .venv/test.stamp ## run the tests that need Chromium
	sh tests/browser/chromium.sh --install
	$(PYTEST) -m browser

messages: .venv/app.stamp ## collect the sentences of the page for translators, in explorer.pot and every catalogue
	$(BIN)/pybabel --quiet extract --mapping pyproject.toml --omit-header --add-location file \
		--sort-by-file --add-comments "Translators:" --output $(CATALOGUES)/explorer.pot explorer
	for file in $(CATALOGUES)/*.po; do \
		[ ! -e "$$file" ] || $(BIN)/pybabel --quiet update --ignore-pot-creation-date \
			--input-file $(CATALOGUES)/explorer.pot --output-file "$$file" --locale "$$(basename "$$file" .po)"; \
	done

accuracy: .venv/test.stamp ## rewrite docs/accuracy.md: functions against 50 digits, about 8 minutes
	PYTHONPATH=tools:tests/reference $(BIN)/python -m accuracy

notebooks: .venv/test.stamp ## run the notebooks and write copies with their results to docs/notebooks
	sh tests/browser/chromium.sh --install
	$(BIN)/python tools/render_notebooks.py

constraints: ## rewrite constraints.txt with the newest versions
	rm -rf .venv
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable . --group dev --group mutants
	{ grep '^#' constraints.txt; $(BIN)/python -m pip freeze --all --exclude-editable --exclude setuptools; } > .venv/constraints.txt
	mv .venv/constraints.txt constraints.txt

clean: ## remove what the other targets made
	rm -rf .venv build dist mutants .hypothesis .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/pip.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "GDP Explorer needs Python 3.11 or newer: make app PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(PIP) pip
	@touch $@

.venv/app.stamp: .venv/pip.stamp pyproject.toml constraints.txt
	$(PIP) --editable .
	@touch $@

.venv/test.stamp: .venv/pip.stamp pyproject.toml constraints.txt
	$(PIP) --editable . --group dev
	@touch .venv/app.stamp $@

.venv/mutants.stamp: .venv/pip.stamp pyproject.toml constraints.txt
	$(PIP) --editable . --group mutants
	@touch .venv/app.stamp $@
