#!/bin/sh
# Installs those of the named Debian packages that are missing and says which. With none missing: silent, no network.
# Usage: install_packages.sh PACKAGE...
set -eu

if ! command -v dpkg-query >/dev/null; then
  echo "deps: not a Debian system; these packages, or their like, are expected to be there: $*" >&2
  exit 0
fi

# dpkg-query names the packages that it knows and fails if it does not know one: both are answers, not errors.
installed=" $(dpkg-query -W -f '${db:Status-Status} ${Package} ' "$@" 2>/dev/null || true)"
missing=
for package in "$@"; do
  case $installed in
    *" installed $package "*) ;;
    *) missing="$missing $package" ;;
  esac
done
if [ -z "$missing" ]; then
  exit 0
fi

# The lock is waited for, because a fresh machine often upgrades itself in the background.
install="apt-get -o DPkg::Lock::Timeout=300 install --yes --no-install-recommends$missing"
if [ "$(id -u)" -eq 0 ]; then
  as_root=
elif command -v sudo >/dev/null; then
  as_root="sudo"
else
  echo "deps: missing packages:$missing" >&2
  echo "deps: installing needs root and there is no sudo here; run as root: apt-get update && apt-get install --no-install-recommends$missing" >&2
  exit 1
fi

echo "deps: installing:$missing"
# One unreachable third-party source must not stop us: whether the lists were good enough, the install says.
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -q update </dev/null ||
  echo "deps: apt-get update failed; trying with the package lists that are here" >&2
# shellcheck disable=SC2086  # a list of words by purpose
if ! $as_root env DEBIAN_FRONTEND=noninteractive $install -q </dev/null; then
  echo "deps: could not install:$missing" >&2
  echo "deps: what was tried: ${as_root:+$as_root }$install" >&2
  exit 1
fi
echo "deps: installed:$missing"
