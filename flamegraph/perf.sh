#!/bin/bash
# Profiles a run by perf(1), which sees the kernel and all threads and knows no fibers, and makes a page of it.
# Usage: perf.sh SCHEDBENCH FOLDER ARGUMENTS...   ARGUMENTS: of schedbench run
set -euo pipefail
schedbench=$1
folder=$2
shift 2
mkdir -p "$folder"
# By the clock, not by cycles: virtual machines often count none. Debian's kernel refuses all of it to users without rights
# (perf_event_paranoid 3): then `make flamegraph` alone does.
perf record --event cpu-clock --freq 999 --call-graph fp --output "$folder/perf.data" -- "$schedbench" run "$@"
perf script --input "$folder/perf.data" --fields comm,pid,tid,time,period,event,ip,sym,dso --no-inline >"$folder/perf.txt"
"$schedbench" flamegraph render "$folder/perf.txt" --title "$* (perf)" --output "$folder/perf.html"
