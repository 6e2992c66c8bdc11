"""Hostile traffic for a server, over and over: soak.py --orrery PROGRAM [--seconds 60] [--passes 2] [--seed 1].

Starts `orrery serve` and sends it valid and damaged messages, sizes, uploads, options and broken requests, on
connections that come and go. Every pass has the same seed. After each pass everybody leaves; the memory that the
server then has is printed. Exit status 1: the server has died, answers no more, or has grown by more than --most MB
from the end of the pass before the last one to the end of the last one.

The first pass adds the programs of the looks that it meets (7 MB of Mesa), dust (6 MB), larger letters (4 MB) and the
lists of Dear ImGui's windows. On 2026-11-29, with 15 tasks for two cores and --seconds 900, it added 46 MB to 72 (55 734
messages, 640 uploads), and the second pass 4.5 MB (35 979 messages, 415 uploads). The second pass added up to 37 MB
before threads shared one heap (share_one_heap in app/serve/service.cpp) and deleted textures were freed
(render/context/target.h).
"""

import argparse
import json
import os
import pathlib
import random
import socket
import struct
import subprocess
import sys
import tempfile
import time

from patience import PATIENCE, eventually

KEYS = [('Tab', 'Tab'), ('Escape', 'Escape'), ('Enter', 'Enter'), ('ArrowUp', 'ArrowUp'), ('ArrowDown', 'ArrowDown'),
        (' ', 'Space'), ('F1', 'F1'), ('F3', 'F3'), ('Backspace', 'Backspace'), ('+', 'Equal'), ('-', 'Minus'),
        *((letter, 'Key' + letter.upper()) for letter in 'abcdefghijklmnoprstuvwxyz'),
        *((digit, 'Digit' + digit) for digit in '0123456789')]
CTRL = 2
SIZES = [(1280, 720), (640, 400), (320, 200), (1920, 1080), (390, 844), (3840, 3840), (20000, 10)]
# Options whose every value costs seconds, or starts threads and compilers: they would leave nothing else time.
SLOW = {'engine', 'kernel', 'bodies', 'threads', 'accuracy', 'devices', 'splatting'}


class Server:
    def __init__(self, program, folder):
        self.folder = folder
        connection = folder / 'connection.json'
        self.log = open(folder / 'serve.log', 'w', encoding='utf-8')
        # Software OpenGL, whose memory is the process's own.
        environment = dict(os.environ, HOME=str(folder), XDG_CONFIG_HOME=str(folder / 'config'),
                           OMP_WAIT_POLICY='passive')
        self.process = subprocess.Popen(
            [program, 'serve', 'disk', '--bodies', '2000', '--engine', 'cpu', '--connection', connection,
             '--pictures', folder, '--upload-limit', '1', '--upload-total', '4'],
            stdout=self.log, stderr=self.log, env=environment)
        eventually('the address', lambda: connection.exists() or self.process.poll() is not None)
        facts = json.loads(connection.read_text())
        self.port, self.token = facts['port'], facts['token']
        eventually('the dataset', lambda: json.loads(self.ask('GET', 'status.json') or b'{}').get('open'))

    def connect(self):
        return socket.create_connection(('127.0.0.1', self.port), timeout=PATIENCE)

    def request(self, method, path, body=b'', token=None, fields=''):
        return (f'{method} /{path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token or self.token}\r\n'
                f'Content-Length: {len(body)}\r\nConnection: close\r\n{fields}\r\n').encode() + body

    def ask(self, method, path, body=b'', token=None, fields=''):
        with self.connect() as connection:
            connection.sendall(self.request(method, path, body, token, fields))
            return receive_all(connection).partition(b'\r\n\r\n')[2]

    def memory(self):
        """What the process has for itself, MB."""
        lines = pathlib.Path(f'/proc/{self.process.pid}/status').read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith(('RssAnon', 'VmSwap'))) / 1024

    def descriptors(self):
        return len(os.listdir(f'/proc/{self.process.pid}/fd'))


def receive_all(connection):
    answer = b''
    try:
        while part := connection.recv(1 << 20):
            answer += part
    except OSError:
        pass
    return answer


