#!/usr/bin/env python3
"""Lines of prose are short, and what a document links to is there: files, and headings of documents."""
import re
import sys

import sources

MOST_BYTES = 120
LINK = re.compile(r"\]\(([^)\s]+)\)")


def prose(text):
    """(number, line) of what is neither code nor a table."""
    code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            code = not code
        elif not code and not line.lstrip().startswith("|"):
            yield number, line


def long_lines(name, text):
    for number, line in prose(text):
        size = len(line.encode())
        if size > MOST_BYTES:
            yield f"{name}:{number}: {size} bytes, at most {MOST_BYTES}: {line[:60]}..."


def anchor(heading):
    """The name by which a heading is linked to."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def anchors(text):
    return {anchor(line.lstrip("#")) for _, line in prose(text) if line.startswith("#")}


def links(text):
    """(number, file, heading) of links inside the project; either may be empty."""
    code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            code = not code
        for target in [] if code else LINK.findall(line):
            if not re.match(r"[a-z]+:", target):
                file, _, heading = target.partition("#")
                yield number, file, heading


def dead_links(name, text, folder):
    for number, file, heading in links(text):
        target = folder / file if file else None
        if target and not target.exists():
            yield f"{name}:{number}: there is no {file}"
        elif heading and heading not in anchors(target.read_text() if target else text):
            yield f"{name}:{number}: {file or name} has no heading '{heading}'"


def check(root):
    problems, names = [], [name for name in sources.tracked_files(root) if name.endswith(".md")]
    for name in names:
        text = (root / name).read_text()
        problems += long_lines(name, text)
        problems += dead_links(name, text, (root / name).parent)
    return problems, len(names)


if __name__ == "__main__":
    sys.exit(sources.main(check, sys.argv))
