# Works with GNU make 3.81 (macOS) and from a path with spaces: recipes use relative, quoted paths only.

CARGO  ?= cargo
PREFIX ?= $(HOME)/.local

# What `make demo` shows: a sample from snapshots/ and a work in it.
DEMO_BUNDLE ?= snapshots/stuck-in-delivery.dacapo
DEMO_WORK   ?= web-frontend

.DEFAULT_GOAL := help
.PHONY: help setup test-setup build demo test bench install fmt

help: ## list the targets
	@echo 'make demo is the place to start. Targets:'
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1	\2/p' Makefile | expand -t 12

setup: ## fetch the prebuilt DuckDB library once (docs/building.md)
	@scripts/setup-duckdb

# etcd, an API server and PostgreSQL, which the tests start for themselves (docs/building.md).
test-setup: setup
	@scripts/setup-cluster

build: setup ## build dacapo for daily work
	$(CARGO) build --locked

# trace answers "stopped" with exit code 1: here that is the expected answer, 2 is not.
demo: build ## trace a stuck work in a sample bundle
	@echo
	@echo '$$ dacapo trace $(DEMO_BUNDLE) $(DEMO_WORK)'
	@$(CARGO) run --locked --quiet -- trace '$(DEMO_BUNDLE)' '$(DEMO_WORK)' || test $$? -eq 1

# Cheap failures first. The last line notices tests that rewrite tracked files: make expands all lines of a
# recipe before it runs the first, so $(shell …) is the state before and $$(…) the state after. On a clean
# checkout this is `git diff --exit-code`; work in progress does not fail it.
test: test-setup ## everything the build machine checks
	@$(CARGO) fmt --version >/dev/null 2>&1 && $(CARGO) clippy --version >/dev/null 2>&1 || { \
	  echo 'error: cannot run the checks'; \
	  echo 'because rustfmt or clippy is not installed'; \
	  echo 'hint: rustup component add rustfmt clippy'; exit 1; } >&2
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets -- -D warnings
	RUSTDOCFLAGS=-Dwarnings $(CARGO) doc --locked --no-deps --document-private-items
	$(CARGO) test --locked
	@test '$(shell git diff 2>/dev/null | cksum)' = "$$(git diff 2>/dev/null | cksum)" || { \
	  git --no-pager diff --stat; \
	  echo 'error: the tests changed tracked files'; \
	  echo 'hint: review the difference and commit it'; exit 1; } >&2

bench: setup ## measure collecting, tracing and diagnosing
	$(CARGO) bench --locked --bench collect
	$(CARGO) bench --locked --bench fleet

# The library goes where the binary looks first: ../lib/dacapo, seen from its own directory (build.rs).
install: setup ## install into PREFIX (default ~/.local); honours DESTDIR
	$(CARGO) install --locked --quiet --path . --no-track --force --root '$(DESTDIR)$(PREFIX)'
	@mkdir -p '$(DESTDIR)$(PREFIX)/lib/dacapo'
	@for library in libduckdb.so libduckdb.dylib; do \
	  from="$${DUCKDB_LIB_DIR:-.libduckdb}/$$library"; \
	  test ! -f "$$from" || install -m 644 "$$from" '$(DESTDIR)$(PREFIX)/lib/dacapo/' || exit 1; \
	done
	@echo 'installed $(DESTDIR)$(PREFIX)/bin/dacapo and its library in $(DESTDIR)$(PREFIX)/lib/dacapo'

fmt: ## format the source
	$(CARGO) fmt
