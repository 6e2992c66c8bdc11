"""What ./test says at its end (tools/summarize_tests.py)."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / "tools" / "summarize_tests.py"


# What GoogleTest writes of a program with four cases.
CASES = """<testsuites><testsuite name="Suite">
<testcase name="good" status="run" result="completed" time="2." classname="Suite"/>
<testcase name="bad" status="run" result="completed" time="1.5" classname="Suite"><failure message="no"/></testcase>
<testcase name="cannot" status="run" result="skipped" time="0." classname="Suite"><skipped message="why"/></testcase>
<testcase name="off" status="notrun" result="suppressed" time="0." classname="Suite"/>
</testsuite></testsuites>"""
GOOD_CASE = '<testsuites><testsuite><testcase name="good" result="completed" classname="Suite"/></testsuite></testsuites>'


def summary(cases, grouped=None, output=""):
    """Exit status and lines for a report of (name, seconds, status); `grouped`: the program's own report by name."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "dev", "report.xml")
        report.parent.mkdir()
        rows = [f'<testcase name="{name}" time="{time}" status="{status}">'
                f'<system-out>{output}</system-out></testcase>' for name, time, status in cases]
        report.write_text(f"<testsuite>{''.join(rows)}</testsuite>", encoding="utf-8")
        for name, text in (grouped or {}).items():
            report.parent.joinpath("test-cases").mkdir(exist_ok=True)
            report.parent.joinpath("test-cases", f"{name}.xml").write_text(text, encoding="utf-8")
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

    def test_names_what_needed_a_second_try(self):
        again = "Traceback\na second try was needed: fullscreen\n"
        status, lines = summary([("Gui.fullscreen", 9, "run")], output=again)
        self.assertEqual(status, 0)
        self.assertEqual(lines[-2:], ["a second try was needed: fullscreen", "1 passed, 0 failed"])

    def test_counts_and_names_the_cases_of_a_program(self):
        status, lines = summary([("test_suite", 4, "fail"), ("other", 1, "run")], {"test_suite": CASES})
        self.assertEqual(status, 1)
        self.assertEqual(lines[-2:], ["failed: Suite.bad (build/dev)", "2 passed, 1 failed, 2 skipped"])
        self.assertEqual([line.split()[-1] for line in lines[1:4]], ["Suite.good", "Suite.bad", "other"])

    def test_a_program_that_ran_no_case_failed(self):
        status, lines = summary([("test_suite", 0, "run")], {"test_suite": "<testsuites/>"})
        self.assertEqual(status, 1)
        self.assertEqual(lines[-2:], ["failed: test_suite, which ran no case (build/dev)", "0 passed, 1 failed"])

    def test_a_program_that_fails_when_its_cases_are_over_failed(self):
        status, lines = summary([("test_suite", 4, "fail")], {"test_suite": GOOD_CASE})
        self.assertEqual(status, 1)
        self.assertEqual(lines[-2:], ["failed: test_suite, after its cases (build/dev)", "1 passed, 1 failed"])

    def test_a_program_that_ended_early_says_in_which_case(self):
        begun = "[ RUN      ] Suite.good\n[       OK ] Suite.good\n[ RUN      ] Suite.bad\n"
        status, lines = summary([("test_suite", 4, "fail")], output=begun)
        self.assertEqual(status, 1)
        self.assertEqual(lines[-2:], ["failed: test_suite, in Suite.bad (build/dev)", "0 passed, 1 failed"])


if __name__ == "__main__":
    unittest.main()
