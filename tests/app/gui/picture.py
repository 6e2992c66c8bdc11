"""Reading PNG pictures: size, pixels and the text that they carry."""

import functools
import json
import struct
import zlib

from x11 import Pixels


class Picture:
    """A complete PNG file. Raises ValueError if it is damaged or of a kind that the program does not write."""

    def __init__(self, path):
        self.path = path
        self.text, compressed, ended = {}, b'', False
        for kind, body in chunks(path.read_bytes()):
            if kind == b'IHDR':
                self.width, self.height, depth, color, _, _, interlace = struct.unpack('>IIBBBBB', body)
            elif kind == b'IDAT':
                compressed += body
            elif kind in (b'tEXt', b'zTXt', b'iTXt'):
                key, value = text_entry(kind, body)
                self.text[key] = value
            ended = ended or kind == b'IEND'
        if not ended or depth != 8 or color not in (2, 6) or interlace:
            raise ValueError(f'{path}: not a complete 8-bit picture')
        self.channels, self.packed = 3 if color == 2 else 4, compressed

    @functools.cached_property
    def pixels(self):
        return unfilter(zlib.decompress(self.packed), self.width, self.height, self.channels)

    @property
    def size(self):
        return self.width, self.height

    @property
    def state(self):
        return json.loads(self.text['orrery'])


def chunks(data):
    """The chunks of a PNG as (kind, body), with their checksums verified."""
    if data[:8] != b'\x89PNG\r\n\x1a\n':
        raise ValueError('not a PNG')
    position = 8
    while position + 12 <= len(data):
        length, = struct.unpack_from('>I', data, position)
        kind, body = data[position + 4:position + 8], data[position + 8:position + 8 + length]
        checksum, = struct.unpack_from('>I', data, position + 8 + length)
        if zlib.crc32(kind + body) != checksum:
            raise ValueError('a damaged chunk')
        yield kind, body
        position += 12 + length


def text_entry(kind, body):
    key, rest = body.split(b'\0', 1)
    if kind == b'tEXt':
        value = rest.decode('latin-1')
    elif kind == b'zTXt':
        value = zlib.decompress(rest[1:]).decode('latin-1')
    else:
        packed = rest[0]
        value = rest[2:].split(b'\0', 2)[2]
        value = (zlib.decompress(value) if packed else value).decode('utf-8')
    return key.decode('latin-1'), value


def unfilter(data, width, height, channels):
    """Undoes the PNG row filters."""
    row_bytes = width * channels
    result = bytearray()
    above = bytes(row_bytes)
    for y in range(height):
        start = y * (row_bytes + 1)
        row = bytearray(data[start + 1:start + 1 + row_bytes])
        undo_row(data[start], row, above, channels)
        result += row
        above = row
    return Pixels(width, height, row_bytes, channels, (0, 1, 2), bytes(result))


def undo_row(kind, row, above, channels):
    if kind == 0:
        return
    for i in range(len(row)):
        left = row[i - channels] if i >= channels else 0
        corner = above[i - channels] if i >= channels else 0
        prediction = (0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner))[kind]
        row[i] = (row[i] + prediction) & 255


def paeth(left, above, corner):
    estimate = left + above - corner
    distances = abs(estimate - left), abs(estimate - above), abs(estimate - corner)
    return (left, above, corner)[distances.index(min(distances))]
