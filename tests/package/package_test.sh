#!/bin/bash
# Tests what is installed.
# Usage: package_test.sh TEST SOURCE BUILD SCRATCH     runs one function of this file; its last command is its exit code
set -euo pipefail
source=$2
build=$3
scratch=$4
stage=$scratch/stage

Fail() {
  echo "failed: $*" >&2
  exit 1
}

ExpectHas() {
  [[ $1 == *"$2"* ]] || Fail "no '$2' in: $1"
}

# Builds the examples with these options of cmake, and runs each.
BuildExamples() {
  local examples=$1
  shift
  cmake -S "$source/examples" -B "$examples" -G Ninja -Wno-dev "-DCMAKE_CXX_COMPILER_LAUNCHER=$(command -v ccache || true)" "$@" >"$examples.log" ||
    { cat "$examples.log"; Fail "cmake"; }
  cmake --build "$examples" --parallel 2 >"$examples.log" || { cat "$examples.log"; Fail "the build"; }
  ExpectHas "$("$examples/only_fibers")" "is 338350"
  ExpectHas "$("$examples/own_scheduler" list schedulers)" "one queue behind one lock"
  ExpectHas "$("$examples/own_workload" list workloads)" "pingpong"
  "$examples/own_workload" run --scheduler fast --workload count:adds=10 --rounds 2 --quiet >/dev/null
  local result
  result=$("$examples/own_scheduler" run --scheduler own --workload yield:fibers=100,yields=20 --rounds 2 --quiet)
  ExpectHas "$result" "wakeup latency   p50 "
  [[ $result =~ idle\ [\<0-9] ]] || Fail "no idle time in: $result"
  "$examples/own_scheduler" profile --scheduler own --workload yield:fibers=100,yields=5000 --rounds 5 --quiet -o "$examples/profile" >/dev/null
  ExpectHas "$(<"$examples/profile/yield.folded")" "OwnScheduler::"
  result=$("$examples/own_scheduler" trace --scheduler own --workload yield:fibers=100,yields=20 --rounds 2 --quiet --summary)
  ExpectHas "$result" "2 workers, "
  "$examples/own_scheduler" agent-check --workload yield:fibers=10,yields=20 -- python3 "$source/examples/agent.py" >/dev/null
}

# -- cmake --install, with a DESTDIR

Installs() {
  rm -rf "$stage"
  DESTDIR=$stage cmake --install "$build" --prefix /usr >/dev/null
  local file
  for file in bin/schedbench lib/libschedbench_fibers.a lib/cmake/schedbench/schedbench-config.cmake \
    include/schedbench/fibers/sched/go.hpp share/doc/schedbench/examples/README.md share/doc/schedbench/docs/agent-protocol.md share/doc/schedbench/configs/schema/fast.json share/man/man1/schedbench.1 \
    share/man/man1/schedbench-run.1 share/man/man1/schedbench-agent-check.1 share/bash-completion/completions/schedbench \
    share/zsh/vendor-completions/_schedbench share/fish/vendor_completions.d/schedbench.fish; do
    [[ -e $stage/usr/$file ]] || Fail "no $file"
  done
  ExpectHas "$("$stage/usr/bin/schedbench" --version)" "schedbench "
}

InstallsHeadersThatCompile() {
  # machine_context.hpp includes the one of the machine_context_*.hpp that this machine needs.
  (cd "$stage/usr/include/schedbench" && find . -name '*.hpp' ! -name 'machine_context_*' |
    sed 's/^\.\/\(.*\)/#include "\1"/') >"$scratch/headers.cpp"
  "$CXX" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I"$stage/usr/include/schedbench" "$scratch/headers.cpp"
}

# -- find_package() and add_subdirectory()

BuildsTheExamples() {
  BuildExamples "$scratch/examples" "-DCMAKE_PREFIX_PATH=$stage/usr"
}

IsAddedAsASubdirectory() {
  BuildExamples "$scratch/with_sources" "-DSCHEDBENCH_SOURCE=$source" -DCMAKE_BUILD_TYPE=Release
}

# -- cpack

BecomesDebianPackages() {
  rm -rf "$scratch/deb"
  cpack --config "$build/CPackConfig.cmake" -B "$scratch/deb" >"$scratch/deb.log" 2>&1 || { cat "$scratch/deb.log"; Fail "cpack"; }
  local tool dev
  tool=$(echo "$scratch"/deb/schedbench_*.deb)
  dev=$(echo "$scratch"/deb/schedbench-dev_*.deb)
  ExpectHas "$(dpkg-deb --field "$tool" Depends)" "libmimalloc"
  [[ $(dpkg-deb --field "$tool" Depends) != *-dev* ]] || Fail "the tool depends on a -dev package"
  ExpectHas "$(dpkg-deb --contents "$tool")" "./usr/bin/schedbench"
  ExpectHas "$(dpkg-deb --contents "$tool")" "./usr/share/man/man1/schedbench-compare.1"
  [[ $(dpkg-deb --contents "$tool") != *.hpp* ]] || Fail "headers in the tool's package"
  ExpectHas "$(dpkg-deb --contents "$dev")" "./usr/include/schedbench/fibers/sched/go.hpp"
  ExpectHas "$(dpkg-deb --field "$dev" Depends)" "libboost-dev (>= 1.81) | libboost1.81-dev"
}

"$1"
