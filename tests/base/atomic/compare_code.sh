#!/bin/sh
# Shows that the functions <Name>Ours and <Name>Standard of an object file are the same instructions.
# Usage: compare_code.sh OBJDUMP OBJECT NAME...
set -eu
objdump=$1
object=$2
shift 2

# Prints the instructions of a function without their addresses and without padding. Jumps go to "<code+offset>".
code_of() {
  "$objdump" -d --no-show-raw-insn "$object" |
    awk -v name="<$1>:" '$2 == name { inside = 1; next } inside && /^$/ { exit } inside' |
    sed -e 's/^ *[0-9a-f]*:[[:space:]]*//' -e "s/[0-9a-f]* <$1/<code/" |
    grep -v -E 'nop|^xchg +%ax,%ax$|^int3$'
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for name in "$@"; do
  code_of "${name}Ours" >"$folder/ours"
  code_of "${name}Standard" >"$folder/standard"
  # Two empty lists would be equal too.
  test "$(wc -l <"$folder/ours")" -ge 5
  diff "$folder/standard" "$folder/ours"
  echo "$name: the same $(wc -l <"$folder/ours") instructions"
done