class Browser:
    """A WebSocket that reads what comes and soon forgets it."""

    def __init__(self, server):
        self.head, self.drawn = b'no picture', False
        self.socket = server.connect()
        self.socket.sendall(server.request('GET', 'ws', fields=(
            'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
            'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n')).replace(b'Connection: close\r\n', b''))
        answer = b''
        while b'\r\n\r\n' not in answer:  # messages before it would be lost
            part = self.socket.recv(1024)
            assert part, 'the server refuses a browser'
            answer += part

    def send(self, text):
        data = text if isinstance(text, bytes) else text.encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b'\xfe' + len(data).to_bytes(2, 'big')
        self.socket.sendall(b'\x81' + size + b'\0\0\0\0' + data)

    def press(self, key, code, modifiers=0):
        for down in (True, False):
            self.send(json.dumps({'t': 'key', 'key': key, 'code': code, 'down': down, 'repeat': False, 'm': modifiers}))

    def draws(self, width, height):
        """Asks for a size. True once a picture of that size has come: all that was asked for before is done then."""
        self.head = struct.pack('<6H', 0, 0, width, height, width, height)
        self.send(json.dumps({'t': 'size', 'w': width, 'h': height, 'ratio': 1}))
        time.sleep(0.5)
        self.drain()
        return self.drawn

    def drain(self):
        """Takes what has arrived. False when the server has closed."""
        self.socket.setblocking(False)
        try:
            while part := self.socket.recv(1 << 20):
                self.drawn = self.drawn or self.head in part
            return False
        except BlockingIOError:
            return True
        except OSError:
            return False
        finally:
            self.socket.settimeout(PATIENCE)


def message(dice):
    """A message of the page."""
    x, y = dice.uniform(-50, 2000), dice.uniform(-50, 1200)
    key, code = dice.choice(KEYS)
    width, height = dice.choice(SIZES)
    return dice.choices([
        {'t': 'move', 'x': x, 'y': y},
        {'t': 'button', 'b': dice.randrange(3), 'down': dice.random() < 0.5, 'x': x, 'y': y, 'm': dice.randrange(16)},
        {'t': 'wheel', 'x': 0, 'y': dice.uniform(-3, 3), 'm': dice.choice([0, 0, 0, 2])},
        {'t': 'key', 'key': key, 'code': code, 'down': True, 'repeat': False, 'm': dice.choice([0, 0, 0, 1, 2])},
        {'t': 'key', 'key': key, 'code': code, 'down': False, 'repeat': False, 'm': 0},
        {'t': 'text', 's': ''.join(dice.choices('abc=.0123/é€', k=dice.randrange(12)))},
        {'t': 'clip', 's': 'x' * dice.randrange(2000)},
        {'t': 'size', 'w': width, 'h': height, 'ratio': dice.choice([1, 1, 2, 3]), 'fingers': dice.random() < 0.2},
        {'t': 'codec', 'c': dice.choice(['vp9', 'vp9', 'jpeg']), 'lists': dice.random() < 0.8},
        {'t': 'drawn', 'n': dice.randrange(1 << 20)}, {'t': 'reset'}, {'t': 'ping', 'n': 5}, {'t': 'drive'},
        {'t': 'release'}], [30, 12, 10, 8, 8, 4, 1, 1, 1, 20, 2, 3, 2, 1])[0]


def damaged(text, dice):
    data = bytearray(text.encode())
    for _ in range(dice.randrange(1, 4)):
        data[dice.randrange(len(data))] = dice.randrange(256)
    return bytes(data)


def table(dice, damage):
    rows = ''.join(','.join(f'{dice.gauss(0, 1):.4f}' for _ in range(6)) + ',1\n' for _ in range(dice.randrange(2, 400)))
    text = 'x,y,z,vx,vy,vz,mass\n' + rows
    return damaged(text, dice) if damage else text.encode()


def set_option(server, options, dice):
    option = dice.choice(options)
    values = option.get('choices') or ['on', 'off', '0', '1', '-1', '1e300', 'x', '', option['default']]
    if 'minimum' in option:
        values = values + [str(option['minimum']), str(option['maximum'])]
    body = f'name={option["name"]}&value={dice.choice(values)}'.encode()
    server.ask('POST', 'options.json', body)


