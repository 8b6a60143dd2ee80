# The verbs of this project. Each one first installs the packages that it needs and that are missing (docs/packages.md),
# so that `make run` and `make test` work on a bare Debian 12 or 13. If all are installed, it uses no network. CMake does the
# building (CMakePresets.json): build/release, build/asan, ...
#
#   make run ARGS="compare fast.json work_stealing.json"   another command of the tool
#   make install PREFIX=~/tools                            to another folder than /usr/local
#   make test JOBS=1                                       one job at a time (default: one per CPU)
#   make compare-peers COMPARE="--rows fib,skynet --passes 1"   a part of the table
#   make fuzz FUZZ_SECONDS=3600                            an hour with each fuzz target, all at a time
#   make lint TIDY=all                                     clang-tidy over every file, not only the changed ones

JOBS ?= $(shell nproc)
ARGS ?= run --config fast.json --workload pingpong
PROFILE ?= --config fast.json --workload pingpong
COMPARE ?= --budget 20m
TIDY ?= changed
FUZZ_SECONDS ?= 600
PREFIX ?= /usr/local

# Groups of packages: docs/packages.md.
run_deps := link run
quick_deps := $(run_deps) quick
test_deps := $(quick_deps) test

need = @src/cmake/install_packages.sh
build = cmake --build --preset release --parallel $(JOBS) --target

.PHONY: help deps build run install deb test test-full test-all test-platforms test-arm64 coverage headers \
        model model-nightly mutants fuzz simulator replay-accuracy peers compare-peers test-peers \
        benchmarks bench page flamegraph test-page lint clean
.DEFAULT_GOAL := help

help: ## List the verbs. Times are of a first build on two cores
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' Makefile

deps: ## Install the missing Debian packages that run, test and bench need
	$(need) $(test_deps)

build: ## Build the tool, with its pages where node is installed: build/release/schedbench
	$(need) $(run_deps)
	@flamegraph/build_pages.sh optional
	@cmake --preset release
	@$(build) schedbench

run: build ## Build the tool and measure the fast scheduler on a ping-pong
	build/release/schedbench $(ARGS)

install: build ## Install the tool, and what programs are built with, below PREFIX (/usr/local); DESTDIR is honoured: seconds after build
	@$(build) install_files
	@cmake --install build/release --prefix $(PREFIX)

deb: build ## Build the Debian packages schedbench and schedbench-dev: build/deb/*.deb
	$(need) deb
	@$(build) install_files
	@cpack --config build/release/CPackConfig.cmake -B build/deb

test: ## Build and test release, ASan + UBSan and TSan, each with few parameters: 10 to 18 minutes
	$(need) $(test_deps)
	@tests/build/run_tests.sh $(JOBS) release asan tsan

test-arm64: ## Cross-compile for arm64 and test the release build under qemu-user
	$(need) $(quick_deps) arm64
	@tests/build/arm64_sysroot.sh $(quick_deps)
	@tests/build/run_tests.sh $(JOBS) arm64

test-full: ## Test every parameter, strict TSan, injected faults and deep models, and fuzz: one to two hours
	$(need) $(test_deps) all
	@tests/build/run_tests.sh $(JOBS) release-full asan-full tsan-full tsan-strict-full fuzz-full

test-all: ## test-full, mutants and test-platforms, one after the other: two to three hours; needs root
	@[ "$$(id -u)" = 0 ] || { echo "error: make test-all ends with test-platforms, which needs root" >&2; exit 2; }
	@$(MAKE) test-full JOBS=$(JOBS)
	@$(MAKE) mutants JOBS=$(JOBS)
	@$(MAKE) test-platforms JOBS=$(JOBS)

test-platforms: ## Build and test in fresh trees of Debian 12 and 13, and by clang 19; needs root
	$(need) platforms
	@tests/build/test_platforms.sh $(JOBS)

fuzz: ## Fuzz the readers of all files and of messages of agents, FUZZ_SECONDS each, all at a time
	$(need) $(test_deps)
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tests/build/run_tests.sh $(JOBS) fuzz-full

coverage: ## Print the lines of the product that the release tests reach, by file (gcov, gcovr)
	$(need) $(quick_deps) coverage
	@tests/build/coverage.sh $(JOBS)

