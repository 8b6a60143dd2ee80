#!/bin/bash
# Prints apt's lines for a Debian suite, from the mirrors that this machine uses. Repositories of others are left out.
# Usage: debian_sources.sh [SUITE]     by default the suite that this machine runs
set -euo pipefail

own=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
suite=${1:-$own}
lines=$(apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
  awk -v own="$own" -v suite="$suite" 'own != "" && index($3, own) == 1 { sub(own, suite, $3); print }' | sort -u)
if [[ -z $lines ]]; then
  echo "error: apt has no package lists of a Debian release '$own': this needs Debian 12 or 13, after apt-get update" >&2
  exit 1
fi
echo "$lines"
