#!/bin/sh
# Installs the packages of the named groups that are missing, and lists them. With none missing it is silent and uses no
# network. The groups are those of docs/packages.md.
# Usage: install_packages.sh GROUP...
#        install_packages.sh --list [GROUP...]    prints them, or those of all groups, and installs nothing
set -eu

table=$(dirname "$0")/../../docs/packages.md

# Prints a column of the rows of a group, one row a line. The table has "or" where Debian has "|".
column() {
  awk -F ' *[|] *' -v group="$1" -v column="$2" '$2 == group { gsub(/ or /, " | ", $column); print $column }' "$table"
}

list=
if [ "${1:-}" = --list ]; then
  list=yes
  shift
  if [ $# -eq 0 ]; then
    # The header of the table is not a group.
    set -- $(awk -F ' *[|] *' 'NF == 6 && $2 != "group" && $2 !~ /^-/ && !seen[$2]++ { print $2 }' "$table")
  fi
fi
if [ $# -eq 0 ]; then
  echo "deps: which groups of docs/packages.md?" >&2
  exit 2
fi
needed=
for group in "$@"; do
  packages=$(column "$group" 4 | paste -s -d ,)
  if [ -z "$packages" ]; then
    echo "deps: no group '$group' in docs/packages.md" >&2
    exit 2
  fi
  needed=${needed:+$needed,}$packages
done

if [ -n "$list" ]; then
  echo "$needed" | tr , '\n' | sed 's/^ *//'
  exit 0
fi

if ! command -v apt-get >/dev/null; then
  echo "deps: not a Debian system; install these, or what your distribution calls them:" >&2
  for group in "$@"; do
    # Debian's epochs and tildes are no part of a version.
    column "$group" 4 | sed 's/ | / or /g; s/>= [0-9]*:/>= /g; s/~)/)/g; s/^/  /' >&2
  done
  exit 0
fi

# dpkg-checkbuilddeps comes with build-essential: where it is missing, there is something to install.
if command -v dpkg-checkbuilddeps >/dev/null && dpkg-checkbuilddeps -d "$needed" /dev/null 2>/dev/null; then
  exit 0
fi

if [ "$(id -u)" -eq 0 ]; then
  as_root=
elif command -v sudo >/dev/null; then
  as_root="sudo"
else
  echo "deps: packages are missing; installing them needs root and there is no sudo here; run as root:" >&2
  echo "deps: apt-get update && apt-get satisfy --no-install-recommends '$needed'" >&2
  exit 1
fi

# The lock is waited for, because a fresh machine often upgrades itself in the background.
apt() {
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -q "$@" </dev/null
}

# One unreachable third-party source must not stop the installation, which fails if a package is in none of the lists. Without
# --error-on=any, apt-get update succeeds although it could not fetch a list.
echo "deps: installing packages of the groups: $*"
updated=yes
apt update --error-on=any || updated=
[ -n "$updated" ] || echo "deps: apt-get update failed; trying with the package lists that are here" >&2
if apt satisfy --yes --no-install-recommends "$needed"; then
  echo "deps: installed"
  exit 0
fi

release=$(. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME:-}" || true)
echo "deps: could not install: $needed" >&2
[ -n "$updated" ] || echo "deps: the package lists could not be fetched: check the network and the sources of apt" >&2
[ -n "$(apt-cache pkgnames g++ 2>/dev/null)" ] || exit 1  # no lists at all
missing=$(echo "$needed" | tr , '\n' | sed 's/^ *//' | while read -r package; do
  if ! apt-get satisfy --simulate --no-install-recommends "$package" >/dev/null 2>&1; then
    echo "deps: no source of ${release:-this release} has $package"
  fi
done)
if [ -n "$missing" ]; then
  echo "$missing" >&2
  echo "deps: Debian 12, Debian 13, and Ubuntu 24.04 with universe, have all packages" >&2
fi
exit 1
