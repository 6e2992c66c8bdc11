#!/usr/bin/env python3
"""Each check of tools/ reports the fault it is there for, and nothing in sound code."""
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"
sys.path[:0] = [str(TOOLS), str(TOOLS / "lint")]
sys.dont_write_bytecode = True

import documentation  # noqa: E402
import function_length  # noqa: E402
import includes  # noqa: E402
import join_sources  # noqa: E402
import layering  # noqa: E402
import machine_paths  # noqa: E402
import measurements  # noqa: E402
import prose  # noqa: E402
import readers  # noqa: E402
import size  # noqa: E402
import sources  # noqa: E402
import summarize_tests  # noqa: E402


def problems(check, name, text):
    return list(check.check_text(name, text))


def function_of(lines, head="void long_one() {"):
    """A function of exactly that many lines in a namespace."""
    return "namespace a {\n" + head + "\n" + "  work();\n" * (lines - 2) + "}\n}\n"


class Readers(unittest.TestCase):
    def test_a_new_way_to_open_files_is_noticed(self):
        for text in ("auto scene = lab::load_dataset(request);", "std::ifstream file(path);", "read_view_state(t, path);"):
            self.assertEqual(len(problems(readers, "app/panels/new_panel.cpp", text)), 1, text)
            self.assertEqual(problems(readers, "app/commands/info.cpp", text), [], text)
        self.assertEqual(problems(readers, "app/session/loader.cpp", "auto scene = lab::load_dataset(request);"), [])
        self.assertEqual(problems(readers, "app/panels/new_panel.cpp", "// load_dataset(request) reads."), [])


class Size(unittest.TestCase):
    def test_circles_of_rooms(self):
        texts = {"sim/a/x.h": '#include "sim/a/y.h"\n', "sim/a/y.h": "", "sim/a/y.cpp": '#include "sim/a/z.h"\n',
                 "sim/a/z.h": "", "lab/w.cpp": '#include "sim/a/x.h"\n#include <vector>\n'}
        self.assertEqual(size.circles(size.ways(texts)), [])
        texts["sim/a/z.cpp"] = '#include "sim/a/x.h"\n'
        self.assertEqual(size.circles(size.ways(texts)), [{"sim/a/x", "sim/a/y", "sim/a/z"}])
        self.assertEqual(size.measured(texts)["circles"], 1)

    def test_a_header_and_its_source_are_no_circle(self):
        self.assertEqual(size.circles(size.ways({"sim/a.h": "", "sim/a.cpp": '#include "sim/a.h"\n'})), [])

    def test_what_grows_or_shrinks_is_said(self):
        sizes, allowed = {"lines sim": 1000, "circles": 2}, size.limits("# At most\nlines sim 1000\ncircles 2\n")
        self.assertEqual(list(size.problems(sizes, allowed)), [])
        self.assertEqual(len(list(size.problems(sizes | {"lines sim": 1001}, allowed))), 1)
        self.assertEqual(len(list(size.problems(sizes | {"lines sim": 900}, allowed))), 0)
        self.assertEqual(len(list(size.problems(sizes | {"lines sim": 700}, allowed))), 1)
        self.assertEqual(len(list(size.problems(sizes | {"circles": 1}, allowed))), 1)
        self.assertEqual(len(list(size.problems(sizes | {"circles": 3}, allowed))), 1)

    def test_a_small_header_with_one_user(self):
        texts = {"sim/a.h": "\n" * 10, "sim/a.cpp": '#include "sim/a.h"\n', "sim/b.cpp": '#include "sim/a.h"\n'}
        self.assertEqual(size.used_once(texts), {"sim/a.h": "sim/b.cpp"})
        self.assertEqual(size.used_once(texts | {"sim/c.cpp": '#include "sim/a.h"\n'}), {})
        self.assertEqual(size.used_once(texts | {"sim/a.h": "\n" * 70}), {})
        self.assertEqual(len(list(size.seam_problems(size.used_once(texts), set()))), 1)
        self.assertEqual(len(list(size.seam_problems(size.used_once(texts), {"sim/a.h"}))), 0)
        self.assertEqual(len(list(size.seam_problems({}, {"sim/a.h"}))), 1)

    def test_lines_are_counted_by_folder(self):
        self.assertEqual(size.measured({"app/a/b.cpp": "a\nb\n", "sim/c.h": "\n"})["lines app"], 2)


