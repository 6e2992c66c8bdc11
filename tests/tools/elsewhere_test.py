"""tools/elsewhere without making a root file system, and tools/check_sources.py with the compiler of this one."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
TOOLS = Path(__file__).resolve().parents[2] / "tools"
LONGEST = 200  # seconds: far more than a compiler needs for a few lines


def elsewhere(*arguments, program=TOOLS / "elsewhere", **environment):
    return subprocess.run([program, *arguments], env={**os.environ, **environment}, capture_output=True,
                          text=True, timeout=LONGEST, check=False)


class Arguments(unittest.TestCase):
    def test_help_names_every_system(self):
        done = elsewhere("--help")
        self.assertEqual(done.returncode, 0, done.stderr)
        for word in ("debian13", "forky", "arm64", "--run"):
            self.assertIn(word, done.stdout)

    def test_mistakes_end_with_2_and_one_line(self):
        for arguments, reason in ((["debian7"], "unknown argument: debian7"), (["--compiler", "icc"], "needs gcc or clang"),
                                  (["--seconds", "soon"], "--seconds needs a number"), (["--run", "arm64"], "--run takes debian13 and forky"),
                                  (["--objects", "--run"], "neither --compiler nor --objects")):
            done = elsewhere(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(reason, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def refuse(self, reason, **programs):
        """Both ways to ask fail for that reason where programs of these names do this, in a checkout that nobody else uses."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("tools/elsewhere", "tools/setup.sh", "packaging/mirrors.sh"):
                copy = Path(folder, name)
                copy.parent.mkdir(exist_ok=True)
                shutil.copy(TOOLS.parent / name, copy)
            for name, text in programs.items():
                Path(folder, name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
                Path(folder, name).chmod(0o755)
            settings = {"PATH": f"{folder}:{os.environ['PATH']}", "XDG_CACHE_HOME": folder}
            for words, status in ([], 1), (["--optional"], 0):
                done = elsewhere(*words, "debian13", program=Path(folder, "tools/elsewhere"), **settings)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn(("left out: " if words else "elsewhere: ") + reason, done.stderr.splitlines()[-1])

    def test_without_root_a_line_says_so(self):
        self.refuse("making root file systems needs root", id="echo 1000")

    def test_where_packages_cannot_be_had_a_line_says_so(self):
        self.refuse("the packages of trixie cannot be had", id="echo 0", unshare="", mmdebstrap="exit 1")


class CheckSources(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        self.files = {}

    def add(self, name, text, *flags):
        path = self.root / name
        path.write_text(text, encoding="utf-8")
        if name.endswith(".cpp"):
            self.files[name] = {"file": str(path), "command": f"env SOME=1 /usr/bin/ccache /usr/bin/c++ -DORRERY_ASSERTIONS -Wall -Werror "
                                f"{' '.join(flags)} -std=c++20 -o {name}.o -c {path}"}

    def check(self, *seconds):
        (self.root / "compile_commands.json").write_text(json.dumps(list(self.files.values())), encoding="utf-8")
        return subprocess.run([sys.executable, TOOLS / "check_sources.py", self.root, *seconds], capture_output=True, text=True,
                              timeout=LONGEST, check=False)

    def test_files_are_compiled_together_and_once(self):
        self.add("own.h", "inline int own() { return 2; }\n")
        self.add("first.cpp", '#include "own.h"\nint first() { return own(); }\n', f"-I{self.root}", "-O2")
        self.add("second.cpp", "int second() { return VALUE; }\n", '-DVALUE=3', "-fopenmp")
        self.assertIn("2 files in 1 units, 1 of them compiled, ", self.check().stdout)
        self.assertIn("2 files in 1 units, 0 of them compiled, ", self.check().stdout)
        self.add("own.h", "int own() { return nothing; }\n")
        done = self.check()
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing", done.stderr)

    def test_what_there_is_no_time_for_is_counted_and_not_taken_for_good(self):
        self.add("first.cpp", "int first() { return nothing; }\n")
        done = self.check("-1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("0 of them compiled, ", done.stdout)
        self.assertIn(", 1 files left out", done.stdout)
        self.assertEqual(self.check("1000").returncode, 1)

    def test_macros_that_choose_code_keep_files_apart(self):
        for name in ("first", "second"):
            self.add(f"{name}.cpp", f"int {name}() {{ return 1; }}\n", *(["-DORRERY_TEST_CUDA"] if name == "second" else []))
        self.assertIn("2 files in 2 units", self.check().stdout)

    def test_files_that_do_not_suit_each_other_are_no_error(self):
        self.add("first.cpp", "int value() { return 1; }\nint first() { return value(); }\n")
        self.add("second.cpp", "int value() { return 1; }\nint second() { return value(); }\n")
        done = self.check()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("2 files in 1 units, 0 of them compiled, ", self.check().stdout)

    def test_a_file_alone_may_use_its_anonymous_namespace(self):
        self.add("own.h", "struct Own { struct State; };\n")
        self.add("first.cpp", '#include "own.h"\nnamespace { struct Part {}; }\nstruct Own::State { Part part; };\n', f"-I{self.root}")
        done = self.check()
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_warning_is_an_error_and_is_told_once(self):
        self.add("first.cpp", "int first() { int unused = 1; return 2; }\n")
        self.add("second.cpp", "int second() { return 1; }\n")
        done = self.check()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("error: unused variable"), 1)


if __name__ == "__main__":
    unittest.main()
