#!/usr/bin/env python3
"""A file includes, itself or through others, a header that declares each type of ours that it names. A build that joins files
(ORRERY_UNITY) does not notice where one is missing, because the file before it had it."""
import re
import sys

import sources

KINDS = r"(?:class|struct|union|enum(?: class)?)"
# clang-format does not indent what stands in a namespace.
DEFINED = re.compile(rf"^{KINDS} (?:alignas\([^\n)]*\) )?(\w+)(?: final)?(?: :[^\n]*)? \{{|^using (\w+) =", re.M)
FORWARD = re.compile(rf"^{KINDS} (\w+)(?: : \w+)?;", re.M)
# A name that a class or a template has for itself says nothing.
OTHERS = re.compile(rf"^[ \t]+(?:{KINDS} (\w+)\b|using (\w+) =)|typename(?:\.\.\.)? (\w+)|\bclass (\w+)(?=[,>])|concept (\w+)", re.M)
NAMED = re.compile(r"(?<![\w.>])(?:(\w+)::)?([A-Z]\w*[a-z]\w*)")
OURS = {"", "orrery", "sim", "lab", "render", "app", "cuda", "tree", "gui", "checks"}
TEST_NAMES = re.compile(r"\b(?:TEST|INSTANTIATE_TEST_SUITE)(?:_[FP])?\(\w+, \w+")
INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.M)


def names_in(pattern, code):
    return {name for found in pattern.findall(code) for name in (found if isinstance(found, tuple) else (found,)) if name}


class Sources:
    """All C++ of the project: what each file declares, includes and names."""

    def __init__(self, texts):
        code = {name: TEST_NAMES.sub(" ", sources.code_only(text)) for name, text in texts.items()}
        defined = {name: names_in(DEFINED, text) for name, text in code.items()}
        self.declared = {name: defined[name] | names_in(FORWARD, text) for name, text in code.items()}
        self.named = {name: {found for space, found in NAMED.findall(text) if space in OURS} for name, text in code.items()}
        self.included = {name: [self.place(name, to, texts) for to in INCLUDE.findall(text)] for name, text in texts.items()}
        others = set().union(*(names_in(OTHERS, text) for text in code.values()))
        self.types = set().union(*(defined[name] for name in texts if not name.endswith(".cpp"))) - others
        self.closures = {}

    @staticmethod
    def place(name, included, texts):
        beside = name.rsplit("/", 1)[0] + "/" + included
        return beside if beside in texts else included

    def seen_by(self, name):
        """The file and all that it includes, through others too."""
        if name not in self.closures:
            seen, left = {name}, [name]
            while left:
                fresh = set(self.included.get(left.pop(), ())) - seen
                seen |= fresh
                left += fresh
            self.closures[name] = seen
        return self.closures[name]

    def missing_in(self, name):
        """Types that nothing declares for the file. A header that the build makes may declare any."""
        if not self.seen_by(name) <= self.declared.keys():
            return []
        known = set().union(*(self.declared[each] for each in self.seen_by(name)))
        return sorted(self.named[name] & self.types - known)


def check_texts(texts):
    """Problems of files, by their names and texts."""
    all_of_them = Sources(texts)
    for name in (each for each in texts if each.endswith((".cpp", ".h"))):
        for missing in all_of_them.missing_in(name):
            yield f"{name}: names {missing} and includes no header that declares it"


def check(root):
    names = [name for name in sources.tracked_files(root) if name.endswith(sources.CPP)]
    return list(check_texts({name: (root / name).read_text() for name in names})), len(names)


if __name__ == "__main__":
    sys.exit(sources.main(check, sys.argv))
