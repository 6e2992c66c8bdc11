"""The window in a real browser: browser_test.py --orrery PROGRAM [--jpeg] [--keep FOLDER].

Chromium without a display opens the page of `orrery serve`: the galaxy is seen, the panel is used, a drag turns the
camera, a picture is downloaded, the connection is cut and comes back. Exit status 77: something is missing, and what.
"""

import argparse
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

SKIPPED = 77
try:
    from PIL import Image, ImageChops
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
except ModuleNotFoundError as absent:
    print(f'skipped: {sys.executable} has no module {absent.name} (packages python3-pil and python3-selenium)')
    sys.exit(SKIPPED)

PATIENCE = 120


def eventually(what, done):
    """The first true result of done(); a busy machine takes long."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        result = done()
        if result:
            return result
        time.sleep(0.05)
    raise AssertionError(f'waited in vain: {what}')


class Server:
    """A running `orrery serve`, with its address and token."""

    def __init__(self, program, folder):
        self.folder = folder
        self.pictures = folder / 'pictures'
        self.pictures.mkdir()
        connection = folder / 'connection.json'
        environment = dict(os.environ, HOME=str(folder), XDG_CONFIG_HOME=str(folder / 'config'))
        self.log = open(folder / 'serve.log', 'w', encoding='utf-8')
        self.process = subprocess.Popen(
            [program, 'serve', 'disk', '--bodies', '4096', '--connection', connection, '--pictures', self.pictures],
            stdout=self.log, stderr=self.log, env=environment)
        eventually('the address', lambda: connection.exists() or self.process.poll() is not None)
        self.facts = json.loads(connection.read_text())
        assert connection.stat().st_mode & 0o077 == 0, 'others may read the token'
        self.address = f'http://localhost:{self.facts["port"]}/'

    def ask(self, path, data=None):
        request = urllib.request.Request(self.address + path, data=data,
                                         headers={'Authorization': 'Bearer ' + self.facts['token']})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.read()

    def status(self):
        return json.loads(self.ask('status.json'))

    def option(self, name):
        return next(option['value'] for option in json.loads(self.ask('options.json')) if option['name'] == name)

    def end(self):
        self.process.terminate()
        code = self.process.wait(PATIENCE)
        self.log.close()
        assert code == 143, f'the server ended with {code}: {(self.folder / "serve.log").read_text()[-2000:]}'


def start_browser(folder):
    options = webdriver.ChromeOptions()
    for argument in ('--headless=new', '--no-sandbox', '--window-size=1280,800', '--disable-gpu', '--hide-scrollbars',
                     '--disable-dev-shm-usage', f'--user-data-dir={folder / "profile"}'):
        options.add_argument(argument)
    options.binary_location = shutil.which('chromium')
    options.add_experimental_option('prefs', {'download.default_directory': str(folder)})
    options.set_capability('goog:loggingPrefs', {'browser': 'ALL'})
    return webdriver.Chrome(service=Service(shutil.which('chromedriver')), options=options)


class Page:
    """The page in the browser."""

    def __init__(self, browser):
        self.browser = browser

    def value(self, expression):
        return self.browser.execute_script(f'return window.orrery && {expression}')

    def picture(self):
        return Image.open(io.BytesIO(self.browser.get_screenshot_as_png())).convert('RGB')

    def at(self, x, y):
        """The pointer moves to a point of the page."""
        return ActionChains(self.browser, duration=20).move_to_location(x, y)


# Selenium 4.8 knows no move to a place of the page.
def move_to_location(chain, x, y):
    chain.w3c_actions.pointer_action.move_to_location(x, y)
    chain.w3c_actions.key_action.pause()
    return chain


ActionChains.move_to_location = move_to_location


def part(image):
    """What lies right of the panel and above the bar."""
    return image.crop((400, 60, image.width - 40, image.height - 120))


def light(image):
    return sum(value * count for value, count in enumerate(image.convert('L').histogram())) / (image.width * image.height)


def differs(before, after):
    return light(ImageChops.difference(before, after)) > 0.5


def see_the_galaxy(page, server, codec):
    eventually('pictures', lambda: page.value('orrery.count.frames > 3'))
    assert page.value('orrery.codec') == codec, page.value('orrery.codec')
    assert page.value('orrery.drives')
    # The window has the size of the page.
    eventually('the size', lambda: page.value('orrery.windowSize[0] === innerWidth && orrery.windowSize[1] === innerHeight'))
    eventually('light', lambda: light(part(page.picture())) > 2)
    eventually('steps', lambda: server.status().get('step', 0) > 3)


def pause(page, server):
    page.at(700, 300).send_keys(' ').perform()
    eventually('the pause', lambda: server.status()['paused'])
    # What stands still comes without loss (4: PNG).
    eventually('the still picture', lambda: page.value('orrery.kind === 4'))


def turn_the_camera(page):
    before = part(page.picture())
    page.at(700, 300).click_and_hold().perform()
    for step in range(1, 12):
        page.at(700 + 15 * step, 300 + 8 * step).perform()
    page.at(865, 388).release().perform()
    eventually('the camera turns', lambda: differs(before, part(page.picture())))


def see_the_panel(page, server, in_lists):
    """The browser draws the panel as the server would, and what the pointer does to it costs little."""
    assert page.value('orrery.lists') is in_lists
    page.at(700, 300).perform()
    rest(page)
    wanted = Image.open(io.BytesIO(server.ask('screenshot.png'))).convert('RGB')
    panel = (0, 0, 350, wanted.height - 40)
    assert light(wanted.crop(panel)) > 20, 'the panel is in a screenshot'
    difference = ImageChops.difference(wanted.crop(panel), page.picture().crop(panel)).convert('L')
    strong = sum(difference.histogram()[64:]) / (difference.width * difference.height)
    assert strong < 0.002, f'{100 * strong:.2f} % of the panel is another picture'
    if not in_lists:
        return
    frames, size = page.value('orrery.count.frames'), page.value('orrery.count.bytes')
    for step in range(20):
        page.at(60 + 5 * step, 160 + 20 * step).perform()
    eventually('the panel answers the pointer', lambda: page.value('orrery.count.frames') > frames + 3)
    frames, size = page.value('orrery.count.frames') - frames, page.value('orrery.count.bytes') - size
    assert size < 5000 * frames, f'{size} bytes for {frames} frames'


def type_into_the_palette(page, server):
    """Letters reach a list of the window: the palette sets the look."""
    before = server.option('look')
    page.at(700, 300).key_down(Keys.CONTROL).send_keys('p').key_up(Keys.CONTROL).perform()
    time.sleep(0.5)
    ActionChains(page.browser).send_keys('scientific').pause(0.5).send_keys(Keys.ENTER).perform()
    time.sleep(0.5)
    ActionChains(page.browser).send_keys(Keys.ESCAPE).perform()
    eventually('the look', lambda: server.option('look') != before or server.option('look') == 'scientific')


def download_a_picture(page, server):
    page.at(700, 300).send_keys(Keys.F12).perform()
    eventually('the file of the server', lambda: list(server.pictures.glob('*.png')))
    eventually('the download', lambda: list(server.folder.glob('*.png')))


def upload_a_file(page, server):
    file = server.folder / 'two.csv'
    file.write_text('x,y,z,vx,vy,vz,mass\n0,0,0,0,0,0,1\n1,0,0,0,1,0,1e-3\n')
    page.browser.find_element('id', 'chosen').send_keys(str(file))
    eventually('the uploaded file', lambda: server.status().get('bodies') == 2)


def set_an_option(server):
    answer = server.ask('options.json', b'name=kernel&value=simd').decode()
    assert answer.strip() == 'kernel=simd', answer
    assert b'<label for="option-kernel">' in server.ask('options')
    picture = Image.open(io.BytesIO(server.ask('screenshot.png')))
    assert picture.width >= 320


def come_back(page):
    page.browser.execute_script('orrery.cut()')
    eventually('the connection', lambda: page.value('orrery.connected'))
    frames = page.value('orrery.count.frames')
    eventually('pictures again', lambda: page.value('orrery.count.frames') > frames)


def rest(page):
    """At rest the page is sent next to nothing."""
    def bytes_a_second():
        before = page.value('orrery.count.bytes')
        time.sleep(3)
        return (page.value('orrery.count.bytes') - before) / 3

    # On a busy machine the window may have something to say meanwhile.
    eventually('rest', lambda: bytes_a_second() < 2000)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--orrery', type=pathlib.Path, required=True)
    parser.add_argument('--jpeg', action='store_true', help='a browser without WebCodecs')
    parser.add_argument('--keep', type=pathlib.Path, help='a folder for pictures of the page')
    arguments = parser.parse_args()
    for program in ('chromium', 'chromedriver'):
        if shutil.which(program) is None:
            print(f'skipped: {program} is not installed (packages chromium and chromium-driver)')
            return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        server = Server(arguments.orrery.resolve(), folder)
        browser = start_browser(folder)
        page = Page(browser)
        try:
            browser.get(server.address + '?token=' + server.facts['token'])
            assert 'token' not in browser.current_url, 'the token stays in the address'
            if arguments.jpeg:
                browser.get(server.address + '?codec=jpeg&panel=picture')
            see_the_galaxy(page, server, 'jpeg' if arguments.jpeg else 'vp9')
            pause(page, server)
            turn_the_camera(page)
            rest(page)
            see_the_panel(page, server, in_lists=not arguments.jpeg)
            set_an_option(server)
            if not arguments.jpeg:
                type_into_the_palette(page, server)
                download_a_picture(page, server)
                come_back(page)
                upload_a_file(page, server)
            errors = [entry for entry in browser.get_log('browser') if entry['level'] == 'SEVERE']
            assert not errors, errors
        finally:
            if arguments.keep:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                browser.save_screenshot(str(arguments.keep / ('jpeg.png' if arguments.jpeg else 'vp9.png')))
            browser.quit()
            server.end()
    return 0


if __name__ == '__main__':
    sys.exit(main())
