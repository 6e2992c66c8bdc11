"""Reads a BIN file by what docs/formats.md says of it, and by nothing else of this program.

Called as bin_document_test.py ORRERY: converts a table of bodies far from 0 and compares every number.
"""

import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

ORRERY = sys.argv.pop() if len(sys.argv) > 1 else None


def checksum(data):
    """FNV-1a, 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def named_values(data):
    values, at = {}, 0
    while at < len(data):
        kind, name_size, value_size = struct.unpack_from("<HHI", data, at)
        name = data[at + 8 : at + 8 + name_size].decode()
        value = data[at + 8 + name_size : at + 8 + name_size + value_size]
        values[name] = struct.unpack("<d", value)[0] if kind == 1 else value.decode()
        at += (8 + name_size + value_size + 7) // 8 * 8
    return values


def read_bin(data):
    """Named values, places counted from 0, masses, and the colours if there are some."""
    magic, version, flags, count, size = struct.unpack_from("<8sIIQQ", data)
    assert (magic, version) == (b"ORRERYB1", 2)
    assert len(data) == 40 + size + (41 + (4 if flags & 2 else 0) + (4 if flags & 4 else 0)) * count
    assert struct.unpack_from("<Q", data, len(data) - 8)[0] == checksum(data[:-8])
    values = named_values(data[32 : 32 + size])
    origin = [values.get(f"origin-{axis}", 0.0) for axis in "xyz"]
    numbers = struct.unpack_from(f"<{3 * count}f", data, 32 + size)
    places = [[origin[k] + numbers[3 * i + k] for k in range(3)] for i in range(count)]
    masses = struct.unpack_from(f"<{count}f", data, 32 + size + 24 * count)
    at = 32 + size + (45 if flags & 2 else 41) * count
    colours = struct.unpack_from(f"<{count}I", data, at) if flags & 4 else ()
    return values, places, masses, colours


class BinDocument(unittest.TestCase):
    def test_places_far_from_zero(self):
        rows = [(1000.481 + 0.013 * i, -2000.25 + 0.007 * i * i, 3000.5 - 0.011 * i) for i in range(20)]
        with tempfile.TemporaryDirectory() as folder:
            table, result = pathlib.Path(folder, "far.csv"), pathlib.Path(folder, "far.bin")
            table.write_text("x,y,z,mass\n" + "".join(f"{x},{y},{z},0.5\n" for x, y, z in rows), encoding="utf-8")
            subprocess.run([ORRERY, "convert", str(table), str(result)], check=True, capture_output=True)
            values, places, masses, colours = read_bin(result.read_bytes())
        self.assertIn("origin-x", values)
        self.assertEqual(round(places[0][0], 6), 1000.481)
        for place, row in zip(places, rows):
            for number, expected in zip(place, row):
                self.assertAlmostEqual(number, expected, places=6)
        self.assertEqual(set(masses), {0.5})
        self.assertEqual(colours, ())
        self.assertEqual(values["integrator"], "leapfrog")
        self.assertEqual(values["external-field"], "none")


    def test_colours(self):
        with tempfile.TemporaryDirectory() as folder:
            table, result = pathlib.Path(folder, "colours.csv"), pathlib.Path(folder, "colours.bin")
            table.write_text("x,y,z,q,red,green,blue\n1,2,3,1,18,52,86\n3,2,1,0,nan,nan,nan\n", encoding="utf-8")
            subprocess.run([ORRERY, "convert", str(table), str(result)], check=True, capture_output=True)
            colours = read_bin(result.read_bytes())[3]
        self.assertEqual(colours, (0x123456, 0xFFFFFFFF))


if __name__ == "__main__":
    unittest.main()
