# scripts/serve and scripts/test are enough, and bring what is missing; `make help` lists the rest.

SWIFT ?= swift
# More arguments for `make serve`: ARGS="--listen 127.0.0.1:9000".
ARGS ?=
# More arguments for pytest: PYTEST="-k backup".
PYTEST ?=
# How long `make fuzz` lets each fuzzer run.
SECONDS ?= 600
# How often `make bench` gives each server its turn of SECONDS=3, and what it measures: all, or what has one
# of these words in its name.
ROUNDS ?= 5
ONLY ?=
# QUICK=1 gives each rig of `make test-deep` a minute or two; more arguments for it:
# DEEP="--only power --seed 7".
QUICK ?=
DEEP ?=

BINARY = .build/release/goals
CLIENT = .build/release/goals-client
# The standard library is linked in, so that the binary runs where no Swift is installed.
RELEASE = --configuration release --static-swift-stdlib
# Nothing looks symbols up in these programs. Without that table and its names an idle server is 0.9 MB smaller.
LINK = -Xlinker --strip-debug -Xlinker --no-export-dynamic
SWIFT_FILES = Package.swift $(wildcard Examples Migrations Plugins) Sources Tests \
  $(addprefix Benchmarks/,Package.swift Hummingbird Micro)

.PHONY: help serve test test-all build debug client dist wasm node-test setup setup-client setup-dist setup-test \
  setup-all setup-bench setup-deep unit-test black-box black-box-all format \
  lint fuzz test-deep bench bench-list bench-names clean

help:
	@echo "make serve     install what is missing, build, and serve goals.sqlite (ARGS=…)"
	@echo "make test      lint, and the tests of every change, over memory and SQLite"
	@echo "make test-all  all tests, with the release binary, over every store, with new random seeds"
	@echo "make build     the release binary, $(BINARY)"
	@echo "make client    the terminal client, $(CLIENT), which belongs beside it"
	@echo "make dist      a Debian package and a tarball of both, with manual pages, completions and units, in dist/"
	@echo "make wasm      the page's engine, which the binary then has in it"
	@echo "make format    format the Swift sources in place; make lint only checks, in every language"
	@echo "make fuzz      run the fuzzers, SECONDS=$(SECONDS) each"
	@echo "make test-deep hours of power cuts, faults, kills, sanitizers and load, as root (QUICK=1 ONLY=power,history)"
	@echo "make bench     measure the server beside its peers (ROUNDS=$(ROUNDS) SECONDS=3 ONLY=bumps,lists)"
	@echo "make clean     remove what was built; databases stay"

serve:
	@scripts/serve $(ARGS)

# The quickest to fail comes first; each part prints its own summary, pytest last. What lint does and the engine for
# browsers keep one core busy each.
test: export PYTHONHASHSEED = 0
test: export SWIFT_DETERMINISTIC_HASHING = 1
test:
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint node-test
	@$(MAKE) --no-print-directory --jobs=1 unit-test black-box

# GOALS_TEST_ALL adds what takes longer, and draws new random seeds.
test-all: export GOALS_TEST_ALL = 1
test-all: setup-all
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint node-test
	@$(MAKE) --no-print-directory --jobs=1 unit-test black-box-all

setup:
	@scripts/setup

# One after the other: apt-get runs once at a time.
setup-client setup-dist setup-test setup-all setup-bench setup-deep: setup-%: setup
	@scripts/setup $*

# Before whatever has it in it. It is quick where nothing has changed.
wasm: setup
	@scripts/build-wasm

build: setup wasm
	$(SWIFT) build $(RELEASE) --product goals $(LINK)

# The server needs no libcurl, so that only the client sets it up.
client: build setup-client
	$(SWIFT) build $(RELEASE) --product goals-client $(LINK)

dist: client setup-dist
	@scripts/dist dist

# What the tests run, all of it built once.
debug: setup-test wasm
	$(SWIFT) build --build-tests

node-test: setup-test wasm
	node --test Tests/Wasm/*.test.js Tests/Page/*.test.js

# The program of the tests by itself: after `swift test`, SwiftPM links tools anew. Eight tests run at once: beside all
# others a test takes longer than its own time limit allows. What is built for Apple's systems alone is at least read by
# the compiler here.
unit-test: debug
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8 \
	  scripts/failures-last scripts/without-leftovers \
	  .build/debug/goalsPackageTests.xctest --testing-library swift-testing
	$(SWIFT)c -typecheck -D GOALS_URLSESSION -swift-version 6 -warnings-as-errors -package-name goals \
	  -module-name GoalsClient -I .build/debug/Modules -Xcc -fmodule-map-file=Sources/CCurl/module.modulemap \
	  $(shell find Sources/GoalsClient -name '*.swift')

# Most of these tests wait, so four run at once; those of one file share a server.
BLACK_BOX = scripts/without-leftovers .venv/bin/python -m pytest Tests/BlackBox -n 4 --dist loadfile $(PYTEST)

black-box: debug .venv/installed
	$(BLACK_BOX)

black-box-all: client .venv/installed
	GOALS_BINARY=$(BINARY) $(BLACK_BOX)

.venv/installed: Tests/BlackBox/requirements.txt | setup-test
	python3 -m venv .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

format: setup
	$(SWIFT) format format --in-place --parallel --recursive $(SWIFT_FILES)

lint: setup-test .venv/installed
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_FILES)
	git -c safe.directory='*' grep -lzE '^#!.*\b(ba|da)?sh\b' -- ':!*.md' | xargs -0 shellcheck
	.venv/bin/oxlint --deny-warnings
	tsc --build tsconfig.json tsconfig.worker.json tsconfig.docs.json
	.venv/bin/ruff check
	.venv/bin/mypy
	.venv/bin/mypy Tests/Deep

fuzz: setup
	scripts/fuzz $(SECONDS)

# As root, because disks fail and file systems are mounted here on purpose: see docs/reliability.md.
test-deep: setup-deep dist
	python3 Tests/Deep/deep.py $(if $(QUICK),--quick) $(if $(ONLY),--only "$(ONLY)") $(DEEP)

bench: SECONDS = 3
bench: setup-bench Benchmarks/.venv/installed bench-names build
	$(SWIFT) build $(RELEASE) --product goals-micro
	$(SWIFT) build $(RELEASE) --package-path Benchmarks --product hummingbird-peer
	@Benchmarks/.venv/bin/python Benchmarks/bench --rounds $(ROUNDS) --seconds $(SECONDS) --only "$(ONLY)"

bench-list: Benchmarks/.venv/installed
	@Benchmarks/.venv/bin/python Benchmarks/bench --list --only "$(ONLY)"

# A typo in ONLY is told before anything is built.
bench-names: Benchmarks/.venv/installed
	@Benchmarks/.venv/bin/python Benchmarks/bench --list --only "$(ONLY)" > /dev/null

Benchmarks/.venv/installed: Benchmarks/requirements.txt | setup-bench
	python3 -m venv Benchmarks/.venv
	Benchmarks/.venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

clean:
	rm -rf .build .venv dist Benchmarks/.build Benchmarks/.build-bench Benchmarks/.venv
