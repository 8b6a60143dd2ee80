#!/usr/bin/env python3
"""Puts faults into the sources, one at a time, explores the models, and prints which model detects each fault.

1. Each fault in *.toml (mutants.py). A copy of the tree is compiled once. For a fault, only the objects that it changes are
   compiled again, and linked to one file of models at a time until a hunt detects the fault. Then the models are explored as
   `make test` does it.
2. Each memory order weakened, each read-modify-write split, each futex wake lost, by the simulated machine itself.

Fails if a fault is not detected, if a model fails without a fault, or, without PATTERN, if `make test` detects fewer than nine
in ten of the faults of part 1.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import queue
import re
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
import mutants  # noqa: E402  after the line above, or it leaves __pycache__ in the tree

MODELS = "tests/sim/CMakeFiles/sim_models.dir/models/"
PLATFORM_MODELS = "tests/sim/CMakeFiles/sim_platform_models.dir/models/"
FIRST_SECONDS = "5"  # of a hunt in one file of models, before the next file is compiled
HUNT_SECONDS = os.environ.get("MUTANT_SECONDS", "120")
CONTROL_SECONDS = os.environ.get("CONTROL_SECONDS", "60")
ROW = "{:<46} {:<17} {:>9}  {:<9}  {:.70}"

Result = collections.namedtuple("Result", "verdict executions quick seen")


class Failed(Exception):
    """A command that must succeed fails, or is not started because the run ends. Its text says which and how."""


class DoesNotCompile(Exception):
    """A file with a fault does not compile. Its text is the compiler's first error."""


class Processes:
    """All processes that run. Each has a group of its own, with its children, which a kill ends. Thread-safe."""

    def __init__(self):
        self.lock = threading.Lock()
        self.running = set()
        self.ended = False

    def start(self, command, stderr, cwd=None):
        with self.lock:
            if self.ended:
                raise Failed("interrupted")
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr, text=True,
                                       cwd=cwd, start_new_session=True)
            self.running.add(process)
            return process

    def kill(self, process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # the whole group has ended
        process.stdout.close()
        process.wait()
        with self.lock:
            self.running.discard(process)

    def kill_all(self):
        """Also lets no other start."""
        with self.lock:
            self.ended = True
            for process in self.running:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass


PROCESSES = Processes()


def output_of(command, stderr=subprocess.STDOUT, cwd=None):
    """Returns the exit code and the output of a command."""
    process = PROCESSES.start(command, stderr, cwd)
    try:
        output = process.stdout.read()
        return process.wait(), output
    finally:
        PROCESSES.kill(process)


def must_succeed(command, cwd=None):
    code, output = output_of(command, cwd=cwd)
    if code != 0:
        raise Failed(f"{shlex.join(map(str, command))}\n{output[-4000:]}")
    return output


def explore_quickly(program, only):
    """Whether `make test` detects a fault in these models: stops at the first model that fails."""
    process = PROCESSES.start([program, "--quick", "--only", only], subprocess.DEVNULL)
    try:
        for line in process.stdout:
            if line.split()[-1:] in (["FAILED"], ["DIED"]):
                return "seen"
        return "survives" if process.wait() == 0 else "error"
    finally:
        PROCESSES.kill(process)


def hunt(program, only, seconds):
    """Returns the result, in which `seen` is the model and how it fails."""
    output = output_of([program, "--hunt", "--hunt-seconds", seconds, "--only", only], stderr=subprocess.DEVNULL)[1]
    verdict, executions, seen = (*output.split(" ", 2), "", "", "")[:3]
    if verdict not in ("seen", "survives"):
        return Result("error", 0, "-", output.strip())
    return Result(verdict, int(executions), "-", seen.strip())


def copy_changed(tree, copy):
    """Makes `copy` equal to the tree, without what is built. A file that is the same keeps its time and is not built again."""
    def files_of(root):
        for folder, folders, names in os.walk(root):
            without = {"build", ".git", "node_modules"} if pathlib.Path(folder) == root else {"node_modules"}
            folders[:] = [name for name in folders
                          if name not in without and pathlib.Path(folder, name) != copy.parent]
            yield from (os.path.relpath(os.path.join(folder, name), root) for name in names if name != ".git")

    wanted, present = set(files_of(tree)), set(files_of(copy))
    for name in present - wanted:
        (copy / name).unlink()
    for name in wanted:
        source, target = tree / name, copy / name
        if name not in present or source.read_bytes() != target.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)


