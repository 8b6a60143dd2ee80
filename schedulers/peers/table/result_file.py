"""What -o keeps and --from reads; documents that --update rewrites."""

import json
import pathlib

from options import UsageError
from row import with_workload
import rows as table_rows

REQUIRED = {"seed", "small", "machine", "versions", "passes", "samples", "floors", "complete", "seconds"}


def write_whole(path, text):
    """Writes a file whole or not at all."""
    path = pathlib.Path(path)
    try:
        fresh = path.with_name(path.name + ".new")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def read(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"cannot read {path}: it is not UTF-8 text") from error


def read_result(path):
    try:
        result = json.loads(read(path))
        if result["kind"] != "compare-peers":
            raise ValueError
        kept = result["workloads"]
        rows = [with_workload(row, kept[row.key]) for row in table_rows.ROWS if row.key in kept]
        missing = REQUIRED - result.keys()
        measures = {row.key: {measure.name for measure in row.measures} for row in rows}
        unknown = [one["row"] for one in result.get("samples", ()) if not one["values"].keys() <= measures[one["row"]]]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise UsageError(f"{path} is no result of -o") from error
    if missing:
        raise UsageError(f"{path} is no whole result of -o: it lacks {', '.join(sorted(missing))}")
    if unknown:
        raise UsageError(f"{path} is of another version: its row {unknown[0]} has other measures")
    return rows, result
