"""Windows that are closed or killed, and go on. Each function is one test."""

import pathlib
import signal
import subprocess

from driver import PATIENCE, Program, Screen, names, wait_until
from panel_scenarios import open_palette

ENGINE = ('--engine', 'cpu', '--kernel', 'sequential', '--untuned')


def session_comes_back(stage):
    """The last session is there again with its step, options and view; from the command line, and by the palette."""
    data = stage.make('small.bin')
    program = stage.start(data, *ENGINE)
    program.wait_for_dataset()
    program.wait_for_state(lambda s: s['step'] > 20, 'some steps are made')
    program.key('bracketright')
    program.wait_for_state(lambda s: s['options']['exposure'] != 'auto:0', 'the picture is brighter')
    camera = program.state()['camera']
    program.key('ctrl+3')
    before = program.pause()
    assert before.state['camera'] != camera, 'the camera turned'
    program.quit()
    folder = program.folder
    assert (folder / 'config' / 'orrery' / 'last-session.checkpoint').is_file()

    again = Program(stage.screen, stage.orrery, folder, '--resume', size=None)
    stage.programs.append(again)
    # The tab is the one of before.
    wait_until(lambda: 'paused' in again.widgets(), 'it is paused still')
    after = again.rest()
    stage.screenshot(again, 'session-comes-back')
    for name in ('step', 'time', 'camera', 'options', 'dataset', 'exact_replay'):
        assert after.state[name] == before.state[name], (name, before.state[name], after.state[name])
    again.key('Right')
    again.wait_for_state(lambda s: s['step'] == before.state['step'] + 1, 'a step follows')
    again.quit()

    other = Program(stage.screen, stage.orrery, folder, 'square', size=None)
    stage.programs.append(other)
    other.widget('header-rate')
    open_palette(other, 'last session', 'command:last-session')
    other.key('Return')
    back = other.wait_for_state(lambda s: s['dataset'] == before.state['dataset'], 'the last session is back')
    assert back['step'] == before.state['step'] + 1, back['step']
    other.quit()


def checkpoints_of_a_window(stage):
    """--checkpoint writes now and then; SIGTERM writes one last, from which the same bits follow."""
    data = stage.make('small.bin')
    file = stage.folder / 'run.checkpoint'
    program = stage.start(data, *ENGINE, '--checkpoint', file, '--every', '50')
    program.wait_for_dataset()
    previous = pathlib.Path(f'{file}.previous')
    wait_until(previous.is_file, 'two checkpoints are written')
    program.process.send_signal(signal.SIGTERM)
    status = program.wait_for_end()
    assert status == 143, f'status {status}:\n{program.log()}'

    def bits(*arguments, name):
        path = stage.folder / name
        said = subprocess.run([stage.orrery, 'render', *map(str, arguments), '--write-state', path, '--size', '32x32',
                               '-o', f'{path}.png'], check=True, capture_output=True, text=True,
                              timeout=4 * PATIENCE).stderr
        return path.read_bytes(), said
    _, said = bits('--resume', file, name='reached.bin')
    step = int(said.split('goes on from step ')[1].split(',')[0])
    assert step > 100, said
    resumed, _ = bits('--resume', file, '--steps', step + 40, name='resumed.bin')
    whole, _ = bits(data, *ENGINE, '--steps', step + 40, name='whole.bin')
    assert resumed == whole

    again = stage.start('--resume', file, '--checkpoint', file)
    again.wait_for_dataset()
    again.wait_for_state(lambda s: s['step'] > step, 'the window goes on with it')
    again.quit()
    assert len(list(stage.folder.glob('run.checkpoint*'))) == 2


def display_server_ends(stage):
    """A killed X server: one line instead of Xlib's, and the session is kept."""
    screen = Screen()
    program = Program(screen, stage.orrery, stage.folder, stage.make('small.bin'), *ENGINE)
    stage.programs.append(program)
    program.wait_for_dataset()
    screen.process.kill()
    screen.process.wait()
    status = program.wait_for_end()
    said = program.log()
    assert status == 1, f'status {status}:\n{said}'
    assert said.splitlines()[-1] == 'orrery: the display server has ended, and the window with it', said
    assert 'X connection' not in said and 'XIO' not in said, said
    assert (stage.folder / 'config' / 'orrery' / 'last-session.checkpoint').is_file()


def asks_before_it_opens(stage):
    """A picture of someone else names a file that does not lie with it: nothing is opened without a yes."""
    data, other = stage.make('small.bin'), stage.make('other.bin', seed=2)
    maker = stage.start(data, *ENGINE)
    maker.wait_for_dataset()
    maker.key('bracketright', 'bracketright')
    maker.wait_for_state(lambda s: s['options']['exposure'] != 'auto:0', 'the picture is brighter')
    picture = maker.pause()
    maker.quit()

    program = stage.start(other, *ENGINE)
    program.wait_for_dataset()
    assert program.state()['options']['exposure'] != picture.state['options']['exposure']
    program.drop(picture.path)
    wait_until(lambda: 'question-selected:refuse' in program.widgets(), 'it asks')
    stage.screenshot(program, 'question')
    program.key('Return')
    program.wait_for_state(lambda s: s['options']['exposure'] == picture.state['options']['exposure'], 'the look is taken')
    assert names(program.state(), other) and 'question' not in program.widgets()
    program.drop(picture.path)
    program.click('question:open', lambda: 'question' not in program.widgets(), 'the answer is yes')
    program.wait_for_state(lambda s: names(s, data) and s['step'] == picture.state['step'], 'the picture comes back')
    program.quit()

    # Nothing else is shown yet.
    named = stage.start(picture.path)
    named.click('question:open', lambda: 'question' not in named.widgets(), 'the answer is yes')
    named.wait_for_dataset()
    named.wait_for_state(lambda s: names(s, data) and s['camera'] == picture.state['camera'], 'the picture comes back')
    named.quit()


ALL = {function.__name__: function
       for function in (session_comes_back, checkpoints_of_a_window, display_server_ends, asks_before_it_opens)}
