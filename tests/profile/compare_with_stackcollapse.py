#!/usr/bin/env python3
"""Compares `schedbench flamegraph fold` with stackcollapse-perf.pl on the test files of FlameGraph and inferno.

Usage: compare_with_stackcollapse.py SCHEDBENCH FLAMEGRAPH [INFERNO]   (folders of checkouts)

For each text of perf script that both read, totals must be equal, and stacks too, once both are written in one style. Folded
files are compared by their totals with the sum of the last column. Exits with 1 if a file differs that is not listed in kKnown.
"""

import collections
import glob
import gzip
import os
import re
import subprocess
import sys

# By the end of the path: why the result differs on purpose.
kKnown = {
    "single-line-stacks.txt": "the script needs a call graph; two events are two graphs",
    "empty-line.txt": "the frames behind an empty line belong to the event in front of it",
    "perf-vertx-stacks-01.txt": "a frame without a symbol has the name of its module",
    "cpp-stacks-std-function.txt": "the script cuts at a parenthesis in template arguments",
    "weird-stack-line.txt": "equal totals; the script drops what it cannot read",
    "no-events.txt": "an empty file is refused",
    "unknown-format.txt": "a file without a stack is refused",
    "invalid-perf-with-empty-line-after-event-line.txt": "as empty-line.txt",
}


def parse(text):
    stacks = collections.Counter()
    for line in text.splitlines():
        stack, _, weight = line.rstrip().rpartition(" ")
        stacks[stack] += float(weight)
    return stacks


def without_type(name):
    """A function without the type that it returns, as in "void f<int>"."""
    depth, begin = 0, 0
    for i, c in enumerate(name):
        depth += (c in "<({[") - (c in ">)}]")
        begin = i + 1 if c == " " and depth == 0 else begin
    return name[begin:] if "::" in name and ":~" not in name else name


def style(stack):
    """What both write differently: blanks, parameters, operators, marks, quotes, the L in front of classes of Java."""
    command, *frames = stack.split(";")
    result = [command.replace(" ", "_")]
    for frame in frames:
        frame = re.sub(r"_\[[ijk]\]$", "", frame).replace("(anonymous namespace)", "{anonymous}")
        frame = re.sub(r"operator_(call|arrow).*", "operator", frame)
        frame = re.sub(r"[\"'`]", "", frame).replace("[[", "[").replace("]]", "]")
        if ".(" not in frame:
            frame = re.sub(r"(?<!^)\(.*", "", frame)
        frame = without_type(re.sub(r"^L(?=\w+:::)", "", frame))
        result.append(frame.replace("=>", "->"))
    return ";".join(result)


def run(command, data=None):
    return subprocess.run(command, input=data, capture_output=True, check=False)


def main(tool, flame_graph, *others):
    files = []
    for folder in (flame_graph, *others):
        for pattern in ("test/*.txt", "*stacks.txt.gz", "tests/data/collapse-perf/*.txt", "tests/data/collapse-guess/*.txt",
                        "test/results/*.txt", "tests/data/collapse-perf/results/*.txt", "tests/data/flamegraph/*/*.txt"):
            files += sorted(glob.glob(os.path.join(folder, pattern)))
    unexpected = equal = 0
    for path in files:
        with open(path, "rb") as file:
            data = file.read()
        data = gzip.decompress(data) if path.endswith(".gz") else data
        ours = run([tool, "flamegraph", "fold", path])
        is_perf = re.search(r"results|/flamegraph/", path[len(flame_graph):] if "/flamegraph/" in flame_graph else path) is None
        if is_perf:
            # The script loses a last sample without an empty line behind it.
            theirs = parse(run(["perl", os.path.join(flame_graph, "stackcollapse-perf.pl")], data + b"\n\n").stdout.decode("utf-8", "replace"))
        else:
            lines = [line for line in data.decode("utf-8", "replace").splitlines() if not line.startswith("#")]
            theirs = parse("\n".join(line for line in lines if re.search(r"\S\s+\d+(\.\d*)?\s*$", line)))
        mine = parse(re.sub(r"^(.*) [0-9.]+( [0-9.]+)$", r"\1\2", ours.stdout.decode(), flags=re.M) if "diff" in path else ours.stdout.decode())
        differences = []
        if abs(sum(mine.values()) - sum(theirs.values())) > 1e-6:
            differences.append(f"totals {sum(mine.values()):.10g} and {sum(theirs.values()):.10g}")
        elif is_perf:
            a, b = collections.Counter(), collections.Counter()
            for source, target in ((mine, a), (theirs, b)):
                for stack, weight in source.items():
                    target[style(stack)] += weight
            if a != b:
                only = sorted((a - b).keys())[:1] + sorted((b - a).keys())[:1]
                differences.append(f"{len((a - b).keys())} stacks: " + "\n      ".join([""] + only))
        if not differences:
            equal += 1
            continue
        known = next((why for end, why in kKnown.items() if path.endswith(end)), None)
        unexpected += known is None
        print(f"{'known' if known else 'DIFFERENT'}: {path}: {'; '.join(differences)}{': ' + known if known else ''}")
        if ours.stderr:
            print("    " + ours.stderr.decode().splitlines()[0])
    print(f"{equal} of {len(files)} files are equal, {unexpected} differ without a reason")
    return 1 if unexpected else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
