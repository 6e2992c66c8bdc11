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
    program.press_until('F9', lambda: 'film-mark' in program.widgets(), 'the mark shows')
    film = program.pictures / 'plummer-film-0001.mp4'
    program.show_section('Film and camera')
    program.scroll_to('film-stop')

    def frames():
        said = [name for name in program.widgets() if name.startswith('film-frames:')]
        return int(said[0].split(':')[1]) if said else 0
    wait_until(lambda: frames() > 20, 'frames are drawn')
    stage.screenshot(program, 'recording')

    def step_between_frames():
        """The frames drawn before a step's number is known, that number, and the frames drawn after it."""
        return frames(), program.state()['step'], frames()
    first = step_between_frames()
    wait_until(lambda: frames() > first[2] + 40, 'more frames are drawn')
    second = step_between_frames()
    steps = second[1] - first[1]
    assert second[0] - first[2] - 2 <= steps <= second[2] - first[0] + 2, f'frames and steps {first} to {second}'
    assert not film.exists(), 'a film has its name when it is whole'
    program.press_until('F9', lambda: 'film-mark' not in program.widgets(), 'the mark is gone')
    wait_until(lambda: film.exists(), 'the film is complete')
    assert film_frames(film) >= second[0], film_frames(film)
    before = program.state()['step']
    program.wait_for_state(lambda s: s['step'] > before, 'steps go on')

    # Closing the window completes a film too.
    program.press_until('F9', lambda: 'film-mark' in program.widgets(), 'the mark shows')
    wait_until(lambda: frames() > 10, 'a second film')
    program.quit()
    assert film_frames(program.pictures / 'plummer-film-0002.mp4') > 10
    assert 'recording took' in program.log(), 'the log says what a frame costs'


def keep_views_and_play_a_path(stage):
    """Shift+2 keeps a view and 2 goes there; a path is played, kept in pictures, and rendered from them."""
    dataset = stage.make('small.bin')
    program = stage.start(dataset, '--engine', 'cpu')
    program.wait_for_dataset()
    camera = program.pause().state['camera']
    program.key('shift+2')
    kept = program.wait_for_state(lambda s: '2' in s.get('bookmarks', {}), 'the view is kept')
    assert kept['bookmarks']['2'] == camera
    width, height = program.size()
    program.drag((width - 300, height / 2), (width - 120, height / 2 + 60))
    program.wait_for_state(lambda s: s['camera'] != camera, 'the camera is moved')
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
    program.wait_for_picture(lambda picture: picture.size == (1920, 1080), 'pictures have that size')
    program.click_once('picture-transparent')

    def has_no_sky(picture):
        with Image.open(picture.path) as image:
            return 'A' in image.getbands() and image.getchannel('A').getextrema()[0] == 0
    picture = program.wait_for_picture(has_no_sky, 'pictures are transparent')
    with Image.open(picture.path) as image:
        assert image.getchannel('A').getextrema()[1] > 100, 'the bodies are not'
    assert json.loads(picture.text['orrery'])['program'] == 'orrery'
    program.quit()


ALL = {function.__name__: function for function in (record_a_film, keep_views_and_play_a_path, picture_without_a_sky)}