headers: ## Print the ten headers that take the compiler most of the time (clang's -ftime-trace): six minutes
	$(need) $(run_deps) headers
	@tests/build/expensive_headers.sh $(JOBS)

model: ## Explore the models, all interleavings within their limits, and the protocol with Spin: about two minutes
	$(need) $(quick_deps)
	@cmake --preset release -DSCHEDBENCH_TESTS=ON
	@$(build) models
	build/release/models --jobs $(JOBS)
	@set -e; for set in right mutants; do tests/model/check.sh build/model $$set; done

model-nightly: ## Deeper, then by random priorities, for ten minutes; then the protocol with 4 workers
	$(need) $(quick_deps)
	@cmake --preset release -DSCHEDBENCH_TESTS=ON
	@$(build) models
	build/release/models --jobs $(JOBS) --preemptions 5 --total-seconds 300
	build/release/models --jobs $(JOBS) --strategy pct --depth 4 --seed $$(date +%s) --total-seconds 300
	@set -e; for set in four nightly; do tests/model/check.sh build/model $$set; done

mutants: ## Put faults into the sources, one at a time; fails unless the models see all: about 25 minutes
	$(need) $(quick_deps)
	tests/sim/mutants/run_mutants.py $(JOBS) build/mutants

simulator: ## Build the program that whatif asks for predictions: build/release/schedbench-simulator
	$(need) $(run_deps)
	@cmake --preset release
	@$(build) schedbench schedbench_simulator

replay-accuracy: simulator ## Compare replays with programs, and predictions of whatif with replays: a table, in half an hour
	@tests/bench/replay_accuracy.py build/release/schedbench

peers: ## Install and build the foreign runtimes that compare --with takes: asio, go, rayon, tbb, tokio and others: about five minutes
	$(need) $(run_deps) peers
	@cmake --preset release
	@$(build) schedbench peers

compare-peers: peers ## Measure fast alongside all foreign runtimes, floors and targets: the tables of docs/other-runtimes.md, in 20 minutes
	@$(build) bench_floors
	@schedulers/peers/table/compare_peers.py $(COMPARE)

test-peers: peers ## Check that every foreign runtime keeps the protocol and does the same work as ours: two minutes after peers
	@$(build) bench_floors
	schedulers/peers/check.sh build/release/schedbench

benchmarks: ## Build the benchmarks: about two minutes
	$(need) $(run_deps)
	@cmake --preset release
	@$(build) bench_queues bench_executors bench_schedulers bench_schedulers_idle_counts bench_schedulers_uncounted \
	  bench_open_loop bench_compare bench_tune bench_trace bench_profile bench_audit bench_harness \
	  bench_fork_join bench_floors bench_scaling

bench: benchmarks ## Run the benchmarks of queues, executors, schedulers, the open loop compared with theory, compare and tune themselves and recording: 25 minutes
	build/release/bench_queues
	build/release/bench_executors
	build/release/bench_schedulers
	build/release/bench_schedulers --counters
	build/release/bench_schedulers --table
	build/release/bench_open_loop
	build/release/bench_compare
	build/release/bench_tune
	build/release/bench_trace
	build/release/bench_profile
	build/release/bench_audit
	build/release/bench_harness
	build/release/bench_fork_join
	build/release/bench_floors
	build/release/bench_scaling

page: ## Build the self-contained pages of flame graphs, timelines and charts: build/flamegraph/*.html, in seconds
	@flamegraph/build_pages.sh

flamegraph: page ## Profile a ping-pong on the fast scheduler: out/pingpong.*, PROFILE="..." for another run, PERF=1 by perf(1)
	$(need) $(run_deps) $(if $(PERF),perf)
	@cmake --preset release
	@$(build) schedbench
	$(if $(PERF),flamegraph/perf.sh build/release/schedbench out,build/release/schedbench profile -o out/) $(PROFILE)

test-page: page build ## Test the pages in a real Chromium, as they are and as the tool writes them: two minutes after build
	$(need) browser
	node --test flamegraph/test/*.test.mjs

lint: ## Check format, names and house rules; TIDY=all looks at unchanged files too
	$(need) $(quick_deps) lint
	@tests/lint/run_lint.sh $(JOBS) $(TIDY)

clean: ## Remove everything that was built
	rm -rf build
