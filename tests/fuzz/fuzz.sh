#!/bin/bash
# Fuzzes with one target and prints what libFuzzer says in the end. Inputs that reach new code are kept next to the binary
# and used the next time; the corpus of the tree stays as it is.
# Usage: [FUZZ_SECONDS=60] fuzz.sh BINARY CORPUS DICTIONARY
set -euo pipefail
binary=$1
corpus=$2
dictionary=$3
seconds=${FUZZ_SECONDS:-60}

mkdir -p "$binary.corpus"
status=0
"$binary" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 -dict="$dictionary" \
  -artifact_prefix="$binary." -print_final_stats=1 "$binary.corpus" "$corpus" >"$binary.log" 2>&1 || status=$?
if ((status != 0)); then
  cat "$binary.log"
  echo "fuzz: a finding; to repeat it: $binary FILE, of the file named above"
  exit "$status"
fi
grep -E '^(Done|stat::number_of_executed_units|stat::average_exec_per_sec)' "$binary.log"
