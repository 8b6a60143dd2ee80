#!/bin/bash
# A sweep over two Slurm nodes. kill -9 of a node's daemon, then of the coordinator; the same command resumes, and the
# cells are those of a sweep without interruption. Also runs the commands of docs/many-machines.md.
# Usage: slurm_test.sh SCHEDBENCH. Code 77: the packages slurm-wlm and munge are missing, or this is not root.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tool=$1
for program in munged slurmctld slurmd srun salloc; do
  if ! command -v $program >/dev/null; then
    echo "skipped: $program is missing    apt-get install slurm-wlm munge"
    exit 77
  fi
done
if [ "$(id -u)" != 0 ]; then
  echo "skipped: slurmd needs root"
  exit 77
fi
# shellcheck source=cluster.sh
. "$here/cluster.sh"
folder=$(mktemp -d)
finish() {
  local code=$?
  stop_cluster
  if [ $code -ne 0 ]; then
    tail -n 20 "$folder"/cluster/*.out "$folder"/*.text || true
  fi
  rm -rf "$folder"
  exit $code
}
trap finish EXIT
# Tests of several builds may run at the same time.
start_cluster "$folder/cluster" $((20000 + ($$ % 4000) * 3))
cd "$folder"

fail() {
  echo "failed: $*"
  exit 1
}

sweep=("$tool" sweep fast -w yield:fibers=1000,yields=100 --over workers=1,2 --over lifo_limit=0,3 -b 12 -n 2
       --min-effect 0.9 --seed 1 --slurm "" -q)
allocated=(salloc --quiet --nodes 2 --exclusive --no-kill)

# Which cell has how many blocks on which node, and whether it is a hole.
cells_of() {
  python3 - "$1" <<'PYTHON'
import json, sys
for cell in json.load(open(sys.argv[1]))["cells"]:
    print(cell["place"], cell["parameters"], cell["measured_on"], len(cell["measured"]["blocks"]), cell["hole"])
PYTHON
}

blocks_of() {
  grep -c "\"place\":\"$1\",\"rounds\"" "$2" || true
}

at_least() {
  [ "$(blocks_of "$1" "$2")" -ge "$3" ]
}

echo "a sweep without interruption"
"${allocated[@]}" "${sweep[@]}" -o whole.json >whole.text 2>&1 || fail "code $?"
cells_of whole.json >whole.cells
[ "$(grep -c ' n1 12 False' whole.cells)" = 2 ] || fail "no two cells on n1: $(cat whole.cells)"
[ "$(grep -c ' n2 12 False' whole.cells)" = 2 ] || fail "no two cells on n2: $(cat whole.cells)"

echo "kill -9 of the daemon of n2"
"${allocated[@]}" "${sweep[@]}" --journal journal -o lost.json >lost.text 2>&1 &
running=$!
wait_until at_least n2 journal 3
kill_daemon n2
code=0
wait $running || code=$?
[ $code = 2 ] || fail "code $code after the end of n2, not 2"
cells_of lost.json >lost.cells
[ "$(grep -c ' n1 12 False' lost.cells)" = 2 ] || fail "n1 did not continue: $(cat lost.cells)"
[ "$(grep -c ' n2 .* True' lost.cells)" = 2 ] || fail "no holes on n2: $(cat lost.cells)"
grep -q "node n2 does not answer" lost.json || fail "no reason"

echo "the daemon of n2 is back; kill -9 of the coordinator"
start_node n2
wait_until all_idle
before=$(blocks_of n2 journal)
"${allocated[@]}" sh -c 'echo $$ >coordinator.pid; exec "$@"' sh "${sweep[@]}" --journal journal >killed.text 2>&1 &
running=$!
wait_until at_least n2 journal $((before + 2))
kill -9 "$(cat coordinator.pid)"
wait $running || true
after=$(blocks_of n2 journal)
[ "$after" -lt 24 ] || fail "the coordinator had finished before it was killed"
wait_until all_idle

echo "the same command resumes"
"${allocated[@]}" "${sweep[@]}" --journal journal -o resumed.json >resumed.text 2>&1 || fail "code $?"
cells_of resumed.json >resumed.cells
diff whole.cells resumed.cells || fail "other cells"
[ "$(blocks_of n1 journal)" = 24 ] || fail "n1 measured again what was known"
[ "$(blocks_of n2 journal)" = 24 ] || fail "n2 measured again what was known"

echo "the commands of docs/many-machines.md"
grep -E '^salloc .*schedbench' "$here/../../docs/many-machines.md" >commands || fail "there are none"
mkdir bin
ln -s "$tool" bin/schedbench
while read -r line; do
  echo "  $line"
  PATH="$folder/bin:$PATH" bash -c "$line" </dev/null >command.text 2>&1 || fail "code $?: $(cat command.text)"
done <commands
echo "passed"
