"""What is written over the picture: in the window, in its pictures, and in those made without a window."""

import subprocess

from driver import PATIENCE, wait_until
from picture import Picture, count_different, lit


def overlay_in_window_and_pictures(stage):
    """Title, clock and scale bar are the same in the window, in a picture of it, and drawn by `render`."""
    program = stage.start(stage.make('small.bin'), '--set', 'speed=0.01', size='1000x640')
    program.wait_for_dataset()
    program.press_until('Tab', lambda: not program.panel_shows(), 'the panel is gone')
    picture = program.pause()
    window = program.capture()
    stage.screenshot(program, 'overlay')
    assert window.size == picture.size == (1000, 640)
    drawn = stage.folder / 'drawn.png'
    subprocess.run([stage.orrery, 'render', picture.path, '--size', '1000x640', '-o', drawn], check=True,
                   capture_output=True, timeout=4 * PATIENCE, env=program.environment)
    corner = (0, 540, 300, 640)
    # The exposure of the window follows the light; some faint bodies lie between the letters.
    for other in (picture.pixels, Picture(drawn).pixels):
        text = other.crop(corner)
        assert lit(text, least=150) > 400, 'there is something to compare'
        wait_until(lambda t=text: count_different(program.capture().crop(corner), t, 60) < 12, 'the window shows the same')
    program.quit()


ALL = {function.__name__: function for function in (overlay_in_window_and_pictures,)}
