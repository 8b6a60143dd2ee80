"""The tables in Markdown, aligned for terminals, and the places of documents that show them."""

import re
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


def title_of(line):
    """Returns the name of a line, with the unit unless it is ns per operation."""
    title = line.row.title + (": " + line.measure.name if line.measure.name else "")
    if line.measure.name or line.measure.unit != "ns":
        title += {"x": ", ratio to 1 worker"}.get(line.measure.unit, ", " + line.measure.unit)
    return title


def ratio_text(line, peer):
    ratio = line.ratio(peer) if peer else None
    if ratio is None:
        return NONE
    median, interval = ratio
    return f"{median:.2f}" + (f" [{interval[0]:.2f} … {interval[1]:.2f}]" if interval else "")


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


def summary_table(lines):
    """Returns a row for each line that has a target: fast, the best peer, their ratio, floor, target."""
    rows = []
    for line in lines:
        if line.target() is None:
            continue
        peer = line.best_peer()
        rows.append([title_of(line), str(line.workers), ours_text(line),
                     f"{peer} {figure(line.median(peer))}" if peer else NONE,
                     ratio_text(line, peer), figure(line.floor()),
                     f"{line.target():g}", line.verdict()])
    return aligned(["workload", "workers", "`fast`", "best peer", "`fast` / peer", "floor", "target",
                    ""], rows)


def peers_table(lines):
    """Returns a row for each line: fast with its fastest and slowest pass, and the median of each peer that has the workload."""
    peers = sorted({name for line in lines for name in [*line.values, *line.failures]} - {OURS})
    rows = []
    for line in lines:
        ours = ours_text(line)
        if line.median(OURS) is not None:
            ours += " [{} … {}]".format(*map(figure, line.range(OURS)))
        rows.append([title_of(line), str(line.workers), ours,
                     *("DNF" if peer in line.failures else
                       figure(line.median(peer)) if peer in line.values else "" for peer in peers)])
    return aligned(["workload", "workers", "`fast`", *peers], rows)


def sizes_table(lines):
    """Returns a row for each row of the tables: its workload with all sizes, and its key."""
    rows = {line.row.key: [f"`{line.row.key}`", line.row.title, f"`{line.row.workload}`"]
            for line in lines}
    return aligned(["row", "workload", "parameters"], list(rows.values()))


def notes_text(lines):
    """Returns a line for each runtime that did not finish, and for each peer that is left out, with the reason."""
    left_out = {f"* {line.row.title}: {name} is left out, because {reason}": None
                for line in lines for name, reason in line.row.left_out}
    failed = {f"* {line.row.title}, workers {line.workers}: {name} did not finish (DNF): {reason}": None
              for line in lines for name, reason in line.failures.items()}
    return "\n".join(wrapped(note, "  ") for note in [*failed, *left_out])


def head_text(result):
    """Returns where and how the values were measured."""
    machine = result["machine"]
    text = (f"{result['passes']} pass{'' if result['passes'] == 1 else 'es'} in {result['seconds'] / 60:.0f} min, "
            f"seed {result['seed']}; {machine['cpus']} CPUs ({machine['model']}), Linux {machine['kernel']}")
    if result["versions"]:
        text += "; " + ", ".join(sorted(set(result["versions"].values())))
    disturbed = sum(sample["disturbed"] for sample in result["samples"])
    if disturbed:
        text += f". In {disturbed} of {len(result['samples'])} cells something else took CPU time"
    if result["small"]:
        text += ". Small sizes: they show that all rows run, and measure nothing"
    return wrapped(text + ("" if result["complete"] else ". Interrupted: only what was complete") + ".")


LEGEND = """\
ns per operation unless noted, less is better: median over the passes. `fast` / peer: the median of the ratios of the
passes with its 95 % sign-test interval, or without one if there were fewer than 6; below 1 `fast` is faster. The floor
is what one thread has to pay. met, missed: the median against the target; with a question mark, not all passes agree."""


def texts_of(lines, result):
    """Returns the parts that documents show, by name."""
    notes = notes_text(lines)
    summary = "\n\n".join([head_text(result), summary_table(lines), LEGEND])
    peers = "\n\n".join(part for part in [head_text(result), peers_table(lines), notes,
                                          sizes_table(lines)] if part)
    return {"summary": summary, "peers": peers}


def updated(text, texts):
    """Returns a document with the parts between its marks replaced, and how many there were.

    The marks are <!-- compare-peers NAME: begin --> and <!-- compare-peers NAME: end -->, each alone on a line.
    """
    count = 0

    def replace(match):
        nonlocal count
        count += 1
        return f"{match[1]}\n{texts[match[2]]}\n{match[3]}"

    names = "|".join(texts)
    pattern = rf"(<!-- compare-peers ({names}): begin -->)\n.*?(<!-- compare-peers \2: end -->)"
    return re.sub(pattern, replace, text, flags=re.DOTALL), count
