#!/usr/bin/env python3
"""No tracked file names a folder that exists only on somebody's machine."""
import re
import sys

import sources

MACHINE_PATH = re.compile(r"(?<![\w.*/$}~-])/(?:work|root|Users|home/[A-Za-z]\w*)(?![\w-])")


def check_text(name, text):
    for number, line in enumerate(text.splitlines(), 1):
        found = MACHINE_PATH.search(line)
        if found:
            yield f"{name}:{number}: path of one machine: {line.strip()[:100]}"


def check(root):
    problems, names = [], sources.tracked_files(root)
    for name in names:
        try:
            problems += check_text(name, (root / name).read_text())
        except UnicodeDecodeError:
            continue  # data
    return problems, len(names)


if __name__ == "__main__":
    sys.exit(sources.main(check, sys.argv))
