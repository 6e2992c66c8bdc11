"""`orrery connect` on a cluster of two computers: connect_test.py --orrery PROGRAM.

This computer, the login node and the compute node are network namespaces. The latter two have a name, an address and
an sshd of their own; this computer reaches the login node only. A script stands for Slurm's srun: it runs its command
on the node. Exit status 77: something is missing, and what.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

from patience import PATIENCE, SKIPPED, eventually


def system(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def command_lines():
    """The words of every process that runs."""
    for folder in pathlib.Path('/proc').glob('[0-9]*'):
        with contextlib.suppress(OSError):
            yield (folder / 'cmdline').read_bytes().split(b'\0')


class Cluster:
    """Two namespaces and what runs in them."""

    LOGIN, NODE = '10.213.77.2', '10.213.78.2'

    def __init__(self, folder):
        self.folder = folder
        self.login = f'orrery-login-{os.getpid()}'
        self.node = f'orrery-node-{os.getpid()}'
        self.servers = {}
        self.connections = []
        for name in (self.login, self.node):
            names = pathlib.Path('/etc/netns') / name / 'hosts'
            names.parent.mkdir(parents=True)
            names.write_text(f'127.0.0.1 localhost\n::1 localhost\n{self.LOGIN} login1\n{self.NODE} node17\n')

    def __enter__(self):
        for name in (self.login, self.node):
            system('ip', 'netns', 'add', name)
            system('ip', '-n', name, 'link', 'set', 'lo', 'up')
        self.join('10.213.77.', None, self.login, 'a')
        self.join('10.213.78.', self.login, self.node, 'b')
        for key in ('user', 'host'):
            system('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', str(self.folder / key))
        shutil.copy(self.folder / 'user.pub', self.folder / 'authorized_keys')
        (self.folder / 'client').write_text(
            f'Host *\nIdentityFile {self.folder}/user\nUserKnownHostsFile {self.folder}/known_hosts\n'
            'StrictHostKeyChecking accept-new\nUser root\nBatchMode yes\nLogLevel ERROR\n')
        for name, host in ((self.login, 'login1'), (self.node, 'node17')):
            self.start_sshd(name, host)
        srun = self.folder / 'programs' / 'srun'
        srun.parent.mkdir()
        srun.write_text(
            '#!/bin/bash\n'
            'echo "srun: job 4711 has been allocated resources" >&2\n'
            f'echo "$@" >>{self.folder}/srun.log\n'
            'while [[ ${1-} == --* ]]; do shift; done\n'
            f'exec ip netns exec {self.node} unshare -u bash -c \'hostname node17; exec "$@"\' bash "$@"\n')
        srun.chmod(0o755)
        return self

    def join(self, network, one, other, letter):
        """A cable between two namespaces; None is this computer."""
        ends = [f'or{letter}{side}{os.getpid() % 100000}' for side in 'xy']
        system('ip', 'link', 'add', ends[0], 'type', 'veth', 'peer', 'name', ends[1])
        for end, name, address in ((ends[0], one, '1'), (ends[1], other, '2')):
            if name:
                system('ip', 'link', 'set', end, 'netns', name)
            inside = ['-n', name] if name else []
            system('ip', *inside, 'address', 'add', f'{network}{address}/24', 'dev', end)
            system('ip', *inside, 'link', 'set', end, 'up')

    def start_sshd(self, name, host):
        settings = self.folder / f'sshd-{host}'
        settings.write_text(
            f'HostKey {self.folder}/host\nAuthorizedKeysFile {self.folder}/authorized_keys\nStrictModes no\n'
            'PermitRootLogin yes\nUsePAM no\nPidFile none\nLogLevel ERROR\n')
        pathlib.Path('/run/sshd').mkdir(exist_ok=True)
        self.servers[host] = subprocess.Popen(
            ['ip', 'netns', 'exec', name, 'unshare', '-u', 'sh', '-c',
             f'hostname {host}; exec {shutil.which("sshd") or "/usr/sbin/sshd"} -D -f {settings}'])
        listens = ['ip', 'netns', 'exec', name, 'bash', '-c', 'exec 3<>/dev/tcp/127.0.0.1/22']
        eventually('sshd', lambda: subprocess.run(listens, stderr=subprocess.DEVNULL, check=False).returncode == 0)

    def stop_sshd(self, host):
        self.servers[host].terminate()
        self.servers.pop(host).wait()

    def __exit__(self, *_):
        for connection in self.connections:
            connection.kill()
        for server in self.servers.values():
            server.terminate()
            server.wait()
        for name in (self.node, self.login):
            subprocess.run(['ip', 'netns', 'delete', name], check=False)
            shutil.rmtree(f'/etc/netns/{name}', ignore_errors=True)


class Connection:
    """A running `orrery connect`; `mark` is in the command line of its server."""

    def __init__(self, program, cluster, *words, galaxy='two-body', there=None, browser=False):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=cluster.folder))
        token = self.folder / 'token'
        token.write_text('a-token-of-this-test')
        token.chmod(0o600)
        self.mark = str(token)
        self.client = f'{cluster.folder}/client'
        cluster.connections.append(self)
        environment = dict(os.environ, HOME=str(self.folder), TMPDIR=str(self.folder))
        environment.pop('DISPLAY', None)
        environment.pop('WAYLAND_DISPLAY', None)
        if browser:
            environment.update(DISPLAY=':99', PATH=f'{self.make_browser()}:{os.environ["PATH"]}')
        self.errors = open(self.folder / 'errors', 'w', encoding='utf-8')
        self.process = subprocess.Popen(
            [program, 'connect', cluster.LOGIN, galaxy, '--ssh', f'ssh -F {cluster.folder}/client',
             '--serve', f'--engine cpu --token-file {self.mark}',
             '--before', f'export HOME={shlex.quote(str(self.folder))} PATH={cluster.folder}/programs:$PATH',
             '--program', there or program, *words],
            stdout=subprocess.PIPE, stderr=self.errors, env=environment, text=True, start_new_session=True)

    def make_browser(self):
        """A folder with an xdg-open that notes the words with which it was started."""
        opener = self.folder / 'browser' / 'xdg-open'
        opener.parent.mkdir()
        opener.write_text('#!/bin/sh\n'
                          f'printf "%s\\n" "$@" >{self.folder}/opening\n'
                          f'mv {self.folder}/opening {self.folder}/opened\n')
        opener.chmod(0o755)
        return opener.parent

    def said(self):
        return (self.folder / 'errors').read_text()

    def address(self):
        line = self.process.stdout.readline()
        match = re.fullmatch(r'open http://127.0.0.1:(\d+)/\?token=(\S+)\n', line)
        assert match, f'no address: {line!r} {self.said()}'
        return int(match[1]), match[2]

    def ask(self, port, path='status.json'):
        request = urllib.request.Request(f'http://127.0.0.1:{port}/{path}',
                                         headers={'Authorization': 'Bearer a-token-of-this-test'})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.read()

    def served(self):
        """The number of servers of this connection that still run."""
        return sum(b'serve' in words and self.mark.encode() in words for words in command_lines())

    def check(self):
        """It shows the window, from this computer."""
        port, token = self.address()
        assert token == 'a-token-of-this-test'
        assert json.loads(self.ask(port))['program'] == 'orrery'
        assert self.ask(port, 'screenshot.png').startswith(b'\x89PNG')
        assert self.served() >= 1

    def ssh_left(self):
        """The number of processes of ssh that were started for this connection."""
        return sum(words[0].endswith(b'ssh') and self.client.encode() in words for words in command_lines())

    def end(self, number, wanted):
        self.process.send_signal(number)
        assert self.process.wait(PATIENCE) == wanted, self.said()
        eventually('the server ends, too', lambda: self.served() == 0)
        eventually('no ssh is left', lambda: self.ssh_left() == 0)

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def fails_with(self, text):
        assert self.process.wait(PATIENCE) == 1, self.said()
        assert text in self.said(), self.said()
        eventually('no server is left', lambda: self.served() == 0)


def check_browser(program, cluster):
    """The browser is led to the window, and no process shows the token."""
    connection = Connection(program, cluster, browser=True)
    port, token = connection.address()
    eventually('the browser', (connection.folder / 'opened').exists)
    page = pathlib.Path((connection.folder / 'opened').read_text().strip())
    assert f'url=http://127.0.0.1:{port}/?token={token}"' in page.read_text(), page.read_text()
    assert page.stat().st_mode & 0o777 == 0o600 and page.parent.stat().st_mode & 0o777 == 0o700, page
    assert not [words for words in command_lines() if token.encode() in b' '.join(words)]
    connection.end(signal.SIGINT, 0)
    assert not page.parent.exists()


def node_is_out_of_reach(cluster):
    with socket.socket() as attempt:
        attempt.settimeout(0.5)
        return attempt.connect_ex((cluster.NODE, 22)) != 0


def run(program, cluster):
    # A computer without a scheduler.
    plain = Connection(program, cluster)
    plain.check()
    plain.end(signal.SIGINT, 0)
    check_browser(program, cluster)

    # A node, which ssh reaches through the login node.
    assert node_is_out_of_reach(cluster)
    job = Connection(program, cluster, '--gres', 'gpu:1', '--srun', '--time=10 --partition=gpu')
    job.check()
    assert '--gres=gpu:1 --time=10 --partition=gpu' in (cluster.folder / 'srun.log').read_text()
    assert 'job 4711' in job.said()
    # Whatever ends this side ends the other.
    job.end(signal.SIGKILL, -signal.SIGKILL)

    # A cluster that lets nobody onto its nodes.
    cluster.stop_sshd('node17')
    Connection(program, cluster, '--gres', 'gpu:1').fails_with('try --through-login')
    through = Connection(program, cluster, '--gres', 'gpu:1', '--through-login')
    through.check()
    through.end(signal.SIGTERM, 0)

    # What goes wrong there is said here.
    Connection(program, cluster, galaxy="/no such/it's.hdf5").fails_with("/no such/it's.hdf5")
    Connection(program, cluster, there='/no/such/orrery').fails_with('--program names it')
    strange = subprocess.run([program, 'connect', '--', '-oProxyCommand=touch /tmp/x'], capture_output=True, text=True,
                             check=False)
    assert strange.returncode == 2, strange
    one_computer = subprocess.run([program, 'connect', cluster.LOGIN, '--through-login'], capture_output=True, text=True,
                                  check=False)
    assert one_computer.returncode == 2 and '--gres' in one_computer.stderr, one_computer


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--orrery', type=pathlib.Path, required=True)
    parser.add_argument('--inside', action='store_true', help='this process has a network of its own already')
    arguments = parser.parse_args()
    program = str(arguments.orrery.resolve())
    for name, package in (('ip', 'iproute2'), ('ssh', 'openssh-client'), ('unshare', 'util-linux')):
        if not shutil.which(name):
            print(f'skipped: no program {name} (package {package})')
            return SKIPPED
    if not shutil.which('sshd') and not pathlib.Path('/usr/sbin/sshd').exists():
        print('skipped: no program sshd (package openssh-server)')
        return SKIPPED
    if os.geteuid() != 0 or subprocess.run(['unshare', '-n', 'true'], stderr=subprocess.DEVNULL, check=False).returncode:
        print('skipped: only root makes network namespaces')
        return SKIPPED
    if not arguments.inside:
        os.execvp('unshare', ['unshare', '-n', sys.executable, '-B', __file__, '--orrery', program, '--inside'])
    system('ip', 'link', 'set', 'lo', 'up')
    with tempfile.TemporaryDirectory(prefix='orrery-connect-test-') as folder:
        with Cluster(pathlib.Path(folder)) as cluster:
            run(program, cluster)
    return 0


if __name__ == '__main__':
    sys.exit(main())
