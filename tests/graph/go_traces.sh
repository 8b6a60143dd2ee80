#!/bin/bash
# Makes traces with the installed Go, and compares the number of goroutines and their running time with those that
# `go tool trace` reads. With a tree of another Debian, such as debootstrap makes, the Go in it is used.
# Usage: go_traces.sh GRAPH_TEST [TREE]
set -euo pipefail
graph_test=$1
tree=${2:-}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${tree:-/tmp}/go_traces.XXXXXX")
trap 'rm -rf "$work"' EXIT
inside=${work#"$tree"}

run() {
  if [[ -n $tree ]]; then chroot "$tree" env HOME="$inside" "$@"; else "$@"; fi
}

cp "$here/data/pipeline.go" "$here/data/contended.go" "$here"/go_oracle/*.go "$work"
root=$(run go env GOROOT)
minor=$(run go env GOVERSION | sed -E 's/go1\.([0-9]+).*/\1/')
oracle=go_1_22.go
((minor >= 22)) || oracle=go_1_11.go

# The oracle takes the place of `go tool trace`, which may import the internal packages.
{
  echo '{"Replace":{'
  for file in "$tree$root"/src/cmd/trace/*.go; do
    [[ $file == *_test.go ]] || echo "\"${file#"$tree"}\":\"\","
  done
  echo "\"$root/src/cmd/trace/main.go\":\"$inside/$oracle\"}}"
} >"$work/overlay.json"
run go build -overlay "$inside/overlay.json" -o "$inside/oracle" cmd/trace

for program in pipeline contended; do
  run go build -o "$inside/$program" "$inside/$program.go"
  for round in 1 2 3; do
    run "$inside/$program" "$inside/$program.$round.trace"
    run "$inside/oracle" "$inside/$program.$round.trace" >"$work/$program.$round.expected"
  done
done
SB_GO_TRACES=$work "$graph_test" --gtest_filter=GoTrace.OfTheInstalledGoAreAsGoToolTraceReadsThem
