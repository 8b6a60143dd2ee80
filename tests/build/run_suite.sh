#!/bin/bash
# Runs the cases of one GoogleTest binary, or of the shard that GTEST_SHARD_INDEX names. Prints the output of each failed case
# and the command that runs it again. Writes RECORDS/NAME.txt: "passed failed skipped", then one line with the reason for each
# skipped case. The words before the binary, if any, are an emulator that runs it.
# Usage: run_suite.sh NAME RECORDS [EMULATOR...] BINARY
set -uo pipefail
name=$1
records=$2
shift 2
mkdir -p "$records"
log=$records/$name.log
record=$records/$name.txt
rm -f "$record"

# Below the limit of the test presets, so that this script can name the case that hangs. In the background, so that the
# script reacts to Ctrl-C at once and ends the binary.
timeout --kill-after=5 "${SCHEDBENCH_SUITE_SECONDS:-280}" "$@" >"$log" 2>&1 </dev/null &
child=$!
trap 'kill "$child" 2>/dev/null; exit 130' INT TERM
wait "$child"
status=$?

# The environment that the case ran with.
environment=
for variable in ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS SCHEDBENCH_TSAN_STRICT SCHEDBENCH_TEST_TIER; do
  if [[ -n ${!variable:-} ]]; then
    environment+="$variable='${!variable}' "
  fi
done

awk -v status="$status" -v record="$record" -v log_file="$log" -v environment="$environment" -v binary="$*" '
  /^\[==========\] Running / { expected = $3 }
  /^\[==========\] .* ran\./ { ran = $2; finished = 1 }
  /^seed: SCHEDBENCH_SEED=/ { seed = $2 " " }
  function Case(line) { sub(/^\[[^]]*\] /, "", line); sub(/[ ,(].*$/, "", line); return line }
  # Keeps the end: the report of a sanitizer and a failed assertion come last.
  function Append(kept, line) {
    kept = kept line "\n"
    return length(kept) > 40000 ? "[...]\n" substr(kept, length(kept) - 20000) : kept
  }
  function Reason(output) { sub(/^(.*\n)?[^\n]*Skipped\n/, "", output); gsub(/\n+/, " ", output); sub(/ $/, "", output); return output }
  function Again(filter) { return "  " environment seed binary filter "\n  whole output: " log_file "\n" }
  function Failed(name, output) {
    ++failed
    printf "%s\nFAILED: %s\n%s", output, name, Again(" --gtest_filter=" name)
  }
  /^\[ RUN      \]/ { running = Case($0); output = ""; inside = 1; next }
  /^\[       OK \]/ && inside { ++passed; inside = 0; next }
  /^\[  SKIPPED \]/ && inside { ++skipped; inside = 0; reasons = reasons Case($0) ": " Reason(output) "\n"; next }
  /^\[  FAILED  \]/ && inside { Failed(Case($0), output); inside = 0; next }
  inside { output = Append(output, $0) }
  !inside { tail = Append(tail, $0) }
  END {
    if (inside) {
      Failed(running, output (status == 124 || status == 137 ? "no end: the time limit, or killed" : "the process ended with code " status))
    } else if (status != 0 && failed == 0) {
      printf "%s\nFAILED: the process, after its cases, with code %d\n%s", tail, status, Again("")
      ++failed
    }
    counted = passed + failed + skipped
    if (!finished && counted < expected) {
      printf "%d cases after it did not run\n", expected - counted
    } else if (status == 0 && !finished) {
      printf "%s\nFAILED: no summary of GoogleTest\n%s", tail, Again("")
      ++failed
    } else if (status == 0 && ran != counted) {
      printf "FAILED: %d cases were counted, GoogleTest reports %d\n%s", counted, ran, Again("")
      ++failed
    } else if (status == 0 && ran == 0 && !ENVIRON["GTEST_TOTAL_SHARDS"]) {
      printf "FAILED: no case ran\n%s", Again("")
      ++failed
    }
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    printf "%d %d %d\n%s", passed, failed, skipped, reasons > record
    exit failed > 0
  }' "$log"
