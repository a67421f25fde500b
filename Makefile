# Yacht Station. `make` alone lists what there is.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
ARGS   ?=
# Nothing is installed but the pinned files, whatever an index may offer (python -m release.pins).
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps
PINNED := $(PIP) --require-hashes --requirement
# On a Pi the Python parts of camera and pins come from apt, and the environment has to see them. One that was
# made before apt brought them is made again; what is installed in it stays.
SITE   := $(shell $(PYTHON) -c 'from importlib.util import find_spec as f; f("picamera2") or f("lgpio") or exit(1)' \
            2>/dev/null && echo --system-site-packages)
BLIND  := $(if $(SITE),$(shell grep -s 'include-system-site-packages = false' $(VENV)/pyvenv.cfg))
# Files of tests are spread over two cores, four at a time since many wait for dice to roll; the quick ones wait for
# nothing, and every process collects all tests first, 5 s of processor time. A file stays together, for what its tests
# set up once. The longest go first (tests/conftest.py). What was compiled is kept for the many stations that tests
# start, whatever the environment says.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest
SPREAD := --dist loadfile --no-loadscope-reorder --numprocesses

.DEFAULT_GOAL := help
.PHONY: help run test unit check soak bench screenshots clean install uninstall card arm64 fresh virtual-pi mutants sbom torture docs release without

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | sort | expand -t 16

run: $(VENV)/run.done ## start the station (ARGS="--port 9000 --data DIR" hands options on)
	@$(BIN)/yacht run $(ARGS)

test: $(VENV)/test.done ## every test, real browser included
	@$(PYTEST) $(SPREAD) 4 $(ARGS)

unit: $(VENV)/test.done ## the quick tests only
	@$(PYTEST) -q -m "not slow and not thorough and not browser and not photos" $(SPREAD) 2 $(ARGS)

without: $(VENV)/test.done ## types and quick tests of a copy without a feature (FEATURE=stakes, or all)
	@nice $(BIN)/python -m bench.without $(FEATURE) $(ARGS)

check: $(VENV)/test.done node_modules/made.done ## format, lint, types, who may import whom, docs
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/mypy examples/*.py
	@$(BIN)/lint-imports
	@$(BIN)/python -m tests.features.core_words
	@$(BIN)/python -m tests.web.browser_types
	@node_modules/.bin/tsc
	@node_modules/.bin/biome ci --error-on-warnings
	@node tests/web/older_browsers.mjs
	@$(BIN)/python -m pytest -q tests/test_docs.py

bench: $(VENV)/test.done ## print the figures: reader, films, rest, advice, page, memory
	@$(BIN)/python -m bench $(ARGS)

install: ## as root: make this machine a station, or update it (KIOSK=1 also shows it on the screen, OLED=1 is for a small display)
	@PYTHON='$(PYTHON)' DESTDIR='$(DESTDIR)' KIOSK='$(KIOSK)' OLED='$(OLED)' systemd/install.sh

uninstall: ## as root: take it off again; games and settings stay (PURGE=1 removes them too)
	@DESTDIR='$(DESTDIR)' PURGE='$(PURGE)' systemd/uninstall.sh

card: $(VENV)/run.done ## a freshly written SD card from which a Pi becomes a station by itself (BOOT=DIR of its boot partition, ARGS="--language de")
	@$(BIN)/yacht card $(ARGS) "$(BOOT)"

fresh: ## as root, from lab/: the README's commands in bare Debian 12 and 13 systems
virtual-pi: ## as root, from lab/: a whole Pi without one
arm64: ## as root, from lab/: the processor of a Pi, emulated
mutants: ## from lab/: change rules and game in small ways, and list what no test notices
soak: ## from lab/: follow the physical table for 200,000 steps
torture: ## from lab/: do to a station what can happen to it
fresh virtual-pi arm64 mutants soak torture:
	@$(MAKE) --no-print-directory -C lab $@

sbom: $(VENV)/run.done ## what a station is made of, as CycloneDX (make -s sbom > sbom.json)
	@$(BIN)/python -m release.sbom

docs: $(VENV)/docs.done ## one static site of README and docs/, with a reference from docstrings, links checked (build/site)
	@$(BIN)/python -m release.site

release: $(VENV)/test.done ## number, notes, checks, wheel, source, parts, hashes, a trial (VERSION=0.2.0; left out: this commit)
	@$(BIN)/python -m release $(VERSION) $(ARGS)

screenshots: $(VENV)/test.done ## take the pictures of the pages in docs/img anew (EVERY=1: at six sizes, light and dark, into build/screens)
	@YACHT_SCREENSHOTS=$(if $(EVERY),build/screens,docs/img) YACHT_EVERY_SIZE=$(EVERY) $(BIN)/python -m pytest -q -m browser --basetemp /tmp/yacht-station tests/e2e $(ARGS)

clean: ## drop the environment (games and settings are kept elsewhere)
	rm -rf $(VENV) node_modules

.PHONY: always
$(VENV)/made.done: $(if $(BLIND),always)
	@$(PYTHON) systemd/served.py
	@echo "Making the environment in $(VENV) (once)..."
	@$(PYTHON) -m venv $(SITE) $(VENV) || \
		{ echo "The venv module is missing: sudo apt-get install python3-venv"; rm -rf $(VENV); exit 1; }
	@touch $@

$(VENV)/run.done: $(VENV)/made.done pyproject.toml requirements/run.txt
	@echo "Installing the pinned packages (about a minute the first time)..."
	@$(PINNED) requirements/run.txt
	@$(PIP) --no-build-isolation --editable .
	@systemd/debian-packages.sh runtime $(BIN)/python
	@touch $@

$(VENV)/test.done: $(VENV)/run.done requirements/test.txt requirements/display.txt
	@echo "Installing what the tests need..."
	@$(PINNED) requirements/test.txt
	@$(PINNED) requirements/display.txt
	@systemd/debian-packages.sh tests $(BIN)/python
	@touch $@

$(VENV)/mutants.done: $(VENV)/test.done requirements/mutants.txt
	@$(PINNED) requirements/mutants.txt
	@touch $@

$(VENV)/docs.done: $(VENV)/mutants.done requirements/docs.txt
	@$(PINNED) requirements/docs.txt
	@touch $@

# Types, linter and formatter of the pages' scripts; only `make check` needs them, and Node for them.
node_modules/made.done: package.json
	@systemd/debian-packages.sh check $(PYTHON)
	@npm install --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@
