#!/usr/bin/env python3
"""Tests of schedulers/peers/table: its arithmetic, its tables, and the program with a stand-in for schedbench."""

import contextlib
import io
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(__file__).resolve().parents[3] / "schedulers/peers/table"
sys.path.insert(0, str(FOLDER))

import cell  # noqa: E402
import one_cpu  # noqa: E402
import one_cpu_tables  # noqa: E402
import options as command_line  # noqa: E402
import passes  # noqa: E402
import row as table_row  # noqa: E402
import rows as table_rows  # noqa: E402
import summary  # noqa: E402
import tables  # noqa: E402

ROW = table_row.Row("fib", "fib, a fork", "fib:n=20", ("tbb", "rayon"),
                     table_row.time({1: 10, 2: 6}, "fib"))
OTHER_ROW = table_row.Row("yield", "yield", "yield:yields=5", ("go",), table_row.time({1: 18}), workers=(1,))


def round_of(ns, operations=1000):
    return {"wall_ns": ns * operations, "cpu_ns": ns * operations, "operations": operations,
            "peak_rss_bytes": 5_000_000, "figures": {"wake_time": 2e6}}


def comparison(ns_of, failures=None, spawns=None, must_agree=True, disturbed=()):
    """What compare prints: the ns per operation of each runtime in its rounds, and what it has spawned in its audit."""
    failures = failures or {}
    spawns = spawns or dict.fromkeys(ns_of, 3)
    return json.dumps({
        "disturbed": disturbed,
        "workloads": [{
            "work": [{"count": "spawns", "must_agree": must_agree, "same": len(set(spawns.values())) == 1}],
            "measured": {
                name: {"blocks": [[round_of(one) for one in ns]], "failure": failures.get(name),
                       "audit": {"counts": {"spawns": spawns[name]}}}
                for name, ns in ns_of.items()}}],
        "alternatives": [{"name": name, "runtime": None if name == "fast" else name + " 1.0"}
                         for name in ns_of]})


def line(ours, targets=None, **peers):
    measure = table_row.Measure("", "ns", None, targets or {1: 10})
    values = {name: dict(enumerate(some)) for name, some in {"fast": ours, **peers}.items()}
    return summary.Line(ROW, 1, measure, values)


class Interval(unittest.TestCase):
    def test_needs_six_values(self):
        self.assertIsNone(summary.sign_test_interval([1, 2, 3, 4, 5]))
        self.assertEqual(summary.sign_test_interval([6, 1, 2, 3, 4, 5]), (1, 6))

    def test_leaves_out_as_many_extremes_as_the_level_permits(self):
        # 2 P(Bin(n, 1/2) < 2) is 0.070 for n = 8 and 0.039 for n = 9.
        self.assertEqual(summary.sign_test_interval(range(8)), (0, 7))
        self.assertEqual(summary.sign_test_interval(range(9)), (1, 7))
        self.assertEqual(summary.sign_test_interval(range(20)), (5, 14))

    def test_holds_the_median_with_its_level(self):
        # Each value is below the median or above: all equally likely patterns of nine.
        held = sum(2 <= sum(signs) <= 7 for signs in itertools.product((0, 1), repeat=9))
        self.assertGreaterEqual(held / 2**9, summary.LEVEL)

    def test_of_nothing_is_none(self):
        self.assertIsNone(summary.sign_test_interval([]))


class Verdict(unittest.TestCase):
    def test_is_met_or_missed_where_all_passes_agree(self):
        self.assertEqual(line([8, 9, 10]).verdict(), "met")
        self.assertEqual(line([11, 12, 13]).verdict(), "missed")

    def test_has_a_question_mark_where_passes_disagree(self):
        self.assertEqual(line([8, 9, 13]).verdict(), "met ?")
        self.assertEqual(line([8, 11, 13]).verdict(), "missed ?")

    def test_is_empty_without_a_target(self):
        self.assertEqual(line([8], {2: 6}).verdict(), "")

    def test_of_a_failed_cell_is_no_verdict_on_the_rest(self):
        failed = line([8, 9])
        failed.failures["fast"] = "a hang"
        self.assertEqual(failed.verdict(), "DNF")
        self.assertEqual(line([]).verdict(), "not measured")


