#!/bin/bash
# Checks every foreign runtime of the tool: its agent keeps the protocol, and does the same work as our fibers, with correct
# answers and the same requests of an open load. Fails if a runtime is missing.
# Usage: check.sh TOOL
set -euo pipefail

tool=${1:?usage: check.sh TOOL}
peers=(asio_hosted boost_fiber go tbb_hosted tokio)
# Those whose units cannot wait for channels, with the workloads that they are compared by. In `join` none does: a call of the default
# report=channel would have to wait.
join=skynet:leaves=1000,report=join
forks=(--workload fib --workload fib:branches=both --workload fib:fork=structured
       --workload fib:branches=both,fork=structured --workload "$join" --workload skynet:leaves=1000,fork=structured
       --workload nqueens:n=8 --workload nqueens:n=8,fork=spawn)
starts=(--workload spawn_join:tasks=10000 --workload spawn_join:tasks=10000,from=outside --workload chained_spawn:chains=20)
declare -A without_waits=(
  [asio]="${starts[*]} --workload yield:yields=50 --workload taskgraph:pattern=random_nearest,steps=50"
  [rayon]="${forks[*]} ${starts[*]}"
  [tbb]="${forks[*]} ${starts[*]} --workload taskgraph:pattern=random_nearest,steps=50")
# Workloads that are large by default.
small=(--workload million:fibers=10000 --workload spawn_join:tasks=10000 --workload skynet:leaves=1000
       --workload pingpong:rounds=200 --workload yield:yields=50 --workload open_loop:requests=1000)

# Those of the Go article, which only these runtimes have.
small_waits=(--workload timers:sleepers=10000,max_ms=20 --workload echo:messages=50 --workload blocking_syscall
             --workload greedy:sleep_ms=20,loop=yields)
declare -A has_waits=([go]=1 [tokio]=1)

for peer in "${peers[@]}"; do
  echo "== $peer"
  more=()
  if [[ -v has_waits[$peer] ]]; then
    more=("${small_waits[@]}")
  fi
  "$tool" agent-check --timeout 120s "${small[@]}" "${more[@]}" -- "$(dirname "$tool")/peers/$peer" agent
done
for peer in "${!without_waits[@]}"; do
  echo "== $peer"
  skynet=()
  if [[ $peer != asio ]]; then
    skynet=(--workload "$join")
  fi
  "$tool" agent-check --timeout 120s --workload spawn_join:tasks=10000 "${skynet[@]}" \
    -- "$(dirname "$tool")/peers/$peer" agent
done

# Fails unless an agent refuses to open a session, with a message that has the text.
# Usage: must_refuse PEER TEXT JSON-OF-THE-REQUEST
must_refuse() {
  local reply
  reply=$(printf '{"request":"open","scheduler":"%s",%s,"seed":1}\n' "$1" "$3" |
    timeout 60 "$(dirname "$tool")/peers/$1" agent)
  if [[ $reply != *'"kind":"input"'* || $reply != *"$2"* ]]; then
    printf 'error: %s does not refuse %s with "%s", but replies\n%s\n' "$1" "$3" "$2" "$reply" >&2
    exit 1
  fi
}

echo "== what a runtime cannot do is refused when it is opened"
for request in '"workload":"echo","parameters":{}' '"workload":"timers","parameters":{}' \
  '"workload":"greedy","parameters":{"loop":"yields"}'; do
  must_refuse tokio 'needs the drivers of I/O and time; expected all' "$request,\"config\":{\"drivers\":\"none\"}"
done
must_refuse tokio 'only yields' '"workload":"greedy","parameters":{}'
must_refuse tokio 'only yields' '"workload":"greedy","parameters":{"loop":"spins"}'
must_refuse tokio 'only blocking' '"workload":"blocking_syscall","parameters":{"by":"syscall"}'
must_refuse go 'only spawn' '"workload":"fib","parameters":{"fork":"structured"}'

