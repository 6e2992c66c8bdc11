#!/usr/bin/env python3
"""tools/check_sources.py BUILD [SECONDS]: whether all sources compile that a configured build folder names. Makes no object
files. After that many seconds nothing more is begun, and the last line says how many files are left out.

Files whose flags agree are compiled together, across libraries and test programs: headers are read and templates made
once for dozens of files. Where that fails each file is tried alone, with its own flags, before anything is called an
error. What was found good is remembered in BUILD/checked, by the contents of all files that were read and of the compiler."""
import hashlib
import json
import re
import resource
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from os import cpu_count
from pathlib import Path
from time import monotonic

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import join_sources  # noqa: E402

# Nothing is optimized, so headers are nearly all of the work.
join_sources.LARGEST = 16_000

# What may differ between files that are compiled together: where headers are, values for programs, code generation.
_OWN = re.compile(r'-I|-isystem|-O|-g\d?$|-fPI[CE]|-pthread|-fopenmp|-fno-math-errno|-fno-tree-slp-vectorize|-Winvalid-pch|'
                  r'-fpch-preprocess|-Wshadow|-D(?!ORRERY_)|-D.*=')


class Source:
    """A file and how it is compiled."""

    def __init__(self, entry):
        self.file = entry["file"]
        words = shlex.split(entry["command"])
        words = words[next(i for i, word in enumerate(words) if re.search(r"/[\w+-]*(cc|\+\+|clang)$", word)):]
        self.compiler, self.flags = words[0], []
        rest = iter(words[1:])
        for word in rest:
            if word in ("-o", "-c", "-include", "-x", "-Xclang", "-include-pch"):
                next(rest)
            elif word == "-isystem":
                self.flags.append(word + next(rest))
            else:
                self.flags.append(word)

    def kind(self):
        return self.compiler, tuple(flag for flag in self.flags if not _OWN.match(flag))


class Unit:
    """Files that are compiled together, or one."""

    def __init__(self, sources):
        self.sources = sources
        self.flags = list(dict.fromkeys(flag for source in sources for flag in source.flags))
        if len(sources) > 1:
            self.flags = [flag for flag in self.flags if flag != "-Wshadow"]
            # Clang has no such warning, and would warn of its name.
            self.flags += [] if "clang" in sources[0].compiler else ["-Wno-subobject-linkage"]
        text = "\n".join([*self.flags, *(source.file for source in sources)])
        self.name = hashlib.sha256(text.encode()).hexdigest()[:16]

    def compile(self, folder):
        """What the compiler says against it, else nothing; then all that it read is noted."""
        text = "".join(f'#include "{source.file}"\n' for source in self.sources)
        # Types in a file that is included may not use its anonymous namespace.
        files = [self.sources[0].file] if len(self.sources) == 1 else ["-x", "c++", "-"]
        rules = folder / f"{self.name}.d"
        done = subprocess.run([self.sources[0].compiler, *self.flags, "-fsyntax-only", "-MD", "-MF", rules, *files],
                              input=text, capture_output=True, text=True, check=False)
        if done.returncode != 0 or done.stderr:
            return done.stderr or f"{self.sources[0].file}: the compiler ended with {done.returncode}\n"
        read = re.split(r"[\s\\]+", rules.read_text().partition(":")[2].strip())
        self.note(folder, [*read, self.sources[0].compiler])
        return ""

    def note(self, folder, names):
        """It is good, and so it stays while these files have their present contents."""
        (folder / self.name).write_text(contents(names) + "\n" + "\n".join(names))

    def read(self, folder):
        """The names of those files."""
        return (folder / self.name).read_text().split("\n")[1:]

    def is_known(self, folder):
        """True if it was good, and all that was read then has the same contents."""
        try:
            return contents(self.read(folder)) == (folder / self.name).read_text().partition("\n")[0]
        except OSError:
            return False


@lru_cache(maxsize=None)
def content(name):
    return hashlib.sha256(Path(name).read_bytes()).digest()


def contents(names):
    return hashlib.sha256(b"".join(map(content, names))).hexdigest()


def units_of(sources):
    """All files, in units: each once for each kind of flags."""
    types = join_sources.types_of_headers(join_sources.ROOT)
    kinds = {}
    for source in sources:
        kinds.setdefault(source.kind(), {}).setdefault(source.file, source)
    for files in kinds.values():
        texts = {name: Path(name).read_text() for name in files}
        groups = join_sources.joined([name for name in files if name.endswith(".cpp")], texts, types)
        together = {name for group in groups for name in group}
        for group in groups + [[name] for name in files if name not in together]:
            yield Unit([files[name] for name in group])


def check(unit, folder, end):
    """(what is wrong with it, how many of its files nobody looked at, whether anything was compiled)."""
    if unit.is_known(folder):
        return "", 0, False
    if monotonic() > end:
        return "", len(unit.sources), False
    said = unit.compile(folder)
    if not said or len(unit.sources) == 1:
        return said, 0, True
    # Those of which the compiler speaks have errors, or do not suit the others.
    named = [source for source in unit.sources if source.file + ":" in said]
    rest = [source for source in unit.sources if source not in named]
    parts = [Unit([source]) for source in (named if rest else unit.sources)]
    parts += [Unit(rest)] if rest and named else []
    results = [check(part, folder, end) for part in parts]
    said, left = "".join(result[0] for result in results), sum(result[1] for result in results)
    if not said and not left:
        unit.note(folder, sorted({name for part in parts for name in part.read(folder)}))
    return said, left, True


def main():
    end = monotonic() + float(sys.argv[2] if len(sys.argv) > 2 else "inf")
    build = Path(sys.argv[1])
    folder = build / "checked"
    folder.mkdir(exist_ok=True)
    entries = json.loads((build / "compile_commands.json").read_text())
    units = list(units_of(Source(entry) for entry in entries if "cmake_pch" not in entry["file"]))
    # The longest ones first: nobody waits for one of them at the end.
    units.sort(key=lambda unit: -len(unit.sources))
    wrong = left = compiled = 0
    with ThreadPoolExecutor(cpu_count()) as pool:
        for said, skipped, new in pool.map(lambda unit: check(unit, folder, end), units):
            sys.stderr.write(said)
            wrong += bool(said)
            left += skipped
            compiled += new
    files = sum(len(unit.sources) for unit in units)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{files} files in {len(units)} units, {compiled} of them compiled, "
          f"{used.ru_utime + used.ru_stime:.0f} s of CPU time" + f", {left} files left out" * (left != 0))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
