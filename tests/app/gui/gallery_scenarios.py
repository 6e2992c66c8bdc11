"""The built-in galaxies as pictures. Each function is one test."""

import subprocess

from driver import wait_until
from picture import lit


def models(stage):
    said = subprocess.run([stage.orrery, 'make', '--list'], check=True, capture_output=True, text=True, timeout=60).stdout
    return [line.split()[0] for line in said.splitlines()[1:]]


def has_tile(program, name):
    return any(f'{hidden}gallery:{name}' in program.widgets() for hidden in ('', 'hidden:'))


def gallery_of_galaxies(stage):
    """Opens and has a tile with a picture for every model; a click starts that model as it was asked for."""
    program = stage.start('two-body', '--engine', 'cpu', '--set', 'threads=1', size='1280x720')
    program.wait_for_dataset()
    program.click('galaxies', lambda: 'gallery:disk' in program.widgets(), 'the button opens it')
    assert all(has_tile(program, name) for name in models(stage)), sorted(program.widgets())
    # Tiles below the window's edge draw no picture.
    visible = [name.removeprefix('gallery:') for name in program.widgets() if name.startswith('gallery:')]
    wait_until(lambda: all(f'gallery-picture:{name}' in program.widgets() for name in visible), 'all pictures show')
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
    program.key('ctrl+g')
    wait_until(lambda: 'gallery-picture:disk' in program.widgets(), 'it opens again')
    program.key('Escape')
    wait_until(lambda: 'gallery:disk' not in program.widgets(), 'Esc closes it')
    program.quit()


def gallery_of_any_window(stage):
    """Small pixels and the light theme: the tiles stay in the window, from the palette too."""
    stage.screen.set_dpi(192)
    program = stage.start('two-body', '--engine', 'cpu', '--set', 'threads=1', size='640x480')
    program.wait_for_dataset()
    program.key('ctrl+p')
    wait_until(lambda: 'palette' in program.widgets(), 'the palette opens')
    program.xdotool('type', '--delay', 60, 'theme')
    program.key('Return')
    program.key('ctrl+p')
    wait_until(lambda: 'palette' in program.widgets(), 'the palette opens')
    program.xdotool('type', '--delay', 60, 'pictures to choose')
    wait_until(lambda: any(name.startswith('palette-selected:') and 'galaxies' in name for name in program.widgets()),
               'the palette finds it')
    program.key('Return')
    x0, _, x1, _ = program.widget('gallery:disk')
    width, _ = program.size()
    assert x0 >= 0 and x1 <= width and x1 - x0 > 300, (x0, x1)
    columns = sum(name.startswith('gallery:') and box[1] == program.widget('gallery:disk')[1]
                  for name, box in program.widgets().items())
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
    program.key('Escape')
    wait_until(lambda: 'hint-galaxies' in program.widgets(), 'Esc goes back to the empty window')
    program.click('hint-galaxies', lambda: 'gallery:plummer' in program.widgets(), 'it opens again')
    program.click('gallery:plummer', lambda: 'gallery:plummer' not in program.widgets(), 'it closes')
    program.wait_for_dataset()
    program.wait_for_state(lambda s: s['dataset'].get('model') == 'plummer', 'that galaxy shows')
    program.quit()


ALL = {function.__name__: function
       for function in (gallery_of_galaxies, gallery_of_any_window, gallery_of_an_empty_window)}
