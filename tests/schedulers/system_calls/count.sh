#!/bin/sh
# Shows that a scheduler makes no system call per operation while there is work: ten times the operations make
# as many calls, and with several workers no more than MOST per thousand operations.
# Usage: count.sh STRACE RUN_WORKLOAD SCHEDULER WORKERS MOST WORKLOAD SIZE=NUMBER [KEY=NUMBER...]
set -eu
strace=$1
program=$2
scheduler=$3
workers=$4
most=$5
workload=$6
size=${7%%=*}
number=${7##*=}
shift 7

# 77: skipped.
if ! "$strace" -f -qq -o /dev/null true 2>/dev/null; then
  echo "skipped: no ptrace: $strace is not there or cannot trace a child on this machine"
  exit 77
fi
if [ "$workers" -gt "$(nproc)" ]; then
  echo "skipped: needs $workers CPUs, may use $(nproc)"
  exit 77
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Prints the number of all system calls of a run of $1 operations per fiber.
count() {
  length=$1
  shift
  "$strace" -f -c -o "$folder/calls" "$program" "$scheduler" "$workers" "$workload" \
    "$size=$length" "$@" >"$folder/output"
  # The last line of the table: time, seconds, microseconds per call, calls, errors or nothing, "total".
  awk '$NF == "total" { print $4 }' "$folder/calls"
}

short=$(count "$number" "$@")
long=$(count $((10 * number)) "$@")
tasks=$(tail -n 1 "$folder/output" | cut -d ' ' -f 1)
parks=$(tail -n 1 "$folder/output" | cut -d ' ' -f 2)
more=$((long - short))
echo "$size=$number: $short calls; $size=$((10 * number)): $long calls, $tasks tasks, $parks parks"
# 50: what the start and the end of a program with a few threads vary by.
if [ "$more" -gt $((50 + most * tasks / 1000)) ]; then
  echo "$more system calls more" >&2
  cat "$folder/calls" >&2
  exit 1
fi
