#!/usr/bin/env python3
"""A file includes, itself or through our headers, what declares each type of ours that it names, and names of the
standard library and of fmt that one header alone promises. A build that joins files (ORRERY_UNITY) does not notice
where one is missing, because the file before it had it; nor does a compiler whose headers happen to include each other."""
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
STANDARD_INCLUDE = re.compile(r"^\s*#\s*include <([^>]+)>", re.M)
STANDARD = {name: header for header, names in {
    "algorithm": "all_of any_of clamp copy copy_n count_if equal fill find find_if for_each lower_bound max max_element min "
                 "min_element minmax none_of nth_element partition remove_if replace reverse rotate sort stable_sort transform "
                 "unique upper_bound",
    "array": "array to_array", "atomic": "atomic atomic_flag atomic_ref", "bit": "bit_cast bit_ceil bit_width countl_zero "
    "countr_zero has_single_bit popcount", "cctype": "isalnum isalpha isdigit isspace tolower toupper", "charconv":
    "from_chars to_chars", "chrono": "chrono", "cmath": "cbrt hypot isfinite isnan lround pow sqrt", "condition_variable":
    "condition_variable condition_variable_any", "cstdint": "int32_t int64_t uint16_t uint32_t uint64_t uint8_t uintptr_t",
    "cstdlib": "_Exit abort exit getenv strtod strtol", "cstring": "memchr memcmp memcpy memmove memset strerror strlen",
    "deque": "deque", "exception": "current_exception exception_ptr rethrow_exception terminate", "filesystem": "filesystem",
    "fmt/ranges.h": "join", "fstream": "ifstream ofstream", "functional": "function greater reference_wrapper", "future":
    "async future promise",
    "iomanip": "setfill setprecision setw", "iostream": "cerr cin cout", "limits": "numeric_limits", "map": "map",
    "memory": "make_shared make_unique shared_ptr unique_ptr weak_ptr", "mutex": "call_once lock_guard mutex scoped_lock "
    "unique_lock", "new": "bad_alloc", "numbers": "numbers", "numeric": "accumulate gcd inner_product iota lcm midpoint "
    "partial_sum reduce", "optional": "nullopt optional", "random": "mt19937 mt19937_64", "regex": "regex smatch", "set":
    "set", "span": "span", "sstream": "istringstream ostringstream stringstream", "stdexcept": "invalid_argument logic_error "
    "out_of_range runtime_error", "string": "stoi string to_string", "string_view": "string_view", "thread": "jthread thread",
    "tuple": "make_tuple tie tuple", "type_traits": "conditional_t decay_t is_same_v remove_cvref_t underlying_type_t",
    "typeinfo": "type_info", "utility": "exchange", "variant": "get_if holds_alternative variant visit", "vector": "vector",
}.items() for name in names.split()}
STANDARD_NAMED = re.compile(r"\b(?:std|fmt)::(?:ranges::)?(\w+)")


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
        self.standard_named = {name: {STANDARD[found] for found in STANDARD_NAMED.findall(text) if found in STANDARD}
                               for name, text in code.items()}
        self.standard_included = {name: set(STANDARD_INCLUDE.findall(text)) for name, text in texts.items()}
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

    def missing_standard_in(self, name):
        """Headers of the standard library and of fmt of which the file names something."""
        return sorted(self.standard_named[name].difference(*(self.standard_included.get(each, ()) for each in self.seen_by(name))))


def check_texts(texts):
    """Problems of files, by their names and texts."""
    all_of_them = Sources(texts)
    for name in (each for each in texts if each.endswith((".cpp", ".h"))):
        for missing in all_of_them.missing_in(name):
            yield f"{name}: names {missing} and includes no header that declares it"
        for missing in all_of_them.missing_standard_in(name):
            yield f"{name}: names what <{missing}> declares, which neither it nor a header of ours that it includes has included"


def check(root):
    names = [name for name in sources.tracked_files(root) if name.endswith(sources.CPP)]
    return list(check_texts({name: (root / name).read_text() for name in names})), len(names)


if __name__ == "__main__":
    sys.exit(sources.main(check, sys.argv))