def strange_request(server, dice):
    with server.connect() as connection:
        connection.settimeout(5)
        request = server.request('GET', dice.choice(['status.json', 'options', 'files.json', '', 'files/x', 'app.js']))
        if dice.random() < 0.7:
            request = damaged(request.decode('latin-1'), dice)
        connection.sendall(request)
        if dice.random() < 0.5:
            receive_all(connection)


def one_pass(server, options, seconds, dice, counts):
    browsers = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        act = dice.random()
        if len(browsers) < 3 or act < 0.01:
            browsers.append(Browser(server))
            browsers[-1].send(json.dumps({'t': 'codec', 'c': 'vp9', 'lists': True}))
            counts['browsers'] += 1
        elif act < 0.02 or len(browsers) > 6:
            browsers.pop(dice.randrange(len(browsers))).socket.close()
        elif act < 0.03:
            server.ask('PUT', f'upload/t{dice.randrange(1000)}.csv', table(dice, dice.random() < 0.5))
            counts['uploads'] += 1
        elif act < 0.05:
            set_option(server, options, dice)
            counts['options'] += 1
        elif act < 0.06:
            strange_request(server, dice)
            counts['requests'] += 1
        else:
            browser = dice.choice(browsers)
            text = json.dumps(message(dice))
            try:
                browser.send(damaged(text, dice) if dice.random() < 0.02 else text)
                counts['messages'] += 1
                alive = browser.drain()
            except OSError:
                alive = False
            if not alive:
                browsers.remove(browser)
        time.sleep(0.002)
        assert server.process.poll() is None, f'the server ended with {server.process.returncode}'
    for browser in browsers:
        browser.socket.close()


def tidy_up(server, options):
    """What is open and how it is drawn has memory too: the same after every pass."""
    # While nobody looks, the thousands of messages that wait are taken without a picture for each.
    time.sleep(20.0)
    see_the_usual_size(server).socket.close()
    for option in options:
        server.ask('POST', 'options.json', f'name={option["name"]}&value={option["default"]}'.encode())
    server.ask('PUT', 'upload/tidy.csv', table(random.Random(0), damage=False))
    browser = see_the_usual_size(server)
    browser.press('0', 'Digit0', CTRL)
    for _ in range(6):
        browser.press('Escape', 'Escape')
        time.sleep(1.0)
        browser.drain()
    browser.socket.close()


def see_the_usual_size(server):
    browser = Browser(server)
    browser.send(json.dumps({'t': 'codec', 'c': 'vp9', 'lists': True}))
    eventually('the size', lambda: browser.draws(1280, 720))
    return browser


def settled(server):
    """The memory once everybody has left, which the server notices after 10 s, and nothing changes any more."""
    time.sleep(15.0)
    before = server.memory()
    for _ in range(20):
        time.sleep(1.0)
        now = server.memory()
        if abs(now - before) < 0.2:
            break
        before = now
    return server.memory()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--orrery', type=os.path.abspath, required=True)
    parser.add_argument('--seconds', type=float, default=60.0, help='length of a pass')
    parser.add_argument('--passes', type=int, default=2)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--most', type=float, default=5.0, help='growth that is allowed in the last pass, MB')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='orrery-test-', ignore_cleanup_errors=True) as folder:
        server = Server(arguments.orrery, pathlib.Path(folder))
        options = [option for option in json.loads(server.ask('GET', 'options.json')) if option['name'] not in SLOW]
        memory = [settled(server)]
        print(f'at first: {memory[0]:.1f} MB, {server.descriptors()} descriptors', flush=True)
        try:
            for number in range(arguments.passes):
                counts = dict.fromkeys(['messages', 'browsers', 'uploads', 'options', 'requests'], 0)
                one_pass(server, options, arguments.seconds, random.Random(arguments.seed), counts)
                eventually('an answer', lambda: server.ask('GET', 'status.json'))
                tidy_up(server, options)
                memory.append(settled(server))
                print(f'after pass {number + 1}: {memory[-1]:.1f} MB ({memory[-1] - memory[-2]:+.1f}), '
                      f'{server.descriptors()} descriptors, {counts}', flush=True)
        finally:
            server.process.terminate()
            server.process.wait(PATIENCE)
    if memory[-1] - memory[-2] > arguments.most:
        sys.exit(f'the server has grown by {memory[-1] - memory[-2]:.1f} MB in the last pass')


if __name__ == '__main__':
    main()
