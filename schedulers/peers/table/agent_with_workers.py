#!/usr/bin/env python3
"""Runs an agent with a fixed number of workers: agent_with_workers.py WORKERS COMMAND...

`compare --workers N` sets one number for all peers. Through this program, alternatives of one comparison have different numbers.
"""

import json
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
        for line in sys.stdin:
            agent.stdin.write(with_workers(line, workers))
            agent.stdin.flush()
        agent.stdin.close()
        return agent.wait()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