# Prints the rates that an agent offers in two rounds; they depend only on the times at which requests are due. At so many
# requests per second they differ if a time differs by nanoseconds.
# Usage: offered SCHEDULER AGENT...
offered() {
  local open='"workload":"open_loop","parameters":{"rate":1e8,"requests":1000,"service_ns":0,"arrivals":"bursty"},"seed":1'
  printf '%s\n' "{\"request\":\"open\",\"scheduler\":\"$1\",$open}" '{"request":"round"}' '{"request":"round"}' |
    timeout 120 "${@:2}" | grep --only-matching '"offered":[0-9]*'
}

echo "== requests are due at the same times as with fast"
ours=$(offered fast "$tool" agent)
if [[ -z $ours ]]; then
  echo "error: fast reports no offered rate" >&2
  exit 1
fi
for peer in "${peers[@]}"; do
  theirs=$(offered "${peer/%boost_fiber/boost_fiber_stealing}" "$(dirname "$tool")/peers/$peer" agent) || true
  if [[ $theirs != "$ours" ]]; then
    printf 'error: different with %s\n%s\nthan with fast\n%s\n' "$peer" "$theirs" "$ours" >&2
    exit 1
  fi
done

result=$(mktemp)
trap 'rm -f "$result"' EXIT

# Compares peers with fast, and fails if one of them does other work.
# Usage: compare_work PEER,... OPTION...
compare_work() {
  echo "== $1 against fast"
  "$tool" compare fast --with "$1" --metric throughput --blocks 1 --rounds 1 --warmup 0 --timeout 120s --quiet "${@:2}" \
    >"$result" || {
    code=$?
    cat "$result"
    exit "$code"
  }
  cat "$result"
  if grep -q 'work .* differ\|has no such workload' "$result"; then
    echo "error: not all of them do the same work" >&2
    exit 1
  fi
}

compare_work "$(IFS=, && echo "${peers[*]}")" --workload suite:peers --workload open_loop:requests=1000 \
  --workload taskgraph:pattern=random_nearest,steps=50
for peer in "${!without_waits[@]}"; do
  read -ra workloads <<<"${without_waits[$peer]}"
  compare_work "$peer" "${workloads[@]}"
done
compare_work "$(IFS=, && echo "${!has_waits[*]}")" "${small_waits[@]}"
compare_work no_slot=tokio:lifo_slot=off,no_preempt=go:async_preempt=off --workload pingpong:rounds=200
# One worker is a case of its own in several runtimes.
compare_work "$(IFS=, && echo "${peers[*]},${!without_waits[*]}")" --workers 1 --workload spawn_join:tasks=10000 \
  --workload chained_spawn:chains=20

echo "== the table of make compare-peers, with small sizes"
table=$(dirname "$0")/table
rows=$(cd "$table" && python3 -B -c 'import rows
print(sum(len(measure.targets) for row in rows.ROWS_OF_ALL_CPUS for measure in row.measures))')
rows_of_one_cpu=$(cd "$table" && python3 -B -c 'import rows; print(len(rows.ROWS) - len(rows.ROWS_OF_ALL_CPUS))')
"$table/compare_peers.py" --tool "$tool" --small --passes 1 >"$result" || {
  code=$?
  cat "$result"
  exit "$code"
}
# Each target has a line with a best peer, and each row on one CPU a line with two verdicts. The tables end with their legend.
shown=$(sed '/^ns per operation/q' "$result" | grep --count '^|.*| [12] .*| [a-z_]* [0-9.]* *|' || true)
shown_of_one_cpu=$(sed '/^Two workers on one CPU/q' "$result" |
  grep --count '^| `[a-z_0-9]*` .*| \(met\|missed\)[ ?]*|.*| \(met\|missed\)[ ?]*|' || true)
if [[ $shown != "$rows" || $shown_of_one_cpu != "$rows_of_one_cpu" ]]; then
  cat "$result"
  echo "error: the tables show $shown complete lines of $rows, and $shown_of_one_cpu of $rows_of_one_cpu on one CPU" >&2
  exit 1
fi
