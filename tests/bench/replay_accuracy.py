#!/usr/bin/env python3
"""How exact replays and predictions of task graphs are on this machine.

In each pass, records each workload with one worker, compares replays with the program, in turns, by the lower quartile of
their rounds, and the prediction of whatif for two workers with a replay. Prints a table of medians and ranges over the
passes, and how many medians are within 5 % and 10 %.

usage: replay_accuracy.py TOOL [--passes N] [--workloads NAME,...]
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

WORKLOADS = {
    "actor": "actor",
    "channel_mpmc": "channel_mpmc",
    "fib": "fib:n=18,fork=spawn",
    "mergesort": "mergesort:fork=spawn",
    "microservice_dag": "microservice_dag",
    "mutex": "mutex",
    "open_loop": "open_loop",
    "pingpong": "pingpong:pairs=64,rounds=500",
    "pipeline": "pipeline",
    "request_mix": "request_mix",
    "skynet": "skynet:leaves=10000,fork=spawn",
    "spawn_join": "spawn_join:tasks=20000",
    "taskgraph": "taskgraph:steps=200",
    "yield": "yield:fibers=100,yields=1000",
}


TURNS = 11  # of the program and a replay, for each recording
TURN_NS = 60e6  # of the rounds of a turn: longer than most disturbances


def output_of(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip().splitlines()[-1:]}")
    return done.stdout


def round_times(command, rounds, folder):
    result = json.loads(output_of(command + ["-n", str(rounds), "-q", "-f", "json"], folder))
    return [one["wall_ns"] for one in result["rounds"]]


def undisturbed(times):
    """The lower quartile: what disturbs a round makes it slower."""
    return statistics.quantiles(times, n=4, method="inclusive")[0]


# One recording, and of it the ratio of a replay to the program, and of a prediction to a replay.
def measure(tool, name, spec, folder):
    graph = f"{name}.graph"
    text = output_of([tool, "record", "-s", "fast", "--workers", "1", "-w", spec, "--events", str(1 << 22), "-o", graph,
                      "-q"], folder)
    loop = ["--open"] if "--open" in text else []
    run = [tool, "run", "-s", "fast", "--workers", "1", "-w", spec]
    rounds = max(7, round(TURN_NS / undisturbed(round_times(run, 7, folder))))
    programs, replays = [], []
    for _ in range(TURNS):
        programs += round_times(run, rounds, folder)
        replays += round_times([tool, "replay", graph] + loop, rounds, folder)
    result = json.loads(output_of([tool, "whatif", graph, "--workers", "1,2", "-q", "-f", "json"] + loop, folder))
    two = result["predictions"][1]
    predicted = two["makespan_ns"]["median"] / two["measured_ns"]["median"] if two["measured_ns"] is not None else None
    return undisturbed(replays) / undisturbed(programs), predicted


def ratio_text(ratios):
    return f"{statistics.median(ratios):.2f} [{min(ratios):.2f} .. {max(ratios):.2f}]" if ratios else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--workloads", default=",".join(WORKLOADS))
    arguments = parser.parse_args()
    tool = os.path.abspath(arguments.tool)
    names = arguments.workloads.split(",")
    unknown = [name for name in names if name not in WORKLOADS]
    if unknown:
        sys.exit(f"error: unknown workload {unknown[0]}; expected one of {', '.join(WORKLOADS)}")
    exact_replays, exact_predictions, predicted = 0, 0, 0
    print("| workload | replay / program, 1 worker | predicted / measured, 2 workers |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            try:
                measured = [measure(tool, name, WORKLOADS[name], folder) for _ in range(arguments.passes)]
            except RuntimeError as error:
                sys.exit(f"error: {error}")
            replays = [replay for replay, _ in measured]
            predictions = [predicted for _, predicted in measured if predicted is not None]
            print(f"| `{name}` | {ratio_text(replays)} | {ratio_text(predictions)} |", flush=True)
            exact_replays += abs(statistics.median(replays) - 1) <= 0.05
            if predictions:
                predicted += 1
                exact_predictions += abs(statistics.median(predictions) - 1) <= 0.1
    print(f"\nreplays within 5 %: {exact_replays} of {len(names)}; "
          f"predictions within 10 %: {exact_predictions} of {predicted}")


main()
