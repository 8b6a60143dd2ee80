"""The tables of the rows with two workers on one CPU: a line for each workload, a column for each measure."""

import one_cpu
from summary import OURS, Line
from texts import NONE, aligned, figure, ours_text, ours_with_range, peer_text, with_interval

TITLE = "2 workers on one CPU"

LEGEND = """\
Two workers on one CPU: the time with 2 workers divided by that with 1, alone, and with a hog: a process that uses the
same CPU without end. In brackets is the 95 % sign-test interval of the median, from 6 passes on."""


def is_one_cpu(line):
    return isinstance(line.row, one_cpu.OneCpuRow)


def by_workload(lines):
    """Returns, for each workload, a function that returns the line of a measure; the line is empty if nothing was measured."""
    found = {(line.row.key, line.measure.name): line for line in lines}
    rows = {line.row.key: line.row for line in lines}
    return [lambda measure, row=row: found.get((row.key, measure.name), Line(row, row.workers[0], measure))
            for row in rows.values()]


def title_of(line):
    return f"`{line.row.base}`"


def ours_with_interval(line):
    if line.median(OURS) is None:
        return ours_text(line)
    return with_interval(line.median(OURS), line.interval(OURS))


def summary_table(lines):
    """Returns a row for each workload: fast and the best peer alone, fast with a hog, and whether both meet the target."""
    rows = []
    for line_of in by_workload(lines):
        alone, hog = line_of(one_cpu.ALONE), line_of(one_cpu.WITH_A_HOG)
        peer = alone.best_peer()
        rows.append([title_of(alone), ours_with_interval(alone), f"{peer} {figure(alone.median(peer))}" if peer else NONE,
                     alone.verdict(), ours_with_interval(hog), hog.verdict(), f"{alone.target():g}"])
    return aligned([TITLE, "`fast` alone", "best peer alone", "", "`fast` with a hog", "", "target"], rows)


def peers_table(lines):
    """Returns a row for each workload: each measure of fast with its smallest and largest pass, and each peer alone."""
    peers = [name for name in one_cpu.PEERS if any(name in (*line.values, *line.failures) for line in lines)]
    rows = []
    for line_of in by_workload(lines):
        alone, hog, cpu_time = map(line_of, (one_cpu.ALONE, one_cpu.WITH_A_HOG, one_cpu.CPU_TIME))
        rows.append([title_of(alone), ours_with_range(alone), *(peer_text(alone, peer) for peer in peers),
                     ours_with_range(hog), ours_with_range(cpu_time)])
    return aligned([TITLE, "`fast` alone", *(f"{peer} alone" for peer in peers), "`fast` with a hog",
                    "its CPU time with a hog"], rows)
