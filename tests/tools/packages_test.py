"""What makes the packages, without making them: arguments, shell syntax, and that both recipes of the container agree."""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from xml.etree import ElementTree

sys.dont_write_bytecode = True
SOURCES = Path(__file__).resolve().parents[2]
VERSION = re.search(r"^project\(orrery VERSION (\S+)", (SOURCES / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)[1]
PACKAGING = SOURCES / "packaging"
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
        for target in ("deb-12", "deb-13", "deb-13-arm64", "folder", "container"):
            self.assertIn(target, done.stdout)

    def test_mistakes_end_with_2_and_one_line(self):
        for arguments, reason in ((["--only", "rpm"], "--only needs one of: deb-12 deb-13 deb-13-arm64 folder container"),
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


def empty_path(folder):
    """A path on which there is a shell with a few tools, and nothing that installs or builds."""
    tools = Path(folder, "tools")
    tools.mkdir()
    for name in ("bash", "env", "dirname", "readlink", "mkdir", "flock", "cat", "id"):
        (tools / name).symlink_to(shutil.which(name))
    return str(tools)


def judged_by(program, *arguments):
    """Nothing if the program is content or not installed, else what it says."""
    if shutil.which(program) is None:
        print(f"not judged: {program} is not installed")
        return ""
    done = subprocess.run([program, *arguments], cwd=SOURCES, capture_output=True, text=True, timeout=120, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


class Metadata(unittest.TestCase):
    """What catalogues read of the sources."""

    def test_citation(self):
        citation = (SOURCES / "CITATION.cff").read_text(encoding="utf-8")
        self.assertIn(f"\nversion: {VERSION}\n", citation)
        self.assertEqual(judged_by("cffconvert", "--validate"), "")

    def test_licence_of_every_file(self):
        self.assertEqual((SOURCES / "LICENSES/MIT.txt").read_text(encoding="utf-8"),
                         (SOURCES / "LICENSE").read_text(encoding="utf-8"))
        self.assertIn('path = "**"', (SOURCES / "REUSE.toml").read_text(encoding="utf-8"))
        self.assertEqual(judged_by("reuse", "lint"), "")

    def test_software_centre(self):
        file, = (SOURCES / "assets/desktop").glob("*.metainfo.xml")
        component = ElementTree.parse(file).getroot()
        self.assertEqual(component.findtext("id") + ".metainfo.xml", file.name)
        releases = [(found.get("version"), found.get("date")) for found in component.iter("release")]
        changes = (SOURCES / "CHANGELOG.md").read_text(encoding="utf-8")
        self.assertEqual(releases, re.findall(r"^## \[(\d\S*)\] - (\S+)$", changes, re.M))
        entry = (SOURCES / "assets/desktop" / component.findtext("launchable")).read_text(encoding="utf-8")
        types = [found.text for found in component.iter("mediatype")]
        self.assertIn("MimeType=" + ";".join(types) + ";\n", entry)
        self.assertEqual(component.find("developer").get("id"), component.findtext("id").rpartition(".")[0])
        # The project has no public address yet, so there is no homepage to name: AppStream 1.0 warns of that, and of
        # nothing else. Older ones do not know that warning, so it cannot be overridden by an option.
        said = judged_by("appstreamcli", "validate", "--no-net", file)
        self.assertEqual(re.findall(r"^[EW]: .*: (\S+)$", said, re.M), ["url-homepage-missing"] if said else [], said)
        known = ElementTree.parse(SOURCES / "assets/desktop/orrery.xml").getroot()
        self.assertEqual([found.get("type") for found in known], types)


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
            self.assertEqual(recipe.says(self.dockerfile, stage, "FROM"), [f"debian:bookworm AS {stage}"])
            self.assertIn("From: debian:bookworm", sections["head"])

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
        self.assertGreater(int(user), 0)
        self.assertIn(f"useradd --uid {user} --create-home", (CONTAINER / "install").read_text(encoding="utf-8"))

    def test_labels_are_the_same_and_name_this_version(self):
        labels = dict(line.split("=", 1) for line in recipe.says(self.dockerfile, "final", "LABEL"))
        self.assertEqual([f"{name} {text.strip(chr(34))}" for name, text in labels.items()], self.stages["final"]["%labels"])
        self.assertEqual(labels["org.opencontainers.image.version"], f'"{VERSION}"')

    def test_packages_are_fetched_before_the_sources_come(self):
        steps = recipe.says(self.dockerfile, "build", "COPY", "RUN")
        self.assertEqual(steps[-2:], ["COPY . /source", "RUN /source/packaging/build /packages"])
        with tempfile.TemporaryDirectory() as folder:
            for step in filter(lambda step: step.startswith("COPY "), steps[:-2]):
                *files, to = step.split()[1:]
                os.makedirs(folder + to, exist_ok=True)
                for file in files:
                    shutil.copy(SOURCES / file, folder + to)
            # Nothing else of the sources is there: it can only end at what it finds missing on this system.
            done = subprocess.run([folder + "/source/packaging/build", "--packages"], env={"PATH": empty_path(folder)},
                                  capture_output=True, text=True, timeout=60, check=False)
            self.assertIn("this system has no apt, and it lacks: cmake ninja", done.stderr)
            self.assertEqual(done.returncode, 1, done.stderr)

    def test_builds_are_left_out_of_the_sources(self):
        ignored = (SOURCES / ".dockerignore").read_text(encoding="utf-8").split()
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
