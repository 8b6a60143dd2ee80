#!/bin/bash
# Tests of the scripts behind the Makefile, each against stand-ins for the programs that the script calls.
# Usage: scripts_test.sh TEST     runs one function of this file; its last word is its exit code
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

Fail() {
  echo "failed: $*" >&2
  exit 1
}

ExpectHas() {
  [[ $1 == *"$2"* ]] || Fail "no '$2' in: $1"
}

ExpectIs() {
  [[ $1 == "$2" ]] || Fail "'$1' is not '$2'"
}

# Puts a program of that name, with stdin as its text, in front of all others.
StandIn() {
  mkdir -p "$scratch/bin"
  { echo '#!/bin/bash'; cat; } >"$scratch/bin/$1"
  chmod +x "$scratch/bin/$1"
}

# A Debian that lacks packages, or with `complete` none; apt-get writes down how it was called.
StandInsForPackages() {
  StandIn dpkg-query <<<'exit 0'
  StandIn dpkg-checkbuilddeps <<<"[[ '${1:-}' == complete ]]"
  StandIn apt-get <<<"echo apt-get \"\$@\" >>'$scratch/calls'"
  StandIn apt-cache <<<'echo g++'
  StandIn id <<<"echo ${2:-0}"
  touch "$scratch/calls"
}

InstallPackages() {
  PATH=$scratch/bin:$PATH "$root/src/cmake/install_packages.sh" "$@" 2>&1
}

# -- src/cmake/install_packages.sh

Deps.AreSilentAndCallNothingWhenAllPackagesAreThere() {
  StandInsForPackages complete
  ExpectIs "$(InstallPackages link run)" ""
  ExpectIs "$(cat "$scratch/calls")" ""
}

Deps.InstallTheGroupsWithVersionsAndAlternatives() {
  StandInsForPackages
  ExpectHas "$(InstallPackages link pages)" "installing packages of the groups: link pages"
  ExpectHas "$(head -n 1 "$scratch/calls")" "update"
  local call
  call=$(tail -n 1 "$scratch/calls")
  ExpectHas "$call" "satisfy --yes --no-install-recommends g++ (>= 4:12),libboost-dev (>= 1.81) | libboost1.81-dev,"
  ExpectHas "$call" "nodejs (>= 18), npm"
}

Deps.RefuseAGroupThatTheTableDoesNotHave() {
  StandInsForPackages
  local said
  said=$(InstallPackages link linkk) && Fail "exit code 0"
  ExpectHas "$said" "no group 'linkk' in docs/packages.md"
}

Deps.ListThePackagesOfAllGroups() {
  local listed
  listed=$(sh "$root/src/cmake/install_packages.sh" --list)
  ExpectHas "$listed" "libboost-dev (>= 1.81) | libboost1.81-dev"
  ExpectHas "$listed" "chromium | chromium-browser"
  [[ $listed != *used\ for* ]] || Fail "the header is listed: $listed"
}

Deps.InstallAlthoughTheListsCouldNotBeUpdated() {
  StandInsForPackages
  StandIn apt-get <<<'[[ $* != *update* ]]'
  ExpectHas "$(InstallPackages run)" "deps: installed"
}

Deps.DoNotBlameTheReleaseWhenTheNetworkIsDown() {
  StandInsForPackages
  # apt-get fails like this: without --error-on=any, an update that fetched nothing succeeds.
  StandIn apt-get <<<'[[ $* == *update* && $* != *--error-on=any* ]]'
  StandIn apt-cache <<<''
  local said
  said=$(InstallPackages link) && Fail "exit code 0"
  ExpectHas "$said" "the package lists could not be fetched"
  [[ $said != *"no source of"* ]] || Fail "the release is blamed: $said"
}

Deps.NameThePackageThatTheReleaseIsTooOldFor() {
  StandInsForPackages
  StandIn apt-get <<<'[[ $* == *update* || $* != *fmt* ]]'
  local said
  said=$(InstallPackages link) && Fail "exit code 0"
  ExpectHas "$said" "has libfmt-dev (>= 9)"
  ExpectHas "$said" "Debian 12, Debian 13, and Ubuntu 24.04 with universe, have all packages"
  [[ $said != *"has zlib"* ]] || Fail "zlib is there: $said"
}

