"""What the checks of the sources share: which files there are, and where declarations and functions are in C++."""
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

SKIPPED = 77  # what ctest takes for "skipped"
CPP = (".cpp", ".h", ".cu", ".cuh")


def tracked_files(root):
    """Paths relative to `root` of all tracked files; of all files outside build/ and dist/ where git cannot say."""
    listing = subprocess.run(["git", "-c", "safe.directory=*", "-C", str(root), "ls-files", "-z"],
                             capture_output=True, check=False)
    if listing.returncode == 0:
        names = [name for name in listing.stdout.decode().split("\0") if name]
    else:
        names = []
        for folder, folders, files in os.walk(root):
            folders[:] = [f for f in folders if f not in (".git", "build", "dist", ".cache")]
            names += [os.path.relpath(os.path.join(folder, file), root) for file in files]
    return sorted(name for name in names if (Path(root) / name).is_file())


def report(problems, checked):
    """Prints the problems, one a line, and gives the exit status."""
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problem(s) in {checked} file(s)")
    return 1 if problems else 0


def main(check, arguments):
    """Runs check(root) -> (problems, number of files) for the root named on the command line."""
    root = Path(arguments[1]) if len(arguments) > 1 else Path(__file__).resolve().parents[2]
    return report(*check(root))


_TOKEN = re.compile(r"""
    (?P<raw>R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)")
  | (?P<line>//[^\n]*)
  | (?P<block>/\*.*?\*/)
  | (?P<string>"(?:\\.|[^"\\\n])*")
  | (?P<char>(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+')
  | (?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)
""", re.VERBOSE | re.DOTALL | re.MULTILINE)


def code_only(text):
    """`text` with comments, literals and preprocessor lines blanked; every character keeps its place."""
    def blank(match):
        kept = '"' if match.lastgroup in ("string", "raw", "delimiter") else " "
        return re.sub(r"[^\n]", " ", match.group(0)[:-1]) + kept if match.group(0)[-1] != "\n" else match.group(0)
    return _TOKEN.sub(blank, text)


def without_line_comments(text):
    """`text` with // comments blanked: literals stay, and so do names of parameters between /* and */."""
    return _TOKEN.sub(lambda match: " " if match.lastgroup == "line" else match.group(0), text)


def literals(text):
    return (match.group(0) for match in _TOKEN.finditer(text) if match.lastgroup in ("string", "raw", "delimiter"))


@dataclass
class Item:
    """A type or function at namespace or class scope."""
    kind: str  # "type" or "function"
    head: str  # its text up to the body or semicolon, on one line
    first_line: int  # from 1
    last_line: int = 0
    has_body: bool = False
    scopes: tuple = ()  # the heads of the enclosing scopes
    public: bool = True


@dataclass
class _Scope:
    kind: str  # "namespace", "type", "function" or "braces"
    head: str = ""
    public: bool = True
    item: Item = None


@dataclass
class _Scanner:
    code: str
    items: list = field(default_factory=list)
    scopes: list = field(default_factory=list)
    start: int = 0  # where the present head starts
    parentheses: int = 0

    def scan(self):
        for at, char in enumerate(self.code):
            if char in "()":
                self.parentheses += 1 if char == "(" else -1
            elif char == "{":
                self._open(at)
            elif char == "}":
                self._close(at)
            elif char == ";" and self.parentheses == 0:
                self._declaration(at)
                self.start = at + 1
            elif char == ":" and self._at_scope():
                self._access_label(at)
        return self.items

    def _at_scope(self):
        return all(scope.kind in ("namespace", "type") for scope in self.scopes)

    def _head(self, at):
        return " ".join(self.code[self.start:at].split())

    def _line(self, at):
        return self.code.count("\n", 0, at) + 1

    def _add(self, kind, at, has_body):
        first = self.start + len(self.code[self.start:at]) - len(self.code[self.start:at].lstrip())
        item = Item(kind, self._head(at), self._line(first), self._line(at), has_body,
                    tuple(scope.head for scope in self.scopes), all(scope.public for scope in self.scopes))
        self.items.append(item)
        return item

    def _access_label(self, at):
        if self.scopes and self._head(at) in ("public", "private", "protected"):
            self.scopes[-1].public = self._head(at) == "public"
            self.start = at + 1

    def _open(self, at):
        head = self._head(at)
        if not self._at_scope() or self.parentheses > 0 or is_member_initializer(head):
            self.scopes.append(_Scope("braces"))
            return
        kind = scope_kind(head)
        item = self._add(kind, at, True) if kind in ("type", "function") else None
        self.scopes.append(_Scope(kind, head, not re.search(r"\bclass\b", head) or "enum" in head, item))
        if kind != "braces":
            self.start = at + 1

    def _close(self, at):
        if not self.scopes:
            return
        scope = self.scopes.pop()
        if scope.item:
            scope.item.last_line = self._line(at)
        if scope.kind != "braces":
            self.start = at + 1

    def _declaration(self, at):
        if self._at_scope() and is_function_declaration(self._head(at)):
            self._add("function", at, False)


def _without_templates(head):
    """`head` without attributes and template argument lists."""
    head = re.sub(r"\[\[.*?\]\]", "", head)
    while True:
        shorter = re.sub(r"<[^<>()]*(\([^<>()]*\)[^<>()]*)*>", "", head)
        if shorter == head:
            return head.strip()
        head = shorter


def scope_kind(head):
    """What the brace after `head` opens at namespace or class scope."""
    head = _without_templates(head)
    if re.match(r"(inline )?namespace\b|extern \"?$", head) or head.startswith('extern "'):
        return "namespace"
    if re.match(r"(template ?)?(typedef )?(class|struct|union|enum)\b[^()=]*$", head):
        return "type"
    if "(" in head and not re.match(r"[^(]*[^=<>!]=[^=]", head.replace("operator=", "operator")):
        return "function"
    return "function" if re.search(r"=\s*\[.*\].*\)", head) else "braces"


def is_member_initializer(head):
    """True if the brace after `head` initializes a member in a constructor's list (a_{1}), rather than opening a body."""
    return bool(re.search(r"\)[^():]*(?<!:):(?!:).*[\w>]$", _without_templates(head)))


def is_function_declaration(head):
    """True for "Type name(arguments) const noexcept = 0"; false for variables, aliases, friends, macros, defaulted ones."""
    head = _without_templates(head)
    if re.match(r"(using|typedef|friend|static_assert|return|extern template)\b", head) or "(*" in head:
        return False
    if re.search(r"= ?(default|delete)$", head):
        return False
    head = re.sub(r" ?= ?0$", "", head)
    if re.match(r"[^(]*[^=<>!]=[^=]", head.replace("operator=", "operator")):
        return False
    if re.match(r"[A-Z0-9_]+ ?\(", head):
        return False
    return bool(re.search(r"\) ?(const|noexcept|override|final|&|&&|->.*| )*$", head)) and "(" in head


def scan(text):
    """The types and functions at namespace and class scope in C++ source `text`."""
    return _Scanner(code_only(text)).scan()

