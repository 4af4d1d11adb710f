# SPDX-License-Identifier: MIT
# The short way to everything; CMakeLists.txt does the work.
.DEFAULT_GOAL := help
.PHONY: run test check install bench format clean help build

BUILD := build/release
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# This make's flags are not for the make that CMake starts.
CMAKE := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake
NONHOLO := $(BUILD)/nonholo

help:
	@echo 'make run       build, and show what the tool says about a model'
	@echo 'make test      build, and run all tests'
	@echo 'make check     run all checks of tools/check (after make test: what CI runs)'
	@echo 'make install   install under PREFIX ($(PREFIX)); DESTDIR is honoured'
	@echo 'make bench     build and run the benchmarks'
	@echo 'make format    put the C sources in the house format'
	@echo 'make clean     remove build/'

# Configured once; CMake looks after itself from then on.
$(BUILD)/.configured: CMakePresets.json
	@$(CMAKE) --preset release
	@touch $@

build: $(BUILD)/.configured
	@$(CMAKE) --build $(BUILD) --parallel $(JOBS)

run:
	@tools/setup run
	@$(MAKE) --no-print-directory build
	$(NONHOLO) describe sleigh
	$(NONHOLO) check sleigh
	$(NONHOLO) models

test:
	@tools/setup test
	@$(MAKE) --no-print-directory build
	@cd $(BUILD) && ctest --output-on-failure --no-tests=error --parallel $(JOBS)

check:
	@tools/check

install:
	@tools/setup run
	@$(CMAKE) --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	@touch $(BUILD)/.configured
	@$(MAKE) --no-print-directory build
	@$(CMAKE) --install $(BUILD)

bench:
	@tools/setup run
	@$(MAKE) --no-print-directory build
	@$(CMAKE) --build $(BUILD) --parallel $(JOBS) --target bench
	@set -e; for program in bench/bench_*.c; do \
	    name=$$(basename "$$program" .c); echo "== $$name"; $(BUILD)/bench/"$$name"; done

format:
	@tools/setup check
	@tools/sources | xargs -0 clang-format -i

clean:
	rm -rf build
