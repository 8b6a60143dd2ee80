#!/usr/bin/env python3
"""Compares structured forks of `fast` with those of libraries whose sources you have: libfork, TooManyCooks, citor.

Compiles a small program for each library that SOURCES holds, with -O3 for this CPU. In each pass runs fast and all
programs one after the other, and takes the median of their rounds. Prints the medians and ranges over the passes, and
the time of a library divided by that of fast in the same pass: below 1, the library is faster.

usage: compare.py TOOL SOURCES [--passes N] [--rounds N] [--workers N,...]
SOURCES: a folder with the sources of the libraries, in folders with the names of LIBRARIES below.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

# For each library the folder in SOURCES from which its header is included.
LIBRARIES = {"libfork": "single_header", "TooManyCooks": "include", "citor": "single_include"}
# For each row its workload, the number that the programs take, and its operations.
ROWS = {
    "fib": ("fib:n={},fork=structured", 32, "fork"),
    "nqueens": ("nqueens:n={}", 11, "placement"),
}


def build(sources, folder):
    """Compiles the programs, and returns the path of each."""
    here = os.path.dirname(os.path.abspath(__file__))
    programs = {}
    for name, include in LIBRARIES.items():
        path = os.path.join(sources, name, include)
        if not os.path.isdir(path):
            print(f"{name} is left out: {path} does not exist", file=sys.stderr)
            continue
        program = os.path.join(folder, name)
        source = os.path.join(here, name.lower() + ".cpp")
        subprocess.run(["g++", "-std=c++20", "-O3", "-march=native", "-DNDEBUG", "-w", "-pthread", "-isystem", path,
                        source, "-o", program], check=True)
        programs[name] = program
    return programs


def of_fast(tool, workload, workers, rounds):
    """Returns the median time of a round in ms, and the operations of a round."""
    command = [tool, "run", "-s", "fast", "-w", workload, "--workers", str(workers), "--rounds", str(rounds),
               "--warmup", "1", "--format", "json"]
    result = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    times = [one["wall_ns"] for one in result["rounds"]]
    return statistics.median(times) / 1e6, result["rounds"][0]["operations"]


def of_program(program, workload, number, workers, rounds):
    """Returns the median time of a round in ms, without the first."""
    command = [program, str(workers), workload, str(number), str(rounds + 1)]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return statistics.median([float(line) for line in output.split()][1:])


def positive(text):
    """Converts an argument that is a number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1")
    return int(text)


def numbers(text):
    """Converts an argument that is a list of such numbers, with commas."""
    return [positive(part) for part in text.split(",")]


def text(values):
    """Returns the median of some values, and their range."""
    return f"{statistics.median(values):.3g} [{min(values):.3g} .. {max(values):.3g}]"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("sources")
    parser.add_argument("--passes", type=positive, default=7)
    parser.add_argument("--rounds", type=positive, default=5)
    parser.add_argument("--workers", type=numbers, default=[1, 2], metavar="N,...")
    arguments = parser.parse_args()
    if not os.access(arguments.tool, os.X_OK):
        parser.error(f"TOOL: {arguments.tool} is not a program")
    with tempfile.TemporaryDirectory() as folder:
        programs = build(arguments.sources, folder)
        if not programs:
            parser.error(f"SOURCES: {arguments.sources} holds none of {', '.join(LIBRARIES)}")
        print("| row | workers | library | ns per operation | time / fast |\n|---|---|---|---|---|")
        for row, (workload, number, operation) in ROWS.items():
            for workers in arguments.workers:
                times = {name: [] for name in ["fast", *programs]}
                for _ in range(arguments.passes):
                    fast, operations = of_fast(arguments.tool, workload.format(number), workers, arguments.rounds)
                    times["fast"].append(fast)
                    for name, program in programs.items():
                        times[name].append(of_program(program, row, number, workers, arguments.rounds))
                for name, of_passes in times.items():
                    ns = [ms * 1e6 / operations for ms in of_passes]
                    ratios = [ms / fast for ms, fast in zip(of_passes, times["fast"])]
                    print(f"| {row}, ns per {operation} | {workers} | {name} | {text(ns)} | {text(ratios)} |", flush=True)


if __name__ == "__main__":
    main()
