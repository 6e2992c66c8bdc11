"""What ./test says at its end (tools/summarize_tests.py)."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / "tools" / "summarize_tests.py"


def summary(cases):
    """Exit status and lines for a report of (name, seconds, status)."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "dev", "report.xml")
        report.parent.mkdir()
        rows = [f'<testcase name="{name}" time="{time}" status="{status}"/>' for name, time, status in cases]
        report.write_text(f"<testsuite>{''.join(rows)}</testsuite>", encoding="utf-8")
        done = subprocess.run([sys.executable, PROGRAM, report], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.splitlines()


class Summary(unittest.TestCase):
    def test_names_the_slowest_twenty_first(self):
        status, lines = summary([(f"t{k}", k, "run") for k in range(30)])
        self.assertEqual(status, 0)
        self.assertEqual(lines[0], "the slowest 20 of 30 tests: 390 of 435 s")
        self.assertEqual([line.split()[-1] for line in lines[1:21]], [f"t{k}" for k in range(29, 9, -1)])
        self.assertEqual(lines[-1], "30 passed, 0 failed")

    def test_names_what_failed_last(self):
        status, lines = summary([("good", 1, "run"), ("bad", 2, "fail")])
        self.assertEqual(status, 1)
        self.assertEqual(lines[-2:], ["failed: bad (build/dev)", "1 passed, 1 failed"])


if __name__ == "__main__":
    unittest.main()
