"""What the tests of the served window share: how long they wait, and for what."""

import time

# A test that a missing program skips ends with this status.
SKIPPED = 77
# Seconds; long enough for a loaded machine.
PATIENCE = 120


def eventually(what, done):
    """The first true result of done()."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        result = done()
        if result:
            return result
        time.sleep(0.05)
    raise AssertionError(f'waited in vain: {what}')
