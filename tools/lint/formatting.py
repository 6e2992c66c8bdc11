#!/usr/bin/env python3
"""clang-format has nothing to change. Versions format differently, so only the one of Debian 12 is asked."""
import re
import shutil
import subprocess
import sys

import sources

VERSION = "14"


def find_clang_format():
    """The program, or the reason why there is none."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        path = shutil.which(name)
        if not path:
            continue
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
        if re.search(rf"version {VERSION}\.", said):
            return path, ""
    return None, f"skipped: clang-format {VERSION} is not installed"


def check(root):
    names = [name for name in sources.tracked_files(root) if name.endswith(sources.CPP)]
    program, reason = find_clang_format()
    if not program:
        print(reason)
        sys.exit(sources.SKIPPED)
    result = subprocess.run([program, "--dry-run", "-Werror", "--ferror-limit=1", *names], cwd=root,
                            capture_output=True, text=True, check=False)
    problems = [line for line in result.stderr.splitlines() if "error:" in line]
    if result.returncode and not problems:
        problems = [result.stderr.strip() or f"clang-format ended with status {result.returncode}"]
    if problems:
        problems.append("run: git ls-files '*.cpp' '*.h' '*.cu' '*.cuh' | xargs clang-format -i")
    return problems, len(names)


if __name__ == "__main__":
    sys.exit(sources.main(check, sys.argv))
