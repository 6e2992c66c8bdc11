#!/usr/bin/env python3
"""Which source files of a library may be compiled together: file names on standard input, "file<TAB>group" on standard output.

Headers take most of the time of a cold build, and files that are compiled together read them once. Two files are
not joined if one gives an anonymous namespace a name that the other one has there too, or calls: the compiler would
refuse the first and could take the wrong function for the second. A file that defines macros stays alone, and so
gets no line."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "lint"))
import sources  # noqa: E402

LARGEST = 10  # files in a group: more of them save little, and the last ones keep one core waiting
OPEN = 12  # groups that a file may still join; a file looks for company among its neighbours

_ANONYMOUS = re.compile(r"\bnamespace\s*\{")
_TYPE = re.compile(r"\b(?:struct|class|union|enum(?:\s+class)?)\s+(\w+)[^;(]*$")
_ALIAS = re.compile(r"\busing\s+(\w+)\s*=|\bnamespace\s+(\w+)\s*=")
_USED = re.compile(r"(?<![\w.>:])(\w+)\s*[({<]|(?<!\w)([A-Z]\w*[a-z]\w*)")
_WORDS_OF_THE_LANGUAGE = {"if", "for", "while", "switch", "catch", "return", "sizeof", "static_assert", "alignof", "decltype",
                          "noexcept", "template", "operator"}


def statements(code, at):
    """The declarations of the namespace that opens before `at`, without bodies and initializers."""
    depth, start, found = 1, at, []
    head = ""
    while depth and at < len(code):
        char = code[at]
        if char == "{":
            if depth == 1:
                head += code[start:at]
            depth += 1
        elif char == "}":
            depth -= 1
            start = at + 1
            if depth == 1:
                found.append(head)
                head = ""
        elif char == ";" and depth == 1:
            found.append(head + code[start:at])
            head, start = "", at + 1
        at += 1
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


def own_names(code):
    """Names in the anonymous namespaces of a file."""
    names = {declared(head) for match in _ANONYMOUS.finditer(code) for head in statements(code, match.end())}
    return names - _WORDS_OF_THE_LANGUAGE - {""}


def used_names(code):
    return {name for match in _USED.finditer(code) for name in match.groups() if name}


def joined(names, texts):
    """Lists of the files that may be compiled together, in the order of their names."""
    groups = []
    for name in sorted(names):
        text = texts[name]
        if re.search(r"^\s*#\s*define\b", text, re.MULTILINE):
            continue
        code = sources.code_only(text)
        own, used = own_names(code), used_names(code)
        for group in groups[-OPEN:]:
            if len(group["files"]) < LARGEST and not own & group["used"] and not used & group["own"]:
                break
        else:
            group = {"files": [], "own": set(), "used": set()}
            groups.append(group)
        group["files"].append(name)
        group["own"] |= own
        group["used"] |= used | own
    return [group["files"] for group in groups]


def main():
    names = sys.stdin.read().split("\n")
    names = [name for name in names if name]
    groups = joined(names, {name: Path(name).read_text() for name in names})
    for number, files in enumerate(groups):
        for name in files:
            print(f"{name}\t{number}")


if __name__ == "__main__":
    main()