class FunctionLength(unittest.TestCase):
    def test_limit_is_inclusive(self):
        self.assertEqual(problems(function_length, "a.cpp", function_of(80)), [])
        self.assertEqual(len(problems(function_length, "a.cpp", function_of(81))), 1)

    def test_constructor_with_braced_members(self):
        head = "Thing::Thing(int a) : a_{a}, b_(std::vector<int>{1}), c_{} {"
        self.assertEqual(len(problems(function_length, "a.cpp", function_of(81, head))), 1)

    def test_braces_in_literals_comments_and_defaults(self):
        text = 'void f(A a = {}) {\n  g("{", \'{\', 1\'000);  // {\n}\n' + "/* { */\nint x;\n" * 100
        self.assertEqual(problems(function_length, "a.cpp", text), [])

    def test_member_functions_and_named_lambdas(self):
        member = function_of(81, "struct S { int f() const noexcept {").replace("}\n}\n", "}\n};\n}\n")
        self.assertEqual(len(problems(function_length, "a.h", member)), 1)
        self.assertEqual(len(problems(function_length, "a.cpp", function_of(81, "const auto f = [](int a) {"))), 1)

    def test_tables_are_not_functions(self):
        self.assertEqual(problems(function_length, "a.cpp", "const int t[] = {\n" + "  f(1),\n" * 200 + "};\n"), [])


class Includes(unittest.TestCase):
    HEADERS = {"sim/a.h": "namespace n {\n\n/// An a.\nstruct Apple {\n  struct Core {};\n};\n\n}\n",
               "sim/b.h": '#include "sim/a.h"\n', "sim/c.h": "namespace n {\nstruct Apple;\n}\n"}

    def problems(self, text):
        return list(includes.check_texts(self.HEADERS | {"sim/x.cpp": text}))

    def test_a_type_without_its_header(self):
        for text in ("void f(const Apple& a);", "auto a = sim::Apple();", "} catch (const Apple&) {", '#include <a.h>\nsim::Apple a;'):
            self.assertEqual(len(self.problems(text)), 1, text)

    def test_a_header_that_declares_it(self):
        for header in self.HEADERS:
            self.assertEqual(self.problems(f'#include "{header}"\nvoid f(const Apple& a);'), [], header)

    def test_what_is_no_such_type(self):
        for text in ("Core c;", "// an Apple", 'f("Apple");', "other::Apple a;", "a.Apple;", "TEST(Fruit, Apple) {}",
                     "struct Apple {\n};\nApple a;", '#include "made_by_the_build.h"\nApple a;'):
            self.assertEqual(self.problems(text), [], text)

    def test_the_standard_library(self):
        with_exchange = {"sim/d.h": "#include <utility>\n", "sim/x.cpp": '#include "sim/d.h"\nint a = std::exchange(b, 1);\n'}
        self.assertEqual(list(includes.check_texts(with_exchange)), [])
        self.assertEqual(self.problems("#include <utility>\nint a = std::exchange(b, 1);"), [])
        self.assertEqual(self.problems("int a = exchange(b, 1); auto c = other::exchange(b, 1); // std::exchange(b, 1)"), [])
        for text in ("int a = std::exchange(b, 1);", "#include <algorithm>\nint a = std::exchange(b, 1);",
                     "void f() { std::ranges::sort(a); }", "#include <fmt/format.h>\nauto a = fmt::join(b, c);"):
            self.assertEqual(len(self.problems(text)), 1, text)


