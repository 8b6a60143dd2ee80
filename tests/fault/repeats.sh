#!/bin/bash
# Usage: repeats.sh BINARY     checks that the choices of each thread follow from the seed, and differ between threads
set -euo pipefail
first=$(SCHEDBENCH_FAULT_SEED=7 "$1" 2>/dev/null)
again=$(SCHEDBENCH_FAULT_SEED=7 "$1" 2>/dev/null)
other=$(SCHEDBENCH_FAULT_SEED=8 "$1" 2>/dev/null)
none=$(SCHEDBENCH_FAULT=cas=0,futex=0 "$1" 2>/dev/null)
[[ $first == "$again" ]] || { echo "the same seed made other choices"; exit 1; }
[[ $first != "$other" ]] || { echo "another seed made the same choices"; exit 1; }
[[ $(sort -u <<<"$first" | wc -l) == 3 ]] || { echo "threads make the same choices"; exit 1; }
[[ $none != *1* ]] || { echo "what is switched off happened"; exit 1; }
if SCHEDBENCH_FAULT=moev=3 "$1" >/dev/null 2>&1; then
  echo "an unknown name was taken"
  exit 1
fi