class BestPeer(unittest.TestCase):
    def test_has_the_smallest_median(self):
        self.assertEqual(line([5], go=[9, 1, 9], tbb=[7, 8, 6]).best_peer(), "tbb")

    def test_is_none_that_has_failed(self):
        one = line([5], go=[9], tbb=[7])
        one.failures["tbb"] = "a wrong answer"
        self.assertEqual(one.best_peer(), "go")

    def test_may_be_missing(self):
        self.assertIsNone(line([5]).best_peer())

    def test_ratio_is_of_the_same_passes(self):
        one = line([10, 20, 30], go=[20, 40, 60])
        self.assertEqual(one.ratio("go"), (0.5, None))
        del one.values["go"][1]
        one.values["go"][2] = 30
        self.assertEqual(one.ratio("go"), (0.75, None))

    def test_ratio_has_an_interval_from_six_passes_on(self):
        self.assertEqual(line([1, 2, 3, 4, 5, 6], go=[2] * 6).ratio("go"), (1.75, (0.5, 3.0)))


class Floor(unittest.TestCase):
    def test_is_the_least_over_the_passes_in_the_unit_of_the_measure(self):
        row = table_row.Row("q", "q", "nqueens", (), (table_row.Measure("", "s", None, {}, "nqueens", 1e-3),), workers=(1,))
        result = {"floors": [{"nqueens": 130.0}, {"nqueens": 120.0}, {}],
                  "samples": [{"row": "q", "workers": 1, "pass": 0, "values": {"": {"fast": 1}}, "failures": {}}]}
        self.assertAlmostEqual(summary.lines_of([row], result)[0].floor(), 0.12)

    def test_is_none_without_a_value(self):
        self.assertIsNone(line([5]).floor())


class Cell(unittest.TestCase):
    def test_runs_all_runtimes_in_one_comparison(self):
        seen = []

        def run(command):
            seen.append(command)
            return 0, comparison({"fast": [5, 7, 6], "tbb": [20, 22, 21]}), ""

        values, failures, versions, disturbed = cell.measure_cell("sb", ROW, 2, ["tbb"], 7, run)
        self.assertEqual(values, {"": {"fast": 6, "tbb": 21}})
        self.assertEqual((failures, versions, disturbed), ({}, {"tbb": "tbb 1.0"}, False))
        self.assertEqual(len(seen), 1)
        self.assertEqual(seen[0][:5], ["sb", "compare", "fast", "--with", "tbb"])
        self.assertIn("fib:n=20", seen[0])

    def test_sets_fields_of_fast_where_the_row_needs_them(self):
        row = table_row.Row("echo", "echo", "echo", (), table_row.time({}), settings="netpoll=auto,workers=2")
        self.assertEqual(cell.command("sb", row, 1, [], 7)[:3], ["sb", "compare", "fast=fast:netpoll=auto,workers=2"])

    def test_keeps_the_others_where_one_does_not_finish(self):
        out = comparison({"fast": [5], "tbb": [20]}, {"tbb": "a hang"})
        values, failures, *_ = cell.measure_cell("sb", ROW, 1, ["tbb"], 7, lambda _: (4, out, ""))
        self.assertEqual(values, {"": {"fast": 5}})
        self.assertEqual(failures, {"tbb": "a hang"})

    def test_fails_a_peer_that_did_other_work(self):
        ns_of, spawns = {"fast": [5], "tbb": [20], "rayon": [9]}, {"fast": 3, "tbb": 3, "rayon": 2}
        measure = lambda out: cell.measure_cell("sb", ROW, 1, ["tbb", "rayon"], 7, lambda _: (0, out, ""))[:2]
        self.assertEqual(measure(comparison(ns_of, None, spawns)),
                         ({"": {"fast": 5, "tbb": 20}}, {"rayon": "did other work: spawns 2, not 3"}))
        self.assertEqual(measure(comparison(ns_of, None, spawns, must_agree=False)),
                         ({"": {"fast": 5, "tbb": 20, "rayon": 9}}, {}))

    def test_fails_all_where_there_is_no_comparison(self):
        values, failures, *_ = cell.measure_cell("sb", ROW, 1, ["tbb"], 7,
                                                lambda _: (2, "", "error: too little memory\n"))
        self.assertEqual(values, {"": {}})
        self.assertEqual(failures, dict.fromkeys(["fast", "tbb"], "exit 2: error: too little memory"))

    def test_fails_a_runtime_that_does_not_have_the_metric(self):
        row = table_row.Row("w", "w", "open_loop", ("go",), (table_row.Measure("p50", "us", table_row.metric("p50")),))
        values, failures, *_ = cell.measure_cell("sb", row, 2, [], 7, lambda _: (0, comparison({"fast": [5]}), ""))
        self.assertEqual((values, failures), ({"p50": {}}, {"fast": "no value of p50"}))