class Build:
    """The copy of the tree without a fault, compiled, and how each of its objects was compiled."""

    def __init__(self, folder, jobs):
        self.folder = folder
        self.source = folder / "source"
        self.objects = folder / "objects"
        copy_changed(mutants.TOP, self.source)
        must_succeed(["cmake", "-S", self.source, "-B", self.objects, "-G", "Ninja", "-DCMAKE_CXX_COMPILER=g++",
                      "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG -g1", "-DSCHEDBENCH_TESTS=ON",
                      "-DSCHEDBENCH_UNITY=OFF"])
        must_succeed(["cmake", "--build", self.objects, "--target", "models", "--parallel", str(jobs)])
        self.program = self.objects / "models"
        self.commands = {}  # object -> words of its command without -o and its value
        for entry in json.loads((self.objects / "compile_commands.json").read_text()):
            words = shlex.split(entry["command"])
            at = words.index("-o")
            self.commands[words[at + 1]] = words[:at] + words[at + 2:]
        self.users = collections.defaultdict(set)  # file of the tree -> objects that it is compiled into
        target = None
        for line in must_succeed(["ninja", "-C", self.objects, "-t", "deps"]).splitlines():
            if line.startswith("    "):
                self.users[line.strip()].add(target)
            else:
                target = line.split(":")[0]
        link = must_succeed(["ninja", "-C", self.objects, "-t", "commands", "models"]).splitlines()[-1]
        words = shlex.split(re.sub(r"^: && | && :$", "", link.removeprefix("ninja: ")))
        linked = [word for word in words if word.endswith(".o")]
        self.models = {pathlib.Path(word).name.removesuffix(".cpp.o"): word for word in linked
                       if word.startswith((MODELS, PLATFORM_MODELS))}
        self.runner = [word for word in linked if "/models.dir/runner/" in word]
        after = words[words.index("-o") + 2:]
        self.link_words = [word for word in words[:words.index("-o")] if word not in linked]
        archive = "mutants.a"  # only what a model needs is taken from it; thin, so that its members keep their paths
        (self.objects / archive).unlink(missing_ok=True)
        must_succeed(["ar", "qcsT", archive, *sorted(set(linked) - set(self.models.values()) - set(self.runner))],
                     cwd=self.objects)
        self.libraries = ["-Wl,--start-group", archive, *after, "-Wl,--end-group"]
        self.lock = threading.Lock()
        self.taken = {}  # by `lock`: file of models -> the objects that it is linked to

    def files_of(self, only):
        """Returns the files of the models whose names contain a part of `only`, in the order of its parts."""
        files = {}
        for part in only.split(","):
            files |= dict.fromkeys(must_succeed([self.program, "--files", "--only", part]).split())
        return list(files)

    def objects_of(self, file):
        """Returns the objects that the models of a file are linked to, and their own."""
        with self.lock:
            if file not in self.taken:
                traced = must_succeed([*self.link_words, "-Wl,-t", self.models[file], *self.runner, "-o", "traced",
                                       *self.libraries], cwd=self.objects)
                self.taken[file] = {name for name in self.commands if name in traced}
            return self.taken[file]

    def compile(self, changed, source, folder):
        """Compiles an object from another copy of the sources. Returns its path and the compiler's first error."""
        target = folder / changed.replace("/", "+")
        words = [word.replace(str(self.source), str(source)) for word in self.commands[changed]]
        code, output = output_of([*words, "-o", target], cwd=self.objects)
        return target, "" if code == 0 else next((line for line in output.splitlines() if "error:" in line), output[-200:])

    def link(self, program, files, changed):
        """Links the models of these files; `changed` has objects to take in place of their own."""
        needed = set().union(*(self.objects_of(file) for file in files)) if changed else set()
        objects = dict.fromkeys([*(self.models[file] for file in files), *self.runner, *(needed & set(changed))])
        must_succeed([*self.link_words, *(changed.get(name, name) for name in objects), "-o", program, *self.libraries],
                     cwd=self.objects)

    def control(self):
        """Whether all models hold without a fault, linked as for a fault. A model that fails by itself would detect all."""
        program = self.folder / "right"
        quick = "survives"
        for file in self.models:
            self.link(program, [file], {})
            if quick == "survives":
                quick = explore_quickly(program, "/")  # each model's name has one
        found = hunt(self.program, "/", CONTROL_SECONDS)
        print(ROW.format("(none)", found.verdict, found.executions, quick, found.seen), flush=True)
        return found.verdict == quick == "survives"


