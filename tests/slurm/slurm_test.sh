#!/bin/bash
# A sweep over two Slurm nodes. kill -9 of a node's daemon, then of the coordinator; the same command resumes, and no block
# is missing or measured twice. Also runs the commands of docs/many-machines.md.
# Usage: slurm_test.sh SCHEDBENCH. Code 77: the packages slurm-wlm and munge are missing, or this is not root.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tool=$(realpath "$1")
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

# The number of blocks of each cell and whether it is a hole, then the number of blocks of each node.
cells_of() {
  python3 - "$1" <<'PYTHON'
import collections, json, sys
result = json.load(open(sys.argv[1]))
for cell in result["cells"]:
    print(cell["place"], cell["parameters"], len(cell["measured"]["blocks"]), cell["hole"])
for node, blocks in sorted(collections.Counter(result["measured_on"]).items()):
    print("blocks", node, blocks)
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
[ "$(grep -c ' 12 False' whole.cells)" = 4 ] || fail "a block is missing: $(cat whole.cells)"
[ "$(grep -c '^blocks n[12] 6' whole.cells)" = 2 ] || fail "the blocks are not distributed: $(cat whole.cells)"

echo "kill -9 of the daemon of n2: n1 measures its blocks"
"${allocated[@]}" "${sweep[@]}" --journal lost -o lost.json >lost.text 2>&1 &
running=$!
wait_until at_least n2 lost 2
kill_daemon n2
code=0
wait $running || code=$?
[ $code = 0 ] || fail "code $code after the end of n2: $(cat lost.text)"
cells_of lost.json >lost.cells
[ "$(grep -c ' 12 False' lost.cells)" = 4 ] || fail "n1 did not measure the blocks of n2: $(cat lost.cells)"
grep -q "node n2 does not answer" lost.json || fail "no reason"

echo "a node that is alone: holes"
start_node n2
wait_until all_idle
alone=(salloc --quiet --nodes 1 --nodelist n2 --exclusive --no-kill)
"${alone[@]}" "${sweep[@]}" --journal journal -o holes.json >holes.text 2>&1 &
running=$!
wait_until at_least n2 journal 6
kill_daemon n2
code=0
wait $running || code=$?
[ $code = 2 ] || fail "code $code without a node, not 2: $(cat holes.text)"
cells_of holes.json >holes.cells
[ "$(grep -c ' True' holes.cells)" = 4 ] || fail "no holes: $(cat holes.cells)"

echo "the daemon of n2 is back; kill -9 of the coordinator"
start_node n2
wait_until all_idle
before=$(blocks_of n1 journal)
"${allocated[@]}" sh -c 'echo $$ >coordinator.pid; exec "$@"' sh "${sweep[@]}" --journal journal >killed.text 2>&1 &
running=$!
wait_until at_least n1 journal $((before + 2))
kill -9 "$(cat coordinator.pid)"
wait $running || true
[ $(($(blocks_of n1 journal) + $(blocks_of n2 journal))) -lt 48 ] || fail "the coordinator had finished before it was killed"
wait_until all_idle

echo "the same command resumes"
"${allocated[@]}" "${sweep[@]}" --journal journal -o resumed.json >resumed.text 2>&1 || fail "code $?: $(cat resumed.text)"
cells_of resumed.json >resumed.cells
diff <(grep -v '^blocks' whole.cells) <(grep -v '^blocks' resumed.cells) || fail "other cells"
[ $(($(blocks_of n1 journal) + $(blocks_of n2 journal))) = 48 ] || fail "what was known is measured again"

echo "an agent that hangs is gone before the next one is measured"
cat >hang.py <<'PYTHON'
import subprocess, sys, time
agent = subprocess.Popen([sys.argv[1], "agent"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for line in iter(sys.stdin.readline, ""):
    if '"round"' in line:
        open("hangs", "a").write("x")
        time.sleep(600)
    agent.stdin.write(line)
    agent.stdin.flush()
    sys.stdout.write(agent.stdout.readline())
    sys.stdout.flush()
PYTHON
code=0
"${allocated[@]}" sh -c '"$@"; code=$?; squeue --steps --noheader >steps; exit $code' sh "$tool" sweep fast \
  --with "hang/fast=python3 $folder/hang.py $tool" -w yield:fibers=10,yields=5 -b 2 -n 1 --seed 1 -q --timeout 1s \
  --slurm "" -o hang.json >hang.text 2>&1 || code=$?
[ $code = 4 ] || fail "code $code of an agent that hangs, not 4: $(cat hang.text)"
[ -e hangs ] || fail "the agent did not hang"
! pgrep -f "$folder/hang.py" >/dev/null || fail "the agent lives on"
! grep -q python3 steps || fail "its step lives on: $(cat steps)"

echo "the commands of docs/many-machines.md"
grep -E '^salloc .*schedbench' "$here/../../docs/many-machines.md" >commands || fail "there are none"
mkdir bin
ln -s "$tool" bin/schedbench
while read -r line; do
  echo "  $line"
  PATH="$folder/bin:$PATH" bash -c "$line" </dev/null >command.text 2>&1 || fail "code $?: $(cat command.text)"
done <commands
echo "passed"
