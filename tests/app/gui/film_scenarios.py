"""Films, camera paths, kept views and pictures of the window. Each function is one test."""

import json
import shutil
import subprocess

from PIL import Image

from driver import Missing, wait_until


def film_frames(path):
    """As many as a player shows."""
    said = subprocess.run(['ffprobe', '-v', 'error', '-count_frames', '-show_entries', 'stream=nb_read_frames', '-of',
                           'csv=p=0', path], capture_output=True, text=True, check=True)
    return int(said.stdout)


def record_a_film(stage):
    """F9 begins and ends a film; each frame of it is one step more, whatever the window does."""
    if shutil.which('ffmpeg') is None:
        raise Missing('ffmpeg')
    program = stage.start(stage.make('small.bin'), '--engine', 'cpu', '--set', 'speed=0')
    program.wait_for_dataset()
    program.key('F9')
    wait_until(lambda: 'film-mark' in program.widgets(), 'the mark shows')
    film = program.pictures / 'plummer-film-0001.mp4'
    program.show_section('Film and camera')
    program.scroll_to('film-stop')

    def frames():
        said = [name for name in program.widgets() if name.startswith('film-frames:')]
        return int(said[0].split(':')[1]) if said else 0
    wait_until(lambda: frames() > 20, 'frames are drawn')
    stage.screenshot(program, 'recording')
    first = (program.state()['step'], frames())
    wait_until(lambda: frames() > first[1] + 20, 'more frames are drawn')
    second = (program.state()['step'], frames())
    steps, drawn = second[0] - first[0], second[1] - first[1]
    assert abs(steps - drawn) <= 5, f'{steps} steps in {drawn} frames'
    assert not film.exists(), 'a film has its name when it is whole'
    program.key('F9')
    wait_until(lambda: film.exists(), 'the film is complete')
    wait_until(lambda: 'film-mark' not in program.widgets(), 'the mark is gone')
    assert film_frames(film) >= second[1], film_frames(film)
    before = program.state()['step']
    program.wait_for_state(lambda s: s['step'] > before, 'steps go on')

    # Closing the window completes a film too.
    program.key('F9')
    wait_until(lambda: frames() > 10, 'a second film')
    program.quit()
    assert film_frames(program.pictures / 'plummer-film-0002.mp4') > 10
    assert 'recording took' in program.log(), 'the log says what a frame costs'


def keep_views_and_play_a_path(stage):
    """Shift+2 keeps a view and 2 goes there; a path is played, kept in pictures, and rendered from them."""
    dataset = stage.make('small.bin')
    program = stage.start(dataset, '--engine', 'cpu')
    program.wait_for_dataset()
    program.key('space')
    camera = program.state()['camera']
    program.key('shift+2')
    kept = program.wait_for_state(lambda s: '2' in s.get('bookmarks', {}), 'the view is kept')
    assert kept['bookmarks']['2'] == camera
    width, height = program.size()
    program.drag((width - 300, height / 2), (width - 120, height / 2 + 60))
    assert program.state()['camera'] != camera
    program.key('2')
    program.wait_for_state(lambda s: s['camera'] == camera, '2 goes to the view')

    program.show_section('Film and camera')
    program.scroll_to('path-orbit')
    program.click('path-orbit', lambda: 'path-play' in program.widgets(), 'there is a path')
    stage.screenshot(program, 'camera-path')
    program.key('F8')
    program.wait_for_state(lambda s: s['camera'] != camera, 'the camera moves')
    program.key('F8')
    picture = program.take_picture()
    assert len(picture.state['path']['keys']) == 9
    program.quit()

    # With settings of its own: the picture is a stranger's to it.
    again = stage.start(dataset, '--state', picture.path)
    again.wait_for_dataset()
    state = again.state()
    assert state['path'] == picture.state['path'] and state['bookmarks'] == kept['bookmarks']
    again.quit()

    frames = stage.folder / 'frames'
    subprocess.run([stage.orrery, 'render', dataset, '--state', picture.path, '--path', picture.path, '--record', frames, '--frames', '3',
                    '--set', 'fps=1', '--size', '320x180', '--set', 'steps-per-frame=0'], check=True, capture_output=True)
    contents = {path.read_bytes() for path in frames.iterdir()}
    assert len(contents) == 3, 'the camera of the film moves'


def picture_without_a_sky(stage):
    """The section Pictures: another size, and a transparent sky."""
    program = stage.start(stage.make('small.bin'), '--engine', 'cpu')
    program.wait_for_dataset()
    program.show_section('Pictures')
    program.scroll_to('picture-transparent')
    program.click('picture-size', lambda: 'picture-size=1920 x 1080' in program.widgets(), 'sizes show')
    program.click('picture-size=1920 x 1080', lambda: 'picture-size=1920 x 1080' not in program.widgets(), 'chosen')
    assert program.take_picture().size == (1920, 1080)
    program.click('picture-transparent')
    picture = program.take_picture()
    with Image.open(picture.path) as image:
        alpha = image.getchannel('A').getextrema()
    assert alpha[0] == 0 and alpha[1] > 100, alpha
    assert json.loads(picture.text['orrery'])['program'] == 'orrery'
    program.quit()


ALL = {function.__name__: function for function in (record_a_film, keep_views_and_play_a_path, picture_without_a_sky)}
