"""The GPU suite (tools/gpu_suite) without a GPU: programs stand in for those that it runs."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "gpu"))
import jobs  # noqa: E402
import results  # noqa: E402

SUITE = ROOT / "tools" / "gpu_suite"
RECORD = ROOT / "tools" / "gpu" / "record.py"
LONGEST = 120  # seconds: far more than any of this needs

# Behaves like a program of GoogleTest whose cases pass, fail, skip, crash or hang by their names.
TESTS = '''#!{python}
import os, sys, time
CASES = {cases}
options = dict(word[2:].split("=", 1) for word in sys.argv[1:] if "=" in word)
if "--gtest_list_tests" in sys.argv:
    print("Suite.")
    for case in CASES:
        print("  " + case)
    sys.exit(0)
wanted = options["gtest_filter"].split(":")
failed, rows = False, []
for case in CASES:
    if "Suite." + case not in wanted:
        continue
    print("[ RUN      ] Suite." + case, flush=True)
    if "Crashes" in case:
        os.abort()
    if "Hangs" in case:
        time.sleep(1000)
    bad = "Fails" in case
    failed = failed or bad
    inside = '<failure message="file.cpp:3&#x0A;Expected: 1"/>' if bad else ""
    inside = '<skipped message="why"/>' if "Skips" in case else inside
    result = "skipped" if "Skips" in case else "completed"
    rows.append(f'<testcase classname="Suite" name="{{case}}" result="{{result}}" time="0.5">{{inside}}</testcase>')
    word = "[  FAILED  ]" if bad else "[  SKIPPED ]" if "Skips" in case else "[       OK ]"
    print(word + " Suite." + case + " (500 ms)", flush=True)
with open(options["gtest_output"][4:], "w") as report:
    report.write("<testsuites><testsuite>" + "".join(rows) + "</testsuite></testsuites>")
if {end_badly}:
    os.abort()
sys.exit(1 if failed else 0)
'''

# Behaves like orrery: verify writes its rows, --physics crashes, ladders fail.
PROGRAM = '''#!{python}
import json, os, sys
if "--physics" in sys.argv:
    os.abort()
if sys.argv[1] == "ladder":
    sys.exit(3)
rows = [{{"name": "good", "status": "passed"}}, {{"name": "absent", "status": "refused", "reason": "why"}}]
if "--ladder" not in sys.argv:
    rows.append({{"name": "family=tree", "status": "failed", "failures": ["position 3e-3 of 1e-3"]}})
with open(sys.argv[sys.argv.index("--json") + 1], "w") as report:
    json.dump({{"rows": rows}}, report)
sys.exit(1 if len(rows) == 3 else 0)
'''


def write_program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


class Suite(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.dist = Path(self.temporary.name, "dist")
        self.folder = Path(self.temporary.name, "out")
        # No card of this machine is looked for, and no compute-sanitizer.
        self.environment = dict(os.environ, PATH=str(Path(self.temporary.name, "bin")))

    def tearDown(self):
        self.temporary.cleanup()

    def add_tests(self, *cases, end_badly=False):
        text = TESTS.format(python=sys.executable, cases=cases, end_badly=end_badly)
        write_program(self.dist / "bin" / "tests" / "test_gpu", text)

    def run_suite(self, *more, workers=1):
        command = [sys.executable, SUITE, self.dist, self.folder, "--jobs", str(workers), *more]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, env=self.environment)
        return done, json.loads((self.folder / "gpu-suite.json").read_text(encoding="utf-8"))

    def counts(self, report):
        return [report[kind] for kind in ("passed", "failed", "skipped")]

    def failures(self, report):
        return {each["name"]: each["why"] for each in report["failures"]}

    def test_all_is_well(self):
        self.add_tests("Passes", "SkipsIt", "PassesToo")
        done, report = self.run_suite()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.counts(report), [2, 0, 1])
        self.assertEqual(report["failures"], [])
        self.assertEqual(report["complete"], True)
        self.assertEqual(report["mode"], "full")
        self.assertEqual(report["cards"], [])
        self.assertEqual(report["slowest"]["Suite.Passes"], 0.5)

    def test_every_case_is_in_one_job(self):
        names = [f"Case{k}" for k in range(50)]
        self.add_tests(*names)
        found = jobs.all_jobs(self.dist, quick=False, workers=4)
        self.assertEqual(sorted(case for job in found for case in job.cases), sorted(f"Suite.{name}" for name in names))
        self.assertEqual(len(found), 32)
        self.assertEqual({job.group for job in found}, {"test_gpu"})

    def test_the_sanitizer_runs_where_it_is_installed(self):
        self.add_tests("Passes")
        sanitizer = Path(self.environment["PATH"], "compute-sanitizer")
        write_program(sanitizer, f'#!{sys.executable}\nimport sys\nprint("========= ERROR SUMMARY: 2 errors")\nsys.exit(9)\n')
        done, report = self.run_suite()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(report["jobs"]["compute-sanitizer"]["failed"], 4)
        self.assertEqual(set(self.failures(report).values()), {"exit status 9"})

    def test_what_judges_free_memory_runs_after_all_others(self):
        names = ("Interop.AHundredRegistrationsLeakNothing", "MapSum.Of")
        self.assertEqual([bool(jobs.ALONE.search(name)) for name in names], [True, False])
        self.add_tests("Passes", "FailsToLeakNothing")
        _, report = self.run_suite()
        self.assertEqual([(each["name"], each["job"]) for each in report["failures"]],
                         [("Suite.FailsToLeakNothing", "test_gpu-alone")])

    def test_a_case_that_fails_is_named(self):
        self.add_tests("Passes", "FailsHere", "PassesToo")
        done, report = self.run_suite()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.counts(report), [2, 1, 0])
        self.assertEqual(self.failures(report), {"Suite.FailsHere": "file.cpp:3 Expected: 1"})
        self.assertIn("failed: Suite.FailsHere", done.stdout)

    def test_cases_after_a_crash_run_in_another_process(self):
        self.add_tests("Passes", "Passes1", "Crashes", "Passes2", "Passes3", "FailsHere", "SkipsIt")
        done, report = self.run_suite()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.counts(report), [4, 2, 1])
        self.assertEqual(self.failures(report)["Suite.Crashes"], "crashed (SIGABRT)")
        self.assertEqual(report["complete"], True)

    def test_a_program_that_crashes_at_its_end_failed(self):
        self.add_tests("Passes", end_badly=True)
        done, report = self.run_suite()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.counts(report), [1, 1, 0])
        self.assertEqual(self.failures(report), {"test_gpu-1, after its cases": "crashed (SIGABRT)"})

    def test_what_hangs_ends_with_the_time(self):
        # How far it comes in this time is the machine's.
        self.add_tests("Hangs", "Passes")
        done, report = self.run_suite("--limit", "3")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(set(self.failures(report).values()), {"timed out"})
        self.assertEqual(len(report["failures"]), 2, "the one that hangs, and the one that did not begin")
        self.assertEqual(report["passed"], 0)

    def test_the_case_that_hangs_is_named_by_the_log(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "log")
            log.write_text("[ RUN      ] A.b\n[       OK ] A.b (3 ms)\n[ RUN      ] A.c/x\nnoise\n")
            job = jobs.Job("test_gpu-1", ["test_gpu"], results.of_tests, cases=["A.b", "A.c/x", "A.d"], log=log)
            job.report = Path(folder, "absent")
            result = results.of_tests(job, results.TIMED_OUT)
        self.assertEqual(result.counts, {"passed": 1, "failed": 1, "skipped": 0})
        self.assertEqual(result.failures, [("A.c/x", "timed out")])
        self.assertEqual(jobs.rest_of(job, result).cases, ["A.d"])

    def test_a_program_that_does_not_start_failed(self):
        self.add_tests("Passes")
        (self.dist / "bin" / "tests" / "test_gpu_more").write_text("no program")
        (self.dist / "bin" / "tests" / "test_gpu_more").chmod(0o755)
        done, report = self.run_suite()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.counts(report), [1, 1, 0])

    def test_verify_and_ladders_are_read_by_their_reports(self):
        write_program(self.dist / "bin" / "orrery", PROGRAM.format(python=sys.executable))
        done, report = self.run_suite(workers=2)
        self.assertEqual(done.returncode, 1)
        found = self.failures(report)
        self.assertEqual(found.pop("ladders"), "exit status 3")
        count = jobs.VERIFY_PARTS
        parts = range(1, count + 1)
        self.assertEqual({found.pop(f"verify-physics-{k}") for k in parts}, {"crashed (SIGABRT)"})
        self.assertEqual(found, {f"verify-{k}: family=tree": "position 3e-3 of 1e-3" for k in parts})
        self.assertEqual(report["jobs"]["verify"],
                         report["jobs"]["verify"] | {"processes": count, "passed": count, "failed": count})

    def test_commit_and_kernels_come_from_what_was_prepared(self):
        self.add_tests("Passes")
        (self.dist / "built.json").write_text('{"commit": "abc", "modified": false}')
        _, report = self.run_suite("--quick")
        self.assertEqual([report["commit"], report["modified"], report["mode"]], ["abc", False, "quick"])
        self.assertEqual(report["kernels"], {"found": 0, "compiled": 0})

    def test_a_folder_of_somebody_is_not_replaced(self):
        self.add_tests("Passes")
        done = subprocess.run([sys.executable, SUITE, "--prepare", self.dist], capture_output=True, text=True,
                              timeout=LONGEST, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("not made by --prepare", done.stderr)
        self.assertTrue((self.dist / "bin" / "tests" / "test_gpu").is_file())

    def test_without_programs_it_says_what_to_do(self):
        done = subprocess.run([sys.executable, SUITE, self.dist, self.folder], capture_output=True, text=True,
                              timeout=LONGEST, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--prepare", done.stderr)


class Record(unittest.TestCase):
    """What ./test says of the recorded run."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.root = Path(self.temporary.name)
        self.git("init", "-q")
        self.write("sim/cuda/device/update.cu", "code\n")
        self.write("docs/other.md", "text\n")
        self.commit = self.commit_all()

    def tearDown(self):
        self.temporary.cleanup()

    def git(self, *arguments):
        words = ["git", "-C", str(self.root), "-c", "user.name=n", "-c", "user.email=e@example.org", *arguments]
        return subprocess.run(words, capture_output=True, text=True, timeout=LONGEST, check=True).stdout.strip()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def commit_all(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "state")
        return self.git("rev-parse", "HEAD")

    def record(self, **other):
        report = {"commit": self.commit, "modified": False, "mode": "full", "complete": True, "passed": 9, "failed": 0}
        self.write("docs/gpu-suite.json", json.dumps(report | other))

    def said(self):
        done = subprocess.run([sys.executable, RECORD, self.root], capture_output=True, text=True, timeout=LONGEST,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.strip()

    def test_nothing_where_nothing_changed(self):
        self.record()
        self.write("docs/other.md", "other\n")
        self.commit_all()
        self.assertEqual(self.said(), "")

    def test_the_files_of_device_code_that_changed(self):
        self.record()
        self.write("sim/cuda/device/update.cu", "other code\n")
        self.assertEqual(self.said(), "GPU suite: 1 file of device code changed since it last passed")
        self.commit_all()
        self.write("sim/cuda/families/new.cu", "new code\n")
        self.assertEqual(self.said(), "GPU suite: 2 files of device code changed since it last passed")

    def test_a_run_that_did_not_pass(self):
        for other, words in (({"failed": 4}, "4 failed when it last ran"), ({"complete": False}, "did not end"),
                             ({"mode": "quick"}, "not the full one"), ({"modified": True}, "without a commit")):
            self.record(**other)
            self.assertIn(words, self.said())

    def test_no_run(self):
        self.assertIn("no run is recorded", self.said())
        self.write("docs/gpu-suite.json", "not JSON")
        self.assertIn("no run is recorded", self.said())

    def test_a_commit_that_is_not_here(self):
        self.record(commit="0123456789abcdef0123456789abcdef01234567")
        self.assertIn("not in this checkout (0123456789ab)", self.said())

    def test_nothing_without_git(self):
        with tempfile.TemporaryDirectory() as folder:
            self.root = Path(folder)
            self.assertEqual(self.said(), "")


if __name__ == "__main__":
    unittest.main()
