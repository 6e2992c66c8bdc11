"""The panel and what is found by keyboard: palette, undo, settings, themes, files. Each function is one test."""

import json
import math

from driver import Program, names, wait_until
from picture import count_different, lit

BELOW_MARKS = 0.2  # of the window: above it stand the banners


def show_palette(program):
    program.press_until('ctrl+p', lambda: 'palette' in program.widgets(), 'the palette shows')


def open_palette(program, text, entry):
    """Ctrl+P and some letters, until `entry` is selected."""
    show_palette(program)
    program.type(text)
    wait_until(lambda: f'palette-selected:{entry}' in program.widgets(), f'"{text}" finds {entry}')


def closed(program):
    return not {'palette', 'values', 'files'} & set(program.widgets())


def palette(stage):
    """By keyboard alone: a choice, a number, a switch, a galaxy, a key's action, a command, a section."""
    program = stage.start(stage.make('small.bin'), '--engine', 'cpu')
    program.wait_for_dataset()
    step = program.state()['step']
    open_palette(program, 'kernel', 'kernel')
    stage.screenshot(program, 'palette')
    program.press_until('Return', lambda: 'values' in program.widgets(), 'the kernels show')
    program.type('pair')
    wait_until(lambda: 'values-selected:kernel=pair-symmetric' in program.widgets(), 'letters narrow the list')
    program.key('Return')
    program.option_is('kernel', 'pair-symmetric')
    wait_until(lambda: closed(program), 'it closes')

    open_palette(program, 'softening', 'softening')
    program.press_until('Return', lambda: 'values' in program.widgets(), 'a number is asked for')
    program.type('wide')
    wait_until(lambda: 'values:softening=' in program.widgets(), 'a word is no number')
    program.key('Return')
    assert 'values' in program.widgets(), 'what is refused does not close the list'
    program.key('ctrl+BackSpace')
    program.type('0.25')
    wait_until(lambda: 'values-selected:softening=0.25' in program.widgets(), 'a number can be set')
    program.key('Return')
    program.option_is('softening', 0.25)

    open_palette(program, 'legend', 'legend')
    program.key('Return')
    program.option_is('legend', False)
    open_palette(program, 'glow=0.5', 'glow=0.5')
    program.key('Return')
    program.option_is('glow', 0.5)
    open_palette(program, 'omp bod', 'kernel=omp-bodies')
    program.key('Return')
    program.option_is('kernel', 'omp-bodies')
    program.wait_for_state(lambda s: s['step'] > step, 'letters that are typed do nothing else')
    open_palette(program, 'pause', 'key:Space')
    program.key('Return')
    wait_until(lambda: 'paused' in program.widgets(), 'it pauses')
    open_palette(program, 'sweep', 'section:Sweep')
    program.key('Return')
    wait_until(lambda: 'section-open:Sweep' in program.widgets(), 'the section shows')
    open_palette(program, 'figure eight', 'open:figure-eight')
    program.key('Return')
    program.wait_for_state(lambda s: s['dataset'].get('model') == 'figure-eight' or 'figure-eight' in str(s['dataset']),
                           'the galaxy opens')
    for keys in ('Escape', 'ctrl+p'):
        show_palette(program)
        program.press_until(keys, lambda: closed(program), f'{keys} closes it')
    show_palette(program)
    program.click_at(program.size()[0] - 20, program.size()[1] - 60)
    wait_until(lambda: closed(program), 'a click beside it closes it')
    program.quit()


def undo_and_redo(stage):
    """Ctrl+Z and Ctrl+Shift+Z go through what mouse and keys have switched; a drag is one change."""
    program = stage.start(stage.make('small.bin'), '--set', 'threads=1')
    program.wait_for_dataset()
    start = program.state()['options']
    program.choose('kernel', 'omp-region')
    program.key('t')
    program.option_is('threads', 2)
    program.show_section('Light')
    program.scroll_to('glow')
    x0, y0, x1, y1 = program.widget('glow')
    program.drag((x0 + 20, (y0 + y1) / 2), (x1 - 20, (y0 + y1) / 2))
    dragged = program.wait_for_state(lambda s: s['options']['glow'] > start['glow'], 'a drag sets the glow')['options']
    for name, value in (('glow', start['glow']), ('threads', 1), ('kernel', start['kernel'])):
        program.key('ctrl+z')
        program.option_is(name, value)
    assert program.state()['options'] == start
    program.key('ctrl+z')
    assert program.state()['options'] == start, 'there is nothing more'
    for name in ('kernel', 'threads', 'glow'):
        program.key('ctrl+shift+z')
        program.option_is(name, dragged[name])
    assert program.state()['options'] == dragged
    wait_until(lambda: 'undo: Kernel is ' in program.log() and 'redo: Glow is ' in program.log(), 'the log says so')
    program.quit()


