"""Rows with two workers on one CPU: the time with two workers, divided by that with one, alone and with a CPU hog.

Each row is derived from one of the table. In one comparison every runtime takes part twice, with one worker and with two, and all take
their rounds in turn. A value is the median of the ratios of neighbouring rounds, so it does not depend on the speed of the machine,
which changes from second to second where other virtual machines run on the host.
"""

from dataclasses import dataclass, replace
import os
import pathlib
import shlex
import statistics
import sys

import cell
from row import Measure, Row, cpu_us_per_operation, ns_per_operation, with_sizes
from summary import OURS

PEERS = ("go", "tokio")
TARGET = {2: 1.1}
AGENT_WITH_WORKERS = str(pathlib.Path(__file__).with_name("agent_with_workers.py"))

ALONE = Measure("alone", "x", ns_per_operation, TARGET)
WITH_A_HOG = Measure("with a hog", "x", ns_per_operation, TARGET)
CPU_TIME = Measure("CPU time with a hog", "x", cpu_us_per_operation)


@dataclass(frozen=True)
class Variant:
    """A comparison."""

    hogs: int
    rounds: int
    measures: tuple


# Beside a hog the kernel switches every few milliseconds, so the median needs more rounds. There only `fast` is measured: each peer
# would take several times as long.
VARIANTS = (Variant(0, 7, (ALONE,)), Variant(1, 9, (WITH_A_HOG, CPU_TIME)))


@dataclass(frozen=True)
class OneCpuRow(Row):
    base: str = ""  # the key of the row that it is derived from


def row_of(base):
    """Returns the row with two workers on one CPU. Requires: base.one_cpu is not None."""
    return OneCpuRow(
        key=base.key + "_one_cpu", title=base.key + ", 2 workers on one CPU",
        workload=with_sizes(base.workload, base.one_cpu), peers=tuple(name for name in base.peers if name in PEERS),
        measures=tuple(measure for variant in VARIANTS for measure in variant.measures),
        workers=(2,), small=base.small, settings=base.settings, base=base.key)


def alternative(runtime, workers):
    return f"{runtime}_{workers}"


def command(tool, row, variant, workers, peers, seed):
    """Returns the command line of compare. What taskset starts inherits its CPU: all agents with their workers, and the hog."""
    line = ["taskset", "-c", str(min(os.sched_getaffinity(0))), tool, "compare",
            *(f"{alternative(OURS, count)}={OURS}:{','.join([f'workers={count}', *filter(None, [row.settings])])}"
              for count in (1, workers))]
    for name in peers:
        program = str(cell.peer_folder(tool) / name)
        for count in (1, workers):
            agent = [sys.executable, "-I", "-S", AGENT_WITH_WORKERS, str(count), program, "agent"]
            line += ["--with", f"{alternative(name, count)}={shlex.join(agent)}"]
    if variant.hogs:
        line += ["--hog", str(variant.hogs)]
    return line + cell.flags_of(replace(row, rounds=variant.rounds), seed)


def ratio(measure, ones, others):
    """Returns the median of the ratios of the rounds that were neighbours."""
    return statistics.median(measure.of_rounds([other]) / measure.of_rounds([one]) for one, other in zip(ones, others))


def measure_cell(tool, row, workers, peers, seed, run=cell.run_command):
    """Returns what cell.measure_cell returns; each value is a ratio to one worker."""
    values, failures, versions, disturbed = {measure.name: {} for measure in row.measures}, {}, {}, False
    for variant in VARIANTS:
        runtimes = [OURS] if variant.hogs else [OURS, *(name for name in peers if name in row.peers)]
        owners = {alternative(name, count): name for name in runtimes for count in (1, workers)}
        rounds, failed, some_versions, noise = cell.read_comparison(
            *run(command(tool, row, variant, workers, runtimes[1:], seed)), owners, alternative(OURS, 1))
        where = " with a hog" if variant.hogs else ""
        failures.update({owners[name]: f"{name}{where}: {reason}" for name, reason in failed.items()})
        versions.update(some_versions)
        disturbed = disturbed or noise
        for measure in variant.measures:
            for name in runtimes:
                try:
                    values[measure.name][name] = ratio(measure, *(rounds[alternative(name, count)] for count in (1, workers)))
                except (LookupError, TypeError, ZeroDivisionError):
                    failures.setdefault(name, f"no value {measure.name}")
    return values, failures, versions, disturbed
