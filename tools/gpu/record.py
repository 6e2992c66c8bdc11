#!/usr/bin/env python3
"""record.py [ROOT]: one line about the recorded run of the GPU suite, where there is something to say.

The last run is kept in docs/gpu-suite.json. Device code that changed since then was not run on a GPU."""
import json
import subprocess
import sys
from pathlib import Path

RECORD = "docs/gpu-suite.json"
# What runs only where there is a GPU: device code, the engine around it, drawing out of its memory, and the settings
# of trees that both engines read. Shaders are not among them: tests with the label gl draw with Mesa.
DEVICE_CODE = ["sim/cuda", "sim/tree/tree_settings.h", "sim/tree/tree_settings.cpp", "sim/tree/shared",
               "app/session/interop.cpp", "app/session/interop.h"]


def read_json(path):
    """An object; {} if there is none."""
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write_json(path, report):
    """Whole or not at all."""
    part = Path(f"{path}.part")
    part.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    part.replace(path)


def lines_of(root, *arguments):
    """The lines that git prints, or None where it fails."""
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.splitlines()


def changed_files(root, commit):
    """Files of device code that differ from those of the commit, or None where git does not know it."""
    changed = lines_of(root, "diff", "--name-only", "--no-renames", commit, "--", *DEVICE_CODE)
    new = lines_of(root, "ls-files", "--others", "--exclude-standard", "--", *DEVICE_CODE)
    return None if changed is None else sorted({*changed, *(new or [])})


def shortcoming(report):
    """Why the recorded run does not show that all passed; empty if it does."""
    if report.get("failed"):
        return f"{report['failed']} failed when it last ran"
    if report.get("complete") is not True or not report.get("passed"):
        return "its last run did not end"
    if report.get("mode") != "full":
        return "its last run was not the full one"
    return "its last run was of sources without a commit" if report.get("modified") else ""


def line_about(root):
    """Empty where nothing is to be said."""
    if lines_of(root, "rev-parse", "HEAD") is None:
        return ""
    report = read_json(Path(root, RECORD))
    commit = report.get("commit")
    if not isinstance(commit, str) or not commit or commit.startswith("-"):
        return f"GPU suite: no run is recorded ({RECORD})"
    if shortcoming(report):
        return f"GPU suite: {shortcoming(report)} ({RECORD})"
    changed = changed_files(root, commit)
    if changed is None:
        return f"GPU suite: it last passed on a commit that is not in this checkout ({commit[:12]})"
    if not changed:
        return ""
    files = "1 file" if len(changed) == 1 else f"{len(changed)} files"
    return f"GPU suite: {files} of device code changed since it last passed"


def main(root):
    line = line_about(root)
    if line:
        print(line)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])
