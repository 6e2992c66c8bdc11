#!/usr/bin/env python3
"""Runs clang-tidy over the project's own source files: tidy.py BUILD_FOLDER [FILE...]. All of them without FILE."""
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def own_sources(build):
    """The compiled files that are in this checkout and not generated. Without device code that tests compile for the
    CPU: it is CUDA, which this clang-tidy takes for strange C++."""
    commands = json.loads((build / "compile_commands.json").read_text())
    files = {Path(command["directory"], command["file"]).resolve() for command in commands}
    emulated = ROOT / "tests" / "sim" / "cuda" / "emulator"
    own = (f for f in files if f.is_relative_to(ROOT) and not f.is_relative_to(ROOT / "build"))
    return sorted(f for f in own if not (f.parent == emulated and f.name.endswith("_kernels.cpp")))


def tidy(program, build, file):
    result = subprocess.run([program, "-p", str(build), "--quiet", str(file)], capture_output=True, text=True, check=False)
    print(f"{'ok' if result.returncode == 0 else 'FAILED'} {file.relative_to(ROOT)}", flush=True)
    if result.returncode:
        print(result.stdout + ("" if result.stdout else result.stderr), flush=True)
    return result.returncode == 0


def main(arguments):
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    program = shutil.which("clang-tidy-14") or shutil.which("clang-tidy")
    if not program:
        print("clang-tidy is not installed: install the package clang-tidy", file=sys.stderr)
        return 1
    build = Path(arguments[0])
    files = [Path(f).resolve() for f in arguments[1:]] or own_sources(build)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        clean = list(pool.map(lambda file: tidy(program, build, file), files))
    print(f"clang-tidy: {sum(clean)} of {len(files)} files clean")
    return 0 if all(clean) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
