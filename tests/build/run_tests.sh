#!/bin/bash
# Configures, builds and tests one preset after the other. Ends with a table: for each build the seconds of compiling and
# running and the numbers of passed, failed and skipped cases; then the slowest ctest entries, and each skipped case with its
# reason. Stops at the first build that fails, whose tests fail, or that ran no test.
# Usage: run_tests.sh JOBS TEST_PRESET...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

presets="release, asan, tsan, each also with -full, tsan-strict-full, fuzz-full, arm64"
if ! [[ ${1:-} =~ ^[1-9][0-9]*$ ]]; then
  echo "error: JOBS is '${1:-}', not a number from 1" >&2
  exit 2
fi
jobs=$1
shift
if (($# == 0)); then
  echo "error: which test presets? known: $presets" >&2
  exit 2
fi
for preset in "$@"; do
  case $preset in
    release | asan | tsan | release-full | asan-full | tsan-full | tsan-strict-full | fuzz-full | arm64) ;;
    *)
      echo "error: no test preset '$preset'; expected one of $presets" >&2
      exit 2
      ;;
  esac
done

# Sanitizer runtimes of these compilers cannot place their shadow memory where the kernel randomises addresses
# with 32 bits, as some hosts of containers do. Where personality(2) is forbidden, tests run as they are.
fixed_addresses=()
if setarch "$(uname -m)" --addr-no-randomize true 2>/dev/null; then
  fixed_addresses=(setarch "$(uname -m)" --addr-no-randomize)
fi

declare -A title=([release]="release (g++)" [asan]="ASan + UBSan (clang-19)" [tsan]="TSan (clang-19)"
                  [tsan-strict]="strict TSan (tasks unordered)" [fuzz]="fuzz (libFuzzer)"
                  [arm64]="arm64 (g++, qemu-user)")

# Prints an attribute of <testsuite> in ctest's JUnit file $1, 0 where there is none.
Count() {
  sed -n "/<testsuite /,/>/ s/.*[[:space:]]$2=\"\([0-9]*\)\".*/\1/p" "$1" | head -n 1 | grep . || echo 0
}

# Prints "passed failed skipped" of the cases of a build: those that suites recorded (run_suite.sh), and each other entry of
# ctest as one.
Cases() {
  local report=$1 records=$2 entries failed skipped suites=0 passed=0 failed_cases=0 failed_suites=0 skipped_cases=0
  entries=$(Count "$report" tests)
  failed=$(Count "$report" failures)
  skipped=$(($(Count "$report" skipped) + $(Count "$report" disabled)))
  if compgen -G "$records/*.txt" >/dev/null; then
    read -r suites passed failed_cases failed_suites skipped_cases < <(awk 'FNR == 1 { ++n; p += $1; f += $2; s += $3; bad += $2 > 0 }
      END { print n, p, f, bad, s }' "$records"/*.txt)
  fi
  # Entries without a record: tests by script, and suites that ended without one.
  local failed_alone=$((failed - failed_suites))
  local passed_alone=$((entries - suites - skipped - failed_alone))
  echo "$((passed + passed_alone)) $((failed_cases + failed_alone)) $((skipped + skipped_cases))"
}

# The builds so far; nothing before the first.
Table() {
  ((${#rows[@]} > 0)) || return 0
  printf '\n%-32s %11s %10s %8s %8s %8s\n' build compiling running passed failed skipped
  printf '%s\n' "${rows[@]}"
  printf '\nthe slowest of ctest'\''s entries\n%s\n' "$(sort -rn <<<"$slowest" | head -n 10)"
  if [[ $skips =~ [^[:space:]] ]]; then
    printf '\nskipped\n%s\n' "$(sed '/^$/d' <<<"$skips")"
  fi
}

rows=()
skips=
slowest=
all_passed=0
all_skipped=0
begun=$SECONDS
for preset in "$@"; do
  name=${preset%-full}
  build=${name%-strict}  # the same build with another environment
  target=(--target quick_tests)
  case $preset in
    fuzz-full) target=() ;;  # what its preset names
    *-full) target=(--target all quick_tests) ;;  # the latter: what is installed, too
  esac
  runner=()
  if [[ $build != release ]]; then
    runner=("${fixed_addresses[@]}")
  fi
  if [[ $build == asan || $build == fuzz ]] && ! strace -qq -o /dev/null true 2>/dev/null; then
    export LSAN_OPTIONS=detect_leaks=0  # LeakSanitizer traces the process, and fails where it may not
    skips+="  $name: leak detection: ptrace is not permitted"$'\n'
  fi
  echo "== ${title[$name]}: build"
  start=$SECONDS
  if ! { cmake --preset "$build" -DSCHEDBENCH_TESTS=ON &&
    "${runner[@]}" cmake --build --preset "$build" --parallel "$jobs" "${target[@]}"; }; then
    Table
    echo "BUILD FAILED: ${title[$name]}" >&2
    exit 1
  fi
  compiled=$((SECONDS - start))

  echo "== ${title[$name]}: test"
  report=build/$build/tests.xml
  records=build/$build/suites
  rm -rf "$report" "$records"
  status=0
  start=$SECONDS
  # More than there are jobs, because many tests wait for processes and clocks: with four on two CPUs the release tests took 145 s,
  # with three 171 s, with five 147 s. In the full tier stress tests need the CPUs. With one job, one at a time.
  more=2
  [[ $preset != *-full ]] || more=1
  "${runner[@]}" ctest --preset "$preset" --parallel $((jobs > 1 ? jobs + more : 1)) --output-junit tests.xml </dev/null || status=$?
  passed=0 failed=0 skipped=0
  if [[ -f $report ]]; then
    read -r passed failed skipped <<<"$(Cases "$report" "$records")"
    slowest+=$(sed -n 's/.*<testcase name="\([^"]*\)".* time="\([0-9.]*\)".*/\2 \1/p' "$report" |
      awk -v build="$name" '{ printf "%8.1f s  %s: %s\n", $1, build, $2 }')$'\n'
  fi
  if compgen -G "$records/*.txt" >/dev/null; then
    skips+=$(awk -v build="$name" 'FNR > 1 { print "  " build ": " $0 }' "$records"/*.txt)$'\n'
  fi
  if [[ -f build/$build/left_out.txt ]]; then
    skips+=$(sed "s/^/  $name: /" "build/$build/left_out.txt")$'\n'
  fi
  if [[ -f $report ]]; then  # of tests by script: the last line that they printed
    skips+=$(awk -v build="$name" '
      /<testcase / { split($0, part, "\""); name = part[2]; run = 1; text = "" }
      /status="notrun"/ { run = 0 }
      /<system-out>/ { sub(/.*<system-out>/, "") }
      !/</ || /<\/system-out>/ { line = $0; sub(/<\/system-out>.*/, "", line); if (line ~ /[^ ]/) text = line }
      /<\/testcase>/ && !run { print "  " build ": " name ": " text }' "$report")$'\n'
  fi
  rows+=("$(printf '%-32s %9d s %8d s %8d %8d %8d' "${title[$name]}" $compiled $((SECONDS - start)) $passed $failed $skipped)")
  all_passed=$((all_passed + passed))
  all_skipped=$((all_skipped + skipped))
  if ((status != 0 || failed != 0 || passed == 0)); then
    Table
    printf 'TESTS FAILED: %d passed in %s, %d failed, %d skipped\n' "$passed" "${title[$name]}" "$failed" "$skipped" >&2
    exit 1
  fi
done

Table
printf '\nALL TESTS PASSED in %d s\n%d passed, 0 failed, %d skipped\n' $((SECONDS - begun)) "$all_passed" "$all_skipped"
