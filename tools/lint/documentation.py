#!/usr/bin/env python3
"""Every type and function that a header of sim/, lab/, render/ or app/ offers has a /// comment.

One comment may stand for a group: declarations that follow each other without a blank line. Members that
explain themselves need none: those with their body in the class, destructors, operators, overrides.
"""
import re
import sys

import sources


def is_documented(lines, item):
    """True if a /// stands on the declaration itself or above it, with no blank line between."""
    last = min(item.last_line, item.first_line + 12) if item.kind == "function" else item.first_line
    if any("///" in line for line in lines[item.first_line - 1:last]):
        return True
    at = item.first_line - 2
    while at >= 0 and lines[at].strip():
        if "///" in lines[at]:
            return True
        at -= 1
    return False


def explains_itself(item, in_class):
    if re.search(r"\boperator\b|~|^friend\b|\boverride\b", item.head):
        return True
    return in_class and (item.has_body or item.kind == "type")


def is_offered(item):
    inner = any(re.search(r"namespace (detail|internal)?$|namespace$", scope) for scope in item.scopes)
    specialization = re.match(r"template ?< ?>", item.head)
    out_of_class = item.kind == "function" and re.search(r"\w+(<[^>]*>)?::~?\w+ ?\(", item.head)
    return item.public and not inner and not specialization and not out_of_class


def check_text(name, text):
    lines = text.splitlines()
    for item in sources.scan(text):
        in_class = any(not scope.startswith(("namespace", "inline namespace", "extern")) for scope in item.scopes)
        if not is_offered(item) or explains_itself(item, in_class) or is_documented(lines, item):
            continue
        yield f"{name}:{item.first_line}: {item.kind} without a /// comment: {item.head[:80]}"


def check(root):
    names = [n for n in sources.tracked_files(root) if n.endswith((".h", ".cuh")) and n.startswith(("sim/", "lab/", "render/", "app/"))]
    return [p for name in names for p in check_text(name, (root / name).read_text())], len(names)


if __name__ == "__main__":
    sys.exit(sources.main(check, sys.argv))
