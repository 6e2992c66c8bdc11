#!/usr/bin/env python3
"""Which source files may be compiled together: "library<TAB>file" on standard input, "library<TAB>file<TAB>group" on standard
output.

The argument is a file of names that stay alone all the same (tools/unjoin.py); the other groups are the same without it.

Headers take most of the time of a cold build, and files that are compiled together read them once. Two files are
not joined if one gives an anonymous namespace a name that the other one has there too, or calls: the compiler would
refuse the first and could take the wrong function for the second. A file that defines macros, or imports all names of
a namespace, stays alone, and so gets no line."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "lint"))
import sources  # noqa: E402

LARGEST = 10  # files in a group: more of them save little, and the last ones keep one core waiting
OPEN = 12  # groups that a file may still join; a file looks for company among its neighbours

_PLACES = re.compile("[{};]")
_SPREADS = re.compile(r"^\s*#\s*define\b|^using\s+namespace\s+(?!std::\w+_literals)", re.MULTILINE)
_ANONYMOUS = re.compile(r"\bnamespace\s*\{")
_TYPE = re.compile(r"\b(?:struct|class|union|enum(?:\s+class)?)\s+(\w+)[^;(]*$")
_ALIAS = re.compile(r"\busing\s+(\w+)\s*=|\bnamespace\s+(\w+)\s*=")
_IMPORT = re.compile(r"^\s*(?:using|namespace)\s+(?P<name>\w+)\s*=\s*(?P<full>[\w:]+)\s*$"
                     r"|^\s*using\s+(?P<used>(?:\w*::)+(?P<last>\w+))\s*$")
_USED = re.compile(r"(?<![\w.>:])(\w+)\s*[({<]|(?<![\w:])([A-Z]\w*[a-z]\w*)")
_WORDS_OF_THE_LANGUAGE = {"if", "for", "while", "switch", "catch", "return", "sizeof", "static_assert", "alignof", "decltype",
                          "noexcept", "template", "operator"}
# A program cannot have two tests of one name anyway.
_MACROS_OF_TESTS = {"TEST", "TEST_F", "TEST_P", "TYPED_TEST", "INSTANTIATE_TEST_SUITE_P"}


def statements(code, at):
    """The declarations of the namespace that opens before `at`, without bodies and initializers."""
    depth, start, found = 1, at, []
    head = ""
    for place in _PLACES.finditer(code, at):
        at = place.start()
        if place[0] == "{":
            if depth == 1:
                head += code[start:at]
            depth += 1
        elif place[0] == "}":
            depth -= 1
            start = at + 1
            if depth == 0:
                break
            if depth == 1:
                found.append(head)
                head = ""
        elif depth == 1:
            found.append(head + code[start:at])
            head, start = "", at + 1
    return found


def declared(head):
    """The name that a declaration gives; empty if it gives none."""
    for pattern in (_ALIAS, _TYPE):
        match = pattern.search(head)
        if match:
            return next(group for group in match.groups() if group)
    before_value = re.split(r"(?<![=!<>])=(?!=)", head)[0]
    match = re.search(r"(\w+)\s*\(", before_value) or re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$", before_value.strip())
    return match.group(1) if match else ""


class Names:
    """The names of a file, or of all files of a group."""

    def __init__(self, code=""):
        heads = [head for match in _ANONYMOUS.finditer(code) for head in statements(code, match.end())]
        imports = [match for match in map(_IMPORT.match, heads) if match]
        # "using nlohmann::json" may stand in a file as often as one likes.
        self.imported = {(match["name"] or match["last"], match["full"] or match["used"]) for match in imports}
        self.own = {declared(head) for head in heads if not _IMPORT.match(head)}
        self.own -= _WORDS_OF_THE_LANGUAGE | _MACROS_OF_TESTS | {""}
        self.used = self.own | {name for match in _USED.finditer(code) for name in match.groups() if name}
        self.used -= {name for name, _ in self.imported}

    def taken(self):
        return self.own | {name for name, _ in self.imported}

    def meets(self, other):
        """True if one gives a meaning to a name that has another meaning for the other."""
        both = self.imported | other.imported
        ambiguous = len({name for name, _ in both}) < len(both)
        return ambiguous or bool(self.taken() & other.used or self.used & other.taken())

    def add(self, other):
        self.own |= other.own
        self.used |= other.used
        self.imported |= other.imported


def joined(names, texts):
    """Lists of the files that may be compiled together, in the order of their names."""
    groups = []
    for name in sorted(names):
        text = texts[name]
        if _SPREADS.search(text):
            continue
        own = Names(sources.code_only(text))
        for files, names_of_group in groups[-OPEN:]:
            if len(files) < LARGEST and not own.meets(names_of_group):
                break
        else:
            files, names_of_group = [], Names()
            groups.append((files, names_of_group))
        files.append(name)
        names_of_group.add(own)
    return [files for files, _ in groups]


def main():
    alone = set(Path(sys.argv[1]).read_text().split("\n")) if Path(sys.argv[1]).exists() else set()
    libraries = {}
    for line in sys.stdin.read().splitlines():
        library, name = line.split("\t")
        libraries.setdefault(library, []).append(name)
    for library, names in libraries.items():
        for number, files in enumerate(joined(names, {name: Path(name).read_text() for name in names})):
            for name in files:
                if name not in alone:
                    print(f"{library}\t{name}\t{number}")


if __name__ == "__main__":
    main()
