"""What makes the packages, without making them: arguments, shell syntax, and that both recipes of the container agree."""
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

sys.dont_write_bytecode = True
PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
CONTAINER = PACKAGING / "container"
SHELL_SCRIPTS = [path for path in sorted(PACKAGING.rglob("*"))
                 if path.is_file() and path.suffix != ".erb" and path.read_bytes().startswith(b"#!/usr/bin/env bash")]


def load(path):
    """A program of Python as a module: its name has no suffix."""
    loader = SourceFileLoader(path.name, str(path))
    module = module_from_spec(spec_from_loader(path.name, loader))
    loader.exec_module(module)
    return module


recipe = load(CONTAINER / "recipe")
try_program = load(PACKAGING / "try_program")


def make_packages(*arguments, **environment):
    return subprocess.run([PACKAGING / "make_packages", *arguments], env={**os.environ, **environment},
                          capture_output=True, text=True, timeout=60, check=False)


class Arguments(unittest.TestCase):
    def test_help_names_every_target(self):
        done = make_packages("--help")
        self.assertEqual(done.returncode, 0, done.stderr)
        for target in ("deb-12", "deb-13", "folder", "container"):
            self.assertIn(target, done.stdout)

    def test_mistakes_end_with_2_and_one_line(self):
        for arguments, reason in ((["--only", "rpm"], "--only needs one of: deb-12 deb-13 folder container"),
                                  (["--only"], "--only needs one of"), (["--output"], "--output needs a folder"),
                                  (["--fast"], "unknown argument: --fast")):
            done = make_packages(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(reason, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_without_root_nothing_is_made(self):
        with tempfile.TemporaryDirectory() as folder:
            user = Path(folder, "id")
            user.write_text("#!/bin/sh\necho 1000\n", encoding="utf-8")
            user.chmod(0o755)
            done = make_packages("--output", folder + "/made", PATH=f"{folder}:{os.environ['PATH']}")
            self.assertEqual(done.returncode, 1)
            self.assertIn("needs root", done.stderr)
            self.assertFalse(Path(folder, "made").exists())


class Scripts(unittest.TestCase):
    def test_shell_reads_all(self):
        self.assertGreaterEqual(len(SHELL_SCRIPTS), 6)
        for script in SHELL_SCRIPTS:
            done = subprocess.run(["bash", "-n", script], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(os.access(script, os.X_OK), script)


def definition_stages(text):
    """{stage: {section: [line, ...]}} of Apptainer's definition file; its head is the section "head"."""
    found = {}
    for part in re.split(r"(?m)^(?=Bootstrap:)", text)[1:]:
        sections, section = {"head": []}, "head"
        for line in filter(None, (line.strip() for line in part.splitlines())):
            if line.startswith("%"):
                section = line
                sections[section] = []
            else:
                sections[section].append(line)
        found[dict(line.split(": ") for line in sections["head"])["Stage"]] = sections
    return found


class Recipes(unittest.TestCase):
    def setUp(self):
        self.dockerfile = (CONTAINER / "Dockerfile").read_text(encoding="utf-8")
        self.definition = (CONTAINER / "orrery.def").read_text(encoding="utf-8")
        self.stages = definition_stages(self.definition)

    def test_both_run_the_same_scripts_on_the_same_system(self):
        self.assertEqual(list(self.stages), list(recipe.stages(self.dockerfile)))
        for stage, sections in self.stages.items():
            commands = [line for line in sections["%post"] if not line.startswith("rm ")]
            self.assertEqual(commands, recipe.says(self.dockerfile, stage, "RUN"), stage)
            self.assertEqual(recipe.says(self.dockerfile, stage, "FROM"), [f"debian:12 AS {stage}"])
            self.assertIn("From: debian:12", sections["head"])

    def test_scripts_are_there(self):
        for stage in self.stages:
            for command in recipe.says(self.dockerfile, stage, "RUN"):
                script = command.split()[0].replace("/source/", "")
                self.assertTrue(os.access(PACKAGING.parent / script, os.X_OK), script)

    def test_variables_are_the_same(self):
        exported = [line.replace("export ", "") for line in self.stages["final"]["%environment"]]
        self.assertEqual(exported, recipe.says(self.dockerfile, "final", "ENV"))

    def test_nobody_is_root(self):
        user = recipe.says(self.dockerfile, "final", "USER")[0]
        self.assertIn(f"useradd --create-home --user-group --shell /bin/bash {user}",
                      (CONTAINER / "install").read_text(encoding="utf-8"))

    def test_builds_are_left_out_of_the_sources(self):
        ignored = (CONTAINER / "Dockerfile.dockerignore").read_text(encoding="utf-8").split()
        self.assertEqual(sorted(re.findall(r"--exclude=\./(\S+)", self.definition)),
                         sorted(name for name in ignored if "*" not in name))


def png(pixels):
    """A PNG of 32x1 grey pixels."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", len(pixels), 1, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"\0" + pixels)) + chunk(b"IEND", b""))


class Pictures(unittest.TestCase):
    def test_a_picture_has_its_size(self):
        self.assertEqual(try_program.png_size(png(bytes(range(32)))), (32, 1))

    def test_an_empty_or_damaged_one_is_refused(self):
        whole = png(bytes(range(32)))
        for data in (png(bytes(32)), whole[:40] + b"?" + whole[41:], b"GIF89a"):
            with self.assertRaises(try_program.Failure):
                try_program.png_size(data)


if __name__ == "__main__":
    unittest.main()
