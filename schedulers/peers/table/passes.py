"""Measures passes until the budget is over.

A pass measures each row once with each number of workers, in a random order, all runtimes in turn, and the floors once. So whatever
disturbs the machine for some minutes disturbs all rows and all runtimes alike.
"""

import json
import os
import pathlib
import platform
import random
import subprocess
import sys
import time

import cell
import one_cpu
from options import UsageError, peers_of


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


def report_progress(text):
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def measure_cell(tool, row, workers, peers, seed):
    kind = one_cpu if isinstance(row, one_cpu.OneCpuRow) else cell
    return kind.measure_cell(tool, row, workers, peers, seed)


def measure_pass(number, options, rows, peers, choose, result, run=measure_cell):
    """Appends the cells of a pass to the result, each when it is complete."""
    cells = [(row, workers) for row in rows for workers in row.workers]
    choose.shuffle(cells)
    for done, (row, workers) in enumerate(cells):
        report_progress(f"pass {number + 1}: {done} of {len(cells)}, now {row.key} with {workers} workers")
        start = time.monotonic()
        values, failures, versions, disturbed = run(
            options.tool, row, workers, peers_of(row, peers), choose.randrange(2**31))
        result["samples"].append({"row": row.key, "workers": workers, "pass": number,
                                  "seconds": round(time.monotonic() - start, 1),
                                  "disturbed": disturbed, "values": values, "failures": failures})
        result["versions"].update(versions)
    report_progress("")


def measure(options, rows, peers, run=measure_cell, floors=measure_floors, clock=time.monotonic):
    """Returns the result of as many passes as the options want, or, with "complete": false, what Ctrl-C left complete."""
    seed = random.randrange(2**31) if options.seed is None else options.seed
    choose = random.Random(seed)
    result = {"kind": "compare-peers", "seed": seed, "small": options.small, "machine": machine(),
              "versions": {}, "workloads": {row.key: row.workload for row in rows}, "passes": 0,
              "samples": [], "floors": [], "complete": False}
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
