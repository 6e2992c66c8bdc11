#!/usr/bin/env python3
"""Every type and function that a header of sim/, lab/, render/ or app/ offers has a /// comment.

One comment may stand for a group: declarations that follow each other without a blank line. Members that
explain themselves need none: those with their body in the class, destructors, operators, overrides.
A comment is understood alone, as an editor shows it, so none begins with "It" or "The same"; and a name
between backticks is one that the header includes, or a word of a string: an option, a choice, a command.
"""
import functools
import re
import sys

import sources

FOLDERS = ("sim/", "lab/", "render/", "app/")
TEXTS = (".h", ".cpp", ".cu", ".cuh", ".glsl", ".comp", ".vert", ".frag")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([\w/.-]+)"', re.MULTILINE)
LEANING = re.compile(r"^(.*\S)??[ \t]*///<? ((?:The same|It|They|That|Those|This is)\b.*)", re.MULTILINE)
QUOTED = re.compile(r"`((?:\w+::)*[A-Za-z_]\w*)(?:\(\))?`")


def is_documented(lines, item):
    """True if a /// stands on the declaration itself or above it, with no blank line between."""
    last = min(item.last_line, item.first_line + 12) if item.kind == "function" else item.first_line
    if any("///" in line for line in lines[item.first_line - 1:last]):
        return True
    at = item.first_line - 2
    while at >= 0 and lines[at].strip():
        if "///" in lines[at]:
            return True
        at -= 1
    return False


def explains_itself(item, in_class):
    if re.search(r"\boperator\b|~|^friend\b|\boverride\b", item.head):
        return True
    return in_class and (item.has_body or item.kind == "type")


def is_offered(item):
    inner = any(re.search(r"namespace (detail|internal)?$|namespace$", scope) for scope in item.scopes)
    specialization = re.match(r"template ?< ?>", item.head)
    out_of_class = item.kind == "function" and re.search(r"\w+(<[^>]*>)?::~?\w+ ?\(", item.head)
    return item.public and not inner and not specialization and not out_of_class


def is_checked(name, text):
    """Not device code: a change there needs a run on a GPU."""
    return name.endswith(".h") and "__CUDACC_RTC__" not in text


def leaning(name, text):
    """Comments that begin with a word for something in another comment."""
    lines = text.splitlines()
    for match in LEANING.finditer(text) if is_checked(name, text) else ():
        at = text.count("\n", 0, match.start(2))
        if match[1] or at == 0 or not lines[at - 1].lstrip().startswith("///"):
            yield f"{name}:{at + 1}: a comment that leans on another one: {match[2][:60]}"


def reached(name, texts):
    """A header, its source, and all that these include of ours, directly or not."""
    found, left = set(), [name, name[:-2] + ".cpp"]
    while left:
        each = left.pop()
        if each in texts and each not in found:
            found.add(each)
            left += INCLUDE.findall(texts[each])
    return found


def words_in(text):
    return set(re.findall(r"\w+", text))


@functools.cache
def words_of_code(text):
    return words_in(sources.without_line_comments(text))


def unknown_names(name, texts, spoken):
    """Names between backticks in a header's comments that are neither in what it includes nor in a string."""
    quoted = [(number, each) for number, line in enumerate(texts[name].splitlines(), 1)
              for each in QUOTED.findall(line.partition("//")[2])]
    if not quoted or not is_checked(name, texts[name]):
        return
    known = spoken.union(*(words_of_code(texts[each]) for each in reached(name, texts)))
    for number, each in quoted:
        if not words_in(each) <= known:
            yield f"{name}:{number}: nothing here has the name `{each}`"


def check_text(name, text):
    yield from leaning(name, text)
    lines = text.splitlines()
    for item in sources.scan(text):
        in_class = any(not scope.startswith(("namespace", "inline namespace", "extern")) for scope in item.scopes)
        if not is_offered(item) or explains_itself(item, in_class) or is_documented(lines, item):
            continue
        yield f"{name}:{item.first_line}: {item.kind} without a /// comment: {item.head[:80]}"


def check(root):
    texts = {name: (root / name).read_text() for name in sources.tracked_files(root)
             if name.endswith(TEXTS) and name.startswith((*FOLDERS, "shaders/"))}
    spoken = words_in(" ".join(literal for text in texts.values() for literal in sources.literals(text)))
    headers = [name for name in texts if name.endswith((".h", ".cuh")) and name.startswith(FOLDERS)]
    return [problem for name in headers
            for problem in (*check_text(name, texts[name]), *unknown_names(name, texts, spoken))], len(headers)


if __name__ == "__main__":
    sys.exit(sources.main(check, sys.argv))
