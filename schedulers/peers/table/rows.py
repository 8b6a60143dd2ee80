"""The rows of `make compare-peers`: workloads with their sizes, peers, and targets.

The sizes let a round of `fast` take some 10 to 100 ms on two CPUs, so that a pass over all rows takes two minutes or less with every
peer. The targets are those that the project has set itself for `fast` on two cores of an Intel Xeon: what the best known runtime
needs, or what one thread needs at least, with a margin. On another machine they are a yardstick and no promise.
"""

from dataclasses import dataclass, field, replace
import os
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
    one_cpu: bool = False  # the value is that with 2 workers divided by that with 1, both on one CPU
    small: str = ""  # sizes for --small: each a KEY=VALUE of the workload
    left_out: tuple = ()  # pairs of a peer that has the workload, and why it is not measured


def with_workload(row, workload):
    return replace(row, workload=workload)


def with_small_sizes(row):
    """Returns the row with sizes that only show that it runs."""
    name, _, parameters = row.workload.partition(":")
    sizes = dict(pair.split("=") for text in (parameters, row.small) for pair in text.split(",") if pair)
    return with_workload(row, name + ":" + ",".join(f"{key}={value}" for key, value in sizes.items()))


def metric(name, scale=1.0):
    return lambda rounds: statistics.median(one["metrics"][name] * scale for one in rounds)


def wall_time(scale=1.0):
    return lambda rounds: statistics.median(one["wall_ns"] * scale for one in rounds)


def ns_per_operation(rounds):
    return statistics.median(one["wall_ns"] / one["operations"] for one in rounds)


def cpu_us_per_operation(rounds):
    return statistics.median(one["cpu_ns"] / one["operations"] / 1000 for one in rounds)


def wake_ns_per_fiber(rounds):
    return statistics.median(one["metrics"]["wake_time"] / one["operations"] for one in rounds)


def peak_megabytes(rounds):
    return max(one["peak_rss_bytes"] for one in rounds) / 1e6


def time(targets, floor=None):
    return (Measure("", "ns", ns_per_operation, targets, floor),)


US = 1e-3  # metrics are in ns
BOOST = ("boost_fiber",)
WAITING = ("go", "tokio")  # their units can wait for each other; those of Boost.Fiber can too
FORKING = ("tbb", "rayon")
SLOW = (("boost_fiber", "a round takes seconds"),)
LARGE = (("boost_fiber", "a fiber takes two pages and more, so that the machine runs out of memory"),)

ROWS = (
    Row("fib", "fib, a fork per call", "fib:n=32,fork=structured", FORKING,
        time({1: 10, 2: 6}, "fib"), small="n=12"),
    Row("skynet", "skynet 1M, structured", "skynet:leaves=1000000,fork=structured", FORKING,
        (Measure("", "ns", ns_per_operation, {1: 12, 2: 7}, "skynet"),
         Measure("peak memory", "MB", peak_megabytes, {2: 8})), small="leaves=100"),
    Row("skynet_channels", "skynet 1M, fibers and channels", "skynet:leaves=1000000", WAITING,
        time({1: 60, 2: 40}), rounds=1, small="leaves=100", left_out=SLOW),
    Row("nqueens", "nqueens 14", "nqueens:n=14", FORKING,
        (Measure("", "s", wall_time(1e-9), {1: 3.6, 2: 1.85}, "nqueens", 27358552e-9),),
        rounds=1, warmup=0, small="n=6"),
    Row("spawn_join", "spawn_join 1M", "spawn_join:tasks=1000000", WAITING + FORKING + ("asio",),
        time({1: 40, 2: 50}, "spawn_join"), rounds=2, small="tasks=1000", left_out=SLOW),
    Row("chained_spawn", "chained_spawn", "chained_spawn:chains=1000",
        WAITING + BOOST + FORKING + ("asio",), time({1: 20, 2: 22}, "chained_spawn"),
        small="chains=2"),
    Row("external_spawn", "external spawn", "spawn_join:tasks=200000,from=outside",
        ("tokio",) + BOOST + FORKING + ("asio",), time({1: 120, 2: 120}, "external_spawn"),
        small="tasks=1000"),
    Row("pingpong", "ping-pong, 1 pair", "pingpong:pairs=1,rounds=100000", WAITING + BOOST,
        time({1: 60, 2: 65}, "pingpong"), small="rounds=100"),
    Row("pingpong_100", "ping-pong, 100 pairs", "pingpong:pairs=100,rounds=3000", WAITING + BOOST,
        time({1: 65, 2: 36}, "pingpong_100"), small="rounds=10"),
    Row("yield", "yield, 1000 fibers", "yield:fibers=1000,yields=2000", WAITING + BOOST + ("asio",),
        time({1: 18, 2: 10}, "yield"), small="yields=5"),
    Row("mutex", "mutex, 100 fibers", "mutex:fibers=100,sections=20000,critical_ns=0,outside_ns=0",
        WAITING + BOOST, time({1: 12.5, 2: 20}, "mutex"), small="sections=10"),
    Row("channel_mpmc", "channel_mpmc, 4 + 4, capacity 64", "channel_mpmc:messages=2000000",
        WAITING + BOOST, time({2: 25}, "channel_mpmc"), workers=(2,), small="messages=1000"),
    Row("channel_mpmc_peers", "channel_mpmc, as in suite:peers", "channel_mpmc", WAITING + BOOST,
        time({2: 70}, "channel_mpmc"), workers=(2,), small="messages=1000"),
    Row("million", "million, 20,000 fibers: create and wake", "million:fibers=20000",
        WAITING + BOOST, time({2: 700}), workers=(2,), small="fibers=100"),
    Row("external_wake", "external wake-up",
        "open_loop:rate=10000,requests=1000,service_ns=0,arrivals=constant", WAITING + BOOST,
        (Measure("p50", "us", metric("uncorrected_p50", US), {2: 1.7}),
         Measure("p99", "us", metric("uncorrected_p99", US), {2: 11}),
         Measure("CPU time", "us", cpu_us_per_operation)), workers=(2,), small="requests=300"),
    Row("parked", "1M parked fibers", "million:fibers=1000000", WAITING,
        (Measure("memory of each", "B", metric("bytes_per_fiber"), {2: 4200},
                 lambda: os.sysconf("SC_PAGESIZE")),
         Measure("wake of each", "ns", wake_ns_per_fiber, {2: 250})),
        workers=(2,), rounds=1, warmup=0, small="fibers=1000", left_out=LARGE),
) + tuple(
    Row(key + "_one_cpu", title + ", 2 workers on one CPU", workload, WAITING,
        (Measure("", "x", ns_per_operation, {2: 1.1}),), workers=(2,), one_cpu=True, small=small)
    for key, title, workload, small in (
        ("pingpong", "ping-pong, 1 pair", "pingpong:pairs=1,rounds=100000", "rounds=100"),
        ("yield", "yield, 1000 fibers", "yield:fibers=1000,yields=2000", "yields=5"),
        ("chained_spawn", "chained_spawn", "chained_spawn:chains=1000", "chains=2"),
        ("spawn_join", "spawn_join", "spawn_join:tasks=300000", "tasks=1000")))
