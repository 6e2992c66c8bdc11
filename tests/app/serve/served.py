"""A running `orrery serve` in a folder of its own, driven over HTTP and a WebSocket without a browser."""

import base64
import contextlib
import json
import os
import pathlib
import socket
import subprocess
import urllib.error
import urllib.parse
import urllib.request

from patience import PATIENCE, eventually

CONTROL = 2


class Page:
    """What a page does: a WebSocket that says what it decodes, and sends keys. Pictures are not looked at."""

    def __init__(self, server, token=None):
        self.socket = socket.create_connection(('127.0.0.1', server.port), timeout=PATIENCE)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f'GET /ws HTTP/1.1\r\nHost: localhost:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
            f'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\nAuthorization: Bearer {token or server.token}\r\n\r\n'
            .encode())
        # Without a confirmation of pictures the server sends two at most, and some more after each while.
        self.say(t='codec', c='jpeg', lists=False)
        self.say(t='size', w=1280, h=720, ratio=1)

    def say(self, **message):
        text = json.dumps(message).encode()
        size = bytes([0x80 | len(text)]) if len(text) < 126 else bytes([0xfe]) + len(text).to_bytes(2, 'big')
        self.socket.sendall(b'\x81' + size + bytes(4) + text)

    def press(self, key, code, modifiers=0):
        for down in (True, False):
            self.say(t='key', key=key, code=code, down=down, repeat=False, m=modifiers)

    def type(self, text):
        self.say(t='text', s=text)

    def click(self, box):
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        for down in (True, False):
            self.say(t='button', b=0, down=down, x=x, y=y, m=0)

    def receive_until(self, words):
        received = b''
        while words not in received:
            part = self.socket.recv(1 << 16)
            assert part, f'closed before {words}'
            received += part

    def received_until_closed(self):
        received = b''
        with contextlib.suppress(OSError):
            while part := self.socket.recv(1 << 16):
                received += part
                # The answer to a close frame.
                if b'bye' in received:
                    self.socket.sendall(b'\x88\x82' + bytes(4) + b'\x03\xe8')
        return received

    def close(self):
        self.socket.close()


class Served:
    """`words` follow `orrery serve`, `arguments` the program's name. `keeps_connection`: what has the name of the file
    with the address stays until the program writes it."""

    def __init__(self, program, folder, *words, arguments=(), keeps_connection=False):
        self.folder = pathlib.Path(folder)
        self.home, self.current = self.folder / 'home', self.folder / 'current'
        self.temporary = self.folder / 'temporary'
        for each in (self.home, self.current, self.temporary):
            each.mkdir(parents=True, exist_ok=True)
        self.environment = dict(os.environ, HOME=str(self.home), XDG_CONFIG_HOME=str(self.home / '.config'),
                                TMPDIR=str(self.temporary), ORRERY_WIDGET_MAP=str(self.folder / 'widgets.json'))
        told = self.folder / 'connection.json'
        if not keeps_connection:
            told.unlink(missing_ok=True)
        with open(self.folder / 'log', 'w', encoding='utf-8') as log:
            self.process = subprocess.Popen(
                [program, *arguments, 'serve', *words, '--engine', 'cpu', '--connection', told], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=log, cwd=self.current, env=self.environment)
        eventually('the address', lambda: self.tells(told) or not self.runs())
        assert self.tells(told), self.log()
        facts = json.loads(told.read_text())
        self.port, self.token, self.view_token = facts['port'], facts['token'], facts.get('view_token')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.runs():
            self.process.terminate()
        self.process.wait(PATIENCE)

    @staticmethod
    def tells(told):
        return told.exists() and 'token' in told.read_text()

    def runs(self):
        return self.process.poll() is None

    def log(self):
        return (self.folder / 'log').read_text()

    def ask(self, path, data=None, method=None):
        """Status and text of an answer."""
        request = urllib.request.Request(f'http://localhost:{self.port}/{path}', data=data, method=method,
                                         headers={'Authorization': 'Bearer ' + self.token})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read().decode(errors='replace')
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode(errors='replace')

    def status(self):
        """A window that draws for long, on a busy machine, is asked again."""
        def answered():
            status, text = self.ask('status.json')
            return text if status == 200 else None
        return json.loads(eventually('the status', answered))

    def problem(self):
        return self.status().get('problem', '')

    def dataset(self):
        return self.status().get('dataset', '')

    def upload(self, name, content):
        status, said = self.ask('upload/' + urllib.parse.quote(name), content, 'PUT')
        assert status == 200, said

    def widgets(self):
        """The widgets of the last frame by name, with left, top, right and bottom."""
        try:
            return json.loads((self.folder / 'widgets.json').read_text())
        except (OSError, json.JSONDecodeError):
            return {}
