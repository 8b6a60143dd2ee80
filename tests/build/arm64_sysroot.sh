#!/bin/bash
# Makes build/arm64/sysroot: the libraries of the named groups of docs/packages.md for arm64 and what they depend on, unpacked
# and not installed. They come from the mirrors that this machine uses, of the suite that it runs. Does nothing if the sysroot
# has them. Where the table has alternatives, the sysroot gets what this machine has installed.
# Usage: arm64_sysroot.sh GROUP...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=build/arm64/sysroot

suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
mirrors=$(tests/build/debian_sources.sh)

packages=()
while IFS='|' read -r -a alternatives; do
  for alternative in "${alternatives[@]}"; do
    read -r name _ <<<"$alternative"
    if [[ $name == *-dev && $(dpkg-query --show --showformat '${db:Status-Status}' "$name" 2>/dev/null) == installed ]]; then
      packages+=("$name")
      break
    fi
  done
done < <(src/cmake/install_packages.sh --list "$@")

wanted="$suite ${packages[*]}"
if [[ -f $root.packages && $(<"$root.packages") == "$wanted" ]]; then
  exit 0
fi
echo "arm64 sysroot: unpacking into $root: ${packages[*]}"
rm -rf "$root" "$root.packages"
mkdir -p "$(dirname "$root")"
# Proxies and the like of this machine; mmdebstrap reads nothing else of its configuration.
options=()
mapfile -t acquire < <(apt-config dump Acquire | grep -i '::proxy')
for line in "${acquire[@]}"; do
  options+=(--aptopt="$line")
done
mode=auto
((EUID == 0)) || mode=chrootless  # nothing runs in the sysroot
mmdebstrap --quiet --variant=extract --mode="$mode" --architectures=arm64 --include="$(IFS=,; echo "${packages[*]}")" "${options[@]}" \
  "$suite" "$root" - <<<"$mirrors"
echo "$wanted" >"$root.packages"
