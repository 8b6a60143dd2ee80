#!/bin/bash
# Configures, builds and tests one preset after the other and ends with one line: how many tests passed in which build.
# Stops at the first build whose tests fail. Fails as well when a build ran no test.
# Usage: run_tests.sh JOBS TEST_PRESET...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

jobs=$1
shift

# Sanitizer runtimes of these compilers cannot place their shadow memory where the kernel randomises addresses
# with 32 bits, as some hosts of containers do. Where personality(2) is forbidden, tests run as they are.
fixed_addresses=()
if setarch "$(uname -m)" --addr-no-randomize true 2>/dev/null; then
  fixed_addresses=(setarch "$(uname -m)" --addr-no-randomize)
fi

# Prints an attribute of <testsuite> in ctest's JUnit file $1, 0 where there is none.
Count() {
  sed -n "/<testsuite /,/>/ s/.*[[:space:]]$2=\"\([0-9]*\)\".*/\1/p" "$1" | head -n 1 | grep . || echo 0
}

declare -A title=([release]="release (g++)" [quick]="release (g++) without stress tests"
                  [asan]="asan (g++, ASan+UBSan)" [tsan]="tsan (clang-19, TSan)"
                  [tsan-strict]="tsan-strict (the same, tasks unordered)" [fuzz]="fuzz (clang-19, libFuzzer)")
summary=()
for preset in "$@"; do
  build=${preset/quick/release}
  build=${build/-strict/}  # the same build, to which tests say more
  runner=()
  if [[ $build != release ]]; then
    runner=("${fixed_addresses[@]}")
  fi
  echo "== ${title[$preset]}: build"
  cmake --preset "$build" -DSCHEDBENCH_TESTS=ON
  # A build may run what it built: tests are asked for their names.
  "${runner[@]}" cmake --build --preset "$build" --parallel "$jobs"

  echo "== ${title[$preset]}: test"
  report=build/$build/tests.xml
  rm -f "$report"
  status=0
  "${runner[@]}" ctest --preset "$preset" --parallel "$jobs" --output-junit tests.xml </dev/null || status=$?
  total=0 failed=0 not_run=0
  if [[ -f $report ]]; then
    total=$(Count "$report" tests)
    failed=$(Count "$report" failures)
    not_run=$(($(Count "$report" skipped) + $(Count "$report" disabled)))
  fi
  passed=$((total - failed - not_run))
  summary+=("$passed passed in ${title[$preset]}")
  if ((status != 0 || failed != 0 || not_run != 0 || passed == 0)); then
    printf 'TESTS FAILED: %d of %d passed in %s, %d failed, %d did not run\n' \
      "$passed" "$total" "${title[$preset]}" "$failed" "$not_run" >&2
    exit 1
  fi
done

line=$(printf '; %s' "${summary[@]}")
echo "ALL TESTS PASSED: ${line:2}"
