"""What whoever drives a served window can open: openable_test.py --orrery PROGRAM.

A table of all ways in. Each is tried with a file of the server that may not be opened, and with one that is not there:
neither shows, what is said is the same, and no word of a file comes back. WAYS is to name every way: a new one
that opens files gets a function here. At the end it is shown that what may be opened does open.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import zlib

from patience import PATIENCE, eventually
from served import CONTROL, Page, Served

SECRET_WORD = 'hunter2'
TABLE = 'x,y,z,vx,vy,vz,mass\n'
ROWS = ''.join(f'{n},{n % 7},1,0,0,0,1\n' for n in range(47))


def state_of(picture):
    """The state that a picture holds."""
    bytes_ = picture.read_bytes()
    at = bytes_.index(b'iTXtorrery\0') + 4
    text = bytes_[at + 9:].split(b'\0', 2)[2]
    if bytes_[at + 7]:
        return json.loads(zlib.decompressobj().decompress(text))
    return json.JSONDecoder().raw_decode(text.decode('utf8', 'ignore'))[0]


class Place:
    """The server's folders: root/ may be opened from; the current folder and home/ hold what may not."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.home, self.current, self.root = folder / 'home', folder / 'current', folder / 'root'
        for each in (self.home, self.current, self.root / 'series'):
            each.mkdir(parents=True)
        # The word is where a reader that fails would quote it.
        for name in ('secret.csv', 'notes.txt'):
            (self.current / name).write_text(TABLE + ROWS if name == 'secret.csv' else f'first line\n{SECRET_WORD}\n')
        (self.root / 'own.csv').write_text(TABLE + ROWS + '1,1,1,0,0,0,1\n')
        (self.root / 'series' / 's_1.csv').write_text(TABLE + ROWS)
        self.render(self.current / 'secret.csv', '--steps', '1', '-o', self.current / 'picture.png')
        self.render(self.current / 'secret.csv', '--steps', '2', '--checkpoint', self.current / 'run.checkpoint')
        self.state = state_of(self.current / 'picture.png')

    def render(self, *words):
        environment = dict(os.environ, HOME=str(self.home), XDG_CONFIG_HOME=str(self.home / '.config'))
        subprocess.run([self.program, 'render', *words, '--engine', 'cpu', '--size', '64x64'], check=True, timeout=PATIENCE,
                       capture_output=True, env=environment)

    def victims(self):
        """What is tried: a dataset, a text that is none, and a name without a file; all called with equal length."""
        return [self.current / name for name in ('secret.csv', 'notes.txt', 'absent.csv')]


def state_naming(place, **dataset):
    return json.dumps({**place.state, 'dataset': {'galaxies': 1, 'hash': '', **dataset}}).encode()


def link(place, victim):
    """A link below the root that leads to the victim."""
    at = place.root / f'link-{victim.name}'
    if not at.is_symlink():
        at.symlink_to(victim)
    return at


# Each way is tried by a function of the server, the place and the victim.

def state_by_name(server, place, victim):
    server.upload('state.json', state_naming(place, file=victim.name))


def state_by_relative_path(server, place, victim):
    server.upload('state.json', state_naming(place, file='./' + victim.name))


def state_by_absolute_path(server, place, victim):
    server.upload('state.json', state_naming(place, file=str(victim)))


def state_by_dots(server, place, victim):
    uploads = next(server.temporary.glob('orrery-serve*'))
    server.upload('state.json', state_naming(place, file=os.path.relpath(victim, uploads / '1')))


def state_by_link(server, place, victim):
    server.upload('state.json', state_naming(place, file=link(place, victim).name))


def state_through_linked_folder(server, place, victim):
    if not (place.root / 'linked').is_symlink():
        (place.root / 'linked').symlink_to(place.current)
    server.upload('state.json', state_naming(place, file=f'linked/{victim.name}'))


def state_by_proc(server, place, victim):
    server.upload('state.json', state_naming(place, file=f'/proc/self/cwd/{victim.name}'))


def state_by_hash(server, place, victim):
    server.upload('state.json', state_naming(place, file=victim.name, hash=place.state['dataset']['hash']))


def state_with_another_galaxy(server, place, victim):
    server.upload('state.json', state_naming(place, file='own.csv', offsets=['0,0,0', '9,0,0'], **{'with': [f'./{victim.name}']}))


def state_of_galaxies_with_a_file(server, place, victim):
    server.upload('state.json', state_naming(place, model='disk', offsets=['0,0,0', '9,0,0'], **{'with': [str(victim)]}))


def state_of_series(server, place, victim):
    shutil.rmtree(place.root / victim.stem, ignore_errors=True)
    shutil.copytree(place.root / 'series', place.root / victim.stem)
    (place.root / victim.stem / 's_2.csv').symlink_to(victim)
    server.upload('state.json', state_naming(place, file=victim.stem, snapshot=1))