def run_again(stage, before, *arguments):
    """The program once more, with what the last run has kept."""
    program = Program(stage.screen, stage.orrery, before.folder, *arguments, size=None)
    stage.programs.append(program)
    program.wait_for_dataset()
    return program


def looks_are_kept(stage):
    """Display options, tab, sections and recent files come back; the command line wins; a reset forgets."""
    first, second = stage.make('first.bin'), stage.make('second.bin', seed=2)
    program = stage.start(first, '--set', 'dither=off')
    program.wait_for_dataset()
    usual = program.state()['options']
    program.key('c')
    open_palette(program, 'glow=0.6', 'glow=0.6')
    program.key('Return')
    chosen = program.wait_for_state(lambda s: s['options']['glow'] == 0.6, 'the glow is set')['options']
    program.drop(second)
    program.wait_for_state(lambda s: names(s, second), 'the second file opens')
    program.show_section('Overlay')
    program.quit()

    again = Program(stage.screen, stage.orrery, program.folder, 'plummer', '--bodies', 100, '--set', 'glow=0.1', size=None)
    stage.programs.append(again)
    # The head stands there from the first bodies on; pictures can be taken then.
    again.widget('header-rate')
    wait_until(lambda: again.shown_tab() == 'picture', 'the tab is the same')
    options = again.state()['options']
    assert options['color-mode'] == chosen['color-mode'] != usual['color-mode']
    assert options['dither'] is True, 'what the command line said before is not kept'
    assert options['glow'] == 0.1, 'what it says now wins'
    again.show_tab('run')
    again.click('open-list', lambda: 'open:first.bin' in again.widgets(), 'the recent files show')
    assert 'open:second.bin' in again.widgets()
    stage.screenshot(again, 'recent')
    again.click('open:first.bin', lambda: 'open:first.bin' not in again.widgets(), 'the list closes')
    again.wait_for_state(lambda s: names(s, first), 'a recent file opens')
    open_palette(again, 'reset picture', 'command:reset-display')
    again.key('Return')
    again.wait_for_state(lambda s: s['options']['color-mode'] == usual['color-mode'], 'the looks are as at first')
    again.key('ctrl+z')
    again.option_is('color-mode', chosen['color-mode'])
    again.key('ctrl+shift+z')
    again.option_is('color-mode', usual['color-mode'])
    again.quit()
    settings = json.loads((program.configuration / 'orrery' / 'settings.json').read_text(encoding='utf-8'))
    assert settings['display'] == {}, settings


def settings_that_fail(stage):
    """Damaged settings and a folder that is none: one line in the view and on the terminal, and the program goes on."""
    data = stage.make('small.bin')
    folder = stage.folder / 'run1' / 'config' / 'orrery'
    folder.mkdir(parents=True)
    (folder / 'settings.json').write_text('{"theme": "li', encoding='utf-8')
    program = stage.start(data)
    wait_until(lambda: 'toast-problem' in program.widgets(), 'one line says it')
    stage.screenshot(program, 'damaged-settings')
    program.wait_for_dataset()
    assert 'damaged' in program.log() and (folder / 'settings.json.damaged').read_text(encoding='utf-8') == '{"theme": "li'
    program.quit()
    assert json.loads((folder / 'settings.json').read_text(encoding='utf-8'))['theme'] == 'dark'

    blocked = stage.folder / 'run2' / 'config'
    blocked.parent.mkdir(parents=True)
    blocked.write_text('a file where the folder should be', encoding='utf-8')
    program = stage.start(data)
    wait_until(lambda: 'toast-problem' in program.widgets(), 'one line says it')
    program.quit()
    lines = [line for line in program.log().splitlines() if 'settings' in line]
    assert lines and all('cannot be kept' in line for line in lines), program.log()


