"""Pictures: the files that the program writes, with their text, and what can be said about what they show."""

import functools
import json

from PIL import Image, ImageChops


class Picture:
    """A complete PNG file. Raises an exception if it is damaged or of a kind that the program does not write."""

    def __init__(self, path):
        self.path = path
        with Image.open(path, formats=['PNG']) as image:
            image.verify()
        with Image.open(path) as image:
            if image.mode not in ('RGB', 'RGBA'):
                raise ValueError(f'{path}: not a picture of the program: {image.mode}')
            self.size, self.pixels = image.size, image.convert('RGB')
            # Complete only once the pixels are read: texts may follow them.
            self.text = image.text

    @property
    def state(self):
        return json.loads(self.text['orrery'])


def brightest_channel(image):
    """As a picture of gray levels."""
    return functools.reduce(ImageChops.lighter, image.split())


def count_above(image, limit):
    """How many pixels are brighter than `limit` in their brightest channel."""
    return sum(brightest_channel(image).histogram()[limit + 1:])


def lit(image, box=None, least=48):
    """How many pixels of a rectangle (the whole picture without one) are brighter than `least`."""
    return count_above(image.crop(box) if box else image, least)


def count_different(a, b, tolerance=8):
    """How many pixels of two pictures of one size differ visibly."""
    assert a.size == b.size
    return count_above(ImageChops.difference(a, b), tolerance)