def state_by_pattern(server, place, victim):
    server.upload('state.json', state_naming(place, file=str(victim.with_name(victim.stem[:-1] + '*'))))


def state_of_folder(server, place, victim):
    server.upload('state.json', state_naming(place, file=str(victim.parent)))


def state_of_parts(server, place, victim):
    (place.root / f'{victim.stem}.0.csv').write_text(TABLE + ROWS)
    part = place.root / f'{victim.stem}.1.csv'
    if not part.is_symlink():
        part.symlink_to(victim)
    server.upload('state.json', state_naming(place, file=f'{victim.stem}.0.csv'))


# These name secret.csv, whatever the victim.

def picture(server, place, victim):
    del victim
    server.upload('picture.png', (place.current / 'picture.png').read_bytes())


def checkpoint(server, place, victim):
    del victim
    server.upload('run.checkpoint', (place.current / 'run.checkpoint').read_bytes())


WAYS_THAT_SAY_NO = [state_by_name, state_by_relative_path, state_by_absolute_path, state_by_dots, state_by_link,
                    state_through_linked_folder, state_by_proc, state_by_hash, state_with_another_galaxy,
                    state_of_galaxies_with_a_file, state_of_series, state_by_pattern, state_of_folder, state_of_parts,
                    picture, checkpoint]


# Ways through the window itself, which shows nothing to choose.

def listed(server, prefix):
    return [name for name in server.widgets() if name.startswith(prefix)]


def opened(server, page, name, key, code, modifiers=CONTROL):
    """Opens a list by its key."""
    page.press(key, code, modifiers)
    eventually(f'the list {name}', lambda: name in server.widgets())


def closed(server, page, name):
    page.press('Escape', 'Escape')
    eventually(f'{name} closes', lambda: name not in server.widgets())


def by_palette(server, page, victim):
    opened(server, page, 'palette', 'p', 'KeyP')
    page.type('Open: plummer')
    eventually('a galaxy is found', lambda: 'palette:open:plummer' in server.widgets())
    page.press('u', 'KeyU', CONTROL)
    page.type(victim.stem)
    eventually('the list is narrowed', lambda: 'palette:open:plummer' not in server.widgets())
    assert not listed(server, f'palette:open:{victim.name}'), listed(server, 'palette:')
    closed(server, page, 'palette')


def by_own_commands(server, page, victim):
    """The last session and the recent files are of the person who started the server."""
    del victim
    opened(server, page, 'palette', 'p', 'KeyP')
    for title in ('Continue the last session', 'Forget the recent files'):
        page.type('Open: plummer')
        eventually('a galaxy is found', lambda: 'palette:open:plummer' in server.widgets())
        page.press('u', 'KeyU', CONTROL)
        page.type(title)
        eventually('the list is narrowed', lambda: 'palette:open:plummer' not in server.widgets())
        commands = listed(server, 'palette:command:') + listed(server, 'palette-selected:command:')
        assert not any(name.endswith(('last-session', 'forget-recent')) for name in commands), commands
        page.press('u', 'KeyU', CONTROL)
    closed(server, page, 'palette')


def by_list_of_datasets(server, page, victim):
    eventually('the list Shown', lambda: 'open-list' in server.widgets())
    page.click(server.widgets()['open-list'])
    eventually('its entries', lambda: listed(server, 'open:'))
    assert not any(victim.name in name or 'last-session' in name for name in listed(server, '')), listed(server, 'open:')
    page.click((1000, 40, 1000, 40))
    eventually('it closes', lambda: not listed(server, 'open:'))


def by_typed_path(server, page, victim):
    opened(server, page, 'files', 'o', 'KeyO')
    eventually('a file', lambda: 'files:own.csv' in server.widgets())
    for path in (victim, link_in_root(server, victim), victim.parent):
        page.type(str(path))
        eventually('the list is narrowed', lambda: 'files:own.csv' not in server.widgets())
        assert 'files:typed' not in server.widgets(), path
        page.press('u', 'KeyU', CONTROL)
        eventually('all files again', lambda: 'files:own.csv' in server.widgets())
    closed(server, page, 'files')


def link_in_root(server, victim):
    return server.folder / 'root' / f'link-{victim.name}'


def by_file_list(server, page, victim):
    opened(server, page, 'files', 'o', 'KeyO')
    eventually('a file', lambda: 'files:own.csv' in server.widgets())
    assert not any(name.startswith(('files:link-', 'files:linked', 'files:..')) for name in server.widgets())
    # Nor does it go up.
    page.press('Backspace', 'Backspace')
    eventually('it closes at the root', lambda: 'files' not in server.widgets())
    del victim


