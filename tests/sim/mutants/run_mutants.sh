#!/bin/bash
# Puts faults into the sources of the schedulers, queues and primitives, one at a time, explores the models, and prints
# which model sees the fault after how many executions. Fails unless all are seen, or if a model fails without a fault.
#   1. each *.patch in this folder, on a copy of the tree, which is compiled anew;
#   2. each memory order weakened, each read-modify-write split, each futex wake lost, by the simulated machine itself.
# Usage: run_mutants.sh JOBS BUILD_DIRECTORY [PATTERN]     PATTERN: only patches whose name matches
#   QUICK=1: looks no further than `make test` does, at the patches alone; fails unless nine in ten are seen.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../../.." && pwd)
jobs=$1
build=$2
pattern=${3:-*}
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

# Explores as `make test` does and prints what a hunt would.
Quick() {
  local tree=$1 models=$2
  if "$tree/build/models" --quick --only "$models" >"$tree/quick.log"; then
    echo "survives 0 quick"
  else
    awk '$NF == "FAILED" || $NF == "DIED" { print "seen", $5, $1; exit }' "$tree/quick.log"
  fi
}

# Applies a patch, explores, takes it back. One line of result: verdict, executions, name, fault, who saw it.
Try() {
  local tree=$build/tree$1 patch=$2 name models fault line
  name=$(basename "$patch" .patch)
  models=$(sed -n 's/^Models: //p' "$patch")
  fault=$(sed -n 's/^Fault: //p' "$patch")
  if ! patch -s -p1 -d "$tree/source" <"$patch" >"$tree/patch.log" 2>&1; then
    line="does_not_apply 0 $(head -c 80 "$tree/patch.log" | tr '\n' ' ')"
    rm -rf "$tree/source" && Prepare "$1"
  elif ! cmake --build "$tree/build" --target models --parallel 1 >"$tree/build.log" 2>&1; then
    line="does_not_compile 0 $(grep -m1 'error:' "$tree/build.log" | head -c 120)"
    patch -s -R -p1 -d "$tree/source" <"$patch"
  else
    if [[ -n ${QUICK:-} ]]; then
      line=$(Quick "$tree" "$models")
    else
      line=$("$tree/build/models" --hunt --hunt-seconds "${MUTANT_SECONDS:-120}" --only "$models" || true)
    fi
    patch -s -R -p1 -d "$tree/source" <"$patch"
  fi
  read -r verdict executions seen <<<"$line"
  printf '%-46s %-10s %9s  %.70s\n' "$name" "$verdict" "$executions" "$seen"
  printf '%s\t%s\t%s\t%s\n' "$verdict" "$executions" "$name" "$fault" >>"$results"
}

# A model that fails by itself would see every fault.
Control() {
  local line
  if [[ -n ${QUICK:-} ]]; then
    line=$(Quick "$build/tree0" /)  # each model's name has one
  else
    line=$("$build/tree0/build/models" --hunt --hunt-seconds "${CONTROL_SECONDS:-60}" || true)
  fi
  read -r verdict executions seen <<<"$line"
  printf '%-46s %-10s %9s  %.70s\n' "(none)" "$verdict" "$executions" "$seen"
  [[ $verdict == survives ]]
}

patches=("$here"/$pattern.patch)
printf '%-46s %-10s %9s  %s\n' "fault" "" "executions" "seen by"
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
seen=$(grep -c '^seen' "$results" || true)
median=$({ grep '^seen' "$results" || true; } | cut -f2 | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}')
echo "$seen of $total patches seen, by the median after $median executions"
grep -v '^seen' "$results" | cut -f1,3,4 | sed 's/^/  NOT SEEN: /' || true
if [[ -n ${QUICK:-} ]]; then
  ((seen * 10 >= total * 9)) || status=1
elif [[ $seen -ne $total ]]; then
  status=1
fi

if [[ $pattern == '*' && -z ${QUICK:-} ]]; then
  # What is built there has the last fault in it.
  cmake --build "$build/tree0/build" --target models --parallel "$jobs" >"$build/tree0/build.log" 2>&1
  "$build/tree0/build/models" --mutants --jobs "$jobs" --survivors "$here/survivors.txt" \
    --hunt-seconds "${MUTANT_SECONDS:-120}" || status=1
fi
exit "$status"