def theme_and_scale(stage):
    """Light and dark, larger and smaller, both kept; text grows with the scale."""
    data = stage.make('small.bin')
    program = stage.start(data, size='1200x900')
    program.wait_for_dataset()
    x0, _, x1, y1 = program.widget('panel:Dataset')

    def ground():
        """A place of the panel without text."""
        box = program.widget('panel:Dataset')
        return sum(program.capture().getpixel((int(box[0]) - 5, int(box[3]) + 60)))
    dark = ground()
    open_palette(program, 'theme', 'command:theme')
    program.key('Return')
    wait_until(lambda: ground() > dark + 400, 'the panel is light')
    stage.screenshot(program, 'light')
    program.key(*['ctrl+plus'] * 4)
    wait_until(lambda: abs(box_width(program.widget('panel:Dataset')) - 1.75 * (x1 - x0)) < 40, 'all is larger')
    stage.screenshot(program, 'larger')
    program.key('ctrl+minus')
    wait_until(lambda: abs(box_width(program.widget('panel:Dataset')) - 1.5 * (x1 - x0)) < 40, 'smaller again')
    program.quit()
    program = run_again(stage, program, data)
    assert abs(box_width(program.widget('panel:Dataset')) - 1.5 * (x1 - x0)) < 40, 'the scale is kept'
    assert ground() > dark + 400, 'the theme is kept'
    program.key('ctrl+0')
    wait_until(lambda: abs(box_width(program.widget('panel:Dataset')) - (x1 - x0)) < 15, 'Ctrl+0 is the usual size')
    program.quit()


def box_width(box):
    return box[2] - box[0]


def live_dataset(stage):
    """Bodies, seed and number of a built-in galaxy change while the program runs; the view stays."""
    program = stage.start('plummer', '--bodies', 300, '--set', 'speed=1')
    program.wait_for_dataset()
    first = program.state()
    program.key('ctrl+3')
    turned = program.wait_for_state(lambda s: s['camera'] != first['camera'], 'the view turns')['camera']
    program.click('next-seed', lambda: program.state()['dataset']['hash'] != first['dataset']['hash'], 'another seed')
    other = program.state()
    assert other['dataset']['seed'] == 2 and other['dataset']['bodies'] == 300, other['dataset']
    assert other['camera'] == turned, 'the view stays'
    x0, y0, x1, y1 = program.widget('dataset-bodies')
    program.drag(((x0 + x1) / 2, (y0 + y1) / 2), (x0 + 0.58 * (x1 - x0), (y0 + y1) / 2))
    more = program.wait_for_state(lambda s: s['dataset']['bodies'] > 300, 'more bodies')
    assert more['dataset']['seed'] == 2 and more['camera'] == turned
    x0, y0, x1, y1 = program.widget('dataset-galaxies')
    program.drag((x0 + 8, (y0 + y1) / 2), (x0 + 0.3 * (x1 - x0), (y0 + y1) / 2))
    several = program.wait_for_state(lambda s: s['dataset'].get('galaxies', 1) > 1, 'several galaxies')
    assert several['camera'] != turned, 'the view shows all of them'
    stage.screenshot(program, 'galaxies')
    program.click('open-list', lambda: 'open:plummer' in program.widgets(), 'the list opens')
    # It lies below the part of the list that shows.
    x0, y0, x1, y1 = program.widget('open:plummer')
    program.point((x0 + x1) / 2, (y0 + y1) / 2)
    wait_until(lambda: 'open:figure-eight' in program.widgets() or program.turn_wheel(5), 'the list turns')
    program.click('open:figure-eight', lambda: 'open:figure-eight' not in program.widgets(), 'the list closes')
    program.wait_for_state(lambda s: 'figure-eight' in str(s['dataset']), 'another galaxy opens')
    wait_until(lambda: 'dataset-bodies' not in program.widgets(), 'it has no other number of bodies')
    program.quit()