class Job:
    """A second copy of the sources, of hard links, in which one file at a time has a fault."""

    def __init__(self, build, number):
        self.build = build
        self.folder = build.folder / f"job{number}"
        self.source = self.folder / "source"
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(build.source, self.source, symlinks=True, copy_function=os.link)

    def try_fault(self, mutant):
        file = self.source / mutant["file"]
        right = file.read_text()
        text = mutants.text_with(mutant, right)
        if text is None:
            return Result("does_not_fit", 0, "-", mutant["file"])
        file.unlink()  # the file of the other copy keeps its text
        file.write_text(text)
        try:
            return self.detect(mutant)
        except DoesNotCompile as failure:
            return Result("does_not_compile", 0, "-", str(failure))
        except Failed as failure:
            return Result("error", 0, "-", " ".join(str(failure).split())[-70:])
        finally:
            file.write_text(right)

    def detect(self, mutant):
        build, only = self.build, mutant["models"]
        users = build.users[str(build.source / mutant["file"])]
        files = [file for file in build.files_of(only) if users & build.objects_of(file)]
        if not files:
            return Result("not_compiled", 0, "-", "no model is made of " + mutant["file"])
        program = self.folder / "models"
        changed = {}
        for file in files:
            self.link_changed(program, [file], users, changed)
            found = hunt(program, only, FIRST_SECONDS)
            if found.verdict == "seen":
                break
        else:
            self.link_changed(program, files, users, changed)
            found = hunt(program, only, HUNT_SECONDS)
        # The model that fails in a hunt is likely to fail in make test, too. If it does not, another one may.
        quick = explore_quickly(program, found.seen.split(":")[0]) if found.verdict == "seen" else "-"
        if quick != "seen":
            self.link_changed(program, files, users, changed)
            quick = explore_quickly(program, only)
        if quick == "seen" and found.verdict != "seen":
            found = Result("seen", found.executions, "-", "make test")
        return found._replace(quick=quick)

    def link_changed(self, program, files, users, changed):
        """Compiles those of `users` that these files need and that are not in `changed`, and links the files to them."""
        for name in sorted(users & set().union(*map(self.build.objects_of, files)) - set(changed)):
            changed[name], problem = self.build.compile(name, self.source, self.folder)
            if problem:
                raise DoesNotCompile(problem)
        self.build.link(program, files, changed)


def part_one(build, jobs, faults, names):
    """Tries the faults and prints a row for each. Returns whether the models hold without a fault, and the results by name."""
    free = queue.Queue()
    for number in range(jobs):
        free.put(Job(build, number))

    def try_one(name):
        job = free.get()
        try:
            result = job.try_fault(faults[name])
        finally:
            free.put(job)
        print(ROW.format(name, result.verdict, result.executions, result.quick, result.seen), flush=True)
        return name, result

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            control = pool.submit(build.control)
            results = dict(pool.map(try_one, names))
            return control.result(), results
        except BaseException:  # also Ctrl-C
            pool.shutdown(wait=False, cancel_futures=True)
            PROCESSES.kill_all()
            raise


def number_of_jobs(text):
    if not re.fullmatch("[1-9][0-9]*", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1")
    return int(text)


def main(jobs, folder, pattern):
    faults = mutants.read_mutants()
    names = mutants.names_of(faults, pattern)
    if not names:
        print(f"error: no fault matches '{pattern}'", file=sys.stderr)
        return 2
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    build = Build(folder, jobs)
    print(ROW.format("fault", "", "executions", "make test", "seen by"), flush=True)
    right, results = part_one(build, jobs, faults, names)
    seen = [result for result in results.values() if result.verdict == "seen"]
    quick = sum(result.quick == "seen" for result in seen)
    print(f"{len(seen)} of {len(names)} faults seen, by the median after "
          f"{statistics.median_low([result.executions for result in seen] or [0])} executions; "
          f"{quick} of them by what make test explores")
    for name, result in sorted(results.items()):
        if result.verdict != "seen":
            print(f"  NOT SEEN: {result.verdict}, {name}: {faults[name]['fault']}")
        elif result.quick != "seen":
            print(f"  not seen by make test: {name}: {faults[name]['fault']}")
    sys.stdout.flush()
    right &= len(seen) == len(names)
    if pattern == "*":
        right &= quick * 10 >= len(names) * 9
        right &= subprocess.run([build.program, "--mutants", "--jobs", str(jobs), "--survivors", mutants.HERE / "survivors.txt",
                                 "--hunt-seconds", HUNT_SECONDS], check=False).returncode == 0
    return 0 if right else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jobs", metavar="JOBS", type=number_of_jobs, help="faults at a time")
    parser.add_argument("folder", metavar="BUILD_DIRECTORY", help="for copies of the tree and what is built")
    parser.add_argument("pattern", metavar="PATTERN", nargs="?", default="*",
                        help="only faults whose name matches, as 'net_*,timer_*'; all")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    try:
        sys.exit(main(**vars(parser.parse_args())))
    except KeyboardInterrupt:
        PROCESSES.kill_all()
        sys.exit(130)
    except (Failed, OSError) as failure:
        sys.exit(f"error: {failure}")
