"""What ends the server, and what does not: endings_test.py --orrery PROGRAM.

Bad uploads while the first dataset loads, a browser that leaves, the question before the end; addresses that nobody
can learn, secrets that others could read, and what memory stays.
"""

import argparse
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile

from patience import PATIENCE, eventually
from served import CONTROL, Page, Served

SMALL = ['disk', '--bodies', '300']
OTHER_USER = 54321
# Made in seconds: what is sent meanwhile finds it unfinished.
LARGE = ['plummer', '--bodies', '1500000', '--paused']


def serve(program, folder, *words, **options):
    """`orrery serve` to its end."""
    for name in ('home', 'current'):
        (folder / name).mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, HOME=str(folder / 'home'), XDG_CONFIG_HOME=str(folder / 'home' / '.config'))
    return subprocess.run([program, 'serve', *words, '--engine', 'cpu'], stderr=subprocess.PIPE, text=True, check=False,
                          timeout=PATIENCE, env=environment, cwd=folder / 'current', **options)


def make_uploads(program, folder):
    """Files that cannot be opened, by name."""
    run = folder / 'run.checkpoint'
    environment = dict(os.environ, HOME=str(folder), XDG_CONFIG_HOME=str(folder / '.config'))
    subprocess.run([program, 'render', 'disk', '--bodies', '300', '--engine', 'cpu', '--steps', '2', '--size', '64x64',
                    '--checkpoint', run, '-o', folder / 'a.png'], check=True, timeout=PATIENCE, capture_output=True,
                   env=environment)
    picture = (folder / 'a.png').read_bytes()
    return {'cut.checkpoint': run.read_bytes()[:-200], 'cut.png': picture[:len(picture) // 2],
            'broken.json': b'{"dataset": [}', 'deep.json': b'{"a":' * 5000,
            'lost.json': b'{"dataset": {"file": "sent.txt", "galaxies": 1, "hash": ""}}',
            'text.csv': b'no table\nat all\n', 'empty.csv': b''}


def bad_uploads_while_the_first_loads(program, folder):
    folder.mkdir()
    uploads = make_uploads(program, folder)
    # Read in the background, read at once, and a dataset.
    for first in ('cut.checkpoint', 'lost.json', 'text.csv'):
        with Served(program, folder / first, *LARGE) as server:
            assert not server.status()['open'], 'the first dataset must take longer'
            server.upload(first, uploads[first])
            eventually(f'{first} is refused', server.problem)
            # The dataset that had to give way, or went on, shows, and the message stays.
            eventually('the first dataset shows', lambda: server.status().get('bodies') == 1500000)
            assert server.problem() and server.runs(), first
    # And later.
    with Served(program, folder / 'all', *SMALL) as server:
        eventually('the dataset', lambda: server.status()['open'])
        for name, content in uploads.items():
            before = server.problem()
            server.upload(name, content)
            eventually(f'{name} is refused', lambda: server.problem() not in ('', before))
        assert server.status()['bodies'] == 300 and server.runs()


def a_browser_leaves(program, folder):
    with Served(program, folder, *SMALL) as server:
        first, second = Page(server), Page(server)
        eventually('the picture', lambda: server.widgets())
        first.press('q', 'KeyQ', CONTROL)
        assert b'"t":"bye"' in first.received_until_closed(), 'no farewell'
        # The other one drives: it opens the palette.
        second.press('p', 'KeyP', CONTROL)
        eventually('the palette', lambda: 'palette' in server.widgets())
        # With a list open the same key leaves, too.
        second.press('q', 'KeyQ', CONTROL)
        assert b'"t":"bye"' in second.received_until_closed(), 'no farewell'
        assert server.status()['open'] and server.runs()


def what_is_copied_is_for_who_copies(program, folder):
    with Served(program, folder, *SMALL, '--view-only') as server:
        driver, watcher = Page(server), Page(server, server.view_token)
        driver.receive_until(b'"clients":2')
        eventually('the picture', server.widgets)
        driver.press('c', 'KeyC', CONTROL)
        driver.receive_until(b'"t":"clip"')
        server.process.terminate()
        received = watcher.received_until_closed()
        assert b'"t":"role"' in received and b'"t":"clip"' not in received, received


def ending_asks_first(program, folder):
    with Served(program, folder, *SMALL) as server:
        page = Page(server)
        eventually('the picture', lambda: server.widgets())
        for answer, ends in (('Escape', False), ('Enter', False), ('End', True)):
            page.press('Escape', 'Escape')
            eventually('no list', lambda: 'palette' not in server.widgets())
            page.press('p', 'KeyP', CONTROL)
            eventually('the palette', lambda: 'palette' in server.widgets())
            page.type('End the server')
            eventually('the command', lambda: 'palette-selected:command:end-server' in server.widgets())
            page.press('Enter', 'Enter')
            eventually('the question', lambda: 'end-question-selected:go-on' in server.widgets())
            page.press(answer, answer)
            if not ends:
                eventually('it closes', lambda: 'end-question' not in server.widgets())
                assert server.status()['open'] and server.runs()
        eventually('the end is selected', lambda: 'end-question-selected:end' in server.widgets())
        page.press('Enter', 'Enter')
        assert server.process.wait(PATIENCE) == 0, server.log()


def the_address_is_learned_or_it_ends(program, folder):
    for output in ('closed', 'full', 'unread'):
        options = {'stdout': subprocess.DEVNULL}
        words = [program, 'serve', *SMALL, '--engine', 'cpu']
        if output == 'closed':
            words = ['sh', '-c', 'exec "$@" >&-', 'sh', *words]
        elif output == 'full':
            words = ['sh', '-c', 'exec "$@" >/dev/full', 'sh', *words]
        else:
            reading, writing = os.pipe()
            os.close(reading)
            options['stdout'] = writing
        environment = dict(os.environ, HOME=str(folder), XDG_CONFIG_HOME=str(folder / '.config'))
        ended = subprocess.run(words, stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE, env=environment,
                               **options)
        assert ended.returncode == 1, (output, ended)
        assert ended.stderr.endswith('--connection FILE writes it into a file\n'), ended.stderr
        assert 'nobody can learn the address' in ended.stderr, ended.stderr
    # A file says it.
    for number, output in enumerate(('>&-', '>/dev/full')):
        with Served('sh', folder / str(number), *SMALL, arguments=('-c', f'exec "$@" {output}', 'sh', program)) as server:
            eventually('it serves', lambda: server.status()['open'])


def secrets_are_for_one_user(program, folder):
    folder.mkdir()
    target = folder / 'target'
    target.write_text('old')
    for name in ('there', 'link', 'dangling'):
        inside = folder / name
        inside.mkdir()
        told = inside / 'connection.json'
        if name == 'there':
            told.write_text('old')
            told.chmod(0o644)
        else:
            told.symlink_to(target if name == 'link' else folder / 'nothing')
        with Served(program, inside, *SMALL, keeps_connection=True) as server:
            assert server.token in told.read_text()
            mode = told.lstat().st_mode
            assert stat.S_ISREG(mode) and mode & 0o777 == 0o600, (name, oct(mode))
    assert target.read_text() == 'old' and not (folder / 'nothing').exists()
    token = folder / 'token'
    token.write_text('0123456789abcdef\n')
    token.chmod(0o644)
    refused = serve(program, folder / 'refused', *SMALL, '--token-file', token, stdout=subprocess.DEVNULL)
    assert refused.returncode == 1 and f"chmod 600 '{token}'" in refused.stderr, refused
    if os.geteuid() == 0:
        os.chown(token, OTHER_USER, OTHER_USER)
        token.chmod(0o600)
        refused = serve(program, folder / 'foreign', *SMALL, '--token-file', token, stdout=subprocess.DEVNULL)
        assert refused.returncode == 1 and 'belongs to another user' in refused.stderr, refused


def threads_share_one_heap(program, folder):
    """The C library gives back the end of its first heap only. Each further one lies in 64 MiB of addresses, of which
    the part that is used can be written."""
    size = 64 << 20
    with Served(program, folder, *SMALL) as server:
        page = Page(server)
        eventually('the picture', server.widgets)
        page.close()
        maps = [line.split() for line in pathlib.Path(f'/proc/{server.process.pid}/maps').read_text().splitlines()]
        ranges = [([int(end, 16) for end in each[0].split('-')], each[1]) for each in maps]
        heaps = [hex(start) for ((start, end), rights), ((rest, last), none) in zip(ranges, ranges[1:])
                 if start % size == 0 and rights == 'rw-p' and rest == end and none == '---p' and last - start == size]
        assert not heaps, heaps


def logs_of_others_have_no_token(program, folder):
    folder.mkdir()
    token, log = folder / 'token', folder / 'log'
    token.write_text('0123456789abcdef\n')
    token.chmod(0o600)
    environment = dict(os.environ, HOME=str(folder), XDG_CONFIG_HOME=str(folder / '.config'))
    for words, mode, told, warned in (([], 0o644, True, True), ([], 0o600, True, False),
                                      (['--token-file', token], 0o644, False, False),
                                      (['--token-file', token], 0o600, True, False),
                                      (['--connection', folder / 'facts.json'], 0o644, False, False)):
        log.write_text('')
        log.chmod(mode)
        with open(log, 'w', encoding='utf-8') as output, open(folder / 'errors', 'w', encoding='utf-8') as errors:
            server = subprocess.Popen([program, 'serve', *SMALL, '--engine', 'cpu', *words], stdin=subprocess.DEVNULL,
                                      stdout=output, stderr=errors, env=environment)
        eventually('the address', lambda: 'from another computer' in log.read_text() or server.poll() is not None)
        server.terminate()
        server.wait(PATIENCE)
        said = log.read_text()
        assert ('?token=' in said) == told and ('the token is in' in said) != told, (words, mode, said)
        assert ('other users can read' in (folder / 'errors').read_text()) == warned, (words, mode)


def what_is_missing_has_a_name(program, folder):
    long = '/tmp/' + 'n' * 200
    refused = serve(program, folder, *SMALL, '--serve-socket', long, stdout=subprocess.DEVNULL)
    assert refused.returncode == 2 and '--serve-socket' in refused.stderr and 'nnn' in refused.stderr, refused
    if os.geteuid() == 0 and shutil.which('setpriv') and shutil.which('prlimit'):
        few_threads(program, folder)


def few_threads(program, folder):
    """The limit of processes holds for users other than root."""
    for root, _, _ in os.walk(folder):
        os.chown(root, OTHER_USER, OTHER_USER)
    for threads in range(1, 12):
        words = ['setpriv', f'--reuid={OTHER_USER}', f'--regid={OTHER_USER}', '--clear-groups',
                 'prlimit', f'--nproc={threads}', 'timeout', '--preserve-status', '20', program, 'serve', *SMALL, '--engine', 'cpu', '--set', 'threads=1']
        environment = dict(os.environ, HOME=str(folder / 'home'), XDG_CONFIG_HOME=str(folder / 'home' / '.config'))
        ended = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                               timeout=PATIENCE, env=environment, cwd=folder / 'home')
        if 'open http' in ended.stdout:
            return
        print(threads, ended.returncode, ended.stderr.strip().splitlines()[-1:])
        assert 'orrery: Resource temporarily unavailable' not in ended.stderr, ended.stderr
    raise AssertionError('it never served')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--orrery', type=pathlib.Path, required=True)
    parser.add_argument('case', choices=[case.__name__ for case in CASES])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='orrery-endings-test-') as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        case = next(each for each in CASES if each.__name__ == arguments.case)
        case(str(arguments.orrery.resolve()), folder / 'case')
    return 0


CASES = [bad_uploads_while_the_first_loads, a_browser_leaves, what_is_copied_is_for_who_copies, ending_asks_first,
         the_address_is_learned_or_it_ends, secrets_are_for_one_user, logs_of_others_have_no_token,
         what_is_missing_has_a_name, threads_share_one_heap]

if __name__ == '__main__':
    sys.exit(main())
