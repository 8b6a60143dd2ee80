"""What a row of the table is, what is read from its rounds, and its sizes."""

from dataclasses import dataclass, field, replace
import statistics


@dataclass(frozen=True)
class Measure:
    """A value that is read from the rounds of a runtime; less is better."""

    name: str  # unique in its row; '' for the only one
    unit: str
    of_rounds: object  # the rounds of one process, as in the JSON of compare -> the value
    targets: dict = field(default_factory=dict)  # workers -> the largest value that meets the target
    floor: object = None  # the name of a floor of bench_floors, or a function that returns a value
    per_floor: float = 1.0  # what the floor is multiplied by, to be of this unit


@dataclass(frozen=True)
class Row:
    """A workload, measured with some numbers of workers by one run of compare each."""

    key: str  # for --rows
    title: str
    workload: str  # as compare takes it
    peers: tuple
    measures: tuple
    workers: tuple = (1, 2)
    rounds: int = 3
    warmup: int = 1
    small: str = ""  # sizes for --small: each a KEY=VALUE of the workload
    one_cpu: str | None = None  # sizes of its row with two workers on one CPU; None: it has no such row
    left_out: tuple = ()  # pairs of a peer that has the workload, and why it is not measured
    settings: str = ""  # of `fast`, where its defaults do not have what the row measures: FIELD=VALUE,...


def with_workload(row, workload):
    return replace(row, workload=workload)


def with_sizes(workload, sizes):
    """Returns a workload with some of its parameters replaced: each a KEY=VALUE."""
    name, _, parameters = workload.partition(":")
    all_of_them = dict(pair.split("=") for text in (parameters, sizes) for pair in text.split(",") if pair)
    return name + ":" + ",".join(f"{key}={value}" for key, value in all_of_them.items())


def with_small_sizes(row):
    """Returns the row with sizes that only show that it runs."""
    return with_workload(row, with_sizes(row.workload, row.small))


def metric(name, scale=1.0):
    return lambda rounds: statistics.median(one["figures"][name] * scale for one in rounds)


def wall_time(scale=1.0):
    return lambda rounds: statistics.median(one["wall_ns"] * scale for one in rounds)


def ns_per_operation(rounds):
    return statistics.median(one["wall_ns"] / one["operations"] for one in rounds)


def cpu_us_per_operation(rounds):
    return statistics.median(one["cpu_ns"] / one["operations"] / 1000 for one in rounds)


def metric_per_operation(name):
    return lambda rounds: statistics.median(one["figures"][name] / one["operations"] for one in rounds)


def peak_megabytes(rounds):
    return max(one["peak_rss_bytes"] for one in rounds) / 1e6


def time(targets, floor=None):
    return (Measure("", "ns", ns_per_operation, targets, floor),)