class OneCpu(unittest.TestCase):
    ROW = one_cpu.row_of(table_row.Row("yield", "yield, 1000 fibers", "yield:fibers=9,yields=5", ("go", "tbb"),
                                       table_row.time({1: 18}), small="yields=2", one_cpu="yields=7"))

    def measure(self, ns_of, ns_beside_a_hog=None, **more):
        """Measures the row with a stand-in for compare, and returns the command lines too."""
        seen = []

        def run(command):
            seen.append(command)
            ns = (ns_beside_a_hog or {"fast_1": [10], "fast_2": [10]}) if "--hog" in command else ns_of
            return 0, comparison(ns, **({} if "--hog" in command else more)), ""

        return *one_cpu.measure_cell("folder/sb", self.ROW, 2, ["go"], 7, run), seen

    def test_is_derived_from_a_row_of_the_table(self):
        self.assertEqual((self.ROW.key, self.ROW.workload, self.ROW.peers),
                         ("yield_one_cpu", "yield:fibers=9,yields=7", ("go",)))
        self.assertEqual(table_row.with_small_sizes(self.ROW).workload, "yield:fibers=9,yields=2")

    def test_runs_all_on_one_cpu_and_the_hog_too(self):
        *_, seen = self.measure({"fast_1": [10], "fast_2": [15], "go_1": [20], "go_2": [20]})
        self.assertEqual([command[:2] for command in seen], [["taskset", "-c"]] * 2)
        self.assertEqual([command.count("--hog") for command in seen], [0, 1])
        for command in seen:
            self.assertIn("fast_2=fast:workers=2", command)
            self.assertIn("yield:fibers=9,yields=7", command)
        self.assertTrue(any("agent_with_workers.py 2 folder/peers/go agent" in part for part in seen[0]))
        self.assertFalse(any("go" in part.split("/") for part in seen[1]))

    def test_divides_two_workers_by_one_round_by_round(self):
        # The machine becomes five times slower in between: the ratio of the medians would be 0.6.
        values, failures, *_ = self.measure({"fast_1": [10, 50, 50], "fast_2": [15, 15, 75], "go_1": [20], "go_2": [30]},
                                            {"fast_1": [10], "fast_2": [12]})
        self.assertEqual(values, {"alone": {"fast": 1.5, "go": 1.5}, "with a hog": {"fast": 1.2},
                                  "CPU time with a hog": {"fast": 1.2}})
        self.assertEqual(failures, {})

    def test_keeps_the_others_where_one_does_not_finish(self):
        values, failures, *_ = self.measure({"fast_1": [10], "fast_2": [15], "go_1": [20], "go_2": [20]},
                                            failures={"go_2": "a hang"})
        self.assertEqual((values["alone"], failures), ({"fast": 1.5}, {"go": "go_2: a hang"}))

    def test_says_where_it_did_not_finish(self):
        run = lambda command: (4, comparison({"fast_1": [10], "fast_2": [15]},
                                             {"fast_2": "a hang"} if "--hog" in command else None), "")
        values, failures, *_ = one_cpu.measure_cell("sb", self.ROW, 2, [], 7, run)
        self.assertEqual((values["alone"], failures), ({"fast": 1.5}, {"fast": "fast_2 with a hog: a hang"}))

    def test_fails_a_runtime_without_a_value(self):
        values, failures, *_ = self.measure({"fast_1": [0], "fast_2": [15], "go_1": [20], "go_2": [20]})
        self.assertEqual((values["alone"], failures), ({"go": 1.0}, {"fast": "no value alone"}))

    def test_is_disturbed_where_one_of_its_comparisons_was(self):
        ns = {"fast_1": [10], "fast_2": [15], "go_1": [20], "go_2": [20]}
        self.assertFalse(self.measure(ns)[3])
        self.assertTrue(self.measure(ns, disturbed=[{"reason": "other programs"}])[3])

    def test_has_a_table_with_a_line_for_each_workload(self):
        result = {"floors": [], "samples": [
            {"row": self.ROW.key, "workers": 2, "pass": 0, "failures": {},
             "values": {"alone": {"fast": 1.0, "go": 1.4}, "with a hog": {"fast": 1.25}}}]}
        lines = summary.lines_of([self.ROW], result)
        row = one_cpu_tables.summary_table(lines).splitlines()[-1].split("|")
        self.assertEqual([text.strip() for text in row[1:-1]],
                         ["`yield`", "1.00", "go 1.40", "met", "1.25", "missed", "1.1"])
        result["samples"][0].update(values={"alone": {"fast": 1.0}, "with a hog": {}}, failures={"fast": "a hang"})
        row = one_cpu_tables.summary_table(summary.lines_of([self.ROW], result)).splitlines()[-1].split("|")
        self.assertEqual([text.strip() for text in row[1:-1]], ["`yield`", "1.00", "-", "met", "DNF", "DNF", "1.1"])

    def test_gives_an_agent_its_number_of_workers(self):
        agent = subprocess.run([sys.executable, FOLDER / "agent_with_workers.py", "3", "cat"], check=False, text=True,
                               input='{"request":"open","config":{"workers":9,"seed":1}}\n{"request":"run"}\n',
                               capture_output=True)
        self.assertEqual([json.loads(answer) for answer in agent.stdout.splitlines()],
                         [{"request": "open", "config": {"workers": 3, "seed": 1}}, {"request": "run"}])
        self.assertEqual(agent.returncode, 0)

    def test_ends_as_its_agent_does_and_closes_its_output(self):
        agent = subprocess.Popen([sys.executable, FOLDER / "agent_with_workers.py", "3", "sh", "-c", "kill -SEGV $$"],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.assertEqual(agent.stdout.read(), "")  # ends although the input is open
        agent.stdin.close()
        self.assertEqual(agent.wait(), -11)
        agent.stdout.close()


class Rows(unittest.TestCase):
    def test_have_unique_keys_and_known_peers(self):
        keys = [row.key for row in table_rows.ROWS]
        self.assertEqual(len(keys), len(set(keys)))
        for row in table_rows.ROWS:
            self.assertLessEqual(set(row.peers), set(command_line.NATIVE))
            for measure in row.measures:
                self.assertLessEqual(set(measure.targets), set(row.workers))

    def test_have_small_sizes_of_parameters_that_they_have(self):
        small = {row.key: table_row.with_small_sizes(row).workload for row in table_rows.ROWS}
        self.assertEqual(small["fib"], "fib:n=12,fork=structured")
        self.assertEqual(small["channel_mpmc_peers"], "channel_mpmc:messages=1000")
        self.assertFalse([row.key for row in table_rows.ROWS if small[row.key] == row.workload])

    def test_read_metrics_in_their_unit(self):
        wake = table_row.metric("wake_time", 1e-6)
        self.assertEqual(wake([round_of(1), round_of(2)]), 2.0)
        self.assertEqual(table_row.metric_per_operation("wake_time")([round_of(1)]), 2000.0)
        self.assertEqual(table_row.peak_megabytes([round_of(1)]), 5.0)


def options(*arguments):
    return command_line.parse_arguments(["--seed", "1", *arguments])


class Passes(unittest.TestCase):
    def measure(self, run, *arguments, clock=itertools.count().__next__):
        with contextlib.redirect_stderr(io.StringIO()):
            return passes.measure(options(*arguments), [ROW, OTHER_ROW], ["tbb", "go"], run,
                                         lambda _: {"fib": 3.0}, clock)

    @staticmethod
    def run_cell(_tool, row, _workers, peers, _seed):
        return {"": dict.fromkeys(["fast", *peers], 5.0)}, {}, {}, row.key == "yield"

    def test_measure_each_cell_once(self):
        result = self.measure(self.run_cell, "--passes", "3")
        cells = sorted((one["pass"], one["row"], one["workers"]) for one in result["samples"])
        self.assertEqual(cells, [(i, *one) for i in range(3) for one in (("fib", 1), ("fib", 2), ("yield", 1))])
        self.assertTrue(result["complete"])

    def test_count_a_line_once(self):
        result = self.measure(self.run_cell, "--passes", "3")
        lines = summary.lines_of([ROW, OTHER_ROW], result)
        self.assertEqual([(one.row.key, one.workers, len(one.values["fast"])) for one in lines],
                         [("fib", 1, 3), ("fib", 2, 3), ("yield", 1, 3)])
        self.assertEqual([one.floor() for one in lines], [3.0, 3.0, None])

    def test_end_with_the_budget(self):
        # A pass takes ten seconds: the third would end after 25.
        clock = types.SimpleNamespace(now=0)

        def run(*arguments):
            clock.now += 10 / 3
            return self.run_cell(*arguments)

        result = self.measure(run, "--budget", "25s", clock=lambda: clock.now)
        self.assertEqual(result["passes"], 2)
        self.assertTrue(result["complete"])

    def test_always_finish_the_first(self):
        clock = types.SimpleNamespace(now=0)

        def run(*arguments):
            clock.now += 1000
            return self.run_cell(*arguments)

        result = self.measure(run, "--budget", "1s", clock=lambda: clock.now)
        self.assertEqual((result["passes"], len(result["samples"])), (1, 3))

    def test_keep_what_is_complete_when_interrupted(self):
        count = itertools.count()

        def run(*arguments):
            if next(count) == 4:
                raise KeyboardInterrupt
            return self.run_cell(*arguments)

        result = self.measure(run, "--passes", "3")
        self.assertFalse(result["complete"])
        self.assertEqual((result["passes"], len(result["samples"])), (1, 4))
        text = tables.texts_of(summary.lines_of([ROW, OTHER_ROW], result), result)["summary"]
        self.assertIn("Interrupted", text)
        self.assertIn("| fib, a fork | 1 ", text)

    def test_report_in_how_many_cells_something_else_took_cpu_time(self):
        result = self.measure(self.run_cell, "--passes", "2")
        self.assertIn("In 2 of 6 cells something else took CPU time.", tables.head_text(result))

    def test_have_the_same_order_for_the_same_seed(self):
        order = lambda: [(one["row"], one["workers"]) for one in self.measure(self.run_cell, "--passes", "4")["samples"]]
        self.assertEqual(order(), order())


class Tables(unittest.TestCase):
    def test_show_a_failed_peer_and_the_reason(self):
        one = line([5.0, 6.0], go=[9.0, 9.5], tbb=[7.0])
        one.failures["tbb"] = "a hang"
        self.assertIn("DNF", tables.peers_table([one]))
        self.assertIn("tbb did not finish (DNF): a hang", tables.notes_text([one]))
        row = tables.summary_table([one]).splitlines()[-1].split("|")
        self.assertEqual([text.strip() for text in row[1:-1]],
                         ["fib, a fork", "1", "5.50", "go 9.25", "0.59", "-", "10", "met"])

    def test_leave_a_field_empty_where_a_peer_has_no_such_workload(self):
        last = tables.peers_table([line([5.0], tbb=[7.0]), line([5.0], go=[8.0])]).splitlines()[-1]
        self.assertEqual([text.strip() for text in last.split("|")][4:6], ["8.00", ""])

    def test_are_written_between_the_marks_only(self):
        text = ("a\n<!-- compare-peers summary: begin -->\nold\n<!-- compare-peers summary: end -->\nb\n"
                "<!-- compare-peers peers: begin -->\n<!-- compare-peers peers: end -->\n")
        once, count = tables.updated(text, {"summary": "S \\1", "peers": "P"})
        self.assertEqual(count, 2)
        self.assertEqual(once, "a\n<!-- compare-peers summary: begin -->\nS \\1\n<!-- compare-peers summary: end -->\n"
                               "b\n<!-- compare-peers peers: begin -->\nP\n<!-- compare-peers peers: end -->\n")
        self.assertEqual(tables.updated(once, {"summary": "S \\1", "peers": "P"})[0], once)


STAND_IN = """#!/usr/bin/python3
import json, os, sys
print(open(os.environ["ANSWER"]).read())
sys.exit(int(os.environ["CODE"]))
"""


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "peers").mkdir()
        self.answer = self.folder / "answer.json"
        self.program("schedbench", STAND_IN)
        self.program("bench_floors", '#!/bin/sh\necho \'{"floor":"fib","ns":3.5,"includes":""}\'\n')
        for name in ("tbb", "rayon"):
            self.program(f"peers/{name}", "#!/bin/sh\n")

    def program(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def run_program(self, *arguments, ns_of=None, failures=None, code=0):
        self.answer.write_text(comparison(ns_of or {"fast": [8], "tbb": [50], "rayon": [60]}, failures),
                               encoding="utf-8")
        environment = {**os.environ, "ANSWER": str(self.answer), "CODE": str(code)}
        environment.pop("SCHEDBENCH_PEERS", None)
        return subprocess.run([sys.executable, FOLDER / "compare_peers.py", "--tool", self.folder / "schedbench",
                               *arguments], capture_output=True, text=True, env=environment, check=False)

    def test_prints_the_table(self):
        run = self.run_program("--rows", "fib", "--passes", "1")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"\| fib, a fork per call \| 1 +\| 8.00 +\| tbb 50.0 +\| 0.16 +\| 3.50 +\| 10 +\| met +\|")
        self.assertRegex(run.stdout, r"\| fib, a fork per call \| 2 +\| 8.00 .*\| 6 +\| missed \|")
        self.assertIn("`fib:n=32,fork=structured`", run.stdout)

    def test_notes_which_peers_are_left_out(self):
        self.assertIn("nqueens", self.run_program("--rows", "nqueens", "--passes", "1").stdout)
        for name in ("go", "tokio"):
            self.program(f"peers/{name}", "#!/bin/sh\n")
        run = self.run_program("--rows", "skynet_channels", "--passes", "1")
        self.assertIn("boost_fiber is left out, because", run.stdout)

    def test_ends_with_4_where_a_runtime_does_not_finish(self):
        run = self.run_program("--rows", "fib", "--passes", "1", failures={"rayon": "a wrong answer"}, code=4)
        self.assertEqual(run.returncode, 4)
        self.assertIn("rayon did not finish (DNF): a wrong answer", run.stdout)

    def test_ends_with_130_and_the_table_when_interrupted(self):
        document = self.folder / "README.md"
        marks = "<!-- compare-peers summary: begin -->\n<!-- compare-peers summary: end -->\n"
        document.write_text(marks, encoding="utf-8")
        run = self.run_program("--rows", "fib", "--passes", "1", "--update", document, code=130)
        self.assertEqual(run.returncode, 130)
        self.assertIn("Interrupted", run.stdout)
        self.assertEqual(document.read_text(encoding="utf-8"), marks)

    def test_names_the_command_that_builds_a_missing_peer(self):
        (self.folder / "peers/rayon").unlink()
        run = self.run_program("--rows", "fib", "--passes", "1")
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr, "error: .*/peers/rayon is not built    make peers\n")
        self.assertEqual(self.run_program("--rows", "fib", "--passes", "1", "--peers", "tbb").returncode, 0)

    def test_refuses_what_it_does_not_have(self):
        cut = self.folder / "cut.json"
        cut.write_text('{"kind": "compare-peers", "workloads": {}, "samples": []}', encoding="utf-8")
        old = self.folder / "old.json"
        old.write_text(json.dumps({
            "kind": "compare-peers", "seed": 1, "small": False, "machine": {}, "versions": {}, "passes": 1, "floors": [],
            "complete": True, "seconds": 1, "workloads": {"yield_one_cpu": "yield"},
            "samples": [{"row": "yield_one_cpu", "workers": 2, "pass": 0, "values": {"": {"fast": 1}}, "failures": {}}]}),
            encoding="utf-8")
        for arguments, message in ((("--rows", "fibs"), "unknown row 'fibs'; did you mean 'fib'? There are fib, skynet"),
                                   (("--rows", "7"), "unknown row '7'. There are fib, skynet"),
                                   (("--rows", ","), "no row is named; there are fib, skynet"),
                                   (("--peers", "java"), "unknown peer 'java'"),
                                   (("--budget", "20"), "'20' is not a time"),
                                   (("--passes", "0"), "'0' is not a number from 1"),
                                   (("--from", "/nowhere"), "cannot read /nowhere: No such file or directory"),
                                   (("--from", str(cut)), "is no whole result of -o: it lacks complete, floors"),
                                   (("--from", str(old)), "old.json is of another version: its row yield_one_cpu has other"),
                                   (("-o", "/nowhere/a.json"), "cannot write /nowhere/a.json"),
                                   (("--update", str(self.answer)), "has no marks")):
            with self.subTest(arguments):
                run = self.run_program(*arguments)
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertIn(message, run.stderr)

    def test_prints_a_kept_result_again_and_writes_it_into_documents(self):
        kept, document = self.folder / "kept.json", self.folder / "README.md"
        document.write_text("<!-- compare-peers summary: begin -->\n<!-- compare-peers summary: end -->\n", encoding="utf-8")
        first = self.run_program("--rows", "fib", "--passes", "2", "-o", kept)
        again = self.run_program("--from", kept, "--update", document)
        self.assertEqual((again.returncode, again.stdout), (0, first.stdout))
        shown = document.read_text(encoding="utf-8").splitlines()[1:-1]
        self.assertTrue(first.stdout.startswith("\n".join(shown)))


if __name__ == "__main__":
    unittest.main()
