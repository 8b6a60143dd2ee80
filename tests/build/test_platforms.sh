#!/bin/bash
# Builds and tests this tree as a new user would, in a fresh tree of each Debian release: make run, the quick release tests, the
# Debian packages, installed, and a simulated installation of all packages that any verb needs. In the release of this machine
# the tests are only configured: make test runs them. The newest release also gets the tool by clang, the pages, and the check of
# foreign runtimes. Needs root, for chroot; the trees are in build/platforms, and a compiler cache stays there for the next time.
# Usage: test_platforms.sh JOBS [RELEASE...]     by default: bookworm trixie
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ! [[ ${1:-} =~ ^[1-9][0-9]*$ ]]; then
  echo "error: JOBS is '${1:-}', not a number from 1" >&2
  exit 2
fi
jobs=$1
shift
releases=("$@")
((${#releases[@]} > 0)) || releases=(bookworm trixie)
for release in "${releases[@]}"; do
  case $release in
    bookworm | trixie) ;;
    *)
      echo "error: no release '$release'; expected one of bookworm, trixie" >&2
      exit 2
      ;;
  esac
done
if [[ $(id -u) != 0 ]]; then
  echo "error: test_platforms.sh changes the root folder, which needs root    sudo make test-platforms" >&2
  exit 2
fi
tests/build/debian_sources.sh >/dev/null  # ends with its message where this machine has no mirror
proxies=$(apt-config dump Acquire | grep -i '::proxy' || true)

rows=()
# Runs a step in a tree, in mounts that end with it, and adds a row of the table at the end.
Step() {
  local release=$1 name=$2 begun=$SECONDS tree=build/platforms/$1
  echo "== $release: $name"
  unshare --mount bash -c '
    set -euo pipefail
    # The tests of containers change mounts, so that the root of the tree has to be one.
    mount --bind "$1" "$1"
    for folder in proc sys dev; do
      mount --rbind "/$folder" "$1/$folder"
    done
    mount --bind build/platforms/ccache "$1/ccache"
    exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 CCACHE_DIR=/ccache \
      ${NODE_EXTRA_CA_CERTS:+NODE_EXTRA_CA_CERTS=/etc/npm-certificates.pem} DEBIAN_FRONTEND=noninteractive \
      SCHEDBENCH_WERROR="${SCHEDBENCH_WERROR:-}" bash -euo pipefail -c "cd /src; $2"' _ "$tree" "$3" </dev/null ||
    { echo "PLATFORM FAILED: $release: $name" >&2; exit 1; }
  rows+=("$(printf '%-10s %-44s %6d s' "$release" "$name" $((SECONDS - begun)))")
}

this_release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release 2>/dev/null || true)
mkdir -p build/platforms/ccache
for release in "${releases[@]}"; do
  tree=build/platforms/$release
  rm -rf --one-file-system "$tree"
  sources=$(tests/build/debian_sources.sh "$release")
  # The line of the release itself, neither of its updates nor of its security fixes.
  mirror=$(awk -v release="$release" '$3 == release && !mirror { mirror = $2 } END { print mirror }' <<<"$sources")
  debootstrap --variant=minbase --include=make,git,ca-certificates "$release" "$tree" "$mirror" >"$tree.log" 2>&1 ||
    { cat "$tree.log"; exit 1; }
  echo "$sources" >"$tree/etc/apt/sources.list"
  echo "$proxies" >"$tree/etc/apt/apt.conf.d/proxy"
  # npm in the tree trusts the certificates that npm trusts here.
  [[ -z ${NODE_EXTRA_CA_CERTS:-} ]] || cp "$NODE_EXTRA_CA_CERTS" "$tree/etc/npm-certificates.pem"
  mkdir "$tree/ccache"
  git clone --quiet . "$tree/src"
  # The tree also gets changes and files that are not committed.
  git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- --ignore-failed-read --create --file=- |
    tar --extract --file=- --directory="$tree/src"
  Step "$release" "make run" "make run JOBS=$jobs"
  packages="src/cmake/install_packages.sh link run quick"
  if [[ $release == "$this_release" ]]; then
    Step "$release" "packages of the quick tests, configured" "$packages; cmake --preset release -DSCHEDBENCH_TESTS=ON"
  else
    Step "$release" "release tests, quick" "$packages; tests/build/run_tests.sh $jobs release"
  fi
  Step "$release" "make deb, installed" "make deb JOBS=$jobs
    apt-get -q install --yes --no-install-recommends ./build/deb/*.deb
    cd /; schedbench run --config fast.json --workload pingpong --rounds 2"
  Step "$release" "packages of all verbs, simulated" "packages=\$(src/cmake/install_packages.sh --list | paste -s -d ,)
    apt-get -q satisfy --simulate --no-install-recommends \"\$packages\" | grep -c ^Inst"
done
newest=${releases[-1]}
Step "$newest" "clang 19" "src/cmake/install_packages.sh test
  cmake --preset release -B build/clang -DCMAKE_CXX_COMPILER=clang++-19
  cmake --build build/clang --parallel $jobs --target schedbench
  build/clang/schedbench run --config fast.json --workload pingpong --rounds 2"

Step "$newest" "pages and foreign runtimes" "make page JOBS=$jobs; make test-peers JOBS=$jobs"

printf '\n%-10s %-44s %8s\n' release step took
printf '%s\n' "${rows[@]}"
echo "ALL PLATFORMS PASSED in $SECONDS s"