def by_pasted_view(server, page, victim):
    page.say(t='clip', s=json.dumps({**server.place.state, 'dataset': {'file': str(victim), 'galaxies': 1, 'hash': ''}}))
    page.press('v', 'KeyV', CONTROL)


def by_option(server, page, victim):
    del page
    for option in json.loads(server.ask('options.json')[1]):
        body = urllib.parse.urlencode({'name': option['name'], 'value': str(victim)}).encode()
        status, said = server.ask('options.json', body, 'POST')
        assert status == 400 and SECRET_WORD not in said, (option['name'], said)


WAYS_WITHOUT_A_CHOICE = [by_palette, by_own_commands, by_list_of_datasets, by_typed_path, by_file_list, by_pasted_view, by_option]


# Ways through files of the person who started the server.

def choose_in_palette(server, page, title, choice):
    opened(server, page, 'palette', 'p', 'KeyP')
    page.type(title)
    eventually(title, lambda: f'palette-selected:{choice}' in server.widgets())
    page.press('Enter', 'Enter')


def demonstration(server, page):
    choose_in_palette(server, page, 'Demonstration: a secret', 'demo:secret')


WAYS_THROUGH_OWN_FILES = [demonstration]


def clear_problem(server, page):
    if server.problem():
        page.press('Escape', 'Escape')
        eventually('the message is closed', lambda: not server.problem())


def shows_first(server):
    status = server.status()
    return status.get('bodies') == 300 and 'isk' in status.get('dataset', '')


def refusal(server, page, act):
    clear_problem(server, page)
    act()
    said = eventually('an answer', server.problem)
    assert shows_first(server), (act, server.status())
    assert SECRET_WORD not in said, said
    return said


def plain(said, victim):
    """What was said, without the names that the victim has."""
    for name in (victim.stem[:-1] + '*', victim.name, victim.stem, 'secret.csv'):
        said = said.replace(name, 'NAME')
    return said


def check_refusals(server, place, page):
    for way in WAYS_THAT_SAY_NO:
        said = {plain(refusal(server, page, lambda: way(server, place, victim)), victim) for victim in place.victims()}
        assert len(said) == 1 and all('may not be opened' in each for each in said), (way.__name__, said)
        print(f'{way.__name__}: refused')


def check_window(server, place, page):
    clear_problem(server, page)
    for way in WAYS_WITHOUT_A_CHOICE:
        for victim in place.victims():
            way(server, page, victim)
            assert shows_first(server) and SECRET_WORD not in json.dumps(server.status()), way
        print(f'{way.__name__}: nothing to choose')
    for way in WAYS_THROUGH_OWN_FILES:
        assert 'may not be opened' in refusal(server, page, lambda: way(server, page)), way
        print(f'{way.__name__}: refused')


def check_open_ways(server, place):
    """What may be opened is."""
    def shows(what, bodies):
        eventually(what, lambda: server.status().get('bodies') == bodies)
        assert not server.problem(), server.problem()
    server.upload('sent.csv', (TABLE + ROWS).encode())
    shows('an upload', 47)
    server.upload('state.json', state_naming(place, file='own.csv'))
    shows('a file below the root, by its name in a state', 48)
    server.upload('state.json', state_naming(place, file='sent.csv'))
    shows('an upload, by its name in a state', 47)
    server.upload('state.json', state_naming(place, file=str(place.root / 'own.csv')))
    shows('a file below the root, by its path in a state', 48)


def prepare_home(place):
    settings = place.home / '.config' / 'orrery'
    (settings / 'demos').mkdir(parents=True, exist_ok=True)
    (settings / 'settings.json').write_text(json.dumps({'recent': [str(victim) for victim in place.victims()]}))
    shutil.copy(place.current / 'run.checkpoint', settings / 'last-session.checkpoint')
    (settings / 'demos' / 'secret.json').write_text(json.dumps({
        'title': 'a secret', 'meaning': 'of a file', 'dataset': {'source': str(place.current / 'secret.csv')},
        'steps': [{'name': 'one', 'caption': 'One'}]}))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--orrery', type=pathlib.Path, required=True)
    program = str(parser.parse_args().orrery.resolve())
    with tempfile.TemporaryDirectory(prefix='orrery-openable-test-') as name:
        folder = pathlib.Path(name).resolve()
        place = Place(program, folder)
        prepare_home(place)
        with Served(program, folder, 'disk', '--bodies', '300', '--paused', '--root', place.root) as server:
            server.place = place
            page = Page(server)
            eventually('the galaxy', lambda: shows_first(server))
            check_refusals(server, place, page)
            check_window(server, place, page)
            check_open_ways(server, place)
            page.close()
    return 0


if __name__ == '__main__':
    sys.exit(main())
