"""What a person does with the window, and what must come of it. Each function is one test."""

import json
import subprocess

import closer_scenarios
import film_scenarios
import gallery_scenarios
import newcomer_scenarios
import overlay_scenarios
import panel_scenarios
import playback_scenarios
import plot_scenarios
import session_scenarios
import switching_scenarios
import view_scenarios
from driver import PATIENCE, GpuProgram, Missing, Program, names, wait_until
from picture import count_different, lit

SMALL_BODIES = 200


class Stage:
    """What a scenario gets: the screen, a folder of its own, the programs."""

    def __init__(self, screen, folder, orrery, wrong_kernels, screenshots=None):
        self.screen, self.folder = screen, folder
        self.screenshots = screenshots
        self.orrery, self.wrong_kernels = orrery, wrong_kernels
        self.programs = []

    def start(self, *arguments, program=None, start=Program, **options):
        folder = self.folder / f'run{len(self.programs) + 1}'
        started = start(self.screen, program or self.orrery, folder, *arguments, **options)
        self.programs.append(started)
        return started

    def screenshot(self, program, name):
        """What the window shows, into the folder for it, if there is one."""
        if self.screenshots is None:
            return
        self.screenshots.mkdir(parents=True, exist_ok=True)
        program.capture().save(self.screenshots / f'{name}.png')

    def make(self, name, model='plummer', bodies=SMALL_BODIES, seed=1):
        path = self.folder / name
        subprocess.run([self.orrery, 'make', model, '--bodies', str(bodies), '--seed', str(seed), '--overwrite', '-o', path],
                       check=True, capture_output=True, timeout=4 * PATIENCE)
        return path

    def end(self):
        for program in self.programs:
            program.end()


def start_and_quit(stage):
    """The built-in galaxy appears and moves; help and panel come and go; Ctrl+Q ends the program."""
    program = stage.start()
    program.wait_for_dataset()
    x0, _, x1, _ = program.widget('panel:Dataset')
    beside_panel = (x1 + 40, 0, *program.size())
    wait_until(lambda: lit(program.capture(), beside_panel) > 2000, 'the galaxy is lit')
    program.wait_for_change(program.capture())

    program.key('space')
    program.wait_for_state(lambda s: s['step'] == program.state()['step'], 'the galaxy stands still')
    plain = program.capture()
    program.key('h')
    wait_until(lambda: 'help' in program.widgets(), 'the help shows')
    program.wait_for_change(plain, 2000)
    program.key('h')
    wait_until(lambda: 'help' not in program.widgets(), 'the help is gone')

    program.key('Tab')
    wait_until(lambda: not program.panel_shows(), 'the panel is gone')
    panel = (x0, 0, x1, plain.height)
    wait_until(lambda: 2 * lit(program.capture(), panel) < lit(plain, panel), 'the window shows no panel')
    program.quit()

    settings = json.loads((program.configuration / 'orrery' / 'settings.json').read_text(encoding='utf-8'))
    assert settings['panel_visible'] is False, settings
    assert not list(program.work.iterdir()), 'something was written into the working directory'


def settings_come_back(stage):
    """The panel that was hidden stays hidden the next time; damaged settings do no harm."""
    data = stage.make('small.bin')
    folder = stage.folder / 'run1'
    program = stage.start(data, size='900x640')
    program.wait_for_dataset()
    program.press_until('Tab', lambda: 'heads-up' in program.widgets(), 'one line stands for the panel')
    program.quit()

    again = Program(stage.screen, stage.orrery, folder, data, size=None)
    stage.programs.append(again)
    assert again.size() == (900, 640), again.size()
    wait_until(lambda: 'heads-up' in again.widgets(), 'one line stands for the panel')
    assert not again.panel_shows()
    wait_until(lambda: lit(again.capture()) > 100, 'bodies show')
    again.quit()

    (folder / 'config' / 'orrery' / 'settings.json').write_text('{"window_width": "wide"', encoding='utf-8')
    last = Program(stage.screen, stage.orrery, folder, data)
    stage.programs.append(last)
    last.wait_for_dataset()
    last.quit()


