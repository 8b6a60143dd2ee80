#!/usr/bin/env python3
"""Measures `fast` alongside the foreign runtimes and prints the tables of docs/other-runtimes.md: make compare-peers."""

import json
import pathlib
import signal
import sys

sys.dont_write_bytecode = True

from options import UsageError, parse_arguments, peers_of, require_programs, selected_peers, selected_rows  # noqa: E402
from passes import measure  # noqa: E402
from result_file import read, read_result, write_whole  # noqa: E402
import summary  # noqa: E402
import tables  # noqa: E402

EXIT_USAGE, EXIT_FAILED_CELL, EXIT_INTERRUPTED = 2, 4, 130


def check_files(options):
    """Raises UsageError for files that could not be written, before an hour is spent."""
    for path in options.update:
        if tables.updated(read(path), {"summary": "", "peers": ""})[1] == 0:
            raise UsageError(f"{path} has no marks such as <!-- compare-peers summary: begin -->")
    if options.output and not pathlib.Path(options.output).absolute().parent.is_dir():
        raise UsageError(f"cannot write {options.output}: there is no such folder")


def result_of(options):
    """Returns the rows and what was measured of them, now or earlier."""
    if options.source:
        return read_result(options.source)
    rows, peers = selected_rows(options), selected_peers(options)
    require_programs(options, sorted({peer for row in rows for peer in peers_of(row, peers)}))
    return rows, measure(options, rows, peers)


def run_tool(arguments):
    options = parse_arguments(arguments)
    check_files(options)
    rows, result = result_of(options)
    lines = summary.lines_of(rows, result)
    texts = tables.texts_of(lines, result)
    print("\n\n".join(texts.values()), flush=True)
    if options.output:
        write_whole(options.output, json.dumps(result, indent=1) + "\n")
    if not result["complete"]:
        return EXIT_INTERRUPTED
    for path in options.update:
        document, _ = tables.updated(read(path), texts)
        write_whole(path, document)
    return EXIT_FAILED_CELL if any(line.failures for line in lines) else 0


def main(arguments):
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return run_tool(arguments)
    except UsageError as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_USAGE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
