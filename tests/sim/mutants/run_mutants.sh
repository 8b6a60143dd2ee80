#!/bin/bash
# Puts faults into the sources of the schedulers, queues and primitives, one at a time, explores the models, and prints
# which model detects the fault after how many executions, and whether `make test`, which explores less, detects it. Fails if
# a fault is not detected, if a model fails without a fault, or, without PATTERN, if `make test` detects fewer than nine in ten
# of the patches: a part may consist of those that it does not.
#   1. each *.patch in this folder, on a copy of the tree, which is compiled anew;
#   2. each memory order weakened, each read-modify-write split, each futex wake lost, by the simulated machine itself.
# Usage: run_mutants.sh JOBS BUILD_DIRECTORY [PATTERN]     PATTERN: only patches whose name matches
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../../.." && pwd)
jobs=$1
build=$2
pattern=${3:-*}
mapfile -t patches < <(compgen -G "$here/$pattern.patch" | sort)
if ((${#patches[@]} == 0)); then
  echo "error: no patch matches '$pattern'" >&2
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
  (cd "$top" && tar -c --exclude=./build --exclude=./.git .) | tar -x -m -C "$tree/source"  # new times: what was built of a patched file is built again
  cmake -S "$tree/source" -B "$tree/build" -G Ninja -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG -g1" -DSCHEDBENCH_TESTS=ON -DSCHEDBENCH_UNITY=OFF >"$tree/configure.log"
  cmake --build "$tree/build" --target models --parallel 1 >"$tree/build.log" 2>&1 ||
    { tail -20 "$tree/build.log" >&2; return 1; }
}

# Whether the models whose names contain $2 detect a fault when they explore as `make test` does.
Quick() {
  if "$1/build/models" --quick --only "$2" >"$1/quick.log" 2>&1; then
    echo survives
  else
    awk '$NF == "FAILED" || $NF == "DIED" { print "seen"; found = 1; exit } END { if (!found) print "error" }' "$1/quick.log"
  fi
}

# Applies a patch, explores, takes it back. One line of result: verdict, executions, verdict of `make test`, name, fault.
Try() {
  local tree=$build/tree$1 patch=$2 name models fault line quick=-
  name=$(basename "$patch" .patch)
  models=$(sed -n 's/^Models: //p' "$patch")
  fault=$(sed -n 's/^Fault: //p' "$patch")
  if ! patch -s --fuzz=0 -p1 -d "$tree/source" <"$patch" >"$tree/patch.log" 2>&1; then
    line="does_not_apply 0 $(head -c 80 "$tree/patch.log" | tr '\n' ' ')"
    rm -rf "$tree/source" && Prepare "$1"
  elif ! cmake --build "$tree/build" --target models --parallel 1 >"$tree/build.log" 2>&1; then
    line="does_not_compile 0 $(grep -m1 'error:' "$tree/build.log" | head -c 120)"
    patch -s -R -p1 -d "$tree/source" <"$patch"
  else
    quick=$(Quick "$tree" "$models")
    line=$("$tree/build/models" --hunt --hunt-seconds "${MUTANT_SECONDS:-120}" --only "$models" || true)
    patch -s -R -p1 -d "$tree/source" <"$patch"
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
    for ((i = job; i < ${#patches[@]}; i += jobs)); do
      Try "$job" "${patches[i]}"
    done
  } &
done
set +m
status=0
for job in $(jobs -p); do
  wait "$job" || status=1
done

total=${#patches[@]}
seen=$(awk -F '\t' '$1 == "seen" { ++n } END { print n + 0 }' "$results")
quick=$(awk -F '\t' '$3 == "seen" { ++n } END { print n + 0 }' "$results")
median=$(awk -F '\t' '$1 == "seen" { print $2 }' "$results" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }')
echo "$seen of $total patches seen, by the median after $median executions; $quick of them by what make test explores"
awk -F '\t' '$1 != "seen" { print "  NOT SEEN: " $1 ", " $4 ": " $5 }
  $1 == "seen" && $3 != "seen" { print "  not seen by make test: " $4 ": " $5 }' "$results"
((seen == total)) || status=1

if [[ $pattern == '*' ]]; then
  ((quick * 10 >= total * 9)) || status=1
  # What is built there has the last fault in it.
  cmake --build "$build/tree0/build" --target models --parallel "$jobs" >"$build/tree0/build.log" 2>&1
  "$build/tree0/build/models" --mutants --jobs "$jobs" --survivors "$here/survivors.txt" \
    --hunt-seconds "${MUTANT_SECONDS:-120}" || status=1
fi
exit "$status"