class Documentation(unittest.TestCase):
    def test_what_needs_a_comment(self):
        for text in ("int f(int a);", "struct S {};", "enum class E { a };", "template <typename T>\nT g(T a) { return a; }",
                     "class C {\n public:\n  int f(int a) const;\n};"):
            self.assertTrue(problems(documentation, "sim/a.h", "namespace n {\n\n" + text + "\n\n}\n"), text)

    def test_what_needs_none(self):
        for text in ("/// Doc.\nint f(int a);\nint g(int a);", "int f();  ///< Doc.", "class Forward;", "using A = int;",
                     "/// Doc.\nclass C {\n public:\n  C(const C&) = delete;\n  ~C();\n  int f() const { return 1; }\n"
                     "  bool operator==(const C& b) const;\n\n private:\n  int g();\n};",
                     "namespace detail {\nint f(int a);\n}", "int value = f(1);", "/// Doc.\nstruct S {\n  int (*call)(int);\n};"):
            self.assertEqual(problems(documentation, "sim/a.h", "namespace n {\n\n" + text + "\n\n}\n"), [], text)

    def test_blank_line_ends_a_group(self):
        self.assertEqual(len(problems(documentation, "sim/a.h", "/// Doc.\nint f(int a);\n\nint g(int a);\n")), 1)

    def test_comments_that_lean_on_others(self):
        for text, count in (("/// The same of b.\nint f(int a);\n", 1), ("int f(int a);  ///< It is.\n", 1),
                            ("/// Doc.\nint f(int a);\n/// They are there again.\nint g(int a);\n", 1),
                            ("int f(int a);  ///< Doc.\n/// That one.\nint g(int a);\n", 1),
                            ("/// Doc, which goes on.\n/// It is no beginning.\nint f(int a);\n", 0),
                            ("/// Items of a.\nint f(int a);\n", 0),
                            ("/// It is.\nint f(int a);\n#ifndef __CUDACC_RTC__\n#endif\n", 0)):
            self.assertEqual(len(problems(documentation, "sim/a.h", text)), count, text)
        self.assertEqual(problems(documentation, "sim/a.cuh", "/// It is.\nint f(int a);\n"), [])

    def test_names_that_are_gone(self):
        texts = {"sim/a.h": '#include "sim/b.h"\n', "sim/b.h": "int near(int a);  // and gone\n", "sim/a.cpp": "int own;\n",
                 "sim/c.h": "int far;\n"}
        for name, count in (("near", 0), ("near()", 0), ("own", 0), ("B::near", 1), ("gone", 1), ("far", 1), ("said", 0),
                            ("--flag", 0), ("kind of=it", 0)):
            found = documentation.unknown_names("sim/a.h", {**texts, "sim/a.h": texts["sim/a.h"] + f"/// As `{name}`.\n"}, {"said"})
            self.assertEqual(len(list(found)), count, name)


class Layering(unittest.TestCase):
    def check(self, cases):
        for name, include, count in cases:
            self.assertEqual(len(problems(layering, name, f"#include {include}\n")), count, (name, include))

    def test_libraries(self):
        self.check((("sim/core/a.cpp", "<GL/gl.h>", 1), ("sim/core/a.cpp", '"render/picture/image.h"', 1),
                    ("sim/cpu/a.cpp", '"lab/bench/benchmark.h"', 1), ("sim/physics/a.cpp", '"sim/bodies/bodies.h"', 0),
                    ("lab/bench/a.cpp", '"sim/engines/engine.h"', 0), ("lab/bench/a.cpp", '"render/picture/image.h"', 1),
                    ("lab/bench/a.cpp", '"app/gui/gui.h"', 1), ("lab/bench/a.cpp", "<imgui.h>", 1),
                    ("lab/bench/a.cpp", "<CLI/CLI.hpp>", 1), ("render/a.h", '"sim/bodies/bodies.h"', 1),
                    ("render/a.h", '"lab/bench/benchmark.h"', 1), ("render/a.h", "<glad/gl.h>", 0),
                    ("app/gui/a.cpp", '"sim/bodies/bodies.h"', 0), ("app/gui/a.cpp", '"lab/setup/paths.h"', 0)))

    def test_floors(self):
        self.check((("sim/core/a.h", '"sim/bodies/bodies.h"', 1), ("sim/bodies/a.h", '"sim/bodies/bodies.h"', 0),
                    ("sim/cuda/a.h", '"sim/cpu/kernel.h"', 1), ("sim/cpu/kernels/a.cpp", '"sim/cpu/kernel.h"', 0),
                    ("sim/engines/a.cpp", '"sim/cuda/driver/device.h"', 1), ("sim/simulation/a.cpp", '"sim/cuda/cuda_engine.h"', 0),
                    ("sim/cuda/driver/a.h", '"sim/cuda/worker/gpu_worker.h"', 1), ("sim/cuda/a.h", '"sim/cuda/driver/api.h"', 0),
                    ("sim/cuda/multi_gpu/a.h", '"sim/cuda/cuda_engine.h"', 1), ("sim/nowhere/a.h", '"sim/core/error.h"', 1),
                    ("lab/setup/a.h", '"lab/bench/benchmark.h"', 1), ("app/session/a.h", '"app/panels/panel.h"', 1),
                    ("app/main.cpp", '"app/commands/command_line.h"', 0), ("app/log.cpp", '"app/log.h"', 0),
                    ("app/log.cpp", '"app/gui/gui.h"', 1),
                    ("sim/cuda/options/a.cpp", '"sim/cuda/families/family.h"', 0), ("sim/cuda/families/a.cpp", '"sim/cuda/options/a.h"', 0),
                    ("sim/cuda/families/a.cpp", '"sim/cuda/compiler/compiler.h"', 1)))

    def test_one_file_includes_mpi(self):
        for name, count in (("sim/ranks/mpi_communicator.cpp", 0), ("sim/ranks/world.cpp", 1), ("app/a.h", 1)):
            self.assertEqual(len(problems(layering, name, "#include <mpi.h>\n")), count, name)