Deps.SayTheCommandAndStopWithoutRootAndSudo() {
  StandInsForPackages lacking 1000
  # Only the stand-ins and what the script calls, so that the machine's own sudo is out of sight.
  local program
  for program in sh bash awk paste sed dirname; do
    ln -s "$(command -v $program)" "$scratch/bin/"
  done
  local said
  said=$(PATH=$scratch/bin sh "$root/src/cmake/install_packages.sh" pages 2>&1) && Fail "exit code 0"
  ExpectHas "$said" "apt-get satisfy --no-install-recommends 'nodejs (>= 18), npm'"
  ExpectIs "$(cat "$scratch/calls")" ""
}

Deps.ListTheLibrariesWhereThereIsNoDebian() {
  StandIn nothing <<<''
  local program
  for program in sh awk paste sed dirname; do
    ln -s "$(command -v $program)" "$scratch/bin/"
  done
  local said
  said=$(PATH=$scratch/bin sh "$root/src/cmake/install_packages.sh" link 2>&1)
  ExpectHas "$said" "not a Debian system"
  ExpectHas "$said" "libboost-dev (>= 1.81) or libboost1.81-dev"
}

# -- tests/build/run_tests.sh, in a copy of its place; ctest reports what stands in $scratch/report and exits with $1

RunTests() {
  mkdir -p "$scratch/tree/tests/build" "$scratch/tree/build/release"
  cp "$root/tests/build/run_tests.sh" "$scratch/tree/tests/build/"
  StandIn cmake <<<'exit 0'
  StandIn ctest <<<"cp '$scratch/report' build/release/tests.xml; exit $1"
  PATH=$scratch/bin:$PATH "$scratch/tree/tests/build/run_tests.sh" 1 release 2>&1
}

Report() {
  printf '<testsuite name="x"\n\ttests="%d"\n\tfailures="%d"\n\tdisabled="%d"\n\tskipped="%d"\n\t>\n' "$@" >"$scratch/report"
}

RunTests.EndsWithTheNumberOfTestsThatPassed() {
  Report 12 0 0 0
  local said
  said=$(RunTests 0)
  ExpectHas "$said" "ALL TESTS PASSED in "
  ExpectIs "$(tail -n 1 <<<"$said")" "12 passed, 0 failed, 0 skipped"
}

RunTests.FailsWhenATestFailed() {
  Report 12 2 0 0
  local said
  said=$(RunTests 8) && Fail "exit code 0"
  ExpectHas "$said" "TESTS FAILED: "
  ExpectHas "$said" "10 passed in release (g++), 2 failed"
  ExpectHas "$said" "build                              compiling"
}

RunTests.FailsWhenNoTestRan() {
  Report 0 0 0 0
  local said
  said=$(RunTests 0) && Fail "exit code 0"
  ExpectHas "$said" "TESTS FAILED: 0 passed"
}

RunTests.ReportsABuildThatFails() {
  Report 12 0 0 0
  mkdir -p "$scratch/tree/tests/build" "$scratch/tree/build/release"
  cp "$root/tests/build/run_tests.sh" "$scratch/tree/tests/build/"
  StandIn cmake <<<'exit 2'
  local said
  said=$(PATH=$scratch/bin:$PATH "$scratch/tree/tests/build/run_tests.sh" 1 release 2>&1) && Fail "exit code 0"
  ExpectHas "$said" "BUILD FAILED: release (g++)"
}

RunTests.RefusesArgumentsThatItDoesNotKnowBeforeItBuilds() {
  StandIn cmake <<<"touch '$scratch/built'"
  local arguments said
  for arguments in "" "2" "x release" "0 release" "2 release relase"; do
    # shellcheck disable=SC2086
    said=$(PATH=$scratch/bin:$PATH "$root/tests/build/run_tests.sh" $arguments 2>&1) && Fail "exit code 0 for '$arguments'"
    ExpectHas "$said" "error: "
  done
  ExpectHas "$said" "no test preset 'relase'"
  [[ ! -e $scratch/built ]] || Fail "it began to build"
}

RunTests.CountsWhatWasSkippedByItself() {
  Report 12 0 0 1
  cat >>"$scratch/report" <<'END'
	<testcase name="A.Traces" classname="A.Traces" time="0.1" status="notrun">
		<skipped message="SKIP_RETURN_CODE=77"/>
		<system-out>a line before
skipped: no ptrace
</system-out>
	</testcase>
END
  local said
  said=$(RunTests 0)
  ExpectHas "$(grep '^release' <<<"$said")" "11        0        1"
  ExpectHas "$said" "release: A.Traces: skipped: no ptrace"
}

