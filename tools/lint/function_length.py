#!/usr/bin/env python3
"""No function is longer than 80 lines, its head and closing brace included."""
import sys

import sources

LIMIT = 80


def check_text(name, text):
    for item in sources.scan(text):
        length = item.last_line - item.first_line + 1
        if item.kind == "function" and item.has_body and length > LIMIT:
            yield f"{name}:{item.first_line}: function of {length} lines (limit {LIMIT}): {item.head[:70]}"


def check(root):
    names = [name for name in sources.tracked_files(root) if name.endswith(sources.CPP)]
    return [p for name in names for p in check_text(name, (root / name).read_text())], len(names)


if __name__ == "__main__":
    sys.exit(sources.main(check, sys.argv))
