#!/usr/bin/env python3
"""Tables of the documents that say what the program itself says: names and their meanings.

  tools/reference.py --orrery PROGRAM --write     writes the tables into the documents
  tools/reference.py --orrery PROGRAM --check     fails where a document says something else

A table stands between the lines `<!-- generated: NAME -->` and `<!-- end -->` of a document in docs/. NAME is an option
whose values `orrery --help-options` explains (integrator, force-law, kernel, family ...), or `formats`: the file formats
that `orrery help convert` lists. To change a row, change the `meaning` in the source of what it describes, build, and
run this with --write. The table of docs/models.md comes with its pictures from tools/model_pictures.py.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = re.compile(r"(<!-- generated: ([\w-]+) -->\n).*?(<!-- end -->\n)", re.DOTALL)
# Every document that must have these, so that none is lost with its marks.
PLACES = {
    "docs/physics.md": {"force-law", "external-field", "integrator", "step"},
    "docs/kernels.md": {"kernel", "family", "schedule"},
    "docs/formats.md": {"formats"},
}


def printed(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


def options(text):
    """{option: [(value, meaning), ...]} of `orrery --help-options`."""
    found, rows = {}, []
    for line in text.splitlines():
        if option := re.fullmatch(r"  ([\w-]+) = .*", line):
            rows = found.setdefault(option[1], [])
        elif value := re.fullmatch(r" {8}(\S+) +(.+)", line):
            rows.append(value.groups())
    return found


def formats(text):
    """[(name, use, meaning, extensions), ...] of `orrery help convert`."""
    if "File formats [" not in text:
        sys.exit("`orrery help convert` lists no file formats: build the program first")
    lines = text[text.index("File formats ["):].split("\n\n")[0].splitlines()[1:]
    joined = re.sub(r"\n {4,}", " ", "\n".join(lines)).splitlines()
    found = [re.fullmatch(r"  (\S+) +(.+) \[(read|read, write)(?:: (\S+))?\]", line).groups() for line in joined]
    return [(name, use, meaning, ", ".join(f"`.{each}`" for each in (extensions or "").split(",") if each))
            for name, meaning, use, extensions in found]


def line_of(cells):
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


def table(header, rows):
    """The lines of a table, the first cell of each row as code."""
    return line_of(header) + "|" + "---|" * len(header) + "\n" + "".join(line_of((f"`{row[0]}`", *row[1:])) for row in rows)


def tables(program):
    """{NAME: the lines of its table}."""
    made = {name: table(("value", "meaning"), rows) for name, rows in options(printed(program, "--help-options")).items()
            if rows}
    made["formats"] = table(("name", "use", "meaning", "extensions for writing"),
                            formats(printed(program, "help", "convert")))
    return made


def filled(name, text, made):
    """The document with its tables as they are to be. Throws SystemExit if one is missing, or not known."""
    marked = {match[2] for match in TABLE.finditer(text)}
    if marked != PLACES[name] or not marked <= made.keys():
        sys.exit(f"{name}: generated tables are to be {', '.join(sorted(PLACES[name]))}, but it has {', '.join(sorted(marked))}")
    return TABLE.sub(lambda match: match[1] + made[match[2]] + match[3], text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orrery", required=True, type=Path, help="the program, as built")
    wanted = parser.add_mutually_exclusive_group(required=True)
    wanted.add_argument("--write", action="store_true")
    wanted.add_argument("--check", action="store_true")
    given = parser.parse_args()
    made = tables(given.orrery.resolve())
    stale = []
    for name in PLACES:
        text = (ROOT / name).read_text(encoding="utf-8")
        after = filled(name, text, made)
        if after == text:
            continue
        stale.append(name)
        if given.write:
            (ROOT / name).write_text(after, encoding="utf-8")
    if given.check and stale:
        print(f"{', '.join(stale)}: tables are not what the program says: run tools/reference.py --orrery "
              f"{given.orrery} --write")
        return 1
    print(f"written: {', '.join(stale) or 'nothing'}" if given.write else "the tables say what the program says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
