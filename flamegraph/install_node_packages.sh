#!/bin/sh
# Installs what building the pages needs and is missing: node, npm and the packages of package-lock.json.
# With all of them there: silent, no network.
set -eu
cd "$(dirname "$0")"

# By command and not by package: node often comes from elsewhere than Debian, with npm inside.
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  ../src/cmake/install_packages.sh pages
fi

# `npm ci` removes the folder first, so the copy of the lock says that what it names is there, whole.
done=node_modules/.schedbench-lock.json
if ! cmp -s package-lock.json "$done"; then
  # No scripts of packages: esbuild's program is a package of its own that needs none.
  # What npm has in its cache is not fetched again.
  npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error >&2
  cp package-lock.json "$done"
fi
