#!/usr/bin/env python3
"""Runs the shell commands of one document as they are written: commands_test.py PROGRAM DOCUMENT.

A command is a line of a fenced block that begins with `./run`, `orrery` or `mpirun`. All commands of a document run in
one empty folder, one after the other, so a file that a command names must have been written by an earlier command.
HOME is an empty folder too, and there is no display: the window then writes a picture and ends.

Only sizes are bounded (see LIMITS and DEFAULTS); every other word of a command is left as it is. A command is skipped
if it needs a GPU, MPI or ffmpeg that this machine does not have, or if the line above its block is the comment
`<!-- test: skip REASON -->`. Every skip is printed with its reason. Exit status 77: all commands were skipped.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# The most that a command may ask for. A list keeps its number of values, and different ones stay different.
LIMITS = {"--bodies": 2048, "--steps": 4, "--frames": 6, "--seconds": 2, "--galaxies": 4, "--every": 2}
LARGEST_PICTURE = (320, 180)
# What is added to a subcommand that leaves its size out, because its default takes minutes on two cores.
DEFAULTS = {"ladder": ["--bodies", "256"], "bench": ["--bodies", "512"], "sweep": ["--bodies", "256"]}
# What is added where a picture of a built-in galaxy is drawn with as many bodies as the machine takes by itself.
PICTURED = ["--bodies", "2048"]
# Built-in galaxies of as many bodies as are asked for.
GALAXIES = {"disk", "collision", "mice", "plummer", "milky-way-andromeda"}
LIMIT_S = 300
SKIP = re.compile(r"<!-- test: skip (.+?) -->")
COMMAND = re.compile(r"(?:\w+=\S+ )*(?:\./run|orrery|mpirun)\b")


class Command:
    """One command of a document: its line number, its words, and why it is left out, if it is."""

    def __init__(self, line, text, skip):
        self.line, self.text, self.skip = line, text, skip

    def words(self):
        return shlex.split(self.text, comments=True)


def commands(document):
    """The commands of a document in their order."""
    found, fence, skip, text, start = [], False, "", "", 0
    for number, line in enumerate(document.splitlines(), 1):
        if line.startswith("```"):
            fence = not fence
            if not fence:
                skip = ""
        elif not fence:
            comment = SKIP.fullmatch(line.strip())
            if comment or line.strip():
                skip = comment.group(1) if comment else ""
        else:
            start = start if text else number
            text += line.rstrip("\\")
            if line.endswith("\\"):
                continue
            if COMMAND.match(text):
                found.append(Command(start, text, skip))
            text = ""
    return found


def bounded_numbers(value, limit):
    """A number or a list of numbers, each at most `limit`; what is no number stays."""
    kept, used = [], set()
    for part in value.split(","):
        if part.isdigit():
            number = min(int(part), limit)
            while number in used:
                number += 1
            used.add(number)
            part = str(number)
        kept.append(part)
    return ",".join(kept)


def bounded_size(value):
    sides = re.fullmatch(r"(\d+)x(\d+)", value)
    if not sides:
        return value
    return "x".join(str(min(int(side), most)) for side, most in zip(sides.groups(), LARGEST_PICTURE))


def bounded(words):
    """The words of a command with its sizes bounded."""
    result = list(words)
    for at in range(1, len(result)):
        if result[at - 1] in LIMITS:
            result[at] = bounded_numbers(result[at], LIMITS[result[at - 1]])
        elif result[at - 1] == "--size":
            result[at] = bounded_size(result[at])
    for subcommand, added in DEFAULTS.items():
        if subcommand in result[1:3] and added[0] not in result:
            result += added
    if draws_a_galaxy(result) and not {"--bodies", "--galaxies"} & set(result):
        result += PICTURED
    return result


def draws_a_galaxy(words):
    """Whether a command opens or draws a built-in galaxy: `./run`, `./run disk`, `orrery render disk`."""
    drawn = words[2:] if words[1:2] in (["render"], ["view"]) else words[1:]
    return not drawn or drawn[0] in GALAXIES


def has_gpu():
    return Path("/dev/nvidiactl").exists()


def missing(words, program):
    """Why this machine cannot run a command; empty if it can."""
    text = " ".join(words)
    if re.search(r"cuda|family=|--devices|--watch-kernels|plot roofline", text) and not has_gpu():
        return "there is no NVIDIA GPU"
    if words[0] == "mpirun" and not (shutil.which("mpirun") and list(program.parent.parent.rglob("orrery_mpi.so"))):
        return "there is no Open MPI, or the program was built without it"
    return ""


def to_run(words, program):
    """The words that are started: `./run` and `orrery` are the program."""
    names = ("./run", "orrery", "build/default/app/orrery")
    return [str(program) if word in names else word for word in words]


def environment(home):
    kept = {name: value for name, value in os.environ.items()
            if name not in ("DISPLAY", "WAYLAND_DISPLAY") and not name.startswith("XDG_")}
    return kept | {"HOME": str(home), "OMP_WAIT_POLICY": "passive", "NO_COLOR": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def run(command, program, folder, home):
    """Runs a command; returns (status, last lines of its output). 124: it took too long."""
    words, variables = bounded(command.words()), {}
    while "=" in words[0] and not words[0].startswith("-"):
        name, _, value = words.pop(0).partition("=")
        variables[name] = value
    try:
        result = subprocess.run(to_run(words, program), cwd=folder, env=environment(home) | variables, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                errors="replace", timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return 124, f"not done after {LIMIT_S} s"
    return result.returncode, "\n".join(result.stdout.splitlines()[-6:])


def check(program, name, document):
    """Runs all commands of a document; returns (failed, run)."""
    failed = done = 0
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
        for command in commands(document):
            reason = command.skip or missing(command.words(), program)
            if reason:
                print(f"skipped  {name}:{command.line}: {command.text}\n         {reason}")
                continue
            begin = time.monotonic()
            status, output = run(command, program, folder, home)
            done += 1
            failed += status != 0
            print(f"{'FAILED' if status else 'passed'} {time.monotonic() - begin:5.1f} s "
                  f"{name}:{command.line}: {command.text}")
            if status:
                print(f"  status {status}, as {shlex.join(bounded(command.words()))}\n  " + output.replace("\n", "\n  "))
            sys.stdout.flush()
    return failed, done


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    program, document = Path(arguments[0]).resolve(), Path(arguments[1])
    failed, done = check(program, document.name, document.read_text(encoding="utf-8"))
    print(f"{done} commands of {document.name} were run, {failed} failed")
    return 1 if failed else 0 if done else 77


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
