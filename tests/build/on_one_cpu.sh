#!/bin/bash
# Runs a command on one CPU, any of those that are allowed. qemu-user on x86-64 lets a store-release and a later load-acquire
# change places, which arm64 forbids: a thread may miss a wake-up. Threads on one CPU do not see it.
# Usage: on_one_cpu.sh COMMAND...
set -euo pipefail
allowed=$(taskset --cpu-list --pid $$)
cpus=()
for range in $(tr ',' ' ' <<<"${allowed##*: }"); do
  # mapfile would need a process substitution, which would remain a child of the command.
  # shellcheck disable=SC2207
  cpus+=($(seq "${range%-*}" "${range#*-}"))
done
exec taskset --cpu-list "${cpus[RANDOM % ${#cpus[@]}]}" "$@"
