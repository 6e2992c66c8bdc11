"""What the jobs of the GPU suite left behind, as counts and failures by name."""
import json
import re
import signal
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from summarize_tests import case_outcome  # noqa: E402

TIMED_OUT = "timed out"
KINDS = ("passed", "failed", "skipped")
# Lines of GoogleTest: how a case of a program ended that wrote no report.
ENDED = re.compile(r"^\[ +(OK|FAILED|SKIPPED) +\] (\S+?),?(?: |$)", re.MULTILINE)
BEGUN = re.compile(r"^\[ RUN +\] (\S+)", re.MULTILINE)


class Result:
    """Counts of one job, its failures as (name, why), and of its cases which began and the seconds that they took."""

    def __init__(self):
        self.counts = dict.fromkeys(KINDS, 0)
        self.failures = []
        self.begun = set()
        self.seconds = {}

    def add(self, outcome, name="", why=""):
        self.counts[outcome] += 1
        if outcome == "failed":
            self.failures.append((name, why))


def how_it_ended(status):
    """Of an exit status as subprocess gives it, or TIMED_OUT; empty: well."""
    if status == TIMED_OUT or status == 0:
        return status or ""
    if status < 0:
        return f"crashed ({signal.Signals(-status).name})"
    return f"exit status {status}"


def read_text(path):
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def first_line_of(failure):
    lines = (failure.get("message") or "failed").strip().splitlines()
    return " ".join(line.strip() for line in lines)[:300]


def add_report(result, root):
    for case in root.iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        failure = case.find("failure")
        result.add(case_outcome(case), name, first_line_of(failure) if failure is not None else "")
        result.begun.add(name)
        result.seconds[name] = float(case.get("time", 0))


def add_log(result, text):
    """Of a program that ended before its report. Returns the case in which it ended, or None."""
    result.begun = set(BEGUN.findall(text))
    ended = {name: word for word, name in ENDED.findall(text) if name in result.begun}
    for name, word in ended.items():
        result.add({"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}[word], name, "failed")
    return next(iter(result.begun - set(ended)), None)


def of_tests(job, status):
    """A program of GoogleTest, or a part of its cases."""
    result = Result()
    how = how_it_ended(status)
    try:
        add_report(result, ElementTree.parse(job.report).getroot())
    except (OSError, ElementTree.ParseError):
        last = add_log(result, read_text(job.log))
        result.add("failed", last or f"{job.name}, outside of its cases", how or "no report")
        return result
    if how and not result.failures:
        result.add("failed", f"{job.name}, after its cases", how)
    elif not result.begun:
        result.add("failed", job.name, "ran no case")
    return result


def row_outcome(row):
    status = row.get("status")
    return {"passed": "passed", "failed": "failed"}.get(status, "skipped")


def row_name(row):
    return f"{row['ladder']} {row['name']}" if row.get("ladder") else row.get("name", "")


def of_verify(job, status):
    """`orrery verify --json`: rows, or checks of physics."""
    result = Result()
    how = how_it_ended(status)
    try:
        report = json.loads(read_text(job.report))
        rows = report.get("rows", report.get("checks", []))
    except ValueError:
        rows = []
    for row in rows:
        limits = f"{row.get('value')} is not from {row.get('least')} to {row.get('most')}"
        result.add(row_outcome(row), f"{job.name}: {row_name(row)}", "; ".join(row.get("failures", [])) or limits)
    if not rows or (how and not result.failures) or status == TIMED_OUT:
        result.add("failed", job.name, how or "no report")
    return result


def of_status(job, status):
    """Anything else: one case, which passes if its exit status is 0."""
    result = Result()
    how = how_it_ended(status)
    result.add("failed" if how else "passed", job.name, how)
    return result