def switch_and_take_pictures(stage):
    """Kernel by mouse and key, threads by keys; pictures tell what was chosen."""
    data = stage.make('small.bin')
    program = stage.start(data, '--set', 'threads=2', '--screenshot-size', '640x360')
    program.wait_for_dataset()
    program.choose('kernel', 'pair-symmetric')
    program.key('t')
    wait_until(lambda: 'toast' in program.widgets(), 'a message tells what the key did')
    program.wait_for_state(lambda s: s['options']['threads'] == 3, 'there are 3 threads')
    program.key('shift+t', 'shift+t')
    program.wait_for_state(lambda s: s['options']['threads'] == 1, 'there is 1 thread')
    program.key('k')
    other = program.wait_for_state(lambda s: s['options']['kernel'] != 'pair-symmetric', 'K changes the kernel')
    program.key('shift+k')
    program.wait_for_state(lambda s: s['options']['kernel'] == 'pair-symmetric', 'Shift+K changes it back')
    assert other['options']['threads'] == 1
    program.type_value('threads', 2)
    program.show_section('Physics')
    program.type_value('time-step', 0.125)
    program.type_value('threads', 1)

    program.pause()
    with_panel, without = program.take_picture('ctrl+F12'), program.take_picture('F12')
    check_pictures(with_panel, without, data)
    program.quit()
    assert not list(program.work.iterdir())


def check_pictures(with_panel, without, data):
    """The two pictures of the last scenario."""
    assert with_panel.path != without.path
    assert with_panel.size == without.size == (640, 360)
    assert count_different(with_panel.pixels, without.pixels) > 4000, 'the panel is in one picture only'
    assert lit(without.pixels) > 100
    state = without.state
    assert state['program'] == 'orrery' and state['version'] in without.text['Software']
    assert names(state, data) and len(state['dataset']['hash']) == 16
    assert state['options']['kernel'] == 'pair-symmetric' and state['options']['threads'] == 1
    assert state['step'] > 0 and state['time'] > 0
    assert set(state['camera']) >= {'target', 'orientation_wxyz', 'distance', 'field_of_view'}


def pictures_never_overwrite(stage):
    """Pictures of one moment get names of their own, and the size of the window."""
    program = stage.start(stage.make('small.bin'), size='800x600')
    program.wait_for_dataset()
    program.pause()
    taken = [program.take_picture() for _ in range(3)]
    assert len({picture.path for picture in taken}) == 3
    assert all(picture.size == (800, 600) for picture in taken)
    first = taken[0].path.read_bytes()
    program.take_picture()
    assert taken[0].path.read_bytes() == first
    program.quit()


def pause_step_reset(stage):
    """Space, Right, PgDn and Backspace do what the help says."""
    program = stage.start(stage.make('small.bin'))
    program.wait_for_dataset()
    program.wait_for_state(lambda s: s['step'] > 0, 'steps are made')
    still = program.pause().state
    for more in (1, 2):
        program.key('Right')
        program.wait_for_state(lambda s, n=more: s['step'] != still['step'] + n - 1, 'Right makes a step')
        assert program.rest().state['step'] == still['step'] + more, 'Right makes exactly one step'
    program.key('Next')
    program.wait_for_state(lambda s: s['step'] == still['step'] + 52, 'PgDn makes 50 steps')
    assert program.rest().state['step'] == still['step'] + 52
    program.key('BackSpace')
    program.wait_for_state(lambda s: s['step'] == 0 and s['time'] == 0, 'Backspace goes back to the start')
    program.press_until('space', lambda: 'paused' not in program.widgets(), 'the mark goes')
    program.wait_for_state(lambda s: s['step'] > 1, 'time goes on')
    program.quit()


def stops(state):
    """The correction of the exposure: 2 of 'auto:2'."""
    return float(state['options']['exposure'].split(':')[1])


