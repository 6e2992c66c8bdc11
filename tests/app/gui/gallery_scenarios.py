"""The built-in galaxies as pictures. Each function is one test."""

import subprocess

from driver import wait_until
from panel_scenarios import open_palette
from picture import lit


def models(stage):
    said = subprocess.run([stage.orrery, 'make', '--list'], check=True, capture_output=True, text=True, timeout=60).stdout
    return [line.split()[0] for line in said.splitlines()[1:]]


def tiles(program):
    """The names of all, also of those out of sight."""
    shown = (name.removeprefix('hidden:') for name in program.widgets())
    return {name.removeprefix('gallery:') for name in shown if name.startswith('gallery:')}


def gallery_of_galaxies(stage):
    """Opens and has a tile with a picture for every model; a click starts that model as it was asked for."""
    program = stage.start('two-body', '--engine', 'cpu', '--set', 'threads=1', size='1280x720')
    program.wait_for_dataset()
    program.click('galaxies', lambda: 'gallery:disk' in program.widgets(), 'the button opens it')
    wait_until(lambda: set(models(stage)) <= tiles(program), 'every model has a tile')

    def all_drawn():
        shown = program.widgets()
        # Tiles below the window's edge draw no picture.
        visible = [name.removeprefix('gallery:') for name in shown if name.startswith('gallery:')]
        return visible and all(f'gallery-picture:{name}' in shown for name in visible)
    wait_until(all_drawn, 'all pictures show')
    x0, y0, x1, y1 = map(int, program.widget('gallery:disk'))
    upper = (x0 + 8, y0 + 8, x1 - 8, y0 + (y1 - y0) // 2)
    wait_until(lambda: lit(program.capture(), upper, 120) > 200, 'the disk is bright')
    stage.screenshot(program, 'drawn')

    program.click('gallery-bodies', lambda: 'gallery-bodies=1000' in program.widgets(), 'the numbers show')
    program.click('gallery-bodies=1000', lambda: 'gallery-bodies=1000' not in program.widgets(), 'one is taken')
    program.click('gallery:plummer', lambda: 'gallery:plummer' not in program.widgets(), 'it closes')
    state = program.wait_for_state(lambda s: s['dataset'].get('model') == 'plummer', 'that model is there')
    assert state['dataset']['bodies'] == 1000, state['dataset']
    stage.screenshot(program, 'started')
    program.press_until('ctrl+g', lambda: 'gallery-picture:disk' in program.widgets(), 'it opens again')
    program.press_until('Escape', lambda: 'gallery:disk' not in program.widgets(), 'Esc closes it')
    program.quit()


def gallery_of_any_window(stage):
    """Small pixels and the light theme: the tiles stay in the window, from the palette too."""
    stage.screen.set_dpi(192)
    program = stage.start('two-body', '--engine', 'cpu', '--set', 'threads=1', size='640x480')
    program.wait_for_dataset()
    open_palette(program, 'theme', 'command:theme')
    program.key('Return')
    wait_until(lambda: 'palette' not in program.widgets(), 'the palette closes')
    open_palette(program, 'pictures to choose', 'command:galaxies')
    program.key('Return')
    x0, top, x1, _ = program.widget('gallery:disk')
    width, _ = program.size()
    assert x0 >= 0 and x1 <= width and x1 - x0 > 300, (x0, x1)
    columns = sum(name.startswith('gallery:') and box[1] == top for name, box in program.widgets().items())
    assert columns >= 3, columns
    stage.screenshot(program, 'small-pixels')
    program.quit()


def gallery_of_an_empty_window(stage):
    """Loading is given up at the start: nothing shows but a button, which shows the galaxies; a click starts one."""
    program = stage.start('disk', '--bodies', 4000000, '--engine', 'cpu', '--set', 'threads=1', size='1280x720')
    program.click('cancel-loading', lambda: 'hint-galaxies' in program.widgets(), 'the window is empty')
    stage.screenshot(program, 'nothing')
    program.click('hint-galaxies', lambda: 'gallery:disk' in program.widgets(), 'the button opens it')
    wait_until(lambda: 'hint-galaxies' not in program.widgets(), 'the hint makes room')
    program.press_until('Escape', lambda: 'hint-galaxies' in program.widgets(), 'Esc goes back to the empty window')
    program.click('hint-galaxies', lambda: 'gallery:plummer' in program.widgets(), 'it opens again')
    program.click('gallery:plummer', lambda: 'gallery:plummer' not in program.widgets(), 'it closes')
    program.wait_for_dataset()
    program.wait_for_state(lambda s: s['dataset'].get('model') == 'plummer', 'that galaxy shows')
    program.quit()


ALL = {function.__name__: function
       for function in (gallery_of_galaxies, gallery_of_any_window, gallery_of_an_empty_window)}
