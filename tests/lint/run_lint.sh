#!/bin/bash
# Checks the format of all sources, their names and likely mistakes (clang-tidy), that every header compiles alone,
# with `all` also every source of the tool, and the house rules. Runs all checks and fails if any of them did.
# Usage: run_lint.sh JOBS changed|all     which files clang-tidy reads: those that differ from the upstream branch (or
# from the last commit where there is none) or all; all of them take minutes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

jobs=$1
scope=$2
build=build/release
alone=build/lint  # each source by itself, as clang-tidy reads it
failed=()

cmake --preset release -DSCHEDBENCH_TESTS=ON >/dev/null
cmake --build --preset release --parallel "$jobs" --target lint_test
SCHEDBENCH_WERROR=ON cmake --preset release -B $alone -DSCHEDBENCH_TESTS=ON -DSCHEDBENCH_UNITY=OFF >/dev/null

mapfile -t sources < <(find src schedulers workloads tests examples -name '*.cpp' -o -name '*.hpp' | sort)
echo "== clang-format: ${#sources[@]} files"
mapfile -t unformatted < <(printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P "$jobs" bash -c \
  'clang-format-19 --dry-run --Werror "$1" >/dev/null 2>&1 || echo "$1"' _ | sort)
if ((${#unformatted[@]} > 0)); then
  echo "not formatted; to fix it: clang-format-19 -i ${unformatted[*]}"
  failed+=("${#unformatted[@]} files are not formatted")
fi

echo "== house rules"
"$build/lint_test" --gtest_brief=1 || failed+=("house rules")

echo "== every header compiles alone"
cmake --build $alone --parallel "$jobs" --target lone_headers -- -k 0 || failed+=("headers")

if [[ $scope == all ]]; then
  changed=("${sources[@]}")
  echo "== every source of the tool compiles alone"
  cmake --build $alone --parallel "$jobs" --target schedbench -- -k 0 || failed+=("sources")
else
  base=$(git merge-base HEAD '@{upstream}' 2>/dev/null || echo HEAD)
  mapfile -t changed < <({
    git diff --name-only --diff-filter=d "$base" -- '*.cpp' '*.hpp'
    git ls-files --others --exclude-standard -- '*.cpp' '*.hpp'
  } | sort -u)
fi
# Headers are checked through the sources that include them. Some sources are compiled by sanitized builds alone.
checked=()
for file in "${changed[@]}"; do
  if [[ $file == *.cpp ]] && grep -qF "\"$PWD/$file\"" "$alone/compile_commands.json"; then
    checked+=("$file")
  fi
done
echo "== clang-tidy: ${#checked[@]} files ($scope)"
if ((${#checked[@]} > 0)); then
  printf '%s\0' "${checked[@]}" |
    xargs -0 -n 1 -P "$jobs" clang-tidy-19 -p "$alone" --quiet --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-Wno-unused-command-line-argument ||
    failed+=("clang-tidy")
fi

if ((${#failed[@]} > 0)); then
  printf 'LINT FAILED: %s\n' "${failed[@]}" >&2
  exit 1
fi
echo "LINT PASSED"
