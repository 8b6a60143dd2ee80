#!/usr/bin/env python3
"""Measures `fast` beside the foreign runtimes and prints the table of README.md: make compare-peers.

A pass measures each row of the table once with each number of workers, in a random order, all runtimes in turn, and the floors once.
So whatever disturbs the machine for some minutes disturbs all rows and all runtimes alike.
"""

import argparse
import json
import os
import pathlib
import platform
import random
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import cell  # noqa: E402
import rows as table_rows  # noqa: E402
import summary  # noqa: E402
import tables  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
NATIVE = ("asio", "boost_fiber", "go", "rayon", "tbb", "tokio")
HOSTED = ("asio_hosted", "tbb_hosted")
EXIT_USAGE, EXIT_FAILED_CELL, EXIT_INTERRUPTED = 2, 4, 130

EPILOG = """\
Exit codes: 0 done, whether targets are met or not; 2 wrong usage, a program that is not built, a file that cannot be written;
4 a runtime did not finish a row, and the table shows it as DNF; 130 interrupted, and the table shows what was complete."""


class UsageError(Exception):
    pass


def duration(text):
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|h)", text)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is not a time such as 90s, 20m or 1h")
    return float(match[1]) * {"s": 1, "m": 60, "h": 3600}[match[2]]


def positive(text):
    if not re.fullmatch(r"[1-9]\d*", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1")
    return int(text)


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="compare_peers.py", description=__doc__.split("\n", maxsplit=1)[0], epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("--budget", type=duration, default=duration("20m"), metavar="TIME",
                        help="begin no pass that would end later: 90s, 20m (default), 1h; the first one always ends")
    parser.add_argument("--passes", type=positive, metavar="N",
                        help="measure N passes, whatever they take")
    parser.add_argument("--rows", metavar="NAME,...", help="measure only these (default: all)")
    parser.add_argument("--small", action="store_true",
                        help="small sizes, which only show that all rows run")
    parser.add_argument("--peers", metavar="NAME,...",
                        help=f"only these (default: {','.join(NATIVE)})")
    parser.add_argument("--hosted", action="store_true",
                        help=f"also {' and '.join(HOSTED)}: our fibers on their threads")
    parser.add_argument("--seed", type=int, metavar="N", help="of the order (default: drawn)")
    parser.add_argument("--tool", default=str(ROOT / "build/release/schedbench"), metavar="FILE",
                        help="schedbench (default: that of build/release)")
    parser.add_argument("--update", action="append", default=[], metavar="FILE",
                        help="also write the tables between the marks of this document (repeatable)")
    parser.add_argument("-o", "--output", metavar="FILE", help="also keep all values, as JSON")
    parser.add_argument("--from", dest="source", metavar="FILE",
                        help="measure nothing: print what -o has kept")
    return parser.parse_args(arguments)


def selected(names, known, what):
    """Returns the names of a list separated by commas. Raises UsageError for one that is not known."""
    chosen = [name for name in names.split(",") if name]
    for name in chosen:
        if name not in known:
            raise UsageError(f"unknown {what} '{name}'; there are {', '.join(known)}")
    return chosen


def selected_rows(options):
    keys = [row.key for row in table_rows.ROWS]
    chosen = selected(options.rows, keys, "row") if options.rows else keys
    rows = [row for row in table_rows.ROWS if row.key in chosen]
    return [table_rows.with_small_sizes(row) for row in rows] if options.small else rows


def selected_peers(options):
    if options.peers:
        return selected(options.peers, NATIVE + HOSTED, "peer")
    return [*NATIVE, *(HOSTED if options.hosted else ())]


def require_programs(options, peers):
    """Raises UsageError with the command that builds what is missing."""
    tool = pathlib.Path(options.tool)
    folder = pathlib.Path(os.environ.get("SCHEDBENCH_PEERS", tool.parent / "peers"))
    for program, build in [(tool, "make build"), (tool.parent / "bench_floors", "make benchmarks"),
                           *((folder / name, "make peers") for name in peers)]:
        if not os.access(program, os.X_OK):
            raise UsageError(f"{program} is not built    {build}")


def machine():
    model = "unknown"
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    return {"model": model, "cpus": len(os.sched_getaffinity(0)), "kernel": platform.release()}


def measure_floors(tool):
    """Returns the floors by name, in ns."""
    program = str(pathlib.Path(tool).parent / "bench_floors")
    finished = subprocess.run([program, "--format", "json"], capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        raise UsageError(f"{program} ended with code {finished.returncode}: {finished.stderr.strip()}")
    floors = [json.loads(line) for line in finished.stdout.splitlines()]
    return {floor["floor"]: floor["ns"] for floor in floors}


def peers_of(row, peers):
    return [peer for peer in peers if peer in row.peers + HOSTED]


def report_progress(text):
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def measure_pass(number, options, rows, peers, choose, result, run=cell.measure_cell):
    """Appends the cells of a pass to the result, each when it is complete."""
    cells = [(row, workers) for row in rows for workers in row.workers]
    choose.shuffle(cells)
    for done, (row, workers) in enumerate(cells):
        report_progress(f"pass {number + 1}: {done} of {len(cells)}, now {row.key} with {workers} workers")
        start = time.monotonic()
        values, failures, versions = run(options.tool, row, workers, peers_of(row, peers),
                                         choose.randrange(2**31))
        result["samples"].append({"row": row.key, "workers": workers, "pass": number,
                                  "seconds": round(time.monotonic() - start, 1),
                                  "values": values, "failures": failures})
        result["versions"].update(versions)
    report_progress("")


def measure(options, rows, peers, run=cell.measure_cell, floors=measure_floors, clock=time.monotonic):
    """Returns the result of as many passes as the options want, or, with "complete": false, what Ctrl-C left complete."""
    seed = random.randrange(2**31) if options.seed is None else options.seed
    choose = random.Random(seed)
    result = {"kind": "compare-peers", "seed": seed, "small": options.small, "machine": machine(),
              "versions": {},
              "workloads": {row.key: row.workload for row in rows}, "passes": 0, "samples": [],
              "floors": [], "complete": False}
    start, longest = clock(), 0.0
    try:
        while True:
            began = clock()
            result["floors"].append(floors(options.tool))
            measure_pass(result["passes"], options, rows, peers, choose, result, run)
            result["passes"] += 1
            longest = max(longest, clock() - began)
            print(f"pass {result['passes']} took {clock() - began:.0f} s", file=sys.stderr)
            if options.passes is not None:
                if result["passes"] >= options.passes:
                    break
            elif clock() - start + longest > options.budget:
                break
        result["complete"] = True
    except KeyboardInterrupt:
        report_progress("")
    result["seconds"] = clock() - start
    return result


def write_whole(path, text):
    """Writes a file whole or not at all."""
    path = pathlib.Path(path)
    try:
        fresh = path.with_name(path.name + ".new")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def read(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {path}: {error}") from error


def read_result(path):
    try:
        result = json.loads(read(path))
        if result["kind"] != "compare-peers":
            raise ValueError
    except (ValueError, LookupError, TypeError) as error:
        raise UsageError(f"{path} is no result of -o") from error
    kept = result["workloads"]
    rows = [table_rows.with_workload(row, kept[row.key]) for row in table_rows.ROWS if row.key in kept]
    return rows, result


def show(rows, result, options):
    """Prints the tables and updates the documents. Returns whether every runtime has finished."""
    lines = summary.lines_of(rows, result)
    texts = tables.texts_of(lines, result)
    print("\n\n".join(texts.values()), flush=True)
    for path in options.update:
        document, _ = tables.updated(read(path), texts)
        write_whole(path, document)
    return not any(line.failures for line in lines)


def run_tool(arguments):
    options = parse_arguments(arguments)
    for path in options.update:  # before an hour is spent
        if tables.updated(read(path), {"summary": "", "peers": ""})[1] == 0:
            raise UsageError(f"{path} has no marks such as <!-- compare-peers summary: begin -->")
    if options.source:
        rows, result = read_result(options.source)
    else:
        rows, peers = selected_rows(options), selected_peers(options)
        needed = sorted({peer for row in rows for peer in peers_of(row, peers)})
        require_programs(options, needed)
        result = measure(options, rows, peers)
        if options.output:
            write_whole(options.output, json.dumps(result, indent=1) + "\n")
    all_finished = show(rows, result, options)
    if not result["complete"]:
        return EXIT_INTERRUPTED
    return 0 if all_finished else EXIT_FAILED_CELL


def main(arguments):
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return run_tool(arguments)
    except UsageError as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_USAGE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