# -- tests/sim/mutants/run_mutants.py

RunMutants.RefusesAPatternWithoutFaultsBeforeItBuilds() {
  StandIn cmake <<<"touch '$scratch/built'"
  local said
  said=$(PATH=$scratch/bin:$PATH "$root/tests/sim/mutants/run_mutants.py" 1 "$scratch/mutants" 'no_such*' 2>&1) && Fail "exit code 0"
  ExpectHas "$said" "no fault matches 'no_such*'"
  [[ ! -e $scratch/built ]] || Fail "it began to build"
}

# -- flamegraph/build_pages.sh, in a copy of its place, with stand-ins for node and npm

BuildPages() {
  mkdir -p "$scratch/tree"
  cp -r "$root/flamegraph" "$scratch/tree/" 2>/dev/null || true
  rm -rf "$scratch/tree/flamegraph/node_modules"
  PATH=$scratch/bin:$PATH "$scratch/tree/flamegraph/build_pages.sh" "$@" 2>&1
}

StandInsForPages() {
  StandIn npm <<<'mkdir -p node_modules'
  StandIn node <<<"echo \"\$*\" >>'$scratch/calls'; mkdir -p ../build/flamegraph; touch \"\$2\""
}

Pages.AreBuiltWhereNodeIsAndOnlyAnewWhenTheyHaveChanged() {
  StandInsForPages
  BuildPages optional
  ExpectIs "$(grep -c build.mjs "$scratch/calls")" 3
  PATH=$scratch/bin:$PATH "$scratch/tree/flamegraph/build_pages.sh" optional
  ExpectIs "$(grep -c build.mjs "$scratch/calls")" 3
  touch "$scratch/tree/flamegraph/timeline/main.js"
  PATH=$scratch/bin:$PATH "$scratch/tree/flamegraph/build_pages.sh" optional
  ExpectIs "$(grep -c build.mjs "$scratch/calls")" 5  # the page of charts names its scripts
}

Pages.AreNoErrorWithoutTheirPackagesAndTheMessageComesOnce() {
  StandInsForPages
  StandIn npm <<<'exit 1'
  ExpectHas "$(BuildPages optional)" "npm cannot install their packages    make page build"
  ExpectIs "$(PATH=$scratch/bin:$PATH "$scratch/tree/flamegraph/build_pages.sh" optional 2>&1)" ""
  PATH=$scratch/bin:$PATH "$scratch/tree/flamegraph/build_pages.sh" && Fail "exit code 0 for pages that are not optional"
  return 0
}

# -- tests/build/run_suite.sh, with a stand-in for a binary of GoogleTest

RunSuite() {
  StandIn suite
  "$root/tests/build/run_suite.sh" name "$scratch/records" "$scratch/bin/suite" 2>&1
}

RunSuite.CountsCasesAndKeepsTheReasonOfASkippedOne() {
  ExpectHas "$(RunSuite <<'END'
echo '[ RUN      ] A.B'; echo '[       OK ] A.B (1 ms)'
echo '[ RUN      ] A.C'; echo 'x.cpp:1: Skipped'; echo 'no terminal'; echo '[  SKIPPED ] A.C (0 ms)'
echo '[==========] 2 tests from 1 test suite ran. (1 ms total)'
END
)" "1 passed, 0 failed, 1 skipped"
  ExpectHas "$(cat "$scratch/records/name.txt")" "A.C: no terminal"
}

RunSuite.FailsWhenACaseWasNotCounted() {
  local said
  said=$(RunSuite <<'END'
echo '[ RUN      ] A.B'; echo 'no new line[       OK ] A.B (1 ms)'
echo '[ RUN      ] A.C'; echo '[       OK ] A.C (1 ms)'
echo '[==========] 2 tests from 1 test suite ran. (1 ms total)'
END
) && Fail "exit code 0"
  ExpectHas "$said" "1 cases were counted, GoogleTest reports 2"
}

RunSuite.FailsWhenNoCaseRan() {
  local said
  said=$(RunSuite <<<"echo '[==========] 0 tests from 0 test suites ran. (0 ms total)'") && Fail "exit code 0"
  ExpectHas "$said" "no case ran"
}

