# Kept plain: it runs with the make 3.81 that macOS ships, and in a folder whose path holds a space.
# What sets up .venv, and when it has to, is in scripts/setup.sh.

PYTHON ?=
LAB ?=
FAULTS ?=
python = .venv/bin/python

help: ## Show this help
	@echo "make COMMAND, where COMMAND is one of"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s  %s\n", $$1, $$2 }' Makefile
	@echo "PYTHON=/path/to/python chooses the Python (3.11 to 3.13) that .venv is made with."
	@echo "FAULTS='--short' does little harm, in less than a minute."
	@echo "LAB='--no-browser --port 9000' gives JupyterLab options."

setup: ## Make .venv from requirements.lock; the commands below do so when needed
	@PYTHON='$(PYTHON)' sh scripts/setup.sh

reports: setup ## Run all notebooks and write the site to reports/index.html
	$(python) scripts/api_pages.py reports/api & api=$$!; \
	$(python) -m wordgames reports; reports=$$?; wait $$api && exit $$reports

test: setup ## Run the tests
	$(python) -m pytest -n logical --maxprocesses 4 -m "not slow"
	$(python) -m pytest -m slow

test-quick: setup ## Run the tests that take no notebook, browser or set-up (a minute)
	$(python) -m pytest -n logical --maxprocesses 4 -m "not slow"

faults: setup ## Do harm to what is written and look at what is left (15 minutes)
	$(python) scripts/faults.py $(FAULTS)

lint: setup ## Check the style of the code and the notebooks
	$(python) -m ruff check .
	$(python) -m ruff format --check .
	.venv/bin/lint-imports --no-cache
	$(python) -m mypy
	$(python) scripts/check_notebooks.py

lab: setup ## Open the notebooks in JupyterLab
	$(python) scripts/lab.py $$([ "$$(id -u)" -gt 0 ] || echo --allow-root) $(LAB)

bench: setup ## Measure speed and memory, and refresh the table in README.md
	$(python) -m benchmarks

proof: setup ## Prove that no first guess beats the optimal tree (a few minutes)
	$(python) -m wordgames proof

lock: ## Renew requirements.lock after a change of pyproject.toml
	PYTHON='$(PYTHON)' sh scripts/lock.sh

clean: ## Remove all that make made: .venv, reports and caches
	rm -rf .venv .setup-running reports .pytest_cache .ruff_cache .mypy_cache .hypothesis *.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +
	find . -name .ipynb_checkpoints -prune -exec rm -rf {} +

.PHONY: help setup reports test test-quick faults lint lab bench proof lock clean
