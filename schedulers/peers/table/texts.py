"""Numbers, paragraphs and tables of documents, aligned for terminals."""

import textwrap

from summary import OURS

NONE = "-"
WIDTH = 120  # of the lines of documents


def wrapped(text, indent=""):
    """Returns a paragraph in lines that fit; all but the first are indented."""
    return textwrap.fill(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def figure(value):
    """Returns a value with three significant digits, more for large integers."""
    if value is None:
        return NONE
    if value >= 99.95:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def with_interval(ratio, interval):
    """Returns a ratio with its interval, or without one if it is None."""
    return f"{ratio:.2f}" + (f" [{interval[0]:.2f} … {interval[1]:.2f}]" if interval else "")


def aligned(header, rows):
    """Returns a table in Markdown whose columns have one width each."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    pad = lambda row: "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
    return "\n".join([pad(header), "|" + "|".join("-" * (width + 2) for width in widths) + "|",
                      *map(pad, rows)])


def ours_text(line):
    if OURS in line.failures:
        return "DNF"
    return figure(line.median(OURS))


def ours_with_range(line):
    """Returns the median of fast with its fastest and slowest pass."""
    text = ours_text(line)
    return text if line.median(OURS) is None else text + " [{} … {}]".format(*map(figure, line.range(OURS)))


def peer_text(line, peer):
    """Returns the median of a peer; '' if it does not have the workload."""
    if peer in line.failures:
        return "DNF"
    return figure(line.median(peer)) if peer in line.values else ""