RunSuite.NamesTheFailedCaseAndTheCommandThatRepeatsIt() {
  local said
  said=$(RunSuite <<'END'
echo '[ RUN      ] A.B'; echo 'x.cpp:1: Failure'; echo '[  FAILED  ] A.B/0, where GetParam() = 1 (1 ms)'; exit 1
END
) && Fail "exit code 0"
  ExpectHas "$said" "x.cpp:1: Failure"
  ExpectHas "$said" "FAILED: A.B/0"
  ExpectHas "$said" "--gtest_filter=A.B/0"
}

RunSuite.NamesTheCaseInWhichTheProcessDied() {
  local said
  said=$(RunSuite <<<"echo '[ RUN      ] A.B'; exit 134") && Fail "exit code 0"
  ExpectHas "$said" "the process ended with code 134"
  ExpectHas "$said" "FAILED: A.B"
}

RunSuite.FailsWhenTheProcessFailsAfterItsCases() {
  local said
  said=$(RunSuite <<<"echo '[ RUN      ] A.B'; echo '[       OK ] A.B (1 ms)'; echo leak; exit 23") && Fail "exit code 0"
  ExpectHas "$said" "leak"
}

RunSuite.ReportsTheCasesThatDidNotRunAfterACrash() {
  local said
  said=$(RunSuite <<'END'
echo '[==========] Running 5 tests from 1 test suite.'
echo '[ RUN      ] A.B'; echo '[       OK ] A.B (1 ms)'; echo '[ RUN      ] A.C'; exit 134
END
) && Fail "exit code 0"
  ExpectHas "$said" "3 cases after it did not run"
}

RunSuite.RepeatsAFailedCaseWithItsSeed() {
  local said
  said=$(RunSuite <<'END'
echo '[ RUN      ] A.B'; echo 'seed: SCHEDBENCH_SEED=7'; echo '[       OK ] A.B (1 ms)'
echo '[ RUN      ] A.C'; echo '[  FAILED  ] A.C (1 ms)'; exit 1
END
) && Fail "exit code 0"
  ExpectHas "$said" "SCHEDBENCH_SEED=7 $scratch/bin/suite --gtest_filter=A.C"
}

