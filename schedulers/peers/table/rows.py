"""The rows of `make compare-peers`: workloads with their sizes, peers, and targets.

The sizes let a round of `fast` take some 10 to 100 ms on two CPUs, and 10 to 30 ms where two workers share one (`one_cpu`), so that
a pass over all rows takes about three minutes with every peer. The targets are those that the project has set itself for `fast` on
two cores of an Intel Xeon: what the best known runtime needs, or what one thread needs at least, with a margin. On another machine
they are a yardstick and no promise.
"""

import os

import one_cpu
from row import (Measure, Row, cpu_us_per_operation, metric, metric_per_operation, ns_per_operation, peak_megabytes, time,
                 wall_time)

US = 1e-3  # metrics are in ns
BOOST = ("boost_fiber",)
WAITING = ("go", "tokio")  # their units can wait for each other; those of Boost.Fiber can too
FORKING = ("tbb", "rayon")
SLOW = (("boost_fiber", "a round takes seconds"),)
LARGE = (("boost_fiber", "a fiber takes two pages and more, so that the machine runs out of memory"),)

ROWS_OF_ALL_CPUS = (
    Row("fib", "fib, a fork per call", "fib:n=32,fork=structured", FORKING,
        time({1: 10, 2: 6}, "fib"), small="n=12", one_cpu=""),
    Row("skynet", "skynet 1M, structured", "skynet:leaves=1000000,fork=structured", FORKING,
        (Measure("", "ns", ns_per_operation, {1: 12, 2: 7}, "skynet"),
         Measure("peak memory", "MB", peak_megabytes, {2: 8})), small="leaves=100", one_cpu="leaves=3000000"),
    Row("fib_fibers", "fib, a fiber per call", "fib:n=25", WAITING + FORKING,
        time({1: 60, 2: 40}), small="n=12", left_out=SLOW),
    Row("skynet_channels", "skynet 1M, fibers and channels", "skynet:leaves=1000000", WAITING,
        (Measure("", "ns", ns_per_operation, {1: 108, 2: 72}),
         Measure("peak memory", "MB", peak_megabytes, {2: 120})), rounds=1, small="leaves=100",
        one_cpu="leaves=100000", left_out=SLOW),
    Row("nqueens", "nqueens 14", "nqueens:n=14", FORKING,
        (Measure("", "s", wall_time(1e-9), {1: 3.6, 2: 1.85}, "nqueens", 27358552e-9),),
        rounds=1, warmup=0, small="n=6", one_cpu="n=11"),
    Row("spawn_join", "spawn_join 1M", "spawn_join:tasks=1000000", WAITING + FORKING + ("asio",),
        time({1: 40, 2: 50}, "spawn_join"), rounds=2, small="tasks=1000", one_cpu="tasks=200000", left_out=SLOW),
    Row("chained_spawn", "chained_spawn", "chained_spawn:chains=1000",
        WAITING + BOOST + FORKING + ("asio",), time({1: 20, 2: 22}, "chained_spawn"),
        small="chains=2", one_cpu="chains=600"),
    Row("external_spawn", "external spawn", "spawn_join:tasks=200000,from=outside",
        ("tokio",) + BOOST + FORKING + ("asio",), time({1: 120, 2: 120}, "external_spawn"),
        small="tasks=1000", one_cpu="tasks=400000"),
    Row("pingpong", "ping-pong, 1 pair", "pingpong:pairs=1,rounds=100000", WAITING + BOOST,
        time({1: 60, 2: 65}, "pingpong"), small="rounds=100", one_cpu="rounds=300000"),
    Row("pingpong_100", "ping-pong, 100 pairs", "pingpong:pairs=100,rounds=3000", WAITING + BOOST,
        time({1: 65, 2: 36}, "pingpong_100"), small="rounds=10", one_cpu=""),
    Row("yield", "yield, 1000 fibers", "yield:fibers=1000,yields=2000", WAITING + BOOST + ("asio",),
        time({1: 18, 2: 10}, "yield"), small="yields=5", one_cpu="yields=600"),
    Row("mutex", "mutex, 100 fibers", "mutex:fibers=100,sections=20000,critical_ns=0,outside_ns=0",
        WAITING + BOOST, time({1: 12.5, 2: 20}, "mutex"), small="sections=10", one_cpu="sections=40000"),
    Row("channel_mpmc", "channel_mpmc, 4 + 4, capacity 64", "channel_mpmc:messages=2000000",
        WAITING + BOOST, time({2: 25}, "channel_mpmc"), workers=(2,), small="messages=1000", one_cpu="messages=1000000"),
    Row("channel_mpmc_peers", "channel_mpmc, as in suite:peers", "channel_mpmc", WAITING + BOOST,
        time({2: 70}, "channel_mpmc"), workers=(2,), small="messages=1000"),
    Row("million", "million, 20,000 fibers: create and wake", "million:fibers=20000",
        WAITING + BOOST, time({2: 700}), workers=(2,), small="fibers=100", one_cpu=""),
    Row("external_wake", "external wake-up",
        "open_loop:rate=10000,requests=1000,service_ns=0,arrivals=constant", WAITING + BOOST,
        (Measure("p50", "us", metric("uncorrected_p50", US), {2: 1.7}),
         Measure("p99", "us", metric("uncorrected_p99", US), {2: 11}),
         Measure("CPU time", "us", cpu_us_per_operation)), workers=(2,), small="requests=300"),
    Row("parked", "1M parked fibers", "million:fibers=1000000", WAITING,
        (Measure("memory of each", "B", metric("bytes_per_fiber"), {2: 4200},
                 lambda: os.sysconf("SC_PAGESIZE")),
         Measure("creation of each", "ns", metric_per_operation("create_time"), {1: 2100, 2: 1500}),
         Measure("wake of each", "ns", metric_per_operation("wake_time"), {1: 300, 2: 250})),
        rounds=1, warmup=0, small="fibers=1000", left_out=LARGE),
    # The goal is a ratio: a round trip of `fast` takes at most 0.8 of the time of each peer.
    Row("echo", "echo, 64 connections", "echo:messages=300", WAITING,
        (Measure("", "ns", ns_per_operation),
         Measure("p99", "us", metric("round_trip_p99", US))), small="messages=5",
        settings="blocking=hand_off,netpoll=auto"),
)

ROWS = ROWS_OF_ALL_CPUS + tuple(
    one_cpu.row_of(row) for row in ROWS_OF_ALL_CPUS if row.one_cpu is not None)
