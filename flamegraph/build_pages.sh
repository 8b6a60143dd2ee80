#!/bin/sh
# Builds the pages of flame graphs, timelines and charts that have changed: build/flamegraph/*.html.
# With "optional" a machine without node, npm or their packages is no error: it gets one message, and the tool no pages.
set -eu
cd "$(dirname "$0")"
out=../build/flamegraph

is_current() {
  folders=$1
  [ "$1" != charts ] || folders='charts page timeline'  # its policy names the scripts of the others
  [ -f "$out/$1.html" ] &&
    [ -z "$(find $folders shared build.mjs notices.mjs package-lock.json -newer "$out/$1.html" | head -n 1)" ]
}

if is_current page && is_current timeline && is_current charts; then
  exit 0
fi

if [ "${1:-}" = optional ]; then
  note=$out/no_pages
  without_pages() {
    mkdir -p "$out"
    [ -f "$note" ] || echo "no pages of flame graphs, timelines and charts: $1    make page build" | tee "$note" >&2
    exit 0
  }
  command -v node >/dev/null && command -v npm >/dev/null || without_pages "node and npm are missing"
  ./install_node_packages.sh || without_pages "npm cannot install their packages"
  rm -f "$note"
else
  ./install_node_packages.sh
fi

for page in page timeline charts; do
  is_current "$page" || node build.mjs "$out/$page.html" "$page"
done
