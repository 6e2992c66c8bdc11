"""Which commands the test of the documents finds, what it bounds, and that it notices a command that fails."""
import contextlib
import io
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import commands_test  # noqa: E402


def texts(document):
    return [(command.line, command.text, command.skip) for command in commands_test.commands(document)]


class Extraction(unittest.TestCase):
    def test_finds_commands_in_fenced_blocks_only(self):
        document = "`./run a`\n\n```\n./run render disk   # a picture\nman orrery\norrery info x\n```\n./run b\n"
        self.assertEqual(texts(document), [(4, "./run render disk   # a picture", ""), (6, "orrery info x", "")])

    def test_joins_continued_lines(self):
        self.assertEqual(texts("```\n./run a \\\n  --b\n./run c\n```\n"), [(2, "./run a   --b", ""), (4, "./run c", "")])

    def test_comment_skips_the_next_block_only(self):
        document = "<!-- test: skip takes an hour -->\n```\n./run a\n```\n\n```\n./run b\n```\n"
        self.assertEqual(texts(document), [(3, "./run a", "takes an hour"), (7, "./run b", "")])

    def test_text_between_ends_a_skip(self):
        self.assertEqual(texts("<!-- test: skip long -->\nText.\n```\n./run a\n```\n"), [(4, "./run a", "")])


class Bounds(unittest.TestCase):
    def bounded(self, text):
        return " ".join(commands_test.bounded(text.split()))

    def test_sizes_are_bounded(self):
        self.assertEqual(self.bounded("./run render disk --bodies 100000 --steps 3 --size 1920x1080"),
                         "./run render disk --bodies 2048 --steps 3 --size 320x180")

    def test_values_of_a_list_stay_different(self):
        self.assertEqual(self.bounded("./run render x --frames 0,100,200"), "./run render x --frames 0,6,7")

    def test_small_sizes_are_added_where_a_default_takes_minutes(self):
        self.assertEqual(self.bounded("./run ladder all"), "./run ladder all --bodies 256")

    def test_a_galaxy_is_drawn_with_few_bodies(self):
        for text in ("./run", "./run collision", "./run view disk --series live", "orrery render mice -o mice.png"):
            self.assertEqual(self.bounded(text), text + " --bodies 2048")
        for text in ("./run galaxy.tipsy", "./run render solar-system", "./run --galaxies 4 plummer",
                     "./run make disk -o galaxy.bin", "./run render --resume run.checkpoint"):
            self.assertEqual(self.bounded(text), text)

    def test_everything_else_stays(self):
        text = "./run map disk --size 200 --log -o map.png --every 10min --set block=128"
        self.assertEqual(self.bounded(text), text)


class Running(unittest.TestCase):
    def outcome(self, program, document):
        with contextlib.redirect_stdout(io.StringIO()):
            return commands_test.check(Path(program), "a.md", document)

    def test_counts_what_fails(self):
        document = "```\n./run a\norrery b\n```\n"
        self.assertEqual(self.outcome("/bin/true", document), (0, 2))
        self.assertEqual(self.outcome("/bin/false", document), (2, 2))

    def test_a_file_must_come_from_an_earlier_command(self):
        self.assertEqual(self.outcome("/bin/ls", "```\n./run galaxy.bin\n```\n"), (1, 1))
        self.assertEqual(self.outcome("/usr/bin/touch", "```\n./run a\n```\n"), (0, 1))


if __name__ == "__main__":
    unittest.main()
