"""The app for Open OnDemand, as its portal runs it: ondemand_test.py --orrery PROGRAM --app FOLDER.

The templates are rendered by Ruby's ERB, and the scripts run with the functions that the portal gives them. Requests
come as its proxy passes them on: with the whole path, and the name of the portal. Exit status 77: something is
missing, and what.
"""

import argparse
import contextlib
import html
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.parse

from patience import PATIENCE, SKIPPED, eventually

PORTAL = 'ondemand.test'

# What a form gives; blank? is of Rails, in which the portal runs.
RENDER = '''
require 'erb'; require 'json'; require 'ostruct'
class String; def blank?; strip.empty?; end; end
values = JSON.parse(STDIN.read)
names = values.transform_keys(&:to_sym)
print ERB.new(File.read(ARGV[0]), trim_mode: '-').result_with_hash(names.merge(context: OpenStruct.new(values)))
'''

# The portal's functions, in the few lines that matter here.
HELPERS = '''
find_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
create_passwd() { tr -cd 'a-zA-Z0-9' </dev/urandom 2>/dev/null | head -c "$1"; }
wait_until_port_used() {
  local tries
  for tries in $(seq 1200); do
    if (exec 3<>"/dev/tcp/${1%:*}/${1##*:}") 2>/dev/null; then return 0; fi
    sleep 0.1
  done
  return 1
}
clean_up() { exit "$1"; }
export host=localhost
'''


def render(file, values):
    return subprocess.run(['ruby', '-e', RENDER, str(file)], input=json.dumps(values), capture_output=True, text=True,
                          check=True).stdout


class Job:
    """The batch job of a session, in a folder of its own."""

    def __init__(self, app, program, folder, values):
        self.folder = folder
        for template in (app / 'template').iterdir():
            (folder / template.stem).write_text(render(template, values))
        (folder / 'job.sh').write_text(
            HELPERS + 'source ./before.sh\nbash ./script.sh >serve.log 2>&1 &\nSCRIPT_PID=$!\nsource ./after.sh\n'
            'trap : TERM\necho "$host $port $password" >connection\nwait "$SCRIPT_PID"\nwait "$SCRIPT_PID"\n')
        programs = folder / 'programs'
        programs.mkdir()
        (programs / 'orrery').symlink_to(program)
        environment = dict(os.environ, HOME=str(folder), PATH=f'{programs}:{os.environ["PATH"]}')
        self.process = subprocess.Popen(['bash', 'job.sh'], cwd=folder, env=environment, start_new_session=True)

    def said(self):
        return (self.folder / 'serve.log').read_text()

    def connection(self):
        """Host, port and password."""
        file = self.folder / 'connection'
        eventually('the address', lambda: self.process.poll() is not None or file.exists() and file.read_text())
        assert self.process.poll() is None, self.said()
        return file.read_text().split()

    def end(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        # The job waits for its server again after the signal: nothing writes into its folder any more.
        code = self.process.wait(PATIENCE)
        assert code == 143, f'the job ended with {code}: {self.said()}'


def ask(port, method, path, body=None, host=PORTAL, **fields):
    connection = http.client.HTTPConnection('localhost', int(port), timeout=PATIENCE)
    connection.request(method, path, body, {'Host': host, **{name.replace('_', '-'): fields[name] for name in fields}})
    answer = connection.getresponse()
    return answer, answer.read()


def use(view, host, port, password):
    """A person who presses the button."""
    action = re.search(r'action="([^"]+)"', view)[1]
    name, value = re.search(r'name="([^"]+)" value="([^"]+)"', view).groups()
    assert html.unescape(value) == password
    form = urllib.parse.urlencode({name: html.unescape(value)})
    origin = f'https://{PORTAL}'
    kind = {'Content_Type': 'application/x-www-form-urlencoded'}
    answer, _ = ask(port, 'POST', action, form, Origin=origin, **kind)
    assert answer.status == 303, answer.status
    base = answer.getheader('Location')
    assert base == f'/node/{host}/{port}/', base
    cookie = answer.getheader('Set-Cookie').split(';')[0]
    for name in (PORTAL, f'{host}:{port}'):
        answer, page = ask(port, 'GET', base, host=name, Cookie=cookie)
        assert answer.status == 200 and b'<canvas' in page, page[:200]
    for file in set(re.findall(r'(?:src|href)="([^"]+)"', page.decode())):
        assert not file.startswith(('/', 'http')), f'{file} would leave the path'
        assert ask(port, 'GET', base + file, Cookie=cookie)[0].status == 200, file
    upgrade = {'Connection': 'Upgrade', 'Upgrade': 'websocket', 'Sec_WebSocket_Version': '13',
               'Sec_WebSocket_Key': 'AAAAAAAAAAAAAAAAAAAAAA=='}
    assert ask(port, 'GET', base + 'ws', Origin='https://elsewhere.test', Cookie=cookie, **upgrade)[0].status == 403
    status = json.loads(ask(port, 'GET', base + 'status.json', Cookie=cookie)[1])
    assert status['program'] == 'orrery'
    # Others on the node know host and port, but not the token.
    assert b'<canvas' not in ask(port, 'GET', base)[1]
    assert ask(port, 'GET', base, host='rebound.test', Cookie=cookie)[0].status == 421


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--orrery', type=pathlib.Path, required=True)
    parser.add_argument('--app', type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    if not shutil.which('ruby'):
        print('skipped: no program ruby (package ruby)')
        return SKIPPED
    values = {'portal': PORTAL, 'data': 'two-body', 'gres': 'gpu:1', 'modules': '', 'program': 'orrery',
              'options': '--engine cpu'}
    submitted = render(arguments.app / 'submit.yml.erb', values)
    assert '    - "--gres=gpu:1"\n' in submitted, submitted
    assert 'gres' not in render(arguments.app / 'submit.yml.erb', {**values, 'gres': ''})
    script = render(arguments.app / 'template/script.sh.erb', {**values, 'data': "it's; touch x", 'modules': 'a b;c'})
    assert "serve it\\'s\\;\\ touch\\ x " in script and 'module load a b\\;c\n' in script, script
    with tempfile.TemporaryDirectory(prefix='orrery-ondemand-test-') as folder:
        job = Job(arguments.app, arguments.orrery.resolve(), pathlib.Path(folder), values)
        try:
            host, port, password = job.connection()
            assert (pathlib.Path(folder) / 'token').stat().st_mode & 0o077 == 0, 'others may read the token'
            view = render(arguments.app / 'view.html.erb', {'host': host, 'port': port, 'password': password})
            use(view, host, port, password)
        finally:
            job.end()
    return 0


if __name__ == '__main__':
    sys.exit(main())
