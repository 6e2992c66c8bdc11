"""What ./run and ./test do for each other when both are started at once (tools/setup.sh)."""
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SETUP = Path(__file__).resolve().parents[2] / "tools" / "setup.sh"
LONGEST = 60  # seconds: far more than a shell needs to start


def begin_setup(root, program, then=""):
    """A shell that holds what a program's set-up holds; it says "ready" when it has it."""
    script = f'root="{root}"; program={program}; source "{SETUP}"; begin_setup; echo ready; {then}'
    return subprocess.Popen(["bash", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


class SetUp(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.holder = begin_setup(self.folder.name, "test", "read -r _")
        self.assertEqual(self.holder.stdout.readline(), "ready\n")

    def tearDown(self):
        if self.holder.poll() is None:
            self.holder.communicate("\n", timeout=LONGEST)
        self.folder.cleanup()

    def test_another_program_does_not_wait(self):
        out, said = begin_setup(self.folder.name, "run").communicate(timeout=LONGEST)
        self.assertEqual(out, "ready\n")
        self.assertNotIn("waiting", said)

    def test_the_same_program_waits_and_says_so(self):
        second = begin_setup(self.folder.name, "test")
        self.assertIn("waiting for another ./test", second.stderr.readline())
        self.holder.communicate("\n", timeout=LONGEST)
        out, _ = second.communicate(timeout=LONGEST)
        self.assertEqual(out, "ready\n")

    def test_each_program_has_a_log_of_its_own(self):
        begin_setup(self.folder.name, "run", "say_nothing=1").communicate(timeout=LONGEST)
        self.assertEqual(sorted(path.name for path in Path(self.folder.name, "build").glob("*.log")),
                         ["setup-run.log", "setup-test.log"])


class Beside(unittest.TestCase):
    """Builds beside what the program does; a function stands for each."""

    def run_script(self, build, then):
        with tempfile.TemporaryDirectory() as root:
            script = (f'set -euo pipefail; root="{root}"; program=test; source "{SETUP}"; begin_setup; '
                      f'build() {{ {build}; }}; build_beside asan some tsan others; end_setup; {then}')
            done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=LONGEST)
        # Said only where they are not done yet.
        done.stderr = done.stderr.replace("test: waiting for the builds beside these tests\n", "")
        return done

    def test_it_says_that_it_waits_for_them(self):
        done = self.run_script('touch "$root/said"; until grep -q waiting "$root/said"; do sleep 0.01; done',
                               'touch "$root/said"; finish_builds 2>"$root/said"; grep -c waiting "$root/said"')
        self.assertEqual(done.stdout, "1\n")

    def test_they_go_on_meanwhile_and_say_it_at_the_end(self):
        # The second one waits for what the program does after it began them.
        done = self.run_script('until [ "$1" = asan ] || [ -e "$root/go" ]; do sleep 0.01; done; echo "built $1 $2"',
                               'echo first; touch "$root/go"; finish_builds; echo last')
        self.assertEqual(done.stdout.split(), ["first", "last"])
        self.assertEqual(done.stderr.splitlines(), ["built asan some", "built tsan others"])
        self.assertEqual(done.returncode, 0)

    def test_one_that_fails_is_the_last(self):
        done = self.run_script('die "no $1"', 'if finish_builds; then echo good; else echo "bad $?"; fi')
        self.assertEqual(done.stdout, "bad 1\n")
        self.assertEqual(done.stderr, "test: no asan\n")

    def test_they_end_with_the_program(self):
        done = self.run_script('echo $BASHPID >"$root/pid"; exec sleep 1000',
                               'until [ -s "$root/pid" ]; do sleep 0.01; done; cat "$root/pid"')
        self.assertEqual(done.returncode, 0)
        with self.assertRaises(ProcessLookupError):
            for _ in range(1000):
                os.kill(int(done.stdout), 0)
                time.sleep(0.01)


class Configure(unittest.TestCase):
    """What CMake is told; a function stands for it."""

    def told(self, preset, **variables):
        with tempfile.TemporaryDirectory() as root:
            script = (f'root="{root}"; program=run; source "{SETUP}"; begin_setup; packages_changed=0; '
                      f'cmake() {{ printf "%s\\n" "$@"; }}; configure {preset}; cat "$log"')
            environment = {name: value for name, value in os.environ.items() if name != "CI"} | variables
            done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True,
                                  timeout=LONGEST, check=True)
        return done.stdout.splitlines()

    def test_who_wants_to_look_at_a_galaxy_does_not_wait_long(self):
        for option in ("-DORRERY_UNITY=ON", "-DORRERY_OPTIMIZE_COLD=OFF"):
            self.assertIn(option, self.told("default"))

    def test_developers_compile_file_by_file(self):
        self.assertNotIn("-DORRERY_UNITY=ON", self.told("dev"))
        self.assertIn("-DORRERY_UNITY=ON", self.told("dev", CI="true"))

    def test_debug_information_is_left_out_of_builds_that_nobody_debugs(self):
        for preset, flags in (("dev", "RELWITHDEBINFO=-O2 -DNDEBUG"), ("asan", "DEBUG=-O1"), ("tsan", "DEBUG=-O0")):
            self.assertIn(f"-DCMAKE_CXX_FLAGS_{flags}", self.told(preset, CI="true"))
            self.assertFalse([each for each in self.told(preset) if "CXX_FLAGS" in each])


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    sys.exit(unittest.main())
