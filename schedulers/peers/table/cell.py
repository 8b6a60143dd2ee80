"""One cell of a pass: a row with a number of workers, measured by `schedbench compare`, all runtimes in turn."""

import json
import os
import subprocess

from summary import OURS

TIME_LIMIT = "60s"  # of a round


def command(tool, row, workers, peers, seed):
    """Returns the command line of compare for a row."""
    line = [tool, "compare", OURS]
    if peers:
        line += ["--with", ",".join(peers)]
    line += ["--workload", row.workload, "--workers", str(workers), "--blocks", "1",
             "--rounds", str(row.rounds), "--warmup", str(row.warmup), "--seed", str(seed),
             "--timeout", TIME_LIMIT, "--format", "json", "--quiet"]
    if row.one_cpu:
        line = ["taskset", "-c", str(min(os.sched_getaffinity(0)))] + line
    return line


def run_command(line):
    """Runs it; returns its exit code, stdout and stderr. Raises KeyboardInterrupt if it was interrupted."""
    finished = subprocess.run(line, capture_output=True, text=True, check=False)
    if finished.returncode == 130:
        raise KeyboardInterrupt
    return finished.returncode, finished.stdout, finished.stderr


def other_work(workload):
    """Returns the runtimes that did other work than fast, where it must be the same, with what differs."""
    counts = {name: (one["audit"] or {}).get("counts", {}) for name, one in workload["measured"].items()}
    ours = counts.get(OURS, {})
    return {name: f"did other work: {what} {theirs[what]}, not {ours[what]}"
            for work in workload["work"] if work["must_agree"] and not work["same"]
            for what in [work["count"]] for name, theirs in counts.items()
            if what in theirs and what in ours and theirs[what] != ours[what]}


def read_comparison(code, out, err, runtimes):
    """Returns the rounds of each runtime that finished, the failures of the others, the versions of the runtimes, and whether
    something else took CPU time.

    `runtimes`: those that fail if there is no comparison at all.
    """
    try:
        result = json.loads(out)
        workload = result["workloads"][0]
        measured = workload["measured"]
    except (ValueError, LookupError):
        lines = [line for line in err.splitlines() if line.strip()]
        reason = lines[0].strip() if lines else "no message"
        return {}, {name: f"exit {code}: {reason}" for name in runtimes}, {}, False
    rounds, failures = {}, {}
    for name, one in measured.items():
        finished = [one_round for block in one["blocks"] for one_round in block]
        if one["failure"] is not None or not finished:
            failures[name] = one["failure"] or "no round has finished"
        else:
            rounds[name] = finished
    for name, reason in other_work(workload).items():
        if rounds.pop(name, None) is not None:
            failures[name] = reason
    versions = {one["name"]: one["runtime"] for one in result["alternatives"] if one.get("runtime")}
    return rounds, failures, versions, bool(result.get("disturbed"))


def measure_cell(tool, row, workers, peers, seed, run=run_command):
    """Returns the values of each measure by runtime, the failures, the versions of the runtimes, and whether something else took
    CPU time.
    """
    runtimes = [OURS, *peers]
    if not row.one_cpu:
        rounds, failures, versions, disturbed = read_comparison(
            *run(command(tool, row, workers, peers, seed)), runtimes)
        values = {measure.name: {} for measure in row.measures}
        for measure in row.measures:
            for name, some in rounds.items():
                try:
                    values[measure.name][name] = measure.of_rounds(some)
                except (LookupError, TypeError):  # a metric that a round does not have, or null
                    failures[name] = f"no value of {measure.name}"
        return values, failures, versions, disturbed
    alone, failures, versions, disturbed = read_comparison(
        *run(command(tool, row, 1, peers, seed)), runtimes)
    shared, more_failures, _, also_disturbed = read_comparison(
        *run(command(tool, row, workers, peers, seed)), runtimes)
    failures.update(more_failures)
    values = {measure.name: {} for measure in row.measures}
    for measure in row.measures:
        for name in alone.keys() & shared.keys():
            try:
                values[measure.name][name] = measure.of_rounds(shared[name]) / measure.of_rounds(alone[name])
            except (LookupError, TypeError, ZeroDivisionError):
                failures[name] = f"no value of {measure.name}"
    return values, failures, versions, disturbed or also_disturbed
