# SPDX-License-Identifier: MIT
# The short way to everything; CMakeLists.txt does the work.
.DEFAULT_GOAL := help
.PHONY: run show test check install bench format clean help build

BUILD := build/release
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# This make's flags are not for the make that CMake starts.
CMAKE := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake
NONHOLO := $(BUILD)/nonholo
MODEL ?= roller-racer

help:
	@echo 'make run       build; describe, check, simulate, audit and plot a model'
	@echo 'make test      build, and run all tests'
	@echo 'make check     run all checks of tools/check (after make test: what CI runs)'
	@echo 'make install   install under PREFIX ($(PREFIX)); DESTDIR is honoured'
	@echo 'make bench     build and run the benchmarks; BENCH="steps --quick" for some of them'
	@echo 'make format    put the C sources in the house format'
	@echo 'make clean     remove build/'

# Configured once; CMake looks after itself from then on. CONFIGURE: more options, as .ci/run has them.
$(BUILD)/.configured: CMakePresets.json
	@$(CMAKE) --preset release $(CONFIGURE)
	@touch $@

build: $(BUILD)/.configured
	@$(CMAKE) --build $(BUILD) --parallel $(JOBS)

# The main job: what a model is, whether it is well posed, its motion with an audit, and a picture of that.
run:
	@tools/setup run
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory show

PICTURE = $(if $(shell command -v gnuplot 2>/dev/null),$(BUILD)/run.svg)
show:
	$(NONHOLO) describe $(MODEL)
	$(NONHOLO) check $(MODEL)
	$(NONHOLO) run $(MODEL) --output $(BUILD)/run.csv $(if $(PICTURE),--plot $(PICTURE))
	@echo 'motion: $(BUILD)/run.csv; picture: $(or $(PICTURE),none without gnuplot)'

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
	@$(NONHOLO) bench $(BENCH)

format:
	@tools/setup check
	@tools/sources | xargs -0 clang-format -i

clean:
	rm -rf build
