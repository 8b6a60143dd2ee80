#!/bin/bash
# Compiles each source of the tool alone, without precompiled headers, and prints the headers that take most of the time: the
# seconds for which the compiler read them and what they include, and in how many sources (clang's -ftime-trace).
# Usage: expensive_headers.sh JOBS [HOW_MANY]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
jobs=$1
how_many=${2:-10}
build=build/headers

cmake --preset release -B $build -DCMAKE_CXX_COMPILER=clang++-19 -DSCHEDBENCH_UNITY=OFF -DCCACHE=OFF \
  -DCMAKE_CXX_FLAGS="-ftime-trace" -DCMAKE_CXX_FLAGS_RELEASE=-O0 >/dev/null
cmake --build $build --parallel "$jobs" --target schedbench >$build/build.log || { tail -50 $build/build.log >&2; exit 1; }

# The end of a header stands next to its begin.
find $build/src -name '*.json' -path '*.dir/*' -print0 | xargs -0 perl -e '
  my (%micros, %sources, $all, $total);
  for my $file (@ARGV) {
    open(my $in, "<", $file) or die "$file: $!";
    local $/;
    my ($header, $begin, %seen);
    for my $event (<$in> =~ /\{"pid"[^{}]*(?:\{[^{}]*\}[^{}]*)?\}/g) {
      if ($event =~ /"name":"Total Source"/) {
        $all += $1 if $event =~ /"dur":(\d+)/;
      } elsif ($event =~ /"ts":(\d+),.*"ph":"b".*"name":"Source".*"detail":"([^"]*)"/) {
        ($begin, $header) = ($1, $2);
      } elsif ($event =~ /"ts":(\d+),.*"ph":"e".*"name":"Source"/) {
        my $end = $1;
        $header =~ s{.*/(?:include/c\+\+/\d+|include)/|^.*/(?=(?:src|schedulers|workloads)/)}{};
        $micros{$header} += $end - $begin;
        $sources{$header}++ unless $seen{$header}++;
      }
    }
    $total++;
  }
  printf("%d sources, %.1f s in headers\n%10s %8s  %s\n", $total, $all / 1e6, "seconds", "sources", "header");
  my @by_cost = sort { $micros{$b} <=> $micros{$a} } keys %micros;
  printf("%10.1f %8d  %s\n", $micros{$_} / 1e6, $sources{$_}, $_) for @by_cost[0 .. '"$how_many"' - 1];'
