#!/bin/bash
# Builds the agent of a Rust runtime.
# Usage: build.sh NAME OUT     the crate, a folder next to this one, and the program to write; the compiler's caches go to OUT's
#                              folder
set -euo pipefail

name=${1:?usage: build.sh NAME OUT}
out=$(realpath --canonicalize-missing -- "${2:?usage: build.sh NAME OUT}")
kept="$(dirname "$out")/.$(basename "$out").build"
peers=$(realpath -- "$(dirname "${BASH_SOURCE[0]}")/..")

# Cargo writes its lock file next to the sources, so it gets a copy. The copy has the times of the originals, by which
# Cargo detects changes.
rm -rf "$kept/source"
mkdir -p "$kept/source" "$kept/home"
for crate in rust_agent "$name"; do
  mkdir "$kept/source/$crate"
  cp -a "$peers/$crate/Cargo.toml" "$peers/$crate/src" "$kept/source/$crate/"
done
cd "$kept/source/$name"

# Debian's compiler and Debian's crates, even if there are others; no network.
cargo() {
  env -i PATH=/usr/bin:/bin HOME="$kept/home" CARGO_HOME="$kept/home" RUSTC=/usr/bin/rustc \
    CARGO_BUILD_JOBS="${CARGO_BUILD_JOBS:-$(nproc)}" RUNTIME_VERSION="${version:-}" \
    COMPILER_VERSION="${compiler:-}" RUSTFLAGS="${flags:-}" \
    /usr/bin/cargo "$@" --offline --quiet \
    --config 'source.crates-io.replace-with="debian"' \
    --config 'source.debian.directory="/usr/share/cargo/registry"'
}

cargo generate-lockfile
# The agent reports both.
compiler=$(/usr/bin/rustc --version | cut -d ' ' -f 1,2)
version=$(grep --after-context 1 "^name = \"$name\"\$" Cargo.lock | sed --quiet 's/^version = "\(.*\)"$/\1/p')
# Usage: build TARGET OUT
build() {
  cargo build --release --target-dir "$kept/$1"
  cp "$kept/$1/release/$name-agent" "$2.new"
  mv "$2.new" "$2"
}
build target "$out"
if [[ $name == tokio ]]; then
  flags='--cfg tokio_unstable' build target_unstable "$out.no_lifo_slot"
fi
