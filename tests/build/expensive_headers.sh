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
  -DCMAKE_CXX_FLAGS="-ftime-trace -Wno-error" -DCMAKE_CXX_FLAGS_RELEASE=-O0 >/dev/null
cmake --build $build --parallel "$jobs" --target schedbench >/dev/null

# One event per line; the begin and the end of a header are nested.
find $build/src -name '*.json' -path '*.dir/*' -print0 | xargs -0 perl -e '
  my (%micros, %sources, $all, $total);
  for my $file (@ARGV) {
    open(my $in, "<", $file) or die "$file: $!";
    local $/;
    my @events;
    for my $event (<$in> =~ /\{"pid".*?"args":\{.*?\}\}|\{"pid"[^{}]*\}/g) {
      my ($begin_or_end) = $event =~ /"ph":"([be])"/ or next;
      my ($time) = $event =~ /"ts":(\d+)/;
      my ($header) = $event =~ /"detail":"([^"]*)"/;
      push @events, [$time, $begin_or_end, $header];
    }
    my (@open, %seen);
    for my $event (sort { $a->[0] <=> $b->[0] } @events) {
      if ($event->[1] eq "b") {
        push @open, $event;
      } elsif (my $begin = pop @open) {
        $begin->[2] =~ s{.*/(src|schedulers|workloads|include/c\+\+/\d+|include)/}{$1 eq "include" ? "" : $1 =~ /^include/ ? "" : "$1/"}e;
        my $took = $event->[0] - $begin->[0];
        $micros{$begin->[2]} += $took;
        $sources{$begin->[2]}++ unless $seen{$begin->[2]}++;
        $all += $took unless @open;
      }
    }
    $total++;
  }
  printf("%d sources, %.1f s in headers\n%10s %8s  %s\n", $total, $all / 1e6, "seconds", "sources", "header");
  my @by_cost = sort { $micros{$b} <=> $micros{$a} } keys %micros;
  printf("%10.1f %8d  %s\n", $micros{$_} / 1e6, $sources{$_}, $_) for @by_cost[0 .. '"$how_many"' - 1];'
