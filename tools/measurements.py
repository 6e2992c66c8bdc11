#!/usr/bin/env python3
"""Prints docs/measurements.md, made from the tables in bench/results.

bench/results/index.csv lists the tables in their order: file, chapter, title, note. Each table is a CSV file with one
row per measurement. Its first columns say where a value comes from: card, driver, date, commit and command. They are
empty where it was not recorded. The other columns are the values.

  tools/measurements.py                 prints the document
  tools/measurements.py --write         writes it
  tools/measurements.py --check         fails if the file is not what this script prints, or if README.md quotes other
                                        figures than the measurement with the same command. With --orrery PROGRAM it
                                        also runs the commands of bench/figures/checks.csv, all of which take below 20 s
                                        on a CPU, and fails on figures that differ by more than their spread.
                                        --part K runs a tenth of them, from the K-th on; --gpu runs those of
                                        bench/figures/gpu_checks.csv instead, which an NVIDIA H200 gives
"""
import argparse
import csv
import sys
import textwrap
from pathlib import Path

import figures

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results"
DOCUMENT = ROOT / "docs" / "measurements.md"
README = ROOT / "README.md"
SOURCE = ["card", "driver", "date", "commit", "command"]
INTRODUCTION = RESULTS / "introduction.txt"
WIDTH = 120


class BadTable(Exception):
    """A table that cannot be printed; the text says which, and why."""


def read(path, columns):
    """(header, rows) of a CSV file that begins with `columns`."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    if not rows or rows[0][:len(columns)] != columns:
        raise BadTable(f"{path}: the first columns must be {', '.join(columns)}")
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(rows[0]):
            raise BadTable(f"{path}:{number}: {len(row)} cells, but {len(rows[0])} columns")
    if len(rows) < 2:
        raise BadTable(f"{path}: no measurement")
    return rows[0], rows[1:]


def wrapped(text):
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def split_common(header, rows):
    """What all rows share of their source, as {column: value}, and the table without these columns."""
    common = {name: rows[0][at] for at, name in enumerate(SOURCE) if all(row[at] == rows[0][at] for row in rows)}
    kept = [at for at, name in enumerate(header) if at >= len(SOURCE) or name not in common]
    return common, [header[at] for at in kept], [[row[at] for at in kept] for row in rows]


def source_line(common):
    parts = [common.get("card", "")]
    if common.get("driver"):
        parts.append(f"{'driver' if parts[0] else 'Driver'} {common['driver']}")
    parts.append(common.get("date", ""))
    if common.get("commit"):
        parts.append(f"commit {common['commit']}")
    return ", ".join(part for part in parts if part)


def cells(row):
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def table(name, title, note):
    """The lines of one table with its heading."""
    common, header, rows = split_common(*read(RESULTS / f"{name}.csv", SOURCE))
    source = source_line(common)
    lines = [f"### {title}", ""]
    lines += wrapped(" ".join(part for part in (note, f"{source}." if source else "") if part))
    if common.get("command"):
        lines += ["", "```", *command_lines(common["command"]), "```"]
    lines += ["", cells(header), "|" + "---|" * len(header), *map(cells, rows), ""]
    return lines


def command_lines(command):
    """A command on lines of at most WIDTH characters, joined by backslashes."""
    lines = textwrap.wrap(command, WIDTH - 4, break_long_words=False, break_on_hyphens=False, subsequent_indent="  ")
    return [line + " \\" for line in lines[:-1]] + lines[-1:]


def document():
    _, index = read(RESULTS / "index.csv", ["file", "chapter", "title", "note"])
    lines = INTRODUCTION.read_text(encoding="utf-8").splitlines() + [""]
    chapter = ""
    for name, of_chapter, title, note in index:
        if of_chapter != chapter:
            chapter = of_chapter
            lines += [f"## {chapter}", ""]
        lines += table(name, title, note)
    unlisted = {path.stem for path in RESULTS.glob("*.csv")} - {row[0] for row in index} - {"index"}
    if unlisted:
        raise BadTable(f"{RESULTS}/index.csv does not list {', '.join(sorted(unlisted))}")
    return "\n".join(lines).rstrip("\n") + "\n"


def readme_rows(text):
    """(command, cells before it) of each row of README.md's tables that ends with a command."""
    for line in text.splitlines():
        row = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if len(row) > 1 and row[-1].startswith("`./run "):
            yield "orrery " + row[-1].strip("`")[len("./run "):], row[:-1]


def readme_problems(text):
    """The rows of README.md that quote other figures than the measurement with the same command."""
    values = {}
    for path in sorted(RESULTS.glob("*.csv")):
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row.get("command"):
                    values.setdefault(row["command"], set()).update(row.values())
    quoted = [(command, cells) for command, cells in readme_rows(text) if command in values]
    if not quoted:
        yield "README.md: no row of its tables has the command of a measurement"
    for command, cells in quoted:
        for cell in cells[1:]:
            if cell.removesuffix(" ms") not in values[command]:
                yield f"README.md: '{cell}' is not what bench/results has for {command}"


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--orrery", type=Path)
    parser.add_argument("--part", type=int)
    parser.add_argument("--gpu", action="store_true")
    return parser.parse_args(arguments)


def rerun_problems(arguments):
    if arguments.orrery is None:
        return []
    table = figures.GPU_CHECKS if arguments.gpu else figures.CHECKS
    part, parts = (0, 1) if arguments.part is None else (arguments.part, 10)
    rows = figures.checks(part, parts, table)
    print(f"running the commands of {len(rows)} figures")
    return figures.problems(arguments.orrery.resolve(), rows)


def main(arguments):
    arguments = parse(arguments)
    try:
        text = document()
    except (BadTable, OSError) as problem:
        print(problem, file=sys.stderr)
        return 1
    if arguments.write:
        DOCUMENT.write_text(text, encoding="utf-8")
    elif arguments.check:
        if not DOCUMENT.exists() or DOCUMENT.read_text(encoding="utf-8") != text:
            print("docs/measurements.md is not what bench/results says: run tools/measurements.py --write", file=sys.stderr)
            return 1
        problems = list(readme_problems(README.read_text(encoding="utf-8"))) + rerun_problems(arguments)
        print("\n".join(problems) or "docs/measurements.md and README.md say what bench/results says")
        return 1 if problems else 0
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