class MachinePaths(unittest.TestCase):
    def test_paths(self):
        for text, count in (("cd /" + "work/x", 1), ("'/" + "home/someone/a'", 1), ("/usr/share", 0), ("a/" + "work", 0),
                            ("https://example.org/" + "work/", 0)):
            self.assertEqual(len(problems(machine_paths, "a.md", text)), count, text)


class Prose(unittest.TestCase):
    def test_long_lines(self):
        for text, count in (("a" * 120, 0), ("a" * 121, 1), ("\u00b2" * 61, 1), ("| " + "a" * 200 + " |", 0),
                            ("```\n" + "a" * 200 + "\n```", 0)):
            self.assertEqual(len(list(prose.long_lines("a.md", text))), count, text)

    def test_links(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "b.md").write_text("# One two\n\n## How fast: a word\n")
            for link, count in (("b.md", 0), ("b.md#one-two", 0), ("b.md#how-fast-a-word", 0), ("b.md#three", 1),
                                ("c.md", 1), ("#here", 0), ("#there", 1), ("https://example.org/x", 0)):
                text = f"# Here\n\n[word]({link})\n"
                self.assertEqual(len(list(prose.dead_links("a.md", text, folder))), count, link)


class Measurements(unittest.TestCase):
    def table(self, text):
        with tempfile.TemporaryDirectory() as name:
            (Path(name) / "a.csv").write_text("card,driver,date,commit,command,kernel,ms\n" + text)
            kept, measurements.RESULTS = measurements.RESULTS, Path(name)
            try:
                return measurements.table("a", "Title", "A note.")
            finally:
                measurements.RESULTS = kept

    def test_what_all_rows_share_stands_above_the_table(self):
        lines = self.table("H100,1,2026-11-26,,orrery bench,simd,1\nH100,1,2026-11-26,,orrery bench,tree,2\n")
        self.assertIn("A note. H100, driver 1, 2026-11-26.", lines)
        self.assertIn("orrery bench", lines)
        self.assertIn("| kernel | ms |", lines)

    def test_what_differs_is_a_column(self):
        self.assertIn("| card | kernel | ms |", self.table("H100,,,,,simd,1\nH200,,,,,simd,2\n"))

    def test_figures_of_the_readme_are_those_of_the_measurement(self):
        with tempfile.TemporaryDirectory() as name:
            (Path(name) / "a.csv").write_text("card,driver,date,commit,command,step ms\nH100,,,,orrery bench x,1.4\n")
            kept, measurements.RESULTS = measurements.RESULTS, Path(name)
            try:
                for step, count in (("1.4 ms", 0), ("1.2 ms", 1)):
                    readme = f"| One million | {step} | `./run bench x` |\n"
                    self.assertEqual(len(list(measurements.readme_problems(readme))), count)
                self.assertEqual(len(list(measurements.readme_problems("No table.\n"))), 1)
            finally:
                measurements.RESULTS = kept

    def test_ragged_rows_are_refused(self):
        with self.assertRaises(measurements.BadTable):
            self.table("H100,,,,,simd\n")

    def test_long_commands_are_continued(self):
        lines = measurements.command_lines("orrery bench " + "--set a=b " * 30)
        self.assertTrue(all(len(line) <= 120 for line in lines))
        self.assertTrue(all(line.endswith(" \\") for line in lines[:-1]))


