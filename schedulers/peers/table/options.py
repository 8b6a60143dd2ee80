"""The command line of compare_peers.py."""

import argparse
import difflib
import os
import pathlib
import re

import cell
from row import with_small_sizes
import rows as table_rows

ROOT = pathlib.Path(__file__).resolve().parents[3]
NATIVE = ("asio", "boost_fiber", "go", "rayon", "tbb", "tokio")
HOSTED = ("asio_hosted", "tbb_hosted")

DESCRIPTION = "Measures fast alongside the foreign runtimes and prints the tables of docs/other-runtimes.md."

EPILOG = """\
Exit codes: 0 done, whether targets are met or not; 2 wrong usage, a program that is not built, a file that cannot be written;
4 a runtime did not finish a row, and the table shows it as DNF; 130 interrupted, and the table shows what was complete."""


class UsageError(Exception):
    pass


def duration(text):
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|h)", text)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is not a time such as 90s, 20m or 1h")
    return float(match[1]) * {"s": 1, "m": 60, "h": 3600}[match[2]]


def positive(text):
    if not re.fullmatch(r"[1-9]\d*", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1")
    return int(text)


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="compare_peers.py", description=DESCRIPTION, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("--budget", type=duration, default=duration("20m"), metavar="TIME",
                        help="begin no pass that would end later: 90s, 20m (default), 1h; the first one always ends")
    parser.add_argument("--passes", type=positive, metavar="N",
                        help="measure N passes, whatever they take")
    parser.add_argument("--rows", metavar="NAME,...", help="measure only these (default: all)")
    parser.add_argument("--small", action="store_true",
                        help="small sizes, which only show that all rows run")
    parser.add_argument("--peers", metavar="NAME,...",
                        help=f"only these (default: {','.join(NATIVE)})")
    parser.add_argument("--hosted", action="store_true",
                        help=f"also {' and '.join(HOSTED)}: our fibers on their threads")
    parser.add_argument("--seed", type=int, metavar="N", help="of the order (default: drawn)")
    parser.add_argument("--tool", default=str(ROOT / "build/release/schedbench"), metavar="FILE",
                        help="schedbench (default: that of build/release)")
    parser.add_argument("--update", action="append", default=[], metavar="FILE",
                        help="also write the tables between the marks of this document (repeatable)")
    parser.add_argument("-o", "--output", metavar="FILE", help="also keep all values, as JSON")
    parser.add_argument("--from", dest="source", metavar="FILE",
                        help="measure nothing: print what -o has kept")
    return parser.parse_args(arguments)


def selected(names, known, what):
    """Returns the names of a list separated by commas. Raises UsageError for one that is not known."""
    chosen = [name for name in names.split(",") if name]
    for name in chosen:
        if name not in known:
            nearest = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean '{nearest[0]}'?" if nearest else "."
            raise UsageError(f"unknown {what} '{name}'{hint} There are {', '.join(known)}")
    if not chosen:
        raise UsageError(f"no {what} is named; there are {', '.join(known)}")
    return chosen


def selected_rows(options):
    keys = [row.key for row in table_rows.ROWS]
    chosen = keys if options.rows is None else selected(options.rows, keys, "row")
    rows = [row for row in table_rows.ROWS if row.key in chosen]
    return [with_small_sizes(row) for row in rows] if options.small else rows


def selected_peers(options):
    if options.peers is not None:
        return selected(options.peers, NATIVE + HOSTED, "peer")
    return [*NATIVE, *(HOSTED if options.hosted else ())]


def require_programs(options, peers):
    """Raises UsageError with the command that builds what is missing."""
    tool = pathlib.Path(options.tool)
    for program, build in [(tool, "make build"), (tool.parent / "bench_floors", "make benchmarks"),
                           *((cell.peer_folder(tool) / name, "make peers") for name in peers)]:
        if not os.access(program, os.X_OK):
            raise UsageError(f"{program} is not built    {build}")


def peers_of(row, peers):
    return [peer for peer in peers if peer in row.peers + HOSTED]
