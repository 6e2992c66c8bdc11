#!/usr/bin/env python3
"""Sums up ctest's JUnit reports: the slowest tests, what failed, and one line "N passed, N failed[, N skipped]"."""
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SHOWN = 20  # tests in the table


def outcome(case):
    """"passed", "failed" or "skipped". A test that could not be started at all counts as failed."""
    skipped = case.find("skipped")
    if skipped is not None:
        on_purpose = skipped.get("message", "").startswith("SKIP_")
        return "skipped" if on_purpose else "failed"
    if case.get("status") == "disabled":
        return "skipped"
    return "passed" if case.get("status") == "run" else "failed"


def seconds(case):
    try:
        return float(case.get("time", 0))
    except ValueError:
        return 0.0


def slowest(timed):
    """The lines of a table of the tests that took longest; `timed`: (seconds, build, name)."""
    total = sum(each[0] for each in timed)
    shown = sorted(timed, reverse=True)[:SHOWN]
    if not shown:
        return []
    share = sum(each[0] for each in shown)
    lines = [f"the slowest {len(shown)} of {len(timed)} tests: {share:.0f} of {total:.0f} s"]
    return lines + [f"{time:8.1f} s  {build:6}  {name}" for time, build, name in shown]


def main(paths):
    timed, failed = [], []
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for path in paths:
        try:
            cases = ElementTree.parse(path).getroot().findall("testcase")
        except (OSError, ElementTree.ParseError) as error:
            failed.append(f"failed: no report {path} ({error})")
            counts["failed"] += 1
            continue
        for case in cases:
            result = outcome(case)
            counts[result] += 1
            if result != "skipped":
                timed.append((seconds(case), Path(path).parent.name, case.get("name")))
            if result == "failed":
                failed.append(f"failed: {case.get('name')} (build/{Path(path).parent.name})")
    for text in slowest(timed) + failed:
        print(text)
    line = f"{counts['passed']} passed, {counts['failed']} failed"
    print(line + (f", {counts['skipped']} skipped" if counts["skipped"] else ""))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
