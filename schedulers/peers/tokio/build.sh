#!/bin/bash
# Debian packages: cargo libmimalloc-dev librust-flume-dev librust-libc-dev librust-serde-json-dev librust-tokio-dev
# Builds the agent of the Tokio runtime.
# Usage: build.sh OUT     the program to write; the compiler's caches go to OUT's folder
set -euo pipefail

out=$(realpath --canonicalize-missing -- "${1:?usage: build.sh OUT}")
kept="$(dirname "$out")/.$(basename "$out").build"
here=$(realpath -- "$(dirname "${BASH_SOURCE[0]}")")

# Cargo writes its lock file beside the sources, so it gets a copy. The copy has the times of the originals, by which
# Cargo detects changes.
rm -rf "$kept/source"
mkdir -p "$kept/source" "$kept/home"
cp -a "$here/Cargo.toml" "$here/src" "$kept/source/"
cd "$kept/source"

# Debian's compiler and Debian's crates, even if there are others; no network.
cargo() {
  env -i PATH=/usr/bin:/bin HOME="$kept/home" CARGO_HOME="$kept/home" RUSTC=/usr/bin/rustc \
    CARGO_BUILD_JOBS="${CARGO_BUILD_JOBS:-$(nproc)}" TOKIO_VERSION="${tokio_version:-}" \
    /usr/bin/cargo "$@" --offline --quiet \
    --config 'source.crates-io.replace-with="debian"' \
    --config 'source.debian.directory="/usr/share/cargo/registry"'
}

cargo generate-lockfile
# The agent reports it.
tokio_version=$(grep --after-context 1 '^name = "tokio"$' Cargo.lock | sed --quiet 's/^version = "\(.*\)"$/\1/p')
cargo build --release --target-dir "$kept/target"
cp "$kept/target/release/tokio-agent" "$out.new"
mv "$out.new" "$out"
