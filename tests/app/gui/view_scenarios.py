"""Several views of the window at once, and velocity arrows. Each function is one test."""

from driver import Missing, wait_until
from panel_scenarios import open_palette
from picture import count_different, lit


PANEL = 360  # its width, at first


def parts(program):
    """The middles of the four views beside the panel, by their names."""
    width, height = program.size()
    left = width - 2 * ((width - PANEL) // 2)
    x0, x1 = left + (width - left) // 4, left + 3 * (width - left) // 4
    return {'3-D': (x0, height // 4), 'xy': (x1, height // 4), 'xz': (x0, 3 * height // 4), 'yz': (x1, 3 * height // 4)}


def camera(program):
    return program.state()['camera']


def moved(one, other, key):
    return max(abs(a - b) for a, b in zip(one[key], other[key])) > 1e-9


def four_views(stage):
    """V shows four views. The mouse works in the one under it: it turns the first, and moves the others."""
    program = stage.start(stage.make('small.bin', bodies=2000), '--engine', 'cpu', size='1280x720')
    program.wait_for_dataset()
    program.pause()
    one = program.capture()
    program.key('v')
    program.option_is('views', 'four')
    program.wait_for_change(one)
    stage.screenshot(program, 'four-views')
    for name, (x, y) in parts(program).items():
        middle = (x - 60, y - 60, x + 60, y + 60)
        wait_until(lambda box=middle: lit(program.capture(), box, least=120) > 40, f'{name} shows the middle of the bodies')
    before = camera(program)
    x, y = parts(program)['3-D']
    program.drag((x, y), (x + 60, y + 20))
    after = program.wait_for_state(lambda s: moved(before, s['camera'], 'orientation_wxyz'), 'dragging turns')['camera']
    assert not moved(before, after, 'target'), (before, after)
    x, y = parts(program)['xz']
    program.drag((x, y), (x + 50, y))
    side = program.wait_for_state(lambda s: moved(after, s['camera'], 'target'), 'dragging moves')['camera']
    assert not moved(after, side, 'orientation_wxyz'), 'a view from a side keeps its direction'
    shift = [b - a for a, b in zip(after['target'], side['target'])]
    assert shift[0] < -1e-6 and abs(shift[1]) < 1e-9 and abs(shift[2]) < 1e-9, shift
    # A body that is picked in one view has a ring in all.
    x, y = parts(program)['yz']
    rings = {'picked-ring', 'picked-ring:xy', 'picked-ring:yz'}
    program.repeat_until(lambda: program.click_at(x, y), lambda: rings <= set(program.widgets()), 'rings show')
    x0, y0, x1, y1 = program.widget('picked-ring:yz')
    assert abs((x0 + x1) / 2 - x) < 16 and abs((y0 + y1) / 2 - y) < 16, 'the body is where the click was'
    stage.screenshot(program, 'picked-in-four')
    picture = program.take_picture('F12')
    assert picture.state['options']['views'] == 'four'
    program.key('Escape')
    program.key('v')
    program.option_is('views', 'one')
    program.quit()


def velocity_arrows(stage):
    """The palette switches arrows on, in the window and in its pictures."""
    program = stage.start(stage.make('small.bin', bodies=2000), '--engine', 'cpu', size='1280x720')
    program.wait_for_dataset()
    program.press_until('Tab', lambda: not program.panel_shows(), 'the panel is gone')
    without = program.pause()
    open_palette(program, 'velocity arrows', 'arrows')
    program.press_until('Return', lambda: 'values' in program.widgets(), 'the values show')
    program.type('heav')
    wait_until(lambda: 'values-selected:arrows=heaviest:150:8' in program.widgets(), 'the value is found')
    program.key('Return')
    program.option_is('arrows', 'heaviest:150:8')
    plain = greenish(without.pixels)
    program.wait_for_picture(lambda picture: greenish(picture.pixels) > plain + 300, 'arrows show')
    stage.screenshot(program, 'arrows')
    program.quit()


def greenish(image):
    """Pixels of the arrows' colour."""
    red, green, blue = (channel.getdata() for channel in image.split())
    return sum(1 for r, g, b in zip(red, green, blue) if g > 150 and g > r + 60 and g > b + 10)


def draws_roughly(program):
    return any(name.endswith('coarse-glow') for name in program.widgets())


def rough_while_it_moves(stage):
    """Where frames take long the glow of what moves is coarse, and the panel says so; what stands still is exact again."""
    heavy = ('--set', 'splatting=raster', '--set', 'size=48', '--set', 'legend=off')
    program = stage.start(stage.make('small.bin', bodies=8000), '--engine', 'cpu', '--kernel', 'tree', *heavy, size='1380x960')
    program.wait_for_dataset()
    program.show_section('Performance')
    try:
        wait_until(lambda: draws_roughly(program), 'the picture becomes rough')
    except AssertionError as fast:
        raise Missing(f'a machine on which software OpenGL is slow: {fast}') from fast
    stage.screenshot(program, 'rough')
    moving = program.take_picture('ctrl+F12')
    assert moving.size == program.size(), 'pictures are whole'
    program.pause()
    wait_until(lambda: not draws_roughly(program), 'it is exact again')
    width, height = program.size()
    box = (width // 2, height // 4, width, height * 3 // 4)  # messages stand below
    kept = program.take_picture('ctrl+F12').pixels.crop(box)
    stage.screenshot(program, 'exact')
    wait_until(lambda: count_different(program.capture().crop(box), kept) < 200, 'the window shows what a picture shows')
    program.quit()


ALL = {function.__name__: function for function in (four_views, rough_while_it_moves, velocity_arrows)}
