#!/bin/bash
# Makes build/arm64/sysroot: the named Debian packages of arm64 and what they depend on, unpacked and not installed. From the
# mirrors that this machine uses, of the suite that it runs. Does nothing if the sysroot has them.
# Usage: arm64_sysroot.sh PACKAGE...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=build/arm64/sysroot

suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
mirrors=$(apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
  awk -v suite="$suite" 'suite != "" && index($3, suite) == 1' | sort -u)
if [[ -z $mirrors ]]; then
  echo "arm64 sysroot: apt has no package lists of a Debian release '$suite'; run apt-get update" >&2
  exit 1
fi

wanted="$suite $*"
if [[ -f $root.packages && $(<"$root.packages") == "$wanted" ]]; then
  exit 0
fi
echo "arm64 sysroot: unpacking into $root: $*"
rm -rf "$root" "$root.packages"
mkdir -p "$(dirname "$root")"
packages=$*
# Proxies and the like of this machine; mmdebstrap reads nothing else of its configuration.
options=()
mapfile -t acquire < <(apt-config dump Acquire | grep -i '::proxy')
for line in "${acquire[@]}"; do
  options+=(--aptopt="$line")
done
mode=auto
((EUID == 0)) || mode=chrootless  # nothing runs in the sysroot
mmdebstrap --quiet --variant=extract --mode="$mode" --architectures=arm64 --include="${packages// /,}" "${options[@]}" \
  "$suite" "$root" - <<<"$mirrors"
echo "$wanted" >"$root.packages"
