#!/bin/bash
# Puts faults into the sources of the schedulers, queues and primitives, one at a time, explores the models, and prints
# which model detects the fault after how many executions, and whether `make test`, which explores less, detects it. Fails if
# a fault is not detected, if a model fails without a fault, or, without PATTERN, if `make test` detects fewer than nine in ten
# of those in *.toml: a part may consist of those that it does not.
#   1. each fault in *.toml (mutants.py), on a copy of the tree, which is compiled anew;
#   2. each memory order weakened, each read-modify-write split, each futex wake lost, by the simulated machine itself.
# Usage: run_mutants.sh JOBS BUILD_DIRECTORY [PATTERN]     PATTERN: only faults whose name matches, as 'net_*,timer_*'
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../../.." && pwd)
jobs=$1
build=$2
pattern=${3:-*}
mapfile -t names < <("$here/mutants.py" names "$pattern" | grep .)
if ((${#names[@]} == 0)); then
  echo "error: no fault matches '$pattern'" >&2
  exit 2
fi
mkdir -p "$build"
build=$(cd "$build" && pwd)
results=$build/results.txt
: >"$results"

# One copy of the tree per job; only what the models are made of, so that nothing else is configured.
Prepare() {
  local tree=$build/tree$1
  mkdir -p "$tree/source"
  rm -rf "$tree/source"
  mkdir -p "$tree/source"
  (cd "$top" && tar -c --exclude=./build --exclude=./.git .) | tar -x -m -C "$tree/source"  # new times: what was built of a changed file is built again
  cmake -S "$tree/source" -B "$tree/build" -G Ninja -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG -g1" -DSCHEDBENCH_TESTS=ON -DSCHEDBENCH_UNITY=OFF -DSCHEDBENCH_MODELS= >"$tree/configure.log"
  cmake --build "$tree/build" --target models --parallel 1 >"$tree/build.log" 2>&1 ||
    { tail -20 "$tree/build.log" >&2; return 1; }
  cp "$tree/build/models" "$tree/models.right"
}

# Builds the models whose names contain one of $2, and no others, with $3 jobs.
Build() {
  local files
  files=$("$1/models.right" --files --only "$2" | paste -sd';')
  cmake "$1/build" -DSCHEDBENCH_MODELS="$files" >"$1/configure.log" &&
    cmake --build "$1/build" --target models --parallel "$3" >"$1/build.log" 2>&1
}

# Whether the models whose names contain $2 detect a fault when they explore as `make test` does.
Quick() {
  if "$1/build/models" --quick --only "$2" >"$1/quick.log" 2>&1; then
    echo survives
  else
    awk '$NF == "FAILED" || $NF == "DIED" { print "seen"; found = 1; exit } END { if (!found) print "error" }' "$1/quick.log"
  fi
}

# Puts a fault in, explores, takes it out. One line of result: verdict, executions, verdict of `make test`, name, fault.
Try() {
  local tree=$build/tree$1 name=$2 models fault line quick=-
  if ! IFS=$'\t' read -r models fault < <("$here/mutants.py" put "$name" "$tree/source" 2>"$tree/put.log"); then
    line="does_not_fit 0 $(head -c 80 "$tree/put.log" | tr '\n' ' ')"
  else
    if ! Build "$tree" "$models" 1; then
      line="does_not_compile 0 $(grep -m1 'error:' "$tree/build.log" | head -c 120)"
    else
      quick=$(Quick "$tree" "$models")
      line=$("$tree/build/models" --hunt --hunt-seconds "${MUTANT_SECONDS:-120}" --only "$models" || true)
    fi
    "$here/mutants.py" take "$name" "$tree/source"
  fi
  read -r verdict executions seen <<<"$line"
  printf '%-46s %-10s %9s  %-9s  %.70s\n' "$name" "$verdict" "$executions" "$quick" "$seen"
  printf '%s\t%s\t%s\t%s\t%s\n' "$verdict" "$executions" "$quick" "$name" "$fault" >>"$results"
}

# A model that fails by itself would detect every fault.
Control() {
  local line quick
  quick=$(Quick "$build/tree0" /)  # each model's name has one
  line=$("$build/tree0/build/models" --hunt --hunt-seconds "${CONTROL_SECONDS:-60}" || true)
  read -r verdict executions seen <<<"$line"
  printf '%-46s %-10s %9s  %-9s  %.70s\n' "(none)" "$verdict" "$executions" "$quick" "$seen"
  [[ $verdict == survives && $quick == survives ]]
}

printf '%-46s %-10s %9s  %-9s  %s\n' fault "" executions "make test" "seen by"
# Ctrl-C does not reach background jobs. Each is a process group of its own (-m), which the script can end.
trap 'for job in $(jobs -p); do kill -TERM -- "-$job"; done; exit 130' INT TERM
set -m
for ((job = 0; job < jobs; ++job)); do
  {
    Prepare "$job"
    [[ $job -ne 0 ]] || Control
    for ((i = job; i < ${#names[@]}; i += jobs)); do
      Try "$job" "${names[i]}"
    done
  } &
done
set +m
status=0
for job in $(jobs -p); do
  wait "$job" || status=1
done

total=${#names[@]}
seen=$(awk -F '\t' '$1 == "seen" { ++n } END { print n + 0 }' "$results")
quick=$(awk -F '\t' '$3 == "seen" { ++n } END { print n + 0 }' "$results")
median=$(awk -F '\t' '$1 == "seen" { print $2 }' "$results" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }')
echo "$seen of $total faults seen, by the median after $median executions; $quick of them by what make test explores"
awk -F '\t' '$1 != "seen" { print "  NOT SEEN: " $1 ", " $4 ": " $5 }
  $1 == "seen" && $3 != "seen" { print "  not seen by make test: " $4 ": " $5 }' "$results"
((seen == total)) || status=1

if [[ $pattern == '*' ]]; then
  ((quick * 10 >= total * 9)) || status=1
  # What is built there has the last fault in it.
  Build "$build/tree0" / "$jobs"
  "$build/tree0/build/models" --mutants --jobs "$jobs" --survivors "$here/survivors.txt" \
    --hunt-seconds "${MUTANT_SECONDS:-120}" || status=1
fi
exit "$status"
