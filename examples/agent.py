#!/usr/bin/env python3
"""An agent: a runtime in another language, here generators that take turns. It does one workload, yield.

    schedbench agent-check -- python3 agent.py
    schedbench compare fast --with 'mine=python3 agent.py' -w yield:fibers=100,yields=100"""
import collections, json, sys, time
DEFAULTS = {"fibers": 1000, "yields": 1000, "front_end": "fiber"}
KEYS = {"hello": {"protocol"}, "open": {"scheduler", "workload", "config", "parameters", "seed", "timeout_ns"},
        "round": {"name", "audit"}, "close": set()}
class Refused(Exception): ...
def require(good, message, kind="input"):
    if not good: raise Refused(kind, message)

def peak_rss_bytes():
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))

def measure(parameters):
    fibers, yields = parameters["fibers"], parameters["yields"]
    yielded = [0] * fibers
    def fiber(number):
        for _ in range(yields):
            yielded[number] += 1
            yield
    wall, cpu, switches = time.monotonic_ns(), time.process_time_ns(), 0
    ready = collections.deque(fiber(number) for number in range(fibers))
    while ready:
        switches += 1
        if next(ready[0], "ended") == "ended": ready.popleft()
        else: ready.rotate(-1)
    wall, cpu = time.monotonic_ns() - wall, time.process_time_ns() - cpu
    require(yielded == [yields] * fibers, "a fiber did not yield as often as it should", "failed")
    return {"reply": "round", "wall_ns": wall, "cpu_ns": cpu, "operations": fibers * yields,
            "peak_rss_bytes": peak_rss_bytes(), "counts": {"spawns": fibers, "switches": switches}}

def answer(request, opened):  # the reply, and what is open after it
    kind = request.pop("request", None)
    require(kind in KEYS and not request.keys() - KEYS[kind], f"unknown request or key: {kind} {list(request)}")
    if kind == "hello":
        require(request.get("protocol") == 1, "this agent speaks protocol 1")
        return {"reply": "hello", "protocol": 1, "runtime": "python", "version": sys.version.split()[0],
                "tasks": "generators", "schedulers": ["round_robin"], "workloads": ["yield"]}, opened
    require((kind == "open") == (opened is None), f"{kind}: something is open, or nothing is")
    if kind != "open":
        return (measure(opened), opened) if kind == "round" else ({"reply": "close"}, None)
    require(request["scheduler"] == "round_robin" and request["workload"] == "yield", "not here", "unsupported")
    parameters = DEFAULTS | request.get("parameters", {})
    require(parameters.keys() == DEFAULTS.keys() and parameters["front_end"] == "fiber" and
            isinstance(parameters["fibers"], int) and isinstance(parameters["yields"], int), "wrong parameter")
    require(request.get("config", {}) in ({}, {"workers": 1}), "config: workers can only be 1")
    return {"reply": "open", "config": {"workers": 1}, "parameters": parameters, "operation": "yield"}, parameters

opened = None
for line in sys.stdin:
    try:
        reply, opened = answer(json.loads(line), opened)
    except (Refused, ValueError, LookupError, TypeError, AttributeError) as error:
        kind, message = error.args if isinstance(error, Refused) else ("input", repr(error))
        reply = {"reply": "error", "kind": kind, "message": message}
    print(json.dumps(reply), flush=True)
    if reply.get("kind") == "failed": sys.exit(4)
