#!/usr/bin/env python3
"""Which source files may be compiled together: "library<TAB>file" on standard input, "library<TAB>file<TAB>group" on standard
output.

The argument is a file of names that stay alone all the same (tools/unjoin.py); the other groups are the same without it.

Headers take most of the time of a cold build, and files that are compiled together read them once. Two files are
not joined if one gives an anonymous namespace a name that the other one has there too, or calls: the compiler would
refuse the first and could take the wrong function for the second. A file that defines macros, imports all names of a
namespace, or has a type of its own with the name of one in a header, stays alone, and so gets no line.

A specific name like draw_map joins with more files than a general one like draw. A name in an anonymous namespace that
some header has too is not found here: the compiler then reports an ambiguous name or an invalid template argument. Give
the name another form; until then tools/unjoin.py has the files of that group compiled alone."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "lint"))
import sources  # noqa: E402

LARGEST = 4000  # lines in a group: more of them save little, take memory, and the last ones keep one core waiting

# What takes a second and more in each unit that includes it: files with these go together.
HEAVY = ("nlohmann/json.hpp", "CLI/CLI.hpp", "spdlog/spdlog.h", "app/serve/net.h")

ROOT = Path(__file__).resolve().parents[1]

_PLACES = re.compile("[{};]")
_NAMESPACE = re.compile(r"^namespace (orrery[\w:]*) \{", re.MULTILINE)
# What stands in a namespace is not indented.
_TYPE_OF_HEADER = re.compile(r"^(?:(?:struct|class|enum class) (\w+)[^;]*\{|using (\w+) =)", re.MULTILINE)
_SPREADS = re.compile(r"^\s*#\s*define\b|^using\s+namespace\s+(?!std::\w+_literals)", re.MULTILINE)
_ANONYMOUS = re.compile(r"\bnamespace\s*\{")
_TYPE = re.compile(r"\b(?:struct|class|union|enum(?:\s+class)?)\s+(\w+)[^;(]*$")
_ALIAS = re.compile(r"\busing\s+(\w+)\s*=|\bnamespace\s+(\w+)\s*=")
_IMPORT = re.compile(r"^\s*(?:using|namespace)\s+(?P<name>\w+)\s*=\s*(?P<full>[\w:]+)\s*$"
                     r"|^\s*using\s+(?P<used>(?:\w*::)+(?P<last>\w+))\s*$")
_USED = re.compile(r"(?<![\w.>:])(\w+)\s*[({<]|(?<![\w:])([A-Z]\w*[a-z]\w*)")
# A member or a local variable hides what a namespace has of that name.
_HIDES = re.compile(r"^[ \t]+(?!(?:return|throw|else|new|delete|case|co_\w+)\b)(?:[\w:]+(?:<[^;(){}]*>)?[&*]*[ \t]+)+[&*]?(\w+)\s*[({]",
                    re.MULTILINE)
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
        self.own = {name for head in heads if not _IMPORT.match(head) and (name := declared(head)).isidentifier()}
        self.own -= _WORDS_OF_THE_LANGUAGE | _MACROS_OF_TESTS
        self.used = {name for match in _USED.finditer(code) for name in match.groups() if name}
        self.used = self.own | self.used - set(_HIDES.findall(code))
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


class Group:
    """Files that are compiled together."""

    def __init__(self, heavy):
        self.files, self.lines, self.names, self.heavy = [], 0, Names(), heavy

    def takes(self, heavy, lines, names, largest):
        return heavy <= self.heavy and self.lines + lines <= largest and not names.meets(self.names)

    def add(self, file, lines, names):
        self.files.append(file)
        self.lines += lines
        self.names.add(names)


def namespace_of(text):
    match = _NAMESPACE.search(text)
    return match[1] if match else ""


def types_of_headers(root):
    """(namespace, name) of all types that headers of the libraries declare."""
    texts = [path.read_text() for library in ("sim", "lab", "render", "app") for path in (root / library).rglob("*.h")]
    return {(namespace_of(text), match[1] or match[2]) for text in texts for match in _TYPE_OF_HEADER.finditer(text)}


def joined(names, texts, declared_types=frozenset()):
    """Lists of the files that may be compiled together: those with heavy headers first, then in the order of their names."""
    groups = []
    heavy_of = {name: {header for header in HEAVY if header in texts[name]} for name in names}
    for name in sorted(names, key=lambda name: (-len(heavy_of[name]), name)):
        text, heavy = texts[name], heavy_of[name]
        own, lines = Names(sources.code_only(text)), text.count("\n")
        if _SPREADS.search(text) or {(namespace_of(text), each) for each in own.own} & declared_types:
            continue
        # One that meets its neighbours everywhere makes another group larger rather than stay alone.
        fits = (group for largest in (LARGEST, LARGEST * 5 // 4) for group in groups
                if group.takes(heavy, lines, own, largest))
        group = next(fits, None)
        if not group:
            group = Group(heavy)
            groups.append(group)
        group.add(name, lines, own)
    return [group.files for group in groups]


def main():
    alone = set(Path(sys.argv[1]).read_text().split("\n")) if Path(sys.argv[1]).exists() else set()
    libraries = {}
    for line in sys.stdin.read().splitlines():
        library, name = line.split("\t")
        libraries.setdefault(library, []).append(name)
    types = types_of_headers(ROOT)
    for library, names in libraries.items():
        for number, files in enumerate(joined(names, {name: Path(name).read_text() for name in names}, types)):
            for name in files:
                if name not in alone:
                    print(f"{library}\t{name}\t{number}")


if __name__ == "__main__":
    main()
