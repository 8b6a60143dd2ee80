#!/bin/bash
# Runs the cases of one GoogleTest binary, or of the shard that GTEST_SHARD_INDEX names. Prints what failed and, for each
# case, the command that runs it again. Leaves RECORDS/NAME.txt: "passed failed skipped milliseconds", then a line for each skipped case
# with its reason.
# Usage: run_suite.sh NAME BINARY RECORDS
set -uo pipefail
name=$1
binary=$2
records=$3
mkdir -p "$records"
log=$records/$name.log
record=$records/$name.txt
rm -f "$record"

begin=$(date +%s%3N)
# Below the limit of the test presets, so that a case that hangs is named here.
timeout --kill-after=5 "${SCHEDBENCH_SUITE_SECONDS:-280}" "$binary" >"$log" 2>&1 </dev/null
status=$?
milliseconds=$(($(date +%s%3N) - begin))

# What the case was run with, to be run with again.
environment=
for variable in ASAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS SCHEDBENCH_TSAN_STRICT SCHEDBENCH_TEST_TIER; do
  if [[ -n ${!variable:-} ]]; then
    environment+="$variable='${!variable}' "
  fi
done

awk -v status="$status" -v milliseconds="$milliseconds" -v record="$record" -v again="$environment$binary" \
  -v shards="$((${GTEST_TOTAL_SHARDS:-1} > 1))" '
  /^\[==========\] .* ran\./ { said = $2 }
  function Case(line) { sub(/^\[[^]]*\] /, "", line); sub(/[ ,(].*$/, "", line); return line }
  /^\[ RUN      \]/ { running = Case($0); text = ""; inside = 1; next }
  /^\[       OK \]/ && inside { ++passed; inside = 0; next }
  /^\[  SKIPPED \]/ && inside {
    ++skipped; inside = 0; sub(/^[^\n]*Skipped\n/, "", text); gsub(/\n+/, " ", text)
    reasons = reasons Case($0) ": " text "\n"; next
  }
  /^\[  FAILED  \]/ && inside { Failed(Case($0), text); inside = 0; next }
  inside { if (length(text) < 20000) text = text $0 "\n" }
  !inside { tail = (length(tail) < 20000 ? tail : "") $0 "\n" }
  function Failed(name, why) {
    ++failed
    printf "%s\nFAILED: %s\n  %s --gtest_filter=%s\n", why, name, again, name
  }
  END {
    if (inside) Failed(running, text (status == 124 || status == 137 ? "it hangs: no end" : "it ended the process, code " status))
    else if (status != 0 && failed == 0) { printf "%s\nFAILED: the process, after its cases, with code %d\n  %s\n", tail, status, again; ++failed }
    if (status == 0 && said != passed + failed + skipped) {
      printf "FAILED: %d cases were counted and the program says %d\n  %s\n", passed + failed + skipped, said, again; ++failed
    }
    if (status == 0 && said == 0 && !shards) { printf "FAILED: no case ran\n  %s\n", again; ++failed }
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    printf "%d %d %d %d\n%s", passed, failed, skipped, milliseconds, reasons > record
    exit failed > 0
  }' "$log"
