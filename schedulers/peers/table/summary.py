"""What the values of all passes say about a line of the table. Pure functions."""

from dataclasses import dataclass, field
import math
import statistics

OURS = "fast"
LEVEL = 0.95


def sign_test_interval(values, level=LEVEL):
    """Returns the exact sign-test interval of the median, or None if there are too few values for the level.

    P(x(k) <= median <= x(n+1-k)) >= 1 - 2 P(Bin(n, 1/2) < k); k is the largest rank that keeps this at the level.
    """
    ordered = sorted(values)
    count = len(ordered)
    rank, below = 0, 0.0
    while True:
        below += math.comb(count, rank) / 2**count
        if 2 * below > 1 - level or 2 * (rank + 1) > count + 1:
            break
        rank += 1
    return (ordered[rank - 1], ordered[count - rank]) if rank > 0 else None


@dataclass
class Line:
    """A measure of a row with a number of workers."""

    row: object
    workers: int
    measure: object
    values: dict = field(default_factory=dict)  # runtime -> pass -> value
    failures: dict = field(default_factory=dict)  # runtime -> the reason of the last failure
    floors: list = field(default_factory=list)  # of one thread, in the unit of the measure: one for each pass

    def median(self, runtime):
        """Returns the median over the passes, or None if the runtime has no value or has failed once."""
        values = self.values.get(runtime, {})
        return statistics.median(values.values()) if values and runtime not in self.failures else None

    def range(self, runtime):
        """Returns the fastest and the slowest pass."""
        values = self.values[runtime].values()
        return min(values), max(values)

    def interval(self, runtime):
        """Returns the sign-test interval of the median, or None if there are too few passes."""
        return sign_test_interval(self.values[runtime].values())

    def best_peer(self):
        """Returns the name of the peer with the smallest median, or None."""
        peers = [name for name in self.values if name != OURS and self.median(name) is not None]
        return min(peers, key=self.median, default=None)

    def ratio(self, peer):
        """Returns the median of fast / peer over the passes that have both, and its interval or None; None if there is no pass."""
        ours, theirs = self.values.get(OURS, {}), self.values.get(peer, {})
        ratios = [ours[one] / theirs[one] for one in ours if theirs.get(one)]
        return (statistics.median(ratios), sign_test_interval(ratios)) if ratios else None

    def target(self):
        return self.measure.targets.get(self.workers)

    def floor(self):
        """Returns the least over the passes, or None."""
        return min(self.floors, default=None)

    def verdict(self):
        """Returns met or missed, by the median; with a question mark if some pass has the other outcome; '' without a target."""
        target, ours = self.target(), self.median(OURS)
        if target is None:
            return ""
        if ours is None:
            return "DNF" if OURS in self.failures else "not measured"
        fastest, slowest = self.range(OURS)
        certain = slowest <= target or fastest > target
        return ("met" if ours <= target else "missed") + ("" if certain else " ?")


def floor_of(measure, floors):
    """Returns the floor of a measure, by the results of bench_floors in one pass, or None."""
    if measure.floor is None:
        return None
    if callable(measure.floor):
        return measure.floor()
    ns = floors.get(measure.floor)
    return None if ns is None else ns * measure.per_floor


def lines_of(rows, result):
    """Returns the lines of the table, in the order of the rows: those for which anything was measured or has failed."""
    lines = {}
    for row in rows:
        for measure in row.measures:
            for workers in row.workers:
                line = Line(row, workers, measure)
                line.floors = [floor for floor in (floor_of(measure, one) for one in result["floors"])
                               if floor is not None]
                lines[row.key, workers, measure.name] = line
    for sample in result["samples"]:
        for name, values in sample["values"].items():
            line = lines.get((sample["row"], sample["workers"], name))
            if line is not None:
                for runtime, value in values.items():
                    line.values.setdefault(runtime, {})[sample["pass"]] = value
                line.failures.update({runtime: reason for runtime, reason in sample["failures"].items()
                                      if runtime not in values})
    return [line for line in lines.values() if line.values or line.failures]