def choose_a_file(stage):
    """Ctrl+O: folders by keyboard, a file by mouse, a path that is typed; what cannot be read says why."""
    folder = stage.folder / 'data'
    (folder / 'inner').mkdir(parents=True)
    first = stage.make('first.bin')
    second, third = folder / 'second.csv', folder / 'inner' / 'third.csv'
    for path, seed in ((second, 2), (third, 3)):
        stage.make(str(path.relative_to(stage.folder)), seed=seed)
    program = stage.start(first)
    program.wait_for_dataset()
    program.press_until('ctrl+o', lambda: 'files:data/' in program.widgets(), 'the folder of the last file shows')
    stage.screenshot(program, 'files')
    program.type('data')
    wait_until(lambda: 'files-selected:data/' in program.widgets(), 'letters find the folder')
    program.press_until('Return', lambda: 'files:second.csv' in program.widgets(), 'its files show')
    program.click('files:second.csv', lambda: closed(program), 'the list closes')
    program.wait_for_state(lambda s: names(s, second), 'a click opens the file')
    program.click('open-file', lambda: 'files:inner/' in program.widgets(), 'the button shows the files too')
    program.press_until('BackSpace', lambda: 'files:first.bin' in program.widgets(), 'Backspace goes up')
    program.type(str(third))
    wait_until(lambda: 'files-selected:typed' in program.widgets(), 'a path is found')
    program.key('Return')
    program.wait_for_state(lambda s: names(s, third), 'it opens')
    program.quit()
    settings = json.loads((program.configuration / 'orrery' / 'settings.json').read_text(encoding='utf-8'))
    assert settings['recent'] == [str(third), str(second), str(first)], settings['recent']


def units(stage):
    """A file that says no units: those in which it is in equilibrium are proposed, and taken by a click."""
    table = stage.folder / 'cluster.csv'
    stage.make('sphere.csv', bodies=500)
    rows = (stage.folder / 'sphere.csv').read_text(encoding='utf-8').splitlines()
    names = rows[0].split(',')

    def in_parsecs(row):
        values = dict(zip(names, row.split(',')))
        scales = {'mass': 1000.0} | {v: math.sqrt(4.30091) for v in ('vx', 'vy', 'vz')}
        return ','.join(str(float(values[n]) * scales.get(n, 1.0)) for n in ('mass', 'x', 'y', 'z', 'vx', 'vy', 'vz'))

    table.write_text('mass,x,y,z,vx,vy,vz\n' + '\n'.join(in_parsecs(row) for row in rows[1:]) + '\n', encoding='utf-8')
    program = stage.start(table, '--engine', 'cpu')
    program.wait_for_dataset()
    wait_until(lambda: 'proposed units: pc, km/s, solar masses' in program.log(), 'the log has it in one line')
    wait_until(lambda: 'use-proposed-units' in program.widgets(), 'the panel proposes them')
    stage.screenshot(program, 'proposed')
    program.click('use-proposed-units', lambda: 'use-proposed-units' not in program.widgets(), 'nothing is proposed any more')
    state = program.wait_for_state(lambda s: s['dataset'].get('units') == 'pc', 'they are taken')
    assert abs(state['options']['gravity'] - 4.30091e-3) < 1e-9, 'G is theirs'
    stage.screenshot(program, 'taken')
    program.click('units-list', lambda: 'units:nbody' in program.widgets(), 'the others are a click away')
    program.click('units:nbody', lambda: 'units:nbody' not in program.widgets(), 'the list closes')
    program.wait_for_state(lambda s: s['dataset'].get('units') == 'nbody' and s['options']['gravity'] == 1.0, 'G is 1')
    program.quit()


def shown_in_the_view(stage):
    """Pausing, pictures and errors are confirmed in the view, and none of it is in the pictures."""
    program = stage.start(stage.make('small.bin'), size='1100x800')
    program.wait_for_dataset()
    assert 'paused' not in program.widgets()
    program.pause()
    x0, y0, x1, y1 = map(int, program.widget('paused'))
    amber = [(r, g, b) for r, g, b in program.capture().crop((x0, y0, x1, y1)).getdata() if r > 220 and b < 90]
    assert len(amber) > 0.5 * (x1 - x0) * (y1 - y0), 'it is a large amber mark'
    picture = program.take_picture()
    wait_until(lambda: 'toast-done' in program.widgets(), 'a message confirms it')
    stage.screenshot(program, 'toast')
    wait_until(lambda: f'picture: {picture.path}' in program.log(), 'so does the log')
    shift = (picture.size[0] - (x0 + x1)) // 2  # without the panel the middle is elsewhere
    there = picture.pixels.crop((x0 + shift, y0, x1 + shift, y1))
    assert not any(r > 220 and 150 < g < 210 and b < 90 for r, g, b in there.getdata()), 'the mark is in no picture'
    program.press_until('space', lambda: 'paused' not in program.widgets(), 'the mark goes')
    wait_until(lambda: 'toast-done' not in program.widgets(), 'the message goes by itself')
    program.drop(stage.folder / 'nothing.csv')
    program.widget('close-problem')
    program.press_until('Escape', lambda: 'close-problem' not in program.widgets(), 'the error goes')
    # Pictures into a file that is no folder.
    program.quit()
    blocked = stage.folder / 'run2' / 'pictures'
    blocked.parent.mkdir()
    blocked.write_text('no folder', encoding='utf-8')
    program = stage.start(stage.make('small.bin'))
    program.wait_for_dataset()
    program.press_until('F12', lambda: 'close-problem' in program.widgets(), 'an error shows')
    stage.screenshot(program, 'error')
    program.quit()


