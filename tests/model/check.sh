#!/bin/bash
# Lets Spin look at every state of parking.pml and prints a table: one row is one configuration. Fails when the protocol
# breaks a property, or when a mutant of it does not.
# Usage: check.sh FOLDER two|right|four|mutants|nightly     FOLDER: for what is generated
set -euo pipefail
model=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/parking.pml
folder=$1
what=$2
mkdir -p "$folder"
wrong=0

# Runs one configuration in a folder of its own and prints its row. Usage: Check right|wrong TITLE SPIN_OPTION...
Check() {
  local expected=$1 title=$2 place found states seconds
  shift 2
  place=$(mktemp -d "$folder/XXXXXX")
  cp "$model" "$place/parking.pml"
  (
    cd "$place"
    spin -a "$@" parking.pml
    # SAFETY: no cycles are asked for. COLLAPSE: smaller states, none is left out. MEMLIM: MB.
    gcc "$optimize" -w -DSAFETY -DCOLLAPSE -DMEMLIM=12000 -o pan pan.c
    ./pan -m1000000 -w24
  ) >"$place/out" 2>&1 || true
  # "Complete": Spin says so by leaving out its warnings of a search that was cut short.
  if grep -q 'errors: 0' "$place/out" && ! grep -qE 'max search depth too small|Search not completed|out of memory' "$place/out"; then
    found=right
  elif grep -qE '^pan:1: (assertion violated|invalid end state)' "$place/out"; then
    found=wrong
  else
    cat "$place/out" >&2
    found=failed
  fi
  states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' "$place/out" | head -n 1)
  seconds=$(sed -n 's/^pan: elapsed time \([0-9.e+]*\) seconds/\1/p' "$place/out" | head -n 1)
  printf '%-62s %12s %8s  %s' "$title" "${states:--}" "${seconds:--}" "$found"
  if [[ $found == "$expected" ]]; then
    printf '\n'
    rm -rf "$place"
  else
    printf ', expected %s: %s\n' "$expected" "$place"
    wrong=1
  fi
}

Mutant() {
  local number=$1 name=$2
  shift 2
  Check wrong "$name" -DMUTANT="$number" "$@"
}

optimize=-O1
if [[ $what == two ]]; then
  optimize=-O0  # compiling takes longer than the search
fi
printf '%-62s %12s %8s  %s\n' configuration states seconds found
case $what in
  two | right)
    Check right '2 workers, 2 tasks that need a worker each' -DW=2 -DT=2 -DBARRIER -DCAPACITY=4
    Check right '2 workers, 2 tasks that need a worker each, then Stop' -DW=2 -DT=2 -DBARRIER -DCAPACITY=4 -DSTOP_AFTER_START
    Check right '2 workers, 4 tasks' -DW=2 -DT=4 -DCAPACITY=4
    Check right '2 workers, 2 tasks, WaitIdle alongside Stop' -DW=2 -DT=2 -DWAITER
    Check right '2 workers, 2 tasks, WaitIdle before Stop' -DW=2 -DT=2 -DWAITER -DSTOP_AFTER_WAIT
    [[ $what == right ]] || exit $wrong
    Check right '3 workers, 3 tasks that need a worker each' -DW=3 -DT=3 -DBARRIER -DCAPACITY=4
    Check right '3 workers, 3 tasks that need a worker each, all may search' -DW=3 -DT=3 -DBARRIER -DMAX_SEARCHING=3
    Check right '3 workers, 3 tasks' -DW=3 -DT=3
    # Not needed for the proof, and so it is no mutant: a worker that takes tasks from the global queue publishes the rest again.
    # Nor is the order in which a worker joins the set and is counted: a thread with a claim only waits for it.
    Check right '3 workers, counted as idle before they are in the set' -DW=3 -DT=3 -DBARRIER -DMUTANT=17
    Check right '3 workers, the global queue is looked at last' -DW=3 -DT=3 -DBARRIER -DCAPACITY=4 -DMUTANT=5
    ;;
  four)
    Check right '4 workers, 4 tasks that need a worker each, futex in one step' -DW=4 -DT=4 -DBARRIER -DONE_STEP_FUTEX
    ;;
  nightly)
    Check right '3 workers, 1 task, WaitIdle alongside Stop' -DW=3 -DT=1 -DWAITER
    Check right '4 workers, 4 tasks that need a worker each' -DW=4 -DT=4 -DBARRIER
    ;;
  mutants)
    two=(-DW=2 -DT=2 -DBARRIER)
    moves=(-DW=2 -DT=2 -DBARRIER -DCAPACITY=4)
    wait=(-DW=2 -DT=2 -DWAITER)
    Mutant 1 'a worker parks without a recheck' "${two[@]}"
    Mutant 2 'only the last searcher looks again: 2 workers' "${two[@]}"
    Mutant 2 'only the last searcher looks again: 3 workers' -DW=3 -DT=3 -DBARRIER
    Mutant 3 'the last searcher that finds work wakes no other' "${two[@]}"
    Mutant 4 'no notify after tasks move from queue to queue' "${moves[@]}"
    Mutant 6 'Stop sets the flag and wakes no worker' "${two[@]}"
    Mutant 7 'the last idle worker ends all without a look' -DW=2 -DT=4 -DCAPACITY=4
    Mutant 8 'all are ended while one is idle no longer' "${two[@]}"
    Mutant 9 'the waker leaves the sleeper in the kernel' "${two[@]}"
    Mutant 10 'a claimed worker is not counted as searching' "${two[@]}"
    Mutant 11 'WaitIdle does not announce itself' "${wait[@]}" -DSTOP_AFTER_WAIT
    Mutant 12 'the worker that ends all lets the others sleep' "${two[@]}"
    Mutant 13 'WaitIdle sums up what was submitted first' "${wait[@]}"
    Mutant 14 'no notify after a submit' "${two[@]}" -DSTOP_AFTER_START
    Mutant 15 'a worker ends as soon as it finds nothing' "${two[@]}"
    Mutant 16 'a worker keeps a second claim' -DW=3 -DT=3 -DBARRIER
    Mutant 18 'a worker leaves the set before it claims' -DW=3 -DT=3 -DBARRIER
    Mutant 19 'a worker that cancels stays counted as idle' "${two[@]}"
    Mutant 20 'a worker that counts its idle period late does not look' -DW=3 -DT=3 -DBARRIER
    ;;
  *)
    echo "unknown set of configurations: $what; two, right, four, mutants or nightly" >&2
    exit 2
    ;;
esac
exit $wrong
