#!/usr/bin/env python3
"""tools/unjoin.py BUILD LOG: looks at what failed of the files that a build compiles together.

Tries each file of a failed group alone. If one has an error of its own, that is printed, and this ends with 1. If all
compile, joining them is at fault: BUILD/unity/alone.txt gets their names, for the next run of CMake, and this ends with 0.
Other failures end with 1 and without a word."""
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path

MOST_LINES = 35  # of what a compiler says: whoever shows the end of a log shows all of it


def failed_groups(log):
    """The object files of joined sources that could not be made, as ninja names them."""
    return dict.fromkeys(re.findall(r"^FAILED: .*?(\S+/Unity/\S+\.o)\b", log, re.MULTILINE))


def command_of(build, target):
    """How ninja makes it; empty if it does not know that target, as after its group was unjoined."""
    done = subprocess.run(["ninja", "-C", build, "-t", "commands", "-s", target], capture_output=True, text=True, check=False)
    return shlex.split(done.stdout.splitlines()[-1]) if done.returncode == 0 and done.stdout.strip() else []


def complaint(build, command, source, file):
    """What the compiler says of one file of the group, if it refuses it."""
    alone = [file if word == source else word for word in command]
    done = subprocess.run([*alone, "-fsyntax-only"], cwd=build, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


def main():
    build, log = Path(sys.argv[1]), Path(sys.argv[2])
    unjoined = []
    for target in failed_groups(log.read_text(errors="replace")):
        command = command_of(build, target)
        if not command:
            continue
        source = command[command.index("-c") + 1]
        files = re.findall(r'#include "(.*)"', Path(build, source).read_text())
        with ThreadPoolExecutor(cpu_count()) as pool:
            said = [text for text in pool.map(lambda file: complaint(build, command, source, file), files) if text]
        if said:
            print("\n".join(said[0].splitlines()[:MOST_LINES]))
            return 1
        unjoined += files
    known = build / "unity" / "alone.txt"
    # A group that is there all the same is not tried for ever.
    unjoined = [file for file in unjoined if not known.exists() or file not in known.read_text().split("\n")]
    with open(known, "a", encoding="utf-8") as alone:
        alone.writelines(f"{file}\n" for file in unjoined)
    return 0 if unjoined else 1


if __name__ == "__main__":
    sys.exit(main())
