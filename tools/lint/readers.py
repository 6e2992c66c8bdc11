#!/usr/bin/env python3
"""readers.py [ROOT]: what reads files in the window is called only where it is known that OpenableFiles was asked, or that no
person chose the file. A new way to open files fails here: ask OpenableFiles (app/session/openable_files.h), add the file
below, and the way to tests/app/serve/openable_test.py."""
import re
import sys

import sources

FOLDERS = ("app/session/", "app/live/", "app/panels/", "app/window/", "app/serve/")
# Functions that read, and the files that may call them.
READERS = {
    r"read_view_state|read_state_text": "session/state.cpp session/state_file.cpp session/loader.cpp session/camera_file.cpp window/dataset_opener.cpp",
    r"read_checkpoint": "session/checkpoint.cpp session/loader.cpp",
    r"load_dataset|series_of": "session/loader.cpp",
    r"read_snapshot|count_snapshots|list_snapshots": "session/openable_files.cpp",
    # Of the program and of the person's settings, which nobody chooses by a path; a name of a demonstration only on the command line.
    r"find_ladders": "window/viewer.cpp window/headless_demo.cpp",
    r"all_demos": "live/demo.cpp window/palette.cpp",
    r"find_demo|read_demo": "live/demo.cpp",
    r"read_text_file": "session/shared_names.cpp session/state_file.cpp live/demo.cpp window/settings.cpp",
    r"read_secret": "serve/service.cpp",
    # /proc, the first bytes of a file that was checked, and downloads, which have no path of a person.
    r"(?:std::)?ifstream|fopen|MappedFile": "session/interop.cpp session/state_file.cpp serve/connection.cpp",
    r"read_path": "session/camera_file.cpp",
}


def check_text(name, text):
    if not name.startswith(FOLDERS):
        return
    for number, line in enumerate(sources.code_only(text).splitlines(), 1):
        for functions, files in READERS.items():
            called = re.search(rf"\b({functions})\b(?:\s+\w+)?\s*\(", line)
            if called and name[len("app/"):] not in files.split():
                yield f"{name}:{number}: {called.group(1)} reads files: ask OpenableFiles first (tools/lint/readers.py)"


def check(root):
    names = [name for name in sources.tracked_files(root) if name.endswith(".cpp")]
    return [p for name in names for p in check_text(name, (root / name).read_text())], len(names)


if __name__ == "__main__":
    sys.exit(sources.main(check, sys.argv))