def option_keys(stage):
    """Speed, exposure and colour mode by keys."""
    program = stage.start(stage.make('small.bin'), '--set', 'speed=1', '--set', 'dither=off', size='1000x700')
    program.wait_for_dataset()
    start = program.pause().state['options']
    program.key('period')
    program.wait_for_state(lambda s: s['options']['speed'] == 2 * start['speed'], 'twice the speed')
    program.key('comma', 'comma')
    program.wait_for_state(lambda s: s['options']['speed'] == start['speed'] / 2, 'half the speed')
    dim = program.take_picture()
    program.key(*['bracketright'] * 6)
    bright = program.wait_for_state(lambda s: abs(stops(s) - 2) < 1e-6, 'two stops more')
    program.wait_for_picture(lambda picture: lit(picture.pixels, least=100) > lit(dim.pixels, least=100),
                             'the picture is brighter')
    program.key('bracketleft')
    program.wait_for_state(lambda s: stops(s) < stops(bright), 'darker again')

    # The colour bar stands at the lower right: many colours in one row, where the components have none.
    def bar_colors(picture):
        pixels = picture.pixels
        corner = pixels.crop((pixels.width - 260, pixels.height - 60, *pixels.size)).getdata()
        return len({tuple(value // 8 for value in pixel) for pixel in corner if max(pixel) - min(pixel) > 24})
    before = bar_colors(program.take_picture())
    program.key('c')
    program.wait_for_state(lambda s: s['options']['color-mode'] != start['color-mode'], 'C changes the colours')
    program.wait_for_picture(lambda picture: bar_colors(picture) > before + 10, 'a colour bar shows')
    program.quit()


def camera_by_mouse(stage):
    """Drag turns, right drag moves, the wheel zooms, a double click centres, Home fits."""
    program = stage.start(stage.make('small.bin'), size='1100x800')
    program.wait_for_dataset()
    home = program.pause().state['camera']
    panel_edge = program.widget('panel:Dataset')[2]
    middle = (int(panel_edge + program.size()[0]) // 2, 400)

    program.drag(middle, (middle[0] + 120, middle[1] + 60))
    turned = program.wait_for_state(lambda s: s['camera']['orientation_wxyz'] != home['orientation_wxyz'],
                                    'dragging turns')['camera']
    assert turned['target'] == home['target'] and turned['distance'] == home['distance']
    program.turn_wheel(4)
    nearer = program.wait_for_state(lambda s: s['camera']['distance'] < turned['distance'], 'the wheel zooms')
    program.turn_wheel(5, 2)
    program.wait_for_state(lambda s: s['camera']['distance'] > nearer['camera']['distance'], 'and back')

    program.point(middle[0] + 30, middle[1] - 20)

    def centred():
        # In two slow frames these are two clicks.
        program.xdotool('click', '--repeat', 2, '--delay', 60, 1)
        program.wait_for_frames()
        return program.state()['camera']['target'] != home['target']
    wait_until(centred, 'a double click centres')
    program.key('Home')
    def fits(camera):
        near = all(abs(a - b) < 0.1 * home['distance'] for a, b in zip(camera['target'], home['target']))
        return near and abs(camera['distance'] / home['distance'] - 1) < 0.2 and \
            camera['orientation_wxyz'] != turned['orientation_wxyz']
    # The bodies have moved a little.
    home = program.wait_for_state(lambda s: fits(s['camera']), 'Home shows all again')['camera']

    # Over the panel the mouse belongs to the panel.
    program.drag((panel_edge - 60, 60), (panel_edge - 160, 90))
    program.turn_wheel(4)
    assert program.state()['camera'] == home
    program.quit()


def drop_files(stage):
    """Datasets, pictures, states and garbage dropped on the window."""
    first, second = stage.make('first.bin'), stage.make('second.bin', seed=2)
    program = stage.start(first)
    program.wait_for_dataset()
    old = program.state()
    program.drop(second)
    program.wait_for_state(lambda s: names(s, second), 'the dropped dataset opens')
    program.wait_for_state(lambda s: s['step'] > 0, 'it moves')
    program.key('c')
    home = program.pause().state['camera']
    program.drag((800, 300), (860, 360))
    program.wait_for_state(lambda s: s['camera'] != home, 'the view is changed')
    picture = program.rest()

    program.drop(first)
    program.wait_for_state(lambda s: s['dataset']['hash'] == old['dataset']['hash'], 'the first opens again')
    program.drop(picture.path)
    program.wait_for_state(lambda s: comes_back(s, picture.state), 'the picture comes back')
    program.wait_for_picture(lambda came_back: count_different(came_back.pixels, picture.pixels) == 0, 'it looks the same')

    again = stage.start(second, '--state', picture.path)
    again.wait_for_dataset()
    again.wait_for_state(lambda s: comes_back(s, picture.state), '--state brings the same back')
    again.quit()

    program.focus()
    drop_state_file(program, stage, picture.state, old)
    drop_garbage(program, stage)
    program.quit()


def comes_back(now, wanted):
    return all(now[key] == wanted[key] for key in ('dataset', 'step', 'time', 'camera', 'options'))


def drop_state_file(program, stage, wanted, old):
    """The same state as a JSON file, with another camera distance."""
    wanted = wanted | {'camera': wanted['camera'] | {'distance': old['camera']['distance'] * 2}}
    path = stage.folder / 'state.json'
    path.write_text(json.dumps(wanted), encoding='utf-8')
    program.drop(path)
    program.wait_for_state(lambda s: comes_back(s, wanted), 'the state file comes back')


def drop_garbage(program, stage):
    """Files of no use: a message is shown, and the old dataset stays."""
    old = program.state()
    empty, noise, torn = (stage.folder / name for name in ('empty.dat', 'noise.dat', 'torn.png'))
    empty.write_bytes(b'')
    noise.write_bytes(bytes((k * 37 + k // 7) % 256 for k in range(5000)))
    torn.write_bytes(next(iter(program.picture_files())).read_bytes()[:300])
    for path in (empty, noise, torn, stage.folder / 'nothing.csv', stage.folder):
        program.drop(path)
        program.widget('close-problem')
        wait_until(lambda name=path.name: name in program.log(), f'the message names {path.name}')
        state = program.state()
        assert state['dataset'] == old['dataset'] and state['step'] == old['step']
        program.click('close-problem', lambda: 'close-problem' not in program.widgets(), 'the message goes away')
    program.key('Right')
    program.wait_for_state(lambda s: s['step'] == old['step'] + 1, 'the old simulation goes on')


def resize_and_close(stage):
    """Sizes from tiny to large, hiding, and the close button."""
    program = stage.start(stage.make('small.bin'), size='800x600')
    program.wait_for_dataset()
    for size in ((300, 900), (1300, 300), (40, 30), (1, 1), (640, 480)):
        program.resize(*size)
        wait_until(lambda s=size: program.take_picture().size == s, f'pictures are {size}')
        step = program.state()['step']
        program.wait_for_state(lambda s, n=step: s['step'] > n, 'time goes on')
    program.xdotool('windowunmap', '--sync', program.window)
    program.xdotool('windowmap', '--sync', program.window)
    program.focus()
    wait_until(lambda: lit(program.capture()) > 500, 'the picture is back')
    program.wait_for_change(program.capture(), 20)
    program.screen.connection.ask_to_close(program.window)
    assert program.wait_for_end() == 0


def fullscreen(stage):
    """F11 fills the screen, and comes back."""
    program = stage.start(stage.make('small.bin'), size='800x600')
    program.wait_for_dataset()
    program.press_until('F11', lambda: program.size() == (1400, 1000), 'the window fills the screen')
    wait_until(lambda: program.take_picture().size == (1400, 1000), 'the picture follows')
    program.press_until('F11', lambda: program.size() == (800, 600), 'the window is as before')
    program.quit()


def drawn_by_compute(stage):
    """A window drawn by compute looks like the picture, which the rasterizer draws."""
    program = stage.start(stage.make('small.bin', bodies=2000), '--set', 'splatting=compute')
    program.wait_for_dataset()
    program.press_until('Tab', lambda: not program.panel_shows(), 'the panel is gone')
    picture = program.pause()
    assert picture.state['options']['splatting'] == 'compute'
    assert lit(picture.pixels) > 1000
    wait_until(lambda: differs_below_marks(program.capture(), picture.pixels) == 0, 'window and picture look the same')
    program.quit()


def differs_below_marks(window, picture):
    """How many pixels differ, but for the upper fifth: there the window says that it is paused."""
    box = (0, window.height // 5, window.width, window.height)
    return count_different(window.crop(box), picture.crop(box))


def small_pixels(stage):
    """On a display with twice the pixels everything is twice as large; the window does not grow with each run."""
    data = stage.make('small.bin')
    plain = stage.start(data, size='600x450')
    plain.wait_for_dataset()
    width = box_width(plain.widget('panel:Dataset'))
    plain.quit()
    stage.screen.set_dpi(192)
    first = stage.start(data, size='600x450')
    first.wait_for_dataset()
    assert first.size() == (1200, 900), first.size()
    assert abs(box_width(first.widget('panel:Dataset')) - 2 * width) < 30
    first.quit()
    again = Program(stage.screen, stage.orrery, first.folder, data, size=None)
    stage.programs.append(again)
    again.wait_for_dataset()
    assert again.size() == (1200, 900), again.size()
    again.quit()


def box_width(box):
    return box[2] - box[0]


def cancel_loading(stage):
    """A large file loads in the background: frames go on, and it can be cancelled."""
    large = stage.folder / 'large.csv'
    small = stage.make('small.bin')
    write_large(stage.make('seed.csv', bodies=20000), large, copies=180)
    program = stage.start(small)
    program.wait_for_dataset()
    old = program.state()
    program.drop(large)
    x0, y0, x1, y1 = program.widget('cancel-loading')
    before = program.capture()
    program.wait_for_change(before)
    assert 'cancel-loading' in program.widgets(), 'it is still loading'
    program.click_at((x0 + x1) / 2, (y0 + y1) / 2)
    wait_until(lambda: 'cancel-loading' not in program.widgets(), 'loading ends')
    state = program.wait_for_state(lambda s: s['step'] > old['step'], 'the old simulation goes on')
    assert state['dataset'] == old['dataset']

    # Closing the window does not wait for the file either.
    program.drop(large)
    program.widget('cancel-loading')
    program.quit()


def write_large(seed, path, copies):
    """The bodies of a CSV file many times over."""
    head, _, rows = seed.read_text(encoding='utf-8').partition('\n')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(head + '\n')
        for _ in range(copies):
            file.write(rows)


def badge_colors(program):
    """How many pixels of the badge are green, and how many are red."""
    box = program.widget('badge')
    pixels = list(program.capture().crop(box).getdata())
    green = sum(g > 1.5 * r and g > 120 for r, g, b in pixels)
    red = sum(r > 1.8 * g and r > 120 for r, g, b in pixels)
    return green, red


def badge_turns_red(stage):
    """A program with wrong kernels in its list: the badge is green with a right one and red with them."""
    program = stage.start(stage.make('small.bin'), '--kernel', 'sequential', program=stage.wrong_kernels)
    program.wait_for_dataset()
    for wrong in ('wrong-sign', 'wrong-power', 'half-drift'):
        wait_until(lambda: badge_is(program, green=True), 'the badge is green with a right kernel')
        program.choose('kernel', wrong)
        wait_until(lambda: badge_is(program, green=False), f'the badge is red with {wrong}')
        program.choose('kernel', 'omp-bodies')
        program.key('BackSpace')
    program.quit()


def from_tree_to_pairs(stage):
    """Many bodies begin with a tree, whose time and interactions are shown. One click sums every pair."""
    program = stage.start('plummer', '--bodies', 12000, '--engine', 'cpu')
    program.wait_for_dataset()
    program.wait_for_state(lambda s: s['options']['kernel'] == 'tree', 'it begins with a tree')
    wait_until(lambda: 'header-tree' in program.widgets(), 'the header says what a step takes')
    wait_until(lambda: 'sum-every-pair' in program.widgets(), 'its stated errors show')
    stage.screenshot(program, 'tree')
    program.click('sum-every-pair', lambda: program.state()['options']['kernel'] == 'simd', 'every pair is summed')
    wait_until(lambda: 'header-tree' not in program.widgets(), 'the rate says all again')
    program.quit()


def badge_is(program, green):
    green_pixels, red_pixels = badge_colors(program)
    return green_pixels > 30 and red_pixels == 0 if green else red_pixels > 30 and green_pixels == 0


def start_at_ladder(stage):
    """The program on the CPU, with a ladder that runs there chosen by mouse."""
    program = stage.start(stage.make('small.bin', bodies=1500), '--engine', 'cpu', size='1280x720')
    program.wait_for_dataset()
    open_only(program, 'Ladder', 'ladder')
    program.click('ladder', lambda: 'ladder=ece415-2022' in program.widgets(), 'the list of ladders opens')
    program.click('ladder=ece415-2022', lambda: 'rung:omp1' in program.widgets(), 'the ladder is chosen')
    return program


def climb_the_ladder(stage):
    """The keys climb from rung to rung that runs on the CPU, each is measured; the mouse does the same."""
    program = start_at_ladder(stage)
    for key, rung, kernel in (('Up', 'sequential', 'sequential'), ('Up', 'omp1', 'omp-reduction'),
                              ('Up', 'omp2', 'omp-bodies'), ('Down', 'omp1', 'omp-reduction')):
        program.key(key)
        program.wait_for_state(lambda s, k=kernel: s['options']['kernel'] == k, f'{key} leads to {rung}')
        wait_until(lambda r=rung: f'rung-measured:{r}' in program.widgets(), f'{rung} is measured')
        rate, room = program.widgets()[f'rung-rate:{rung}'], program.widgets()[f'rung-room:{rung}']
        assert rate[2] <= room[2] + 1, f'the rate of {rung} is not cut off: {rate} in {room}'
    assert program.state()['options']['integrator'] == 'symplectic-euler', 'what all rungs share is set too'
    program.click('rung:omp3', lambda: program.state()['options']['kernel'] == 'omp-region', 'a click climbs to omp3')
    wait_until(lambda: 'rung-measured:omp3' in program.widgets(), 'omp3 is measured')
    program.take_picture('ctrl+F12')
    program.quit()


def sweep_live(stage):
    """A sweep of kernel and threads fills the map and puts everything back; a click on a cell sets it."""
    program = stage.start(stage.make('small.bin', bodies=1500), '--engine', 'cpu', '--set', 'threads=1', size='1280x720')
    program.wait_for_dataset()
    before = program.state()['options']
    open_only(program, 'Sweep', 'sweep-rows')
    for side, option in (('rows', 'kernel'), ('columns', 'threads')):
        entry = f'sweep-{side}={option}'
        program.click(f'sweep-{side}', lambda e=entry: e in program.widgets(), f'the list of {side} opens')
        program.click(entry, lambda e=entry: e not in program.widgets(), f'{option} is chosen')
    program.click('sweep-start', lambda: 'sweep-stop' in program.widgets(), 'the sweep starts')
    wait_until(lambda: 'measured:kernel=sequential threads=1' in program.widgets(), 'the first cell is measured')
    program.click('sweep-stop', lambda: 'sweep-start' in program.widgets(), 'it stops')
    program.wait_for_state(lambda s: s['options'] == before, 'stopping puts everything back')
    program.click('sweep-start', lambda: 'sweep-stop' in program.widgets(), 'it starts again')
    wait_until(lambda: 'sweep-stop' not in program.widgets(), 'the sweep ends', 3 * PATIENCE)

    def all_measured():
        shown = program.widgets()
        cells, measured = ({name.removeprefix(kind) for name in shown if name.startswith(kind)}
                           for kind in ('cell:', 'measured:'))
        return len(cells) >= 6 and cells == measured
    wait_until(all_measured, 'each of at least six cells is measured')
    program.wait_for_state(lambda s: s['options'] == before, 'the end puts everything back')
    program.scroll_to('cell:kernel=omp-region threads=1')
    program.click('cell:kernel=omp-region threads=1', lambda: program.state()['options']['kernel'] == 'omp-region',
                  'a click sets the cell')
    program.take_picture('ctrl+F12')
    program.quit()


def open_only(program, panel, widget, keep=()):
    """Shows this section of the panel, with the others of its tab closed but for those to keep, so that there is room."""
    program.show_section(panel)
    for name in program.widgets():
        title = name.removeprefix('section-open:')
        if title not in (name, panel, *keep):
            program.scroll_to(f'panel:{title}')
            program.click(f'panel:{title}', lambda n=name: n not in program.widgets(), f'the section {title} closes')
    wait_until(lambda: widget in program.widgets(), f'{panel} has {widget}')


def without_glx(stage):
    """A display without GLX: the window opens by EGL."""
    program = stage.start(stage.make('small.bin'))
    program.wait_for_dataset()
    wait_until(lambda: lit(program.capture()) > 500, 'bodies show')
    program.quit()


def climb_all_and_restore(stage):
    """A rung lends its physics until it is given back; after all rungs everything is as before."""
    program = start_at_ladder(stage)
    before = program.state()['options']
    program.click('rung:omp1', lambda: 'restore-physics' in program.widgets(), 'the banner shows')
    lent = program.wait_for_state(lambda s: s['options']['softening'] < 1e-4, 'the rung sets its physics')['options']
    stage.screenshot(program, 'banner')
    program.click('restore-physics', lambda: 'restore-physics' not in program.widgets(), 'the banner goes')
    physics = ('softening', 'integrator', 'time-step', 'gravity')
    own = program.wait_for_state(lambda s: all(s['options'][option] == before[option] for option in physics),
                                 'the physics is given back')['options']
    assert lent['kernel'] == own['kernel'] == 'omp-reduction', 'the rung keeps its kernel'
    program.click('climb-all', lambda: 'restore-physics' in program.widgets(), 'climbing starts')
    wait_until(lambda: 'rung-measured:omp3' in program.widgets(), 'the rungs are measured', 3 * PATIENCE)
    wait_until(lambda: 'restore-physics' not in program.widgets(), 'the banner goes at the end', 3 * PATIENCE)
    program.wait_for_state(lambda s: s['options'] == own, 'everything is as before')
    program.quit()


def start_on_gpu(stage, *arguments):
    """The program with the CUDA engine, drawn in place. Raises Missing where there is no GPU for it."""
    told = subprocess.run([stage.orrery, 'devices'], capture_output=True, text=True, timeout=PATIENCE, check=False)
    engine = next((line for line in told.stdout.splitlines() if line.startswith('engine cuda')), 'engine cuda: none')
    if 'not available' in engine or 'none' in engine:
        raise Missing(engine)
    program = stage.start(*arguments, '--engine', 'cuda', '--set', 'interop=on', start=GpuProgram, size='1400x950')
    program.wait_for_dataset()
    log = program.log()
    if 'drawing with NVIDIA' not in log:
        raise Missing(f'the window is not drawn by an NVIDIA GPU:\n{log}')
    assert 'drawn in place' in log, log
    wait_until(lambda: lit(program.capture()) > 2000, 'the window shows the galaxy')
    return program


def steps_go_on(program, what):
    """Steps are made, and the forces are right."""
    step = program.state()['step']
    program.wait_for_state(lambda s: s['step'] > step + 2, f'time goes on with {what}', 2 * PATIENCE)
    wait_until(lambda: badge_is(program, green=True), f'the badge is green with {what}', 2 * PATIENCE)


def gpu_families(stage):
    """Every kernel family by mouse: each computes right while it is drawn in place."""
    program = start_on_gpu(stage, 'disk', '--bodies', 16384)
    steps_go_on(program, 'the default')
    stage.screenshot(program, 'gpu-start')
    open_only(program, 'Engine', 'family', keep=('Is it right?',))
    program.click('family', lambda: any(w.startswith('family=') for w in program.widgets()), 'the list opens')
    families = sorted(name[7:] for name in program.widgets() if name.startswith('family='))
    stage.screenshot(program, 'gpu-families')
    program.click('family', lambda: f'family={families[0]}' not in program.widgets(), 'the list closes')
    assert len(families) > 8, families
    for family in families:
        program.choose('family', family)
        steps_go_on(program, family)
    program.key('k')
    program.wait_for_state(lambda s: s['options']['family'] != families[-1], 'K changes the family')
    assert ' E ' not in program.log(), program.log()
    program.quit()


def gpu_shapes(stage):
    """Tile and unrolling typed into their sliders, the tile by key."""
    program = start_on_gpu(stage, 'disk', '--bodies', 16384, '--set', 'family=tiled')
    open_only(program, 'Engine', 'family', keep=('Is it right?',))
    for option, value in (('tile', 128), ('tile', 512), ('unroll', 4), ('unroll', 32)):
        program.type_value(option, value)
        program.scroll_to('badge')
        steps_go_on(program, f'{option}={value}')
    program.key('t')
    program.wait_for_state(lambda s: s['options']['tile'] == 1024, 'T doubles the tile')
    program.key('shift+t')
    program.wait_for_state(lambda s: s['options']['tile'] == 512, 'Shift+T halves it')
    stage.screenshot(program, 'gpu-shapes')
    program.quit()


def gpu_streams(stage):
    """Several galaxies: the schedules by mouse, the streams typed, and the timeline of a step."""
    program = start_on_gpu(stage, 'disk', '--bodies', 4096, '--galaxies', 9)
    open_only(program, 'Engine', 'family', keep=('Is it right?',))
    for schedule in ('serial', 'streams', 'phased', 'graph', 'batched'):
        program.scroll_to('schedule')
        program.choose('schedule', schedule)
        program.scroll_to('badge')
        steps_go_on(program, schedule)
    program.scroll_to('schedule')
    program.choose('schedule', 'streams')
    program.type_value('streams', 3)
    program.scroll_to('badge')
    steps_go_on(program, 'three streams')
    program.show_section('Timeline')
    wait_until(lambda: {'timeline', 'no-timeline'} & set(program.widgets()), 'Timeline opens')
    program.scroll_to('write-trace')
    stage.screenshot(program, 'gpu-streams')
    program.quit()


def single_out_a_galaxy(stage):
    """A click on a galaxy of the grid, G and Esc; the others are dimmed; it can be framed."""
    program = stage.start('plummer', '--bodies', 300, '--galaxies', 4, '--set', 'dither=off', '--set', 'labels=bodies',
                          '--set', 'splatting=compute', size='1280x800')
    program.wait_for_dataset()
    still = program.pause()
    home = still.state['camera']
    middle = (int(program.widget('panel:Dataset')[2]) + 1280) / 2
    places = [(middle + x, 400 + y) for y in (-160, 160) for x in (-160, 160)]

    def chosen(number):
        return lambda s: s['options']['highlight'] == f'dim-others:{number}'

    for number in (1, 2):
        program.click_at(*places[number])
        program.wait_for_state(chosen(number), f'a click singles galaxy {number} out')
        program.widget(f'galaxy:{number}')
        program.wait_for_picture(lambda picture, n=number: only_one_is_bright(still.pixels, picture.pixels, places, n),
                                 'the others are dimmed')
    assert program.state()['camera'] == home, 'clicks do not move the camera'
    program.click_at(middle, 760)
    all_again = program.wait_for_state(chosen(-1), 'a click beside the galaxies shows all')
    assert all_again['camera'] == home
    program.wait_for_picture(lambda picture: count_different(picture.pixels, still.pixels) == 0, 'all are as before')
    program.drag(places[0], (places[0][0] + 90, places[0][1]))
    program.wait_for_state(lambda s: s['camera'] != home, 'dragging turns')
    assert program.state()['options']['highlight'] == 'dim-others:-1', 'a drag is no click'
    program.key('Home')

    for key, number in (('g', 0), ('shift+g', 3), ('g', 0), ('g', 1), ('Escape', -1), ('shift+g', 3)):
        program.key(key)
        program.wait_for_state(chosen(number), f'{key} leads to {number}')

    def framed():
        camera = program.state()['camera']
        return camera['distance'] < 0.7 * home['distance'] and camera['target'][0] > home['target'][0]
    program.click('frame-galaxy', framed, 'the view fits the galaxy')
    program.take_picture('ctrl+F12')
    program.click('show-all-galaxies', lambda: program.state()['camera'] == home, 'the view fits all again')
    assert program.state()['options']['highlight'] == 'dim-others:-1'

    # By compute in the window as by the rasterizer in the picture.
    program.press_until('Tab', lambda: not program.panel_shows(), 'the panel is gone')
    program.key('shift+g')
    program.wait_for_state(chosen(3), 'Shift+G singles out')
    picture = program.take_picture()
    wait_until(lambda: differs_below_marks(program.capture(), picture.pixels) == 0, 'window and picture look the same')
    # A dataset that has no such galaxy opens all the same.
    program.drop(stage.make('small.bin'))
    program.wait_for_state(lambda s: 'small.bin' in str(s['dataset']) and chosen(-1)(s), 'another dataset opens')
    program.quit()


def only_one_is_bright(before, after, places, number):
    """All galaxies but one are darker than before, as pictures without the panel show them."""
    for k, (x, y) in enumerate(places):
        # In pictures without the panel the view's middle is that of the window.
        x += 640 - sum(place[0] for place in places) / len(places)
        box = (int(x) - 60, int(y) - 60, int(x) + 60, int(y) + 60)
        light = [sum(map(sum, picture.crop(box).getdata())) for picture in (before, after)]
        if light[1] <= 0.95 * light[0] if k == number else light[1] >= 0.7 * light[0]:
            return False
    return True


def timeline_of_steps(stage):
    """The section Timeline shows what a step did, and writes it as a trace; while there is none it says why."""
    program = stage.start(stage.make('small.bin', bodies=2000), '--engine', 'cpu', '--kernel', 'omp-bodies')
    program.wait_for_dataset()
    program.pause()
    open_only(program, 'Timeline', 'no-timeline')
    program.key('Right')
    x0, y0, x1, y1 = program.widget('timeline')
    assert x1 - x0 > 150, 'it has the width of the panel'

    # Forces take nearly all of a step: their colour fills the row.
    def orange():
        row = program.capture().crop((x0, y0 + 4, x1, y0 + 14)).getdata()
        return sum(r > 200 and 100 < g < 200 and b < 110 for r, g, b in row)
    def filled():
        if orange() > 0.8 * (x1 - x0) * 10:
            return True
        # Other programs may have held that step up: another one is recorded.
        program.key('Right')
        program.rest()
        return False
    wait_until(filled, 'the row of the forces is filled')
    # Time stands still: what changes is the text at the cursor, and the trace is that of the step seen above.
    still = program.capture()
    program.point((x0 + x1) / 2, y0 + 8)
    program.wait_for_change(still)
    program.take_picture('ctrl+F12')
    program.click('write-trace', lambda: list(program.pictures.glob('*-trace-0001.json')), 'a trace is written')
    trace = json.loads(next(program.pictures.glob('*-trace-0001.json')).read_text(encoding='utf-8'))
    spans = [event for event in trace['traceEvents'] if event['ph'] == 'X']
    assert [span['name'] for span in spans] == ['update', 'forces', 'update'], spans
    assert all(span['dur'] >= 0 for span in spans) and spans[1]['dur'] > spans[0]['dur'], spans
    assert trace['otherData']['schedule'] == 'omp-bodies'
    program.quit()


def write_a_series(stage):
    """The section Series writes files while the bodies move, says how many, and stops."""
    program = stage.start(stage.make('small.bin'), '--engine', 'cpu')
    program.wait_for_dataset()
    open_only(program, 'Series', 'series-start')
    stage.screenshot(program, 'series-closed')
    program.click('series-start', lambda: 'series-stop' in program.widgets(), 'it writes')
    folder = program.pictures / 'plummer-series-0001'
    wait_until(lambda: len(list(folder.glob('step-*.vtp'))) > 5, 'files come')
    stage.screenshot(program, 'series-open')
    program.click('series-stop', lambda: 'series-start' in program.widgets(), 'it stops')
    files = sorted(path.name for path in folder.glob('*.vtp'))
    assert files[0].startswith('step-0') and all(int(name[5:13]) % 10 == 0 for name in files), files

    def settled():
        index = (folder / 'series.pvd').read_text(encoding='utf-8')
        return all(f'"{path.name}"' in index for path in folder.glob('*.vtp'))
    wait_until(settled, 'the index names every file')
    before = program.state()['step']
    program.wait_for_state(lambda s: s['step'] > before, 'steps go on')
    program.quit()


ALL = {function.__name__: function for function in (
    start_and_quit, settings_come_back, switch_and_take_pictures, pictures_never_overwrite, pause_step_reset,
    option_keys, camera_by_mouse, drop_files, resize_and_close, fullscreen, small_pixels, cancel_loading,
    badge_turns_red, from_tree_to_pairs, single_out_a_galaxy, timeline_of_steps, write_a_series, climb_the_ladder, climb_all_and_restore, sweep_live,
    drawn_by_compute, without_glx, gpu_families, gpu_shapes, gpu_streams)}
ALL |= closer_scenarios.ALL | film_scenarios.ALL | gallery_scenarios.ALL | overlay_scenarios.ALL | panel_scenarios.ALL
ALL |= newcomer_scenarios.ALL | playback_scenarios.ALL
ALL |= plot_scenarios.ALL | session_scenarios.ALL | switching_scenarios.ALL | view_scenarios.ALL
