"""Series of snapshots that play, and files that are thrown together. Each function is one test."""

import subprocess

from driver import PATIENCE, names, wait_until
from picture import count_different


def shown_snapshot(program):
    said = [name for name in program.widgets() if name.startswith('playback:')]
    return int(said[0].split(':')[1]) if said else 0


def play_a_series(stage):
    """A folder plays as a film: it pauses, steps, is scrubbed, and any snapshot becomes a start; two files
    dropped with Shift meet in one scene."""
    data = stage.make('small.bin')
    folder = stage.folder / 'run'
    subprocess.run([stage.orrery, 'render', data, '--steps', '60', '--every', '10', '--series', folder, '--format',
                    'bin', '--set', 'time-step=0.05'], check=True, capture_output=True, timeout=4 * PATIENCE)
    program = stage.start(folder)
    program.wait_for_dataset()
    seen = set()
    wait_until(lambda: seen.add(shown_snapshot(program)) or len(seen - {0}) > 3, 'snapshots go by')
    program.pause()
    stage.screenshot(program, 'playback')

    x0, y0, x1, y1 = program.widget('playback-place')
    def click_along(part):
        return lambda: program.click_at(x0 + part * (x1 - x0), (y0 + y1) / 2)
    program.repeat_until(click_along(0.98), lambda: shown_snapshot(program) == 7,
                         'the end of the slider is the last snapshot')
    last = program.rest()
    program.repeat_until(click_along(0.02), lambda: shown_snapshot(program) == 1, 'its beginning is the first one')
    first = program.rest()
    assert count_different(first.pixels, last.pixels) > 100, 'the bodies moved'
    assert first.state['dataset']['snapshot'] == 0 and last.state['dataset']['snapshot'] == 6
    program.key('Right')
    wait_until(lambda: shown_snapshot(program) == 2, 'Right goes one on')

    program.click('playback-simulate', lambda: shown_snapshot(program) == 0, 'the series plays no more')
    start = program.wait_for_state(lambda s: s['step'] > 2, 'it is simulated')
    assert start['dataset']['snapshot'] == 1 and start['time'] > 10 * 0.05, start['time']

    throw_files_together(stage, program)
    program.quit()


def throw_files_together(stage, program):
    """Without Shift the first of them shows alone."""
    one, two = stage.make('one.bin', seed=3), stage.make('two.bin', seed=4)
    program.drop(one, two)
    program.wait_for_state(lambda s: names(s, one) and 'with' not in s['dataset'], 'the first opens alone')
    program.xdotool('keydown', 'shift')
    try:
        program.drop(one, two)
        # It asks for the key when it has taken the files.
        program.wait_for_frames()
    finally:
        program.xdotool('keyup', 'shift')
    state = program.wait_for_state(lambda s: 'with' in s['dataset'], 'both are one scene')
    assert [file.rsplit('/')[-1] for file in state['dataset']['with']] == [two.name], state['dataset']
    assert state['dataset']['offsets'][1].startswith('auto'), state['dataset']
    stage.screenshot(program, 'thrown-together')


ALL = {play_a_series.__name__: play_a_series}
