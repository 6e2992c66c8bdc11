#!/usr/bin/env python3
"""Sums up ctest's JUnit reports: names what failed, ends with one line "N passed, N failed[, N skipped]"."""
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def outcome(case):
    """"passed", "failed" or "skipped". A test that could not be started at all counts as failed."""
    skipped = case.find("skipped")
    if skipped is not None:
        on_purpose = skipped.get("message", "").startswith("SKIP_")
        return "skipped" if on_purpose else "failed"
    if case.get("status") == "disabled":
        return "skipped"
    return "passed" if case.get("status") == "run" else "failed"


def main(paths):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for path in paths:
        try:
            cases = ElementTree.parse(path).getroot().findall("testcase")
        except (OSError, ElementTree.ParseError) as error:
            print(f"failed: no report {path} ({error})")
            counts["failed"] += 1
            continue
        for case in cases:
            result = outcome(case)
            counts[result] += 1
            if result == "failed":
                print(f"failed: {case.get('name')} (build/{Path(path).parent.name})")
    line = f"{counts['passed']} passed, {counts['failed']} failed"
    print(line + (f", {counts['skipped']} skipped" if counts["skipped"] else ""))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
