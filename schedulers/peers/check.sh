#!/bin/bash
# Checks every foreign runtime that the tool knows: that its agent keeps the protocol, and that it does the same work as our own
# fibers, with answers that are right, and of an open load the same requests. Fails where one is missing.
# Usage: check.sh TOOL
set -euo pipefail

tool=${1:?usage: check.sh TOOL}
peers=(asio boost_fiber go tbb tokio)
# Those that are large by default.
small=(--workload million:fibers=10000 --workload spawn_join:tasks=10000 --workload skynet:leaves=1000
       --workload pingpong:rounds=200 --workload yield:yields=50 --workload open_loop:requests=1000)

for peer in "${peers[@]}"; do
  echo "== $peer"
  "$tool" agent-check --timeout 120s "${small[@]}" -- "$(dirname "$tool")/peers/$peer" agent
done

# Prints the rates that an agent offers in two rounds; they follow from when requests are due, and from nothing else. So many
# requests a second tell nanoseconds apart.
# Usage: offered SCHEDULER AGENT...
offered() {
  local open='"workload":"open_loop","parameters":{"rate":1e8,"requests":1000,"service_ns":0,"arrivals":"bursty"},"seed":1'
  printf '%s\n' "{\"request\":\"open\",\"scheduler\":\"$1\",$open}" '{"request":"round"}' '{"request":"round"}' |
    timeout 120 "${@:2}" | grep --only-matching '"offered":[0-9]*'
}

echo "== requests come when those of fast come"
ours=$(offered fast "$tool" agent)
if [[ -z $ours ]]; then
  echo "error: fast offers nothing" >&2
  exit 1
fi
for peer in "${peers[@]}"; do
  theirs=$(offered "${peer/%boost_fiber/boost_fiber_stealing}" "$(dirname "$tool")/peers/$peer" agent) || true
  if [[ $theirs != "$ours" ]]; then
    printf 'error: not so with %s\n%s\nof fast\n%s\n' "$peer" "$theirs" "$ours" >&2
    exit 1
  fi
done

echo "== all of them against fast"
result=$(mktemp)
trap 'rm -f "$result"' EXIT
"$tool" compare --with "$(IFS=, && echo "${peers[*]}")" --workload suite:peers \
  --workload open_loop:requests=1000 --figure throughput \
  --blocks 1 --rounds 1 --warmup 0 --timeout 120s --quiet >"$result" || {
  code=$?
  cat "$result"
  exit "$code"
}
cat "$result"
if grep -q 'work .* differ\|has no such workload' "$result"; then
  echo "error: not all of them do the same work" >&2
  exit 1
fi