def small_window(stage):
    """1280x720: rate, badge, kernel, time and dataset show without scrolling; a machine without a GPU says so."""
    program = stage.start('disk', '--bodies', 500, '--engine', 'cpu', size='1280x720')
    program.wait_for_dataset()
    for name in ('dataset', 'dataset-bodies', 'dataset-seed', 'pause', 'step', 'reset', 'speed', 'engine', 'kernel', 'threads'):
        _, y0, _, y1 = program.widget(name)
        assert y0 > 0 and y1 < 720, (name, y0, y1)
    program.widget('drift')
    for name in ('badge', 'drift', 'virial'):
        _, y0, _, y1 = program.widget(name)
        assert y0 > 0 and y1 < 712, (name, y0, y1)
    stage.screenshot(program, 'run')
    if 'unavailable:cuda' in program.widgets():
        program.click('unavailable:cuda', lambda: 'family' in program.widgets(), 'the switches can be read')
        program.scroll_to('family')
        before = program.state()['options']
        x0, y0, x1, y1 = program.widget('family')
        program.click_at((x0 + x1) / 2, (y0 + y1) / 2)
        program.wait_for_frames(4)
        assert not any(name.startswith('family=') for name in program.widgets()), 'they cannot be set'
        assert program.state()['options'] == before
        stage.screenshot(program, 'no-gpu')
    wait_until(lambda: lit(program.capture(), (400, int(720 * BELOW_MARKS), 1280, 720)) > 500, 'the galaxy shows')
    program.quit()


def small_window_of_many_switches(stage):
    """1280x720: a kernel with options of its own leaves room for all of "Is it right?"."""
    program = stage.start('disk', '--bodies', 500, '--engine', 'cpu', '--kernel', 'tree', size='1280x720')
    program.wait_for_dataset()
    program.widget('drift')
    shown = program.settled_widgets()
    for name in ('kernel', 'threads', 'fine:tree', 'badge', 'drift', 'virial'):
        _, y0, _, y1 = program.widget(name)
        assert y0 > 0 and y1 < 712, (name, y0, y1)
    assert 'far-cells' not in shown, 'what matters less is folded'
    program.click('fine:tree', lambda: 'far-cells' in program.widgets(), 'it unfolds')
    stage.screenshot(program, 'unfolded')
    program.quit()


def cells_across(picture):
    """The most cells of the red map that a row of pixels above the legend tells apart: runs of one colour."""
    pixels, (width, height) = picture.pixels.load(), picture.size
    def runs(y):
        row = [pixels[x, y] for x in range(width)]
        starts = [0] + [x for x in range(1, width) if row[x] != row[x - 1]] + [width]
        return sum(end - start >= 4 and row[start][0] > 8 and max(row[start][1:]) < 8
                   for start, end in zip(starts, starts[1:]))
    return max(runs(y) for y in range(0, int(0.85 * height), 3))


