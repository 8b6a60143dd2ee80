#!/bin/bash
# A new column of compare, flag, output format and command with a result each take few files: each patch in additions/ adds
# one. Fails if a patch does not fit the sources or changes more product files than CONTRIBUTING.md says. With SCRATCH,
# also builds the tool with all of them there, and asks for each.
# Usage: additions.sh SOURCE [SCRATCH]
set -euo pipefail
source=$1
scratch=${2:-}
patches=$source/tests/lint/additions
declare -A most=([column]=1 [flag]=1 [format]=2 [command]=5)

for name in "${!most[@]}"; do
  files=$(grep -c '^+++ b/.*\.[ch]pp$' "$patches/$name.patch")
  if ((files > most[$name])); then
    echo "error: $name.patch changes $files product files; expected at most ${most[$name]}" >&2
    exit 1
  fi
  patch --dry-run --force --strip 1 --directory "$source" --input "$patches/$name.patch" >/dev/null || {
    echo "error: $name.patch does not fit the sources" >&2
    exit 1
  }
done
[[ -n $scratch ]] || exit 0

rm -rf "$scratch"
mkdir -p "$scratch"
tar -C "$source" --exclude ./build --exclude ./.git --exclude node_modules --exclude target -cf - . | tar -C "$scratch" -xf -
for name in column flag format command; do
  patch --force --strip 1 --directory "$scratch" --input "$patches/$name.patch" >/dev/null
done
cd "$scratch"
cmake --preset release >/dev/null
cmake --build build/release --target schedbench >/dev/null
tool=build/release/schedbench

# $1: what the tool prints with the other arguments.
Expect() {
  local text=$1
  shift
  "$tool" "$@" 2>&1 | grep -q -- "$text" || {
    echo "error: schedbench $* does not print '$text'" >&2
    exit 1
  }
}
compare=(compare fast global_fifo --workload "yield:fibers=2,yields=10" --blocks 1 --rounds 1 --quiet)
Expect ',blocks,' "${compare[@]}" --format csv
Expect $'\tblocks\t' "${compare[@]}" --format tsv
Expect '--loud' doctor --help
Expect 'measure what a read of the clock costs' --help
Expect 'again   .*clock' clock
Expect '"kind": "clock"' clock --format json
Expect 'median' clock --format tsv