class Summary(unittest.TestCase):
    def status(self, cases):
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.xml"
            report.write_text(f"<testsuite>{cases}</testsuite>")
            return summarize_tests.main([str(report)])

    def test_status(self):
        self.assertEqual(self.status('<testcase name="a" status="run"/>'), 0)
        self.assertEqual(self.status('<testcase name="a" status="fail"><failure/></testcase>'), 1)
        self.assertEqual(self.status('<testcase name="a" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>'), 0)
        self.assertEqual(self.status('<testcase name="a" status="notrun"><skipped message="Unable to find executable"/></testcase>'), 1)
        self.assertEqual(summarize_tests.main(["/nonexistent.xml"]), 1)


def of_namespace(text):
    return "namespace {\n" + text + "\n}\n"


class JoinedSources(unittest.TestCase):
    def names(self, text):
        return join_sources.Names(sources.code_only(of_namespace(text))).own

    def test_names(self):
        self.assertEqual(self.names("int f(int a) { return g(a); }"), {"f"})
        self.assertEqual(self.names("constexpr double pi = cos(x);\nconst Table table[3] = {{1, 2}};"), {"pi", "table"})
        self.assertEqual(self.names("struct Row : Base { int cell; };\nusing Clock = std::clock<1>;"), {"Row", "Clock"})
        self.assertEqual(self.names("template <class T> T twice(T t) { return t + t; }"), {"twice"})
        self.assertEqual(self.names("TEST(Suite, Case) { EXPECT_TRUE(f()); }\nint f() { return 1; }"), {"f"})

    def test_what_is_joined(self):
        def files_of(*texts):
            return join_sources.joined([str(i) for i in range(len(texts))], {str(i): t for i, t in enumerate(texts)})
        mine = of_namespace("int f() { return 1; }")
        self.assertEqual(files_of(mine, "int b() { return 2; }"), [["0", "1"]])
        self.assertEqual(files_of(mine, mine), [["0"], ["1"]])
        self.assertEqual(files_of(mine, "int b() { return f(); }"), [["0"], ["1"]])
        self.assertEqual(files_of(mine, "int b(A a) { return a.f(); }"), [["0", "1"]])
        self.assertEqual(files_of(mine, "struct A {\n  int f(int a) { return a; }\n  int g() { return f(1); }\n};"), [["0", "1"]])
        self.assertEqual(files_of(mine, "int b() {\n  return f();\n}"), [["0"], ["1"]])
        self.assertEqual(files_of(of_namespace("struct Row {};"), "Row b();"), [["0"], ["1"]])
        self.assertEqual(files_of(mine, "#define F 1\n"), [["0"]])
        self.assertEqual(files_of(mine, "using namespace colors;\nint b();"), [["0"]])
        self.assertEqual(files_of(mine, "using namespace std::string_view_literals;\nint b();"), [["0", "1"]])
        json = of_namespace("using nlohmann::json;\nnamespace fs = std::filesystem;")
        self.assertEqual(files_of(json, json), [["0", "1"]])
        self.assertEqual(files_of(json, of_namespace("using other::json;")), [["0"], ["1"]])
        self.assertEqual(files_of(json, of_namespace("namespace fs = boost::filesystem;")), [["0"], ["1"]])
        self.assertEqual(files_of(json, of_namespace("int json() { return 1; }")), [["0"], ["1"]])
        self.assertEqual(files_of(json, "int b() { return json(); }"), [["0"], ["1"]])
        row = "namespace orrery::sim {\n" + of_namespace("struct Row {};") + "}\n"
        for namespace, groups in (("orrery::sim", []), ("orrery::app", [["0"]])):
            self.assertEqual(join_sources.joined(["0"], {"0": row}, {(namespace, "Row")}), groups)
        self.assertEqual(len(files_of(*["int b();" + "\n" * (join_sources.LARGEST // 2)] * 3)), 2)


class TrackedFiles(unittest.TestCase):
    def test_lists_this_file(self):
        root = Path(__file__).resolve().parents[2]
        self.assertIn("tests/lint/lint_test.py", sources.tracked_files(root))


if __name__ == "__main__":
    unittest.main()