def activity_map(stage):
    """The section Activity map: a map is switched on, has as many cells as are asked for, and goes over the bodies."""
    program = stage.start(stage.make('small.bin'), '--engine', 'cpu', '--set', 'threads=1')
    program.wait_for_dataset()
    without = program.pause()
    assert without.state['options']['map-size'] == 0, 'there is no map to begin with'
    program.show_section('Activity map')
    program.type_value('map-size', 6)
    program.scroll_to('map-view')
    program.choose('map-view', 'instead')
    stage.screenshot(program, 'activity-map')
    few = program.wait_for_picture(lambda picture: count_different(picture.pixels, without.pixels) > 2000, 'the map shows')
    assert 2 <= cells_across(few) <= 6, f'{cells_across(few)} of 6 cells in a row'
    program.type_value('map-size', 24)
    many = program.wait_for_picture(lambda picture: cells_across(picture) > cells_across(few), 'there are more cells')
    assert cells_across(many) <= 24, f'{cells_across(many)} of 24 cells in a row'
    program.scroll_to('map-plane')
    program.choose('map-plane', 'xz')
    program.wait_for_picture(lambda picture: count_different(picture.pixels, many.pixels) > 200,
                             'another plane is another map')
    program.scroll_to('map-view')
    program.choose('map-view', 'over')
    program.type_value('map-size', 0)
    program.wait_for_picture(lambda picture: count_different(picture.pixels, without.pixels) == 0,
                             'without a map nothing is left of it')
    program.quit()


def a_quick_enter(stage):
    """A number, Enter and a key that are typed between two frames: the key's digit does not go into the value."""
    program = stage.start('disk', '--bodies', 200_000, '--engine', 'cpu', '--set', 'threads=1', size='1400x1000')
    program.wait_for_dataset()
    program.pause()
    program.scroll_to('threads')
    for threads in (2, 1, 2):
        x0, y0, x1, y1 = program.widget('threads')
        program.point(min((x0 + x1) / 2, x0 + 40), (y0 + y1) / 2)
        program.xdotool('keydown', 'ctrl')
        program.press_button()
        program.xdotool('keyup', 'ctrl')
        program.wait_for_frames()
        # Enter was lost where it was let go before the next frame, and the field took the keys that followed.
        program.xdotool('key', '--delay', 0, threads, 'Return', '0')
        program.wait_for_frames(3)
        program.wait_for_state(lambda s, wanted=threads: s['options']['threads'] == wanted, 'the number is taken')
    program.quit()


def options_of_several_parts(stage):
    """A word is chosen from a list, its numbers are dragged in the rows below, and components have a box each."""
    program = stage.start('disk', '--bodies', 2000, '--engine', 'cpu', '--set', 'threads=1')
    program.wait_for_dataset()
    program.pause()

    def is_now(option, value):
        return lambda: program.state()['options'][option] == value

    def choose(option, word, value):
        entry = f'{option}={word}'
        program.scroll_to(option)
        program.click(option, lambda: entry in program.widgets(), f'the list of "{option}" opens')
        program.click(entry, is_now(option, value), f'"{word}" is chosen')

    program.show_section('Light')
    choose('exposure', 'fixed', 'fixed:0')
    program.scroll_to('exposure:STOPS')
    x0, y0, x1, y1 = program.widget('exposure:STOPS')
    program.drag(((x0 + x1) / 2, (y0 + y1) / 2), ((x0 + x1) / 2 + 60, (y0 + y1) / 2))
    exposure = program.wait_for_state(lambda s: s['options']['exposure'] != 'fixed:0', 'dragging changes the number')
    assert exposure['options']['exposure'].startswith('fixed:'), exposure['options']['exposure']
    stage.screenshot(program, 'forms-light')
    program.show_section('Overlay')
    choose('arrows', 'heaviest', 'heaviest:150:8')
    stage.screenshot(program, 'forms-overlay')
    program.show_section('Bodies')
    program.scroll_to('show=halo')
    assert 'show=gas' not in program.widgets(), 'the disk has no gas'
    program.click('show=halo', is_now('show', 'gas,disk,bulge,star,other'), 'the halo is switched off')
    program.click('show=halo', is_now('show', 'all'), 'the halo is back')
    stage.screenshot(program, 'forms-bodies')
    program.show_section('Trails')
    choose('trails', 'range', 'range:0:1000')
    stage.screenshot(program, 'forms-trails')
    program.show_section('Colour')
    stage.screenshot(program, 'forms-colour')
    program.quit()


ALL = {function.__name__: function for function in (
    palette, undo_and_redo, looks_are_kept, settings_that_fail, theme_and_scale, live_dataset, choose_a_file, units,
    shown_in_the_view, small_window, small_window_of_many_switches, activity_map, a_quick_enter,
    options_of_several_parts)}
