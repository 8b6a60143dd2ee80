#!/bin/bash
# Fails unless every patch in this folder still fits the sources: one that does not fit no longer proves that the models detect its fault.
# Without fuzz: with it, patch also accepts lines that are alike elsewhere, and the fault would be another one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
status=0
for patch in tests/sim/mutants/*.patch; do
  if ! problem=$(patch -p1 --dry-run --force --fuzz=0 <"$patch" 2>&1); then
    printf '%s does not fit:\n%s\n' "$patch" "$problem" >&2
    status=1
  fi
done
exit "$status"
