#!/bin/bash
# Builds the agent of the Go runtime.
# Usage: build.sh OUT     the program to write; the compiler's caches go to OUT's folder
set -euo pipefail

out=$(realpath --canonicalize-missing -- "${1:?usage: build.sh OUT}")
kept="$(dirname "$out")/.$(basename "$out").build"
mkdir -p "$kept/tmp"
cd "$(dirname "${BASH_SOURCE[0]}")"

# Debian's compiler, even if there are others, without the user's settings; no network, because only the standard library
# is needed.
env -i PATH=/usr/bin:/bin HOME="$kept" \
  GOENV=off GO111MODULE=on GOFLAGS=-mod=mod GOPROXY=off GOSUMDB=off GOTOOLCHAIN=local \
  CGO_ENABLED=0 GOCACHE="$kept/cache" GOMODCACHE="$kept/modules" GOTMPDIR="$kept/tmp" \
  go build -trimpath -buildvcs=false -o "$out" .
