#!/usr/bin/env python3
"""Reads the faults in *.toml, checks that they fit the sources, and gives the text of a source with a fault in it.

  mutants.py check              fails unless each `old` occurs exactly once in its file

A fault is a table: `fault` (a sentence), `like` (a known bug of another project, optional), `models` (parts of the names of
the models that can detect it, separated by commas), `file`, `old` and `new`; or `edits`, a list of such pairs in that file.
`old` is compared token by token: neither white space nor comments between its tokens matter.
"""
import fnmatch
import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[2]
GAP = r"(?:\s|//[^\n]*\n)*"


def read_mutants():
    """Returns the tables by name; exits with code 1 if a name occurs twice or a key is missing or unknown."""
    mutants = {}
    for path in sorted(HERE.glob("*.toml")):
        for name, mutant in tomllib.loads(path.read_text()).items():
            keys = set(mutant) - {"like"}
            pair = {"edits"} if "edits" in keys else {"old", "new"}
            if name in mutants or keys != {"fault", "models", "file"} | pair:
                sys.exit(f"{path.name}: {name}: the name occurs twice, or a key is missing or unknown")
            mutants[name] = mutant
    return mutants


def edits_of(mutant):
    return mutant.get("edits") or [mutant]


def pattern_of(old):
    return re.compile(r"(?<!\w)" + GAP.join(re.escape(token) for token in re.findall(r"\w+|[^\w\s]", old)))


def matches_of(edit, text):
    return list(pattern_of(edit["old"]).finditer(text))


def check(mutants):
    """Returns what does not fit, a line for each edit."""
    problems = []
    for name, mutant in mutants.items():
        path = TOP / mutant["file"]
        text = path.read_text() if path.exists() else ""
        for edit in edits_of(mutant):
            count = len(matches_of(edit, text))
            if count != 1:
                problems.append(f"{name}: {count} matches in {mutant['file']} of: {edit['old'].strip()}")
    return problems


def names_of(mutants, pattern):
    """Returns the names that match a shell pattern, or one of several with commas between them, sorted."""
    return sorted(name for name in mutants if any(fnmatch.fnmatch(name, one) for one in pattern.split(",")))


def text_with(mutant, text):
    """Returns the text of the file with the fault in it, or None if the fault does not fit."""
    spans = []
    for edit in edits_of(mutant):
        match matches_of(edit, text):
            case [found]:
                spans.append((*found.span(), edit["new"]))
            case _:
                return None
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text


if __name__ == "__main__":
    if sys.argv[1:] != ["check"]:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    problems = check(read_mutants())
    print("\n".join(problems), file=sys.stderr, end="\n" if problems else "")
    sys.exit(1 if problems else 0)
