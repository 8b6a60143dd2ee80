#!/usr/bin/env python3
"""Runs an agent with a fixed number of workers: agent_with_workers.py WORKERS COMMAND...

`compare --workers N` sets one number for all peers. Through this program, alternatives of one comparison have different numbers.
"""

import json
import os
import signal
import subprocess
import sys


def with_workers(line, workers):
    """Returns a request of the agent protocol; that to open a scheduler gets the number of workers."""
    request = json.loads(line)
    if request["request"] == "open":
        request["config"] = {**request.get("config", {}), "workers": workers}
    return json.dumps(request) + "\n"


def main(workers, command):
    with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as agent:  # it answers on our stdout
        for stream in (sys.stdout.fileno(), sys.stderr.fileno()):
            os.close(stream)  # so that they end with the agent
        try:
            for line in sys.stdin:
                agent.stdin.write(with_workers(line, workers))
                agent.stdin.flush()
            agent.stdin.close()
        except BrokenPipeError:
            agent.stdin = None  # it has ended
        code = agent.wait()
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)  # ends as the agent did
    return code


if __name__ == "__main__":
    os._exit(main(int(sys.argv[1]), sys.argv[2:]))  # nothing to flush: the streams are closed
