"""Header, before and after, A/B, the plot of accuracy and speed, demonstrations in the real window."""

import json
import time

from driver import wait_until


def start_small(stage, *arguments, **options):
    program = stage.start(stage.make('small.bin', bodies=1000), '--engine', 'cpu', '--kernel', 'omp-bodies',
                          '--set', 'threads=1', *arguments, **options)
    program.wait_for_dataset()
    return program


def header_stays(stage):
    """The pinned header has rate, kernel and badge, stays where it is when the panel scrolls, and its button pauses."""
    program = start_small(stage, size='1000x500')
    names = ('header-rate', 'header-kernel', 'header-badge', 'header-pause', 'header-picture')

    def corners():
        return {name: program.widget(name)[:2] for name in names}
    places = corners()
    before = program.widgets()

    def scrolled():
        program.point(120, 350)
        program.xdotool('click', 5)
        return program.widgets().get('panel:Dataset') != before['panel:Dataset']
    wait_until(scrolled, 'the sections scroll')
    assert corners() == places, 'the header does not'
    program.click('header-pause', lambda: 'paused' in program.widgets(), 'its button pauses')
    still = program.rest().state
    taken = program.picture_files()
    program.click('header-picture', lambda: program.picture_files() - taken, 'a picture is written')
    assert program.state()['step'] == still['step']
    wait_until(lambda: 'omp-bodies' in program.xdotool('getwindowname', program.window), 'the title says the kernel')
    program.press_until('Tab', lambda: 'heads-up' in program.widgets(), 'one line keeps kernel and rate')
    assert 'header-rate' not in program.widgets()
    program.quit()


def before_and_after(stage):
    """A switch shows before and after, B goes back and forth, every configuration has its dot, saved as SVG."""
    program = start_small(stage, size='1280x720')
    program.scroll_to('panel:Accuracy and speed')
    program.click('panel:Accuracy and speed', lambda: 'section-open:Accuracy and speed' in program.widgets(), 'the section opens')
    program.scroll_to('save-accuracy-speed')
    wait_until(lambda: 'dot:omp-bodies' in program.widgets(), 'the first dot is there')
    assert 'switch-banner' not in program.widgets()
    for key, kernel in (('k', 'omp-region'), ('b', 'omp-bodies'), ('b', 'omp-region')):
        program.key(key)
        # From here on the message is about this switch.
        program.option_is('kernel', kernel)
        wait_until(lambda: {'switch-measured', 'switch-factor', 'switch-error'} <= set(program.widgets()),
                   'before and after are measured')
        stage.screenshot(program, f'switch-{kernel}')
    wait_until(lambda: 'switch-banner' not in program.widgets(), 'the message goes after some seconds')

    def dots():
        return {name for name in program.widgets() if name.startswith('dot:') and 'N =' not in name}
    wait_until(lambda: dots() == {'dot:omp-bodies', 'dot:omp-region'}, 'each kernel has a dot')
    saved = lambda: list(program.pictures.glob('*-accuracy-speed-*.svg'))
    program.scroll_to('save-accuracy-speed')
    program.click('save-accuracy-speed', saved, 'the plot is saved')
    assert saved()[0].read_text(encoding='utf-8').startswith('<?xml')
    program.quit()


def play_a_demonstration(stage):
    """Space goes on from step to step, Esc gives the person the controls and leaves all as it is."""
    demo = {'title': 'Test', 'meaning': 'of the window', 'dataset': {'source': 'plummer', 'bodies': 300}, 'steps': [
        {'name': name, 'caption': f'This is {kernel}.\nMore words.', 'set': {'engine': 'cpu', 'kernel': kernel},
         'seconds': 0, 'camera': {'view': 'face-on'}}
        for name, kernel in (('one', 'sequential'), ('two', 'omp-bodies'), ('three', 'omp-region'))]}
    (stage.folder / 'mine.json').write_text(json.dumps(demo), encoding='utf-8')
    program = stage.start(stage.folder / 'mine.json', subcommand='demo')
    wait_until(lambda: 'demo-step:one' in program.widgets(), 'the first step shows')
    assert 'panel:Dataset' not in program.widgets(), 'the view is for the room'
    program.press_until('space', lambda: 'demo-step:two' in program.widgets(), 'Space goes on')
    wait_until(lambda: 'switch-banner' in program.widgets(), 'its switch is shown')
    stage.screenshot(program, 'demo')
    program.press_until('Escape', lambda: 'demo-caption' not in program.widgets(), 'Esc takes over')
    wait_until(lambda: 'panel:Dataset' in program.widgets(), 'the panel is back')
    wait_until(lambda: 'omp-bodies' in program.xdotool('getwindowname', program.window), 'the kernel stays')
    program.press_until('space', lambda: 'paused' in program.xdotool('getwindowname', program.window), 'Space pauses again')
    program.quit()


