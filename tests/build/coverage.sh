#!/bin/bash
# Builds the release tests with gcov's counters, runs those of SCHEDBENCH_TEST_TIER (quick unless set) and prints the share
# of product lines that they reached, by file.
# Usage: coverage.sh JOBS
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
jobs=$1
build=build/coverage
target=quick_tests
excluded='^full$'
if [[ ${SCHEDBENCH_TEST_TIER:-quick} == full ]]; then
  export SCHEDBENCH_SUITE_SECONDS=880  # as the preset release-full does
  target=all
  excluded='^none$'
fi

# Without inlining, so that each line is compiled and counted once. Not -O0: tests of small stacks and of coroutines that
# await each other in a loop need small frames and tail calls.
cmake --preset release -B $build -DSCHEDBENCH_TESTS=ON \
  -DCMAKE_CXX_FLAGS_RELEASE="-O1 -fno-inline -foptimize-sibling-calls -g1" \
  -DCMAKE_CXX_FLAGS="--coverage -fprofile-update=atomic -D_FORTIFY_SOURCE=0" >/dev/null
cmake --build $build --parallel "$jobs" --target $target
find $build -name '*.gcda' -delete
# Left out: a test of nearly full stacks, where frames with counters do not fit, so that it crashes and loses the counters of its
# suite; tests that make writing fail and so truncate the files of counters; and the test of generated code.
export GTEST_FILTER=-Signals.AtOneKilohertzDoNotTouchStacksOf16KiBThatAreNearlyFull:OutputFile.KeepsTheFormerContentWhenWritingFails
status=0
ctest --test-dir $build --label-exclude "$excluded" --exclude-regex '^(faults_test|Atomic\.)' --parallel "$jobs" \
  --output-on-failure --timeout 900 </dev/null || status=$?

gcovr --root . --filter src/ --filter schedulers/ --filter workloads/ --exclude schedulers/peers/ -j "$jobs" $build || status=$?
exit $status
