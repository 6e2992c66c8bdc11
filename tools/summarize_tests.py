#!/usr/bin/env python3
"""Sums up ctest's JUnit reports: the slowest tests, what failed, and one line "N passed, N failed[, N skipped]".

An entry of ctest that stands for many cases left its own report in test-cases/ENTRY.xml: each case then counts."""
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SHOWN = 20  # tests in the table
SECOND_TRY = "a second try was needed: "
LAST_LINES = 25  # of the output of a test that failed


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


def case_outcome(case):
    """The same for a case in GoogleTest's own report."""
    if case.find("failure") is not None:
        return "failed"
    return "passed" if case.get("result") == "completed" else "skipped"


def last_begun(entry):
    """The case in which a program ended that wrote no report."""
    begun = re.findall(r"\[ RUN      \] (\S+)", entry.findtext("system-out") or "")
    return f", in {begun[-1]}" if begun else ""


def cases_of(entry, folder):
    """(name, seconds, outcome) of an entry of ctest, or of each case that it stands for."""
    name, result = entry.get("name"), outcome(entry)
    try:
        found = ElementTree.parse(folder / f"{name}.xml").getroot().iter("testcase")
    except (OSError, ElementTree.ParseError):
        return [(name + (last_begun(entry) if result == "failed" else ""), seconds(entry), result)]
    cases = [(f"{case.get('classname')}.{case.get('name')}", seconds(case), case_outcome(case)) for case in found]
    # A filter that lets nothing through must not look like success.
    if not cases:
        cases.append((f"{name}, which ran no case", 0.0, "failed"))
    # What is found as the program ends, such as memory that leaked, is no fault of a case.
    if result == "failed" and all(case[2] != "failed" for case in cases):
        cases.append((f"{name}, after its cases", 0.0, "failed"))
    return cases


def last_words(entry):
    """The end of what a failed entry of ctest printed: a log that is cut at its head still tells why."""
    lines = (entry.findtext("system-out") or "").rstrip().splitlines()
    return [f"the last lines of {entry.get('name')}:"] + [f"    {line}" for line in lines[-LAST_LINES:]]


def second_tries(entry):
    """The lines of a test of the window that passed only when it was tried again (tests/app/gui/gui_test.py)."""
    if outcome(entry) != "passed":
        return []
    return [line for line in (entry.findtext("system-out") or "").splitlines() if line.startswith(SECOND_TRY)]


def main(paths):
    timed, failed, outputs = [], [], []
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for path in paths:
        try:
            entries = ElementTree.parse(path).getroot().findall("testcase")
        except (OSError, ElementTree.ParseError) as error:
            failed.append(f"failed: no report {path} ({error})")
            counts["failed"] += 1
            continue
        build = Path(path).parent
        outputs += [line for entry in entries if outcome(entry) == "failed" for line in last_words(entry)]
        outputs += [line for entry in entries for line in second_tries(entry)]
        for name, time, result in (case for entry in entries for case in cases_of(entry, build / "test-cases")):
            counts[result] += 1
            if result != "skipped":
                timed.append((time, build.name, name))
            if result == "failed":
                failed.append(f"failed: {name} (build/{build.name})")
    for text in slowest(timed) + outputs + failed:
        print(text)
    line = f"{counts['passed']} passed, {counts['failed']} failed"
    print(line + (f", {counts['skipped']} skipped" if counts["skipped"] else ""))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