def long_names_of_a_switch(stage):
    """Names and rates of a switch stay in the window, in two lines where one is too short."""
    slow = {'engine': 'cpu', 'kernel': 'tree', 'opening': 'geometric:0.5', 'order': 'quadrupole', 'group-size': '16'}
    fast = slow | {'opening': 'relative:0.005', 'order': 'octupole', 'group-size': '32'}
    demo = {'title': 'Test', 'meaning': 'of the window', 'dataset': {'source': 'plummer', 'bodies': 300}, 'steps': [
        {'name': name, 'caption': 'Words.', 'set': options, 'seconds': 0}
        for name, options in (('one', slow), ('two', fast))]}
    (stage.folder / 'mine.json').write_text(json.dumps(demo), encoding='utf-8')
    program = stage.start(stage.folder / 'mine.json', subcommand='demo', size='640x480')
    wait_until(lambda: 'demo-step:one' in program.widgets(), 'the first step shows')
    time.sleep(2.0)  # SwitchWatch::merging: one that comes within 1.5 s is a part of the switch before
    program.press_until('space', lambda: 'demo-step:two' in program.widgets(), 'Space goes on')

    seen = {}

    def is_complete():
        nonlocal seen
        seen = program.widgets()
        left, _, right, _ = seen.get('switch-from', (0, 0, 0, 0))
        return right - left > 0.3 * program.size()[0] and 'switch-factor' in seen
    wait_until(is_complete, 'its switch is shown, by the names of options')
    stage.screenshot(program, 'long-names')
    for name in ('switch-from', 'switch-banner'):
        left, _, right, _ = seen[name]
        assert 0 <= left < right <= program.size()[0], (name, left, right)
    program.quit()


def choose_a_demonstration(stage):
    """Ctrl+D lists the demonstrations; one is chosen by keyboard or mouse, opens its dataset and plays with large words."""
    program = start_small(stage, size='1280x720')

    def opened():
        program.press_until('ctrl+d', lambda: 'demos:demo:orbits' in program.widgets(), 'Ctrl+D lists them')
    opened()
    stage.screenshot(program, 'demos')
    program.press_until('ctrl+d', lambda: 'demos' not in program.widgets(), 'the same key closes the list')
    opened()
    program.type('orbits')
    wait_until(lambda: 'demos-selected:demo:orbits' in program.widgets(), 'letters narrow the list')
    program.press_until('Return', lambda: 'demo-step:planets' in program.widgets(), 'its first step shows')
    assert 'panel:Dataset' not in program.widgets(), 'the view is for the room'
    box = program.widget('demo-caption')
    assert box[3] - box[1] >= 44 * 720 / 1080 - 1, f'the caption is {box[3] - box[1]} high'
    program.press_until('Escape', lambda: 'demo-caption' not in program.widgets(), 'Esc takes over')
    program.wait_for_state(lambda state: state['dataset'].get('model') == 'solar-system', 'its dataset is open')
    opened()
    program.click('demos:demo:collision', lambda: 'demo-step:approach' in program.widgets(), 'a click starts one')
    stage.screenshot(program, 'demo-collision')
    program.quit()


ALL = {function.__name__: function for function in (header_stays, before_and_after, play_a_demonstration, long_names_of_a_switch,
                                                choose_a_demonstration)}
