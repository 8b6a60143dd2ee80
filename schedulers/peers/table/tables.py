"""The tables in Markdown, aligned for terminals, and the places of documents that show them."""

import re

import one_cpu_tables
from summary import OURS
from texts import NONE, aligned, figure, ours_text, ours_with_range, peer_text, with_interval, wrapped


def title_of(line):
    """Returns the name of a line, with the unit unless it is ns per operation."""
    title = line.row.title + (": " + line.measure.name if line.measure.name else "")
    if line.measure.name or line.measure.unit != "ns":
        title += ", " + line.measure.unit
    return title


def ratio_text(line, peer):
    ratio = line.ratio(peer) if peer else None
    return NONE if ratio is None else with_interval(*ratio)


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
        rows.append([title_of(line), str(line.workers), ours_with_range(line),
                     *(peer_text(line, peer) for peer in peers)])
    return aligned(["workload", "workers", "`fast`", *peers], rows)


def sizes_table(lines):
    """Returns a row for each row of the tables: its workload with all sizes, its key, and settings of fast."""
    rows = {line.row.key: [f"`{line.row.key}`", line.row.title,
                           f"`{line.row.workload}`" + (f", `{OURS}:{line.row.settings}`" if line.row.settings else "")]
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
    one_cpu = [line for line in lines if one_cpu_tables.is_one_cpu(line)]
    others = [line for line in lines if not one_cpu_tables.is_one_cpu(line)]
    head, summary, peers = [head_text(result)], [], []
    if others:
        summary += [summary_table(others), LEGEND]
        peers += [peers_table(others)]
    if one_cpu:
        summary += [one_cpu_tables.summary_table(one_cpu), one_cpu_tables.LEGEND]
        peers += [one_cpu_tables.peers_table(one_cpu)]
    peers += [part for part in (notes_text(lines), sizes_table(lines)) if part]
    return {"summary": "\n\n".join(head + summary), "peers": "\n\n".join(head + peers)}


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
