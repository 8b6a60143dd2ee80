"""One cell of a pass: a row with a number of workers, measured by `schedbench compare`, all runtimes in turn."""

import json
import os
import pathlib
import subprocess

from summary import OURS

TIME_LIMIT = "60s"  # of a round


def flags_of(row, seed):
    """Returns the flags of compare for the workload and the rounds of a row."""
    return ["--workload", row.workload, "--blocks", "1", "--rounds", str(row.rounds), "--warmup", str(row.warmup),
            "--seed", str(seed), "--timeout", TIME_LIMIT, "--format", "json", "--quiet"]


def peer_folder(tool):
    """Returns where compare looks for peers."""
    return pathlib.Path(os.environ.get("SCHEDBENCH_PEERS", pathlib.Path(tool).parent / "peers"))


def command(tool, row, workers, peers, seed):
    """Returns the command line of compare for a row."""
    line = [tool, "compare", f"{OURS}={OURS}:{row.settings}" if row.settings else OURS]
    if peers:
        line += ["--with", ",".join(peers)]
    return line + ["--workers", str(workers)] + flags_of(row, seed)


def run_command(line):
    """Runs it; returns its exit code, stdout and stderr. Raises KeyboardInterrupt if it was interrupted."""
    finished = subprocess.run(line, capture_output=True, text=True, check=False)
    if finished.returncode == 130:
        raise KeyboardInterrupt
    return finished.returncode, finished.stdout, finished.stderr


def other_work(workload, ours):
    """Returns the runtimes that did other work than ours, where it must be the same, with what differs."""
    counts = {name: (one["audit"] or {}).get("counts", {}) for name, one in workload["measured"].items()}
    our_counts = counts.get(ours, {})
    return {name: f"did other work: {what} {theirs[what]}, not {our_counts[what]}"
            for work in workload["work"] if work["must_agree"] and not work["same"]
            for what in [work["count"]] for name, theirs in counts.items()
            if what in theirs and what in our_counts and theirs[what] != our_counts[what]}


def read_comparison(code, out, err, runtimes, ours=OURS):
    """Returns the rounds of each runtime that finished, the failures of the others, the versions of the runtimes, and whether
    something else took CPU time.

    `runtimes`: those that fail if there is no comparison at all. `ours`: the one whose work the others must do.
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
    for name, reason in other_work(workload, ours).items():
        if rounds.pop(name, None) is not None:
            failures[name] = reason
    versions = {one["name"]: one["runtime"] for one in result["alternatives"] if one.get("runtime")}
    return rounds, failures, versions, bool(result.get("disturbed"))


def measure_cell(tool, row, workers, peers, seed, run=run_command):
    """Returns the values of each measure by runtime, the failures, the versions of the runtimes, and whether something else took
    CPU time.
    """
    rounds, failures, versions, disturbed = read_comparison(
        *run(command(tool, row, workers, peers, seed)), [OURS, *peers])
    values = {measure.name: {} for measure in row.measures}
    for measure in row.measures:
        for name, some in rounds.items():
            try:
                values[measure.name][name] = measure.of_rounds(some)
            except (LookupError, TypeError):  # a metric that a round does not have, or null
                failures[name] = f"no value of {measure.name}"
    return values, failures, versions, disturbed
