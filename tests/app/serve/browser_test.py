"""The window in a real browser: browser_test.py --orrery PROGRAM [--jpeg | --phone] [--keep FOLDER].

Chromium without a display opens the page of `orrery serve`: the galaxy is seen, mouse, fingers, keys, input method and
clipboard are used, a picture is downloaded, control is given away and taken, the connection breaks and comes back, the
plain form of options is filled in. With --phone the browser has the size and the fingers of a phone. Exit status 77:
something is missing, and what.
"""

import argparse
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

from patience import PATIENCE, SKIPPED, eventually

try:
    from PIL import Image, ImageChops
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
except ModuleNotFoundError as absent:
    print(f'skipped: {sys.executable} has no module {absent.name} (packages python3-pil and python3-selenium)')
    sys.exit(SKIPPED)


class Server:
    """A running `orrery serve`, with its address and token."""

    def __init__(self, program, folder, tells_widgets=False):
        self.folder = folder
        self.pictures = folder / 'pictures'
        self.pictures.mkdir()
        connection = folder / 'connection.json'
        environment = dict(os.environ, HOME=str(folder), XDG_CONFIG_HOME=str(folder / 'config'))
        if tells_widgets:
            environment['ORRERY_WIDGET_MAP'] = str(folder / 'widgets.json')
        self.log = open(folder / 'serve.log', 'w', encoding='utf-8')
        self.process = subprocess.Popen(
            [program, 'serve', 'disk', '--bodies', '4096', '--view-only', '--connection', connection,
             '--pictures', self.pictures, '--upload-limit', '2', '--upload-total', '2'],
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

    def widget(self, name):
        """Left, top, right and bottom of a widget of the panel."""
        try:
            return json.loads((self.folder / 'widgets.json').read_text()).get(name)
        except (OSError, json.JSONDecodeError):
            return None

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

    def command(self, name, **arguments):
        """A command of Chromium's DevTools."""
        return self.browser.execute_cdp_cmd(name, arguments)

    def fingers(self, kind, *points):
        self.command('Input.dispatchTouchEvent', type=kind,
                     touchPoints=[{'x': x, 'y': y, 'id': number} for number, (x, y) in enumerate(points)])

    def to_keys(self, kind, name, **members):
        """An event that no driver makes, at the field that takes the keys."""
        self.browser.execute_script(
            'const [kind, name, members] = arguments;'
            'document.getElementById("keys").dispatchEvent(new window[kind](name, {cancelable: true, ...members}))',
            kind, name, members)

    def press_with_control(self, letter):
        ActionChains(self.browser).key_down(Keys.CONTROL).send_keys(letter).key_up(Keys.CONTROL).perform()

    def clipboard(self, text=None):
        """What the clipboard holds, after `text` was put there."""
        self.browser.set_script_timeout(PATIENCE)
        return self.browser.execute_async_script(
            'const [text, done] = arguments;'
            'const put = text === null ? Promise.resolve() : navigator.clipboard.writeText(text);'
            'put.then(() => navigator.clipboard.readText()).then(done, error => done(String(error)))', text)

    def text(self, name):
        return self.browser.find_element('id', name).text

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
    keep_the_letters(page)
    frames, size = page.value('orrery.count.frames'), page.value('orrery.count.bytes')
    for step in range(20):
        page.at(60 + 5 * step, 160 + 20 * step).perform()
    eventually('the panel answers the pointer', lambda: page.value('orrery.count.frames') > frames + 3)
    frames, size = page.value('orrery.count.frames') - frames, page.value('orrery.count.bytes') - size
    assert size < 5000 * frames, f'{size} bytes for {frames} frames'


# A panel that draws texture 1 while three hundred others come.
MANY_TEXTURES = '''
const done = arguments[0];
(async () => {
  const {Panel} = await import('./panel.js');
  const panel = new Panel(document.createElement('canvas'));
  const canvas = new OffscreenCanvas(1, 1);
  canvas.getContext('2d').fillRect(0, 0, 1, 1);
  const blob = await canvas.convertToBlob();
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const commands = new Uint8Array(20);
  commands[8] = 1;
  await panel.addTexture(1, bytes, 'image/png');
  panel.draw({commands, vertices: new Uint8Array(), indices: new Uint8Array()}, 10, 10);
  for (let number = 2; number <= 300; ++number) await panel.addTexture(number, bytes, 'image/png');
  return [panel.textures.has(1), panel.textures.size];
})().then(done, error => done(String(error)));
'''


def keep_the_letters(page):
    """Textures that are drawn stay, however many pictures the gallery shows."""
    has_letters, size = page.browser.execute_async_script(MANY_TEXTURES)
    assert has_letters is True and size < 200, (has_letters, size)


def still_widget(server, name):
    """Where a widget is once it stays there: an option that was just set may still move rows."""
    def look():
        before = server.widget(name)
        time.sleep(0.5)
        return before if before and before == server.widget(name) else None

    return eventually(f'the widget {name}', look)


def move_a_slider(page, server):
    before = int(server.option('threads'))

    def drag():
        left, top, right, bottom = still_widget(server, 'threads')
        at = lambda part: (round(left + part * (right - left)), round((top + bottom) / 2))
        page.at(*at(0.1)).click_and_hold().perform()
        for part in (0.3, 0.5, 0.7):
            page.at(*at(part)).pause(0.1).perform()
        page.at(*at(0.7)).release().perform()
        time.sleep(1)
        return int(server.option('threads')) > before

    eventually('the slider moves', drag)


def type_into_the_palette(page, server):
    """Letters reach a list of the window: the palette sets the look."""
    before = server.option('look')
    page.at(700, 300).key_down(Keys.CONTROL).send_keys('p').key_up(Keys.CONTROL).perform()
    time.sleep(0.5)
    ActionChains(page.browser).send_keys('scientific').pause(0.5).send_keys(Keys.ENTER).perform()
    time.sleep(0.5)
    ActionChains(page.browser).send_keys(Keys.ESCAPE).perform()
    eventually('the look', lambda: server.option('look') != before or server.option('look') == 'scientific')


def camera(page):
    """The camera of the window: Ctrl+C copies the view."""
    page.clipboard('')
    page.press_with_control('c')
    return json.loads(eventually('the copied view', page.clipboard))['camera']


def changed_camera(page, before, member):
    """The camera once a member of it is not what it was."""
    def look():
        now = camera(page)
        return now if now[member] != before[member] else None

    return eventually(f'another {member}', look)


def gesture(page, begin, end):
    """Fingers come down one after the other, move, and leave."""
    for number in range(len(begin)):
        page.fingers('touchStart', *begin[:number + 1])
    for step in range(1, 9):
        page.fingers('touchMove', *[(x + (to_x - x) * step / 8, y + (to_y - y) * step / 8)
                                    for (x, y), (to_x, to_y) in zip(begin, end)])
    page.fingers('touchEnd')


def tap(page, x, y):
    page.fingers('touchStart', (x, y))
    page.fingers('touchEnd')


def is_near(before, after):
    return all(abs(a - b) < 1e-6 for a, b in zip(before, after))


def turn_and_zoom(page, x, y):
    """One finger at a place of the picture turns it, two move and zoom."""
    first = camera(page)
    gesture(page, [(x, y)], [(x + 110, y + 50)])
    turned = changed_camera(page, first, 'orientation_wxyz')
    assert turned['distance'] == first['distance']
    # Two fingers zoom as far as they move apart.
    gesture(page, [(x - 10, y), (x + 50, y)], [(x - 50, y), (x + 90, y)])
    nearer = turned['distance'] * 60 / 140
    eventually('two fingers zoom', lambda: abs(camera(page)['distance'] / nearer - 1) < 0.02)
    zoomed = camera(page)
    assert is_near(zoomed['orientation_wxyz'], turned['orientation_wxyz']), 'two fingers turn the camera'
    gesture(page, [(x - 10, y), (x + 50, y)], [(x + 50, y + 60), (x + 110, y + 60)])
    moved = changed_camera(page, zoomed, 'target')
    assert abs(moved['distance'] / zoomed['distance'] - 1) < 1e-3, 'fingers that stay apart alike zoom'


def use_fingers(page, server):
    page.command('Emulation.setTouchEmulationEnabled', enabled=True, maxTouchPoints=5)
    # A tap presses what is under it, wherever the pointer was before, and a finger elsewhere turns the camera at once.
    for paused in (False, True):
        tap(page, 70, 98)
        eventually('the button for pause', lambda: server.status()['paused'] == paused)
    turn_and_zoom(page, 650, 300)
    page.command('Emulation.setTouchEmulationEnabled', enabled=False)


def compose_a_word(page, server):
    """An input method: what it tries is not typed, and none of its keys is a shortcut. A keyboard on a screen deletes."""
    page.to_keys('KeyboardEvent', 'keydown', key='Process', code='Space')
    page.to_keys('KeyboardEvent', 'keydown', key='Dead', code='Space')
    page.press_with_control('p')
    page.command('Input.imeSetComposition', text='beau', selectionStart=4, selectionEnd=4)
    page.command('Input.insertText', text='beautifulx')
    page.to_keys('InputEvent', 'beforeinput', inputType='deleteContentBackward')
    ActionChains(page.browser).send_keys(Keys.ENTER, Keys.ESCAPE).perform()
    eventually('the composed word', lambda: server.option('look') == 'beautiful')
    assert server.status()['paused'], 'a key of the input method is the space bar'


def paste(page, server):
    page.clipboard('scientific')
    page.press_with_control('p')
    page.press_with_control('v')
    ActionChains(page.browser).send_keys(Keys.ENTER, Keys.ESCAPE).perform()
    eventually('the pasted word', lambda: server.option('look') == 'scientific')


def leave_by_keyboard(page):
    """The Tab key is the window's: F6 leads to the bar, and back."""
    active = 'return document.activeElement.id'
    ActionChains(page.browser).send_keys(Keys.F6).perform()
    assert page.browser.execute_script(active) == 'files', page.browser.execute_script(active)
    ActionChains(page.browser).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
    assert page.browser.execute_script(active) == 'keys', page.browser.execute_script(active)


def share_control(page, server):
    """A second browser watches, takes control, and gives it back."""
    first = page.browser.current_window_handle
    page.browser.switch_to.new_window('tab')
    second = page.browser.current_window_handle
    page.browser.get(server.address)

    def drives(window, whether):
        page.browser.switch_to.window(window)
        eventually('control', lambda: page.value('orrery.connected') and page.value('orrery.drives') == whether)

    def shown(name):
        return page.browser.find_element('id', name).is_displayed()

    eventually('pictures', lambda: page.value('orrery.count.frames > 0'))
    drives(second, False)
    eventually('the button', lambda: shown('drive') and not shown('upload'))
    page.browser.find_element('id', 'drive').click()
    drives(second, True)
    assert not shown('drive')
    drives(first, False)
    page.browser.find_element('id', 'drive').click()
    drives(first, True)
    # The address for those who watch takes nothing from a browser that drives.
    page.browser.switch_to.window(second)
    watching = server.address + '?token=' + server.facts['view_token']
    page.browser.get(watching)
    eventually('pictures', lambda: page.value('orrery.count.frames > 0'))
    eventually('the button', lambda: shown('drive'))
    page.browser.delete_all_cookies()
    page.browser.get(watching)
    eventually('pictures', lambda: page.value('orrery.count.frames > 0'))
    eventually('no control', lambda: 'watching' in page.text('state') and not shown('drive') and not shown('upload'))
    page.browser.get(server.address + '?token=' + server.facts['token'])
    page.browser.close()
    page.browser.switch_to.window(first)
    drives(first, True)


def freeze_the_server(page, server):
    """A server that answers no more is noticed, and so is its return."""
    page.browser.execute_script('Object.assign(orrery.patience, {slow: 300, lost: 1e9})')
    server.process.send_signal(signal.SIGSTOP)
    eventually('the note', lambda: 'No answer' in page.text('note'))
    page.browser.execute_script('orrery.patience.lost = 1000')
    eventually('the end of the connection', lambda: not page.value('orrery.connected'))
    page.browser.execute_script('Object.assign(orrery.patience, {slow: 1e9, lost: 1e9})')
    server.process.send_signal(signal.SIGCONT)
    eventually('the connection', lambda: page.value('orrery.connected') and page.value('orrery.drives'))
    frames = page.value('orrery.count.frames')
    eventually('pictures again', lambda: page.value('orrery.count.frames') > frames)
    eventually('no note', lambda: page.text('note') == '')


def fill_in_the_form(page, server):
    """The plain form of options, as a screen reader finds it."""
    page.browser.get(server.address + 'options')
    nodes = [node for node in page.command('Accessibility.getFullAXTree')['nodes'] if not node.get('ignored')]

    def of(node, what):
        return node.get(what, {}).get('value')

    fields = [node for node in nodes if of(node, 'role') in ('textbox', 'combobox')]
    assert len(fields) > 50, len(fields)
    for node in fields:
        assert of(node, 'name') and of(node, 'description'), f'a field without its name or meaning: {node}'
    headings = [of(node, 'name') for node in nodes if of(node, 'role') == 'heading']
    assert headings[0] == 'Options' and len(set(headings)) == len(headings), headings
    places = page.browser.execute_script(
        "return [...document.querySelectorAll('h1, h2')].map(each => getComputedStyle(each).position)")
    assert set(places) == {'static'}, 'a heading has the style of a part of the window'

    def send(value):
        field = page.browser.find_element('id', 'option-softening')
        field.clear()
        field.send_keys(value, Keys.ENTER)

    send('rubbish')
    eventually('the refusal', lambda: page.browser.find_elements('css selector', '#answer.refused'))
    assert 'rubbish' in page.text('answer') and page.browser.title.startswith('Refused')
    # The answer is where the reader was.
    field = page.browser.switch_to.active_element
    assert field.get_attribute('id') == 'option-softening', field.get_attribute('id')
    assert field.get_attribute('value') == 'rubbish' and field.get_attribute('aria-invalid') == 'true'
    send('0.07')
    eventually('the answer', lambda: page.browser.find_elements('css selector', '#answer.said'))
    assert server.option('softening') == '0.07'


def download_a_picture(page, server):
    page.at(700, 300).send_keys(Keys.F12).perform()
    eventually('the file of the server', lambda: list(server.pictures.glob('*.png')))
    eventually('the download', lambda: list(server.folder.glob('*.png')))


def upload_a_file(page, server):
    file = server.folder / 'two.csv'
    file.write_text('x,y,z,vx,vy,vz,mass\n0,0,0,0,0,0,1\n1,0,0,0,1,0,1e-3\n')
    page.browser.find_element('id', 'chosen').send_keys(str(file))
    eventually('the uploaded file', lambda: server.status().get('bodies') == 2)


def answer_the_sheet(page, server):
    """A table without names that fits several layouts: its columns are chosen in the page."""
    def click(name, done):
        def press():
            left, top, right, bottom = still_widget(server, name)
            page.at((left + right) / 2, (top + bottom) / 2).click().perform()
            time.sleep(0.5)
            return done()
        eventually(f'a click on {name}', press)

    file = server.folder / 'moons.txt'
    file.write_text('3\n1.1e11 0 0 3.4e4 1.7 4.8e24 Dione\n1.6e11 0 0 2.8e4 0 6.1e24 Rhea\n0 0 0 0 0 2.1e30 Helios\n')
    page.browser.find_element('id', 'chosen').send_keys(str(file))
    eventually('the sheet', lambda: server.widget('column-sheet'))
    click('column-5', lambda: server.widget('column-5=id'))
    click('column-5=id', lambda: not server.widget('column-5=id'))
    click('columns-open', lambda: not server.widget('column-sheet'))
    eventually('the table', lambda: server.status().get('bodies') == 3)


def refuse_uploads(page, server):
    """The page says why a file was not taken or cannot be read, and not where the server keeps it."""
    file = server.folder / 'large.csv'
    file.write_text('no table\n' * 150000)
    chosen = page.browser.find_element('id', 'chosen')
    chosen.send_keys(str(file))
    eventually('the problem', lambda: 'large.csv' in server.status().get('problem', ''))
    problem = server.status()['problem']
    assert str(server.folder) not in problem and tempfile.gettempdir() not in problem, problem
    page.browser.execute_script('document.getElementById("chosen").value = ""')
    chosen.send_keys(str(file))
    eventually('the refusal', lambda: 'no room left' in page.text('note'))


def come_from_a_file(page, server):
    """A file of this user leads to the page, as programs make one that open a browser."""
    leading = server.folder / 'leading.html'
    leading.write_text('<!doctype html><meta http-equiv="refresh" content="0; url='
                       f'{server.address}?token={server.facts["token"]}">')
    page.browser.get(leading.as_uri())
    eventually('the page', lambda: page.browser.find_elements('id', 'view'))
    page.browser.delete_all_cookies()


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


def say_farewell(page, server):
    """Ctrl+Q leaves with a page that leads back; the server goes on."""
    page.press_with_control('q')
    eventually('the farewell', lambda: page.browser.find_element('id', 'farewell').is_displayed())
    eventually('the end of the connection', lambda: not page.value('orrery.connected'))
    assert server.status()['open']
    page.browser.find_element('id', 'return').click()
    eventually('the way back', lambda: page.value('orrery.connected && orrery.drives && orrery.count.frames > 0'))


def rest(page):
    """At rest the page is sent next to nothing."""
    def bytes_a_second():
        before = page.value('orrery.count.bytes')
        time.sleep(3)
        return (page.value('orrery.count.bytes') - before) / 3

    # On a busy machine the window may have something to say meanwhile.
    eventually('rest', lambda: bytes_a_second() < 2000)


def use_all(page, server):
    """What a browser with WebCodecs does after the first pictures."""
    type_into_the_palette(page, server)
    page.command('Browser.grantPermissions', permissions=['clipboardReadWrite', 'clipboardSanitizedWrite'],
                 origin=server.address.rstrip('/'))
    compose_a_word(page, server)
    paste(page, server)
    use_fingers(page, server)
    leave_by_keyboard(page)
    download_a_picture(page, server)
    come_back(page)
    share_control(page, server)
    say_farewell(page, server)
    upload_a_file(page, server)


RATIO = 3          # pixels of a phone for each of the page's
FINGER = 44        # the least side of what a finger shall hit, in pixels of the page


class Phone:
    """A page of the size of a phone, with fingers."""

    def __init__(self, page, server):
        self.page, self.server = page, server

    def turn_to(self, width, height, ratio=RATIO, fingers=True):
        self.page.command('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=ratio,
                          mobile=fingers)
        self.page.command('Emulation.setTouchEmulationEnabled', enabled=fingers, maxTouchPoints=5)

    def has_size(self, width, height):
        eventually('the size', lambda: self.page.value(f'String(orrery.windowSize) === "{width},{height}"'))

    def box(self, name):
        """Left, top, right and bottom of a widget, in pixels of the page."""
        return [value / RATIO for value in still_widget(self.server, name)]

    def shows(self, name):
        return self.server.widget(name) is not None

    def top(self, name):
        found = self.server.widget(name) or self.server.widget('hidden:' + name)
        return found[1] / RATIO if found else None

    def tap(self, name):
        left, top, right, bottom = self.box(name)
        tap(self.page, (left + right) / 2, (top + bottom) / 2)

    def sky(self):
        """The share of the screen that is black sky. The ground of the panel is bluish."""
        image = self.page.picture()
        black = image.split()[2].point([255 if value < 10 else 0 for value in range(256)])
        return black.histogram()[255] / (image.width * image.height)


def see_the_galaxy_first(phone):
    """The panel is folded; its button unfolds it, and a cross folds it again."""
    eventually('the sky', lambda: phone.sky() > 0.75)
    assert light(phone.page.picture().crop((300, 1000, 870, 1500))) > 8, 'the galaxy is in the middle'
    assert not phone.shows('tab:run'), 'the panel is there at the beginning'
    left, top, right, bottom = phone.box('open-panel')
    assert min(right - left, bottom - top) >= FINGER and left >= 0, (left, top, right, bottom)
    phone.tap('open-panel')
    eventually('the panel', lambda: phone.shows('tab:run') and phone.sky() < 0.3)
    left, top, right, bottom = phone.box('close-panel')
    assert min(right - left, bottom - top) >= FINGER and right <= 390, (left, top, right, bottom)
    phone.tap('close-panel')
    eventually('the sky again', lambda: not phone.shows('tab:run') and phone.sky() > 0.75)


def rows_are_for_fingers(phone):
    tops = [phone.box(name)[1] for name in ('dataset', 'dataset-bodies', 'dataset-seed')]
    assert all(FINGER - 1 <= after - before <= FINGER + 8 for before, after in zip(tops, tops[1:])), tops
    for name in ('header-picture', 'tab:more', 'dataset', 'kernel'):
        left, top, right, bottom = phone.box(name)
        assert left >= 0 and right <= 390 and bottom - top > 36, (name, left, top, right, bottom)


def scroll_by_finger(phone):
    """A finger that moves up takes the rows along, wherever it came down, and presses nothing."""
    for place in ('panel:Simulation', 'dataset-bodies'):
        before, start = phone.top('panel:Simulation'), phone.box(place)
        x, y = (start[0] + start[2]) / 2, (start[1] + start[3]) / 2
        # Two fingers do nothing there.
        gesture(phone.page, [(x, y), (x + 40, y)], [(x - 60, y), (x + 70, y)])
        gesture(phone.page, [(x, y)], [(x + 4, y - 80)])
        eventually('the rows move', lambda: abs(before - 80 - phone.top('panel:Simulation')) < 2)
        gesture(phone.page, [(x, y - 80)], [(x + 4, y)])
        eventually('the rows come back', lambda: abs(before - phone.top('panel:Simulation')) < 2)
    assert phone.shows('section-open:Simulation'), 'what was dragged was pressed too'
    assert phone.server.status()['bodies'] == 4096, 'a finger that scrolls moves a slider'


def slide_and_tap(phone):
    """A finger that moves sideways slides; one that rests presses."""
    before = int(phone.server.option('threads'))
    gesture(phone.page, [(150, 700)], [(150, 400)])
    left, top, right, bottom = phone.box('threads')
    at = lambda part: (left + part * (right - left), (top + bottom) / 2)
    gesture(phone.page, [at(0.2)], [at(0.7)])
    eventually('the slider moves', lambda: int(phone.server.option('threads')) > before)
    gesture(phone.page, [(150, 400)], [(150, 750)])
    for paused in (True, False):
        phone.tap('header-pause')
        eventually('the button for pause', lambda: phone.server.status()['paused'] == paused)
    phone.tap('tab:picture')
    eventually('another tab', lambda: phone.shows('shown-tab:picture'))
    phone.tap('tab:run')
    eventually('the first tab', lambda: phone.shows('shown-tab:run'))


def scroll_the_search(phone):
    """The list of the search goes along with a finger too, and a tap chooses."""
    phone.page.browser.execute_script('document.getElementById("find").click()')
    first, later = phone.box('palette:key:Space'), phone.box('palette:key:K')
    assert later[1] > first[1]
    gesture(phone.page, [(150, 400)], [(150, 400 - 3.5 * (first[3] - first[1]))])
    eventually('the list moves', lambda: not phone.shows('palette:key:Space') and phone.box('palette:key:K')[1] < later[1])
    phone.tap('palette:key:K')
    eventually('the list closes', lambda: not phone.shows('palette'))


def hold_it_sideways(phone):
    """Low windows begin with the picture too. Their panel is beside it, and rows show below its header."""
    phone.turn_to(844, 390)
    phone.has_size(844 * RATIO, 390 * RATIO)
    eventually('the sky', lambda: not phone.shows('tab:run') and phone.sky() > 0.75)
    phone.tap('open-panel')
    assert phone.box('tab:more')[2] < 0.5 * 844
    assert phone.box('dataset-bodies')[3] < 390
    phone.tap('close-panel')
    eventually('the sky again', lambda: phone.sky() > 0.75)


def narrow_window_of_a_mouse(phone):
    """Without fingers a narrow window has the same button, and the rows of a desktop."""
    phone.turn_to(420, 700, ratio=1, fingers=False)
    phone.has_size(420, 700)
    left, top, right, bottom = still_widget(phone.server, 'open-panel')
    phone.page.at(round((left + right) / 2), round((top + bottom) / 2)).click().perform()
    eventually('the panel', lambda: phone.shows('tab:run'))
    left, top, right, bottom = still_widget(phone.server, 'kernel')
    assert right < 420 and bottom - top < 22, (left, top, right, bottom)


def use_a_phone(page, server):
    phone = Phone(page, server)
    # What a broad window shows fits an upright one too.
    page.browser.get(server.address + '?token=' + server.facts['token'])
    eventually('pictures', lambda: page.value('orrery.count.frames > 3'))
    phone.turn_to(390, 844)
    page.browser.refresh()
    page.command('Browser.grantPermissions', permissions=['clipboardReadWrite', 'clipboardSanitizedWrite'],
                 origin=server.address.rstrip('/'))
    eventually('pictures', lambda: page.value('orrery.count.frames > 3'))
    phone.has_size(390 * RATIO, 844 * RATIO)
    see_the_galaxy_first(phone)
    phone.tap('open-panel')
    rows_are_for_fingers(phone)
    scroll_by_finger(phone)
    slide_and_tap(phone)
    phone.tap('close-panel')
    turn_and_zoom(page, 190, 400)
    scroll_the_search(phone)
    hold_it_sideways(phone)
    narrow_window_of_a_mouse(phone)


def errors_of(browser):
    return [entry for entry in browser.get_log('browser') if entry['level'] == 'SEVERE']


def use_a_desktop(page, server, jpeg):
    come_from_a_file(page, server)
    page.browser.get(server.address + '?token=' + server.facts['token'])
    assert 'token' not in page.browser.current_url, 'the token stays in the address'
    if jpeg:
        page.browser.get(server.address + '?codec=jpeg&panel=picture')
    see_the_galaxy(page, server, 'jpeg' if jpeg else 'vp9')
    pause(page, server)
    turn_the_camera(page)
    rest(page)
    see_the_panel(page, server, in_lists=not jpeg)
    set_an_option(server)
    if jpeg:
        move_a_slider(page, server)
        answer_the_sheet(page, server)
    else:
        use_all(page, server)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--orrery', type=pathlib.Path, required=True)
    parser.add_argument('--jpeg', action='store_true', help='a browser without WebCodecs')
    parser.add_argument('--phone', action='store_true', help='a small browser with fingers')
    parser.add_argument('--keep', type=pathlib.Path, help='a folder for pictures of the page')
    arguments = parser.parse_args()
    way = 'phone' if arguments.phone else 'jpeg' if arguments.jpeg else 'vp9'
    for program in ('chromium', 'chromedriver'):
        if shutil.which(program) is None:
            print(f'skipped: {program} is not installed (packages chromium and chromium-driver)')
            return SKIPPED
    # Helpers of the browser write into its profile for a moment after it has ended.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name).resolve()
        server = Server(arguments.orrery.resolve(), folder, tells_widgets=way != 'vp9')
        browser = start_browser(folder)
        page = Page(browser)
        try:
            if arguments.phone:
                use_a_phone(page, server)
            else:
                use_a_desktop(page, server, arguments.jpeg)
            errors = errors_of(browser)
            assert not errors, errors
            if way == 'vp9':
                # Chromium reports refusals and broken connections as errors.
                freeze_the_server(page, server)
                refuse_uploads(page, server)
                fill_in_the_form(page, server)
        finally:
            if arguments.keep:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                browser.save_screenshot(str(arguments.keep / f'{way}.png'))
            browser.quit()
            server.end()
    return 0


if __name__ == '__main__':
    sys.exit(main())