RunSuite.KeepsTheEndOfALongOutput() {
  local said
  said=$(RunSuite <<'END'
echo '[ RUN      ] A.B'; for ((i = 0; i < 9000; ++i)); do echo "line $i"; done; echo 'the last word'; exit 134
END
) && Fail "exit code 0"
  ExpectHas "$said" "the last word"
  ((${#said} < 60000)) || Fail "${#said} characters"
}

RunSuite.KeepsTheReasonOfASkippedCaseThatPrintedMore() {
  RunSuite <<'END' >/dev/null
echo '[ RUN      ] A.C'; echo 'seed: SCHEDBENCH_SEED=7'; echo 'x.cpp:1: Skipped'; echo 'no terminal'; echo '[  SKIPPED ] A.C (0 ms)'
echo '[==========] 1 tests from 1 test suite ran. (1 ms total)'
END
  ExpectIs "$(tail -n 1 "$scratch/records/name.txt")" "A.C: no terminal"
}

RunSuite.EndsTheBinaryWhenItIsInterrupted() {
  StandIn suite <<<"echo \$\$ >'$scratch/pid'; exec sleep 60"
  "$root/tests/build/run_suite.sh" name "$scratch/records" "$scratch/bin/suite" >/dev/null 2>&1 &
  local runner=$!
  until [[ -s $scratch/pid ]]; do sleep 0.05; done
  kill -TERM $runner
  wait $runner && Fail "exit code 0"
  while kill -0 "$(cat "$scratch/pid")" 2>/dev/null; do sleep 0.05; done  # ends, or the test's limit of time does
  [[ ! -e $scratch/records/name.txt ]] || Fail "a record of an interrupted suite"
}

# -- src/cmake/write_git_revision.cmake

Git() {
  git -C "$scratch/checkout" -c user.name=n -c user.email=e -c commit.gpgsign=false -c init.defaultBranch=main "$@"
}

Checkout() {
  mkdir -p "$scratch/checkout/inner"
  echo one >"$scratch/checkout/file"
  Git init --quiet
  Git add file
  Git commit --quiet --message one
}

Revision() {
  cmake -D SOURCE="$1" -D OUTPUT="$scratch/revision.hpp" -P "$root/src/cmake/write_git_revision.cmake"
  sed -n 's/.*kGit[A-Za-z]*\(\[\]\)\? = "\?\([a-z0-9]*\)"\?;/\2/p' "$scratch/revision.hpp" | tr '\n' ' '
}

GitRevision.IsUnknownOutsideACheckout() {
  mkdir "$scratch/plain"
  ExpectIs "$(Revision "$scratch/plain")" "unknown false "
}

GitRevision.IsUnknownInATarballThatLiesInAnotherCheckout() {
  Checkout
  ExpectIs "$(Revision "$scratch/checkout/inner")" "unknown false "
}

GitRevision.ReportsWhetherTrackedFilesWereModified() {
  Checkout
  local head
  head=$(Git rev-parse HEAD)
  echo note >"$scratch/checkout/untracked"
  ExpectIs "$(Revision "$scratch/checkout")" "$head false "
  echo two >"$scratch/checkout/file"
  ExpectIs "$(Revision "$scratch/checkout")" "$head true "
}

GitRevision.LeavesTheHeaderAloneUntilSomethingChanges() {
  Checkout
  Revision "$scratch/checkout" >/dev/null
  touch --date=2001-01-01 "$scratch/revision.hpp"
  Revision "$scratch/checkout" >/dev/null
  ExpectIs "$(date --reference="$scratch/revision.hpp" +%Y)" "2001"
  Git commit --quiet --allow-empty --message two
  Revision "$scratch/checkout" >/dev/null
  [[ $(date --reference="$scratch/revision.hpp" +%Y) != 2001 ]] || Fail "the new revision was not written"
}

# -- tests/build/arm64_sysroot.sh, with stand-ins for apt and mmdebstrap

# Prints what the script says, and then what mmdebstrap was called with. $1: the sources that apt lists.
Sysroot() {
  StandIn apt-get <<<"echo '$1'"
  StandIn apt-config <<<"echo 'Acquire::http::Proxy \"http://deb.debian.org\";'"
  StandIn mmdebstrap <<<"echo \"\$@\" >>'$scratch/calls'; cat >>'$scratch/calls'"
  StandIn dpkg-query <<<'[[ $4 == libnewer-dev ]] && echo config-files || echo installed'
  mkdir -p "$scratch/tests/build" "$scratch/src/cmake" "$scratch/docs"
  cp "$root"/tests/build/{arm64_sysroot,debian_sources}.sh "$scratch/tests/build"
  cp "$root/src/cmake/install_packages.sh" "$scratch/src/cmake"
  echo '| one | what | tool, libone-dev (>= 2:1.5), libnewer-dev (>= 3) or libolder-dev | why |' >"$scratch/docs/packages.md"
  PATH=$scratch/bin:$PATH "$scratch/tests/build/arm64_sysroot.sh" one 2>&1 && cat "$scratch/calls"
}

Sysroot.HasThePackagesOfThisSuiteFromTheMirrorsOfThisMachine() {
  local suite said
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  said=$(Sysroot "deb http://deb.debian.org/debian $suite main")
  ExpectHas "$said" "--include=libone-dev,libolder-dev --aptopt=Acquire::http::Proxy"
  ExpectHas "$said" "deb http://deb.debian.org/debian $suite main"
  ExpectIs "$(Sysroot "deb http://deb.debian.org/debian $suite main")" "$(cat "$scratch/calls")"
}

Sysroot.IsRefusedWithoutPackageListsOfThisSuite() {
  local said
  said=$(Sysroot "deb http://deb.debian.org/debian another main") && Fail "exit code 0"
  ExpectHas "$said" "this needs Debian 12 or 13, after apt-get update"
}

# -- tests/build/on_one_cpu.sh

OneCpu.RunsTheCommandOnOneOfTheCpusThatAreAllowed() {
  ExpectIs "$("$root/tests/build/on_one_cpu.sh" nproc)" "1"
}

# Without arguments: the names of the tests, for CMake.
if (($# == 0)); then
  sed -n 's/^\([A-Z][A-Za-z]*\.[A-Za-z]*\)() {$/\1/p' "${BASH_SOURCE[0]}"
else
  "$1"
fi
