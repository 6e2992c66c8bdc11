"""A display of one's own and the real program on it, driven by mouse and keys."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import x11
from picture import Picture, count_different

# Long enough for a loaded machine; a condition that holds ends the wait at once.
PATIENCE = 45.0
POLL = 0.05


class Missing(Exception):
    """Something that the tests need is not installed."""


def wait_until(condition, what, timeout=PATIENCE):
    """The first true value of `condition()`. Fails with `what` when it does not come."""
    deadline = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f'waited {timeout:.0f} s in vain until {what}')
        time.sleep(POLL)


def places(widgets):
    """Where the widgets of the panel stand, but for those that come and go by themselves."""
    own = ('toast', 'header-', 'switch-', 'kernel-spread')
    return {name: box for name, box in widgets.items() if not name.startswith(own)}


class Screen:
    """An Xvfb on a free display number. `arguments`: more for Xvfb."""

    def __init__(self, *arguments, size='1400x1000'):
        for program in ('Xvfb', 'xdotool'):
            if shutil.which(program) is None:
                raise Missing(f'{program} is not installed')
        read_end, write_end = os.pipe()
        self.process = subprocess.Popen(
            # Without auto-repeat (-r): a busy machine may hold a key down for long between press and release.
            ['Xvfb', '-displayfd', str(write_end), '-screen', '0', f'{size}x24', '-r', '-nolisten', 'tcp', *arguments],
            pass_fds=[write_end], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write_end)
        with os.fdopen(read_end) as numbers:
            number = numbers.readline().strip()
        if not number:
            raise Missing('Xvfb does not start here')
        self.name = f':{number}'
        self.connection = x11.Connection(self.name)

    def set_dpi(self, dpi):
        """What a desktop sets for a display with small pixels; 96 is normal."""
        self.connection.set_root_text('RESOURCE_MANAGER', f'Xft.dpi:\t{dpi}\n')

    def close(self):
        self.connection.close()
        self.process.terminate()
        self.process.wait(PATIENCE)


def names(state, path):
    """True if the state's dataset is the file of that name. Where it lies is no one's business."""
    file = state['dataset'].get('file', '')
    return not file.startswith('/') and pathlib.PurePath(file).name == path.name


class Program:
    """The running program: its window, where its widgets are, its pictures."""

    # The software renderer: the same pictures on every machine. On the program's own thread: others cost it half as
    # much again, and other tests need the processors.
    RENDERER = {'LIBGL_ALWAYS_SOFTWARE': '1', 'LP_NUM_THREADS': '0'}

    def __init__(self, screen, program, folder, *arguments, size='1100x900', environment=None, subcommand='view'):
        self.screen, self.folder = screen, pathlib.Path(folder)
        self.work, self.pictures = self.folder / 'work', self.folder / 'pictures'
        self.configuration = self.folder / 'config'
        for each in (self.work, self.folder / 'home'):
            each.mkdir(parents=True, exist_ok=True)
        self.map_file, self.log_file = self.folder / 'widgets.json', self.folder / 'log.txt'
        self.map_file.unlink(missing_ok=True)
        self.environment = self.make_environment() | (environment or {})
        command = [str(program), subcommand, *map(str, arguments)]
        if subcommand == 'view':
            command += ['--pictures', str(self.pictures)]
        if size:
            command += ['--size', size]
        with open(self.log_file, 'w', encoding='utf-8') as log:
            self.process = subprocess.Popen(command, cwd=self.work, env=self.environment, stdout=log, stderr=log)
        self.window = wait_until(self.find_window, 'the window opens')
        self.focus()

    def make_environment(self):
        keep = {k: v for k, v in os.environ.items() if not k.startswith(('XDG_', 'WAYLAND'))}
        return keep | self.RENDERER | {
            'DISPLAY': self.screen.name, 'HOME': str(self.folder / 'home'),
            'XDG_CONFIG_HOME': str(self.configuration), 'ORRERY_WIDGET_MAP': str(self.map_file)}

    def log(self):
        return self.log_file.read_text(encoding='utf-8')

    # The window.

    def xdotool(self, *arguments):
        result = subprocess.run(['xdotool', *map(str, arguments)], env=self.environment, capture_output=True,
                                text=True, timeout=PATIENCE, check=False)
        return result.stdout if result.returncode == 0 else ''

    def find_window(self):
        if self.process.poll() is not None:
            raise AssertionError(f'the program ended with status {self.process.returncode}:\n{self.log()}')
        found = self.xdotool('search', '--all', '--onlyvisible', '--pid', self.process.pid, '--name', '^Orrery').split()
        return int(found[0]) if found else None

    def focus(self):
        """There is no window manager to do it."""
        self.xdotool('windowfocus', '--sync', self.window)

    def size(self):
        return self.screen.connection.size(self.window)

    def resize(self, width, height):
        self.xdotool('windowsize', self.window, width, height)
        wait_until(lambda: self.size() == (width, height), f'the window is {width}x{height}')

    def capture(self):
        return wait_until(lambda: self.screen.connection.capture(self.window), 'the window can be seen')

    def wait_for_change(self, before, least=160):
        """Until the window looks different from `before`; the new look."""
        def changed():
            now = self.capture()
            return now if count_different(before, now) >= least else None
        return wait_until(changed, 'the picture changes')

    # Keys and mouse.

    def key(self, *names):
        self.xdotool('key', *names)

    def point(self, x, y):
        # Not with --sync, which waits in vain where the cursor is there already.
        self.xdotool('mousemove', '--window', self.window, int(x), int(y))
        # The panel looks where the cursor is only once a frame.
        time.sleep(2 * POLL)

    def press_button(self, button=1):
        self.xdotool('mousedown', button)
        time.sleep(2 * POLL)
        self.xdotool('mouseup', button)

    def click_at(self, x, y):
        self.point(x, y)
        self.press_button()

    def drag(self, start, end):
        self.point(*start)
        self.xdotool('mousedown', 1)
        for k in range(1, 6):
            self.point(*(a + (b - a) * k / 5 for a, b in zip(start, end)))
        self.xdotool('mouseup', 1)

    def drop(self, *paths):
        self.screen.connection.drop(self.window, paths)

    # Widgets.

    def widgets(self):
        try:
            return json.loads(self.map_file.read_text(encoding='utf-8'))
        except (FileNotFoundError, json.JSONDecodeError):
            return {}

    def panel_shows(self):
        return 'tab:run' in self.widgets()

    def show_tab(self, tab):
        """One of run, measure, picture, more."""
        if tab == self.shown_tab():
            return
        self.click(f'tab:{tab}', lambda: tab == self.shown_tab(), f'the tab {tab} shows')

    TABS = ('run', 'measure', 'picture', 'more')

    def shown_tab(self):
        shown = self.widgets()
        return next((tab for tab in self.TABS if f'shown-tab:{tab}' in shown), None)

    def show_section(self, title):
        """Goes to the tab with this section, and opens it."""
        for tab in self.TABS:
            if f'panel:{title}' in self.widgets():
                break
            self.show_tab(tab)
            time.sleep(6 * POLL)
        self.scroll_to(f'panel:{title}')
        if f'section-open:{title}' not in self.widgets():
            self.click(f'panel:{title}', lambda: f'section-open:{title}' in self.widgets(), f'the section {title} opens')

    def widget(self, name):
        """The rectangle of a widget, once it is shown and stands still."""
        def settled():
            first = self.widgets().get(name)
            time.sleep(3 * POLL)
            return first if first is not None and first == self.widgets().get(name) else None
        return wait_until(settled, f'the widget "{name}" shows')

    def click(self, name, until=None, what=''):
        """Clicks a widget, again if `until` does not hold after a while: a slow frame can miss a click."""
        for attempt in range(4):
            x0, y0, x1, y1 = self.widget(name)
            self.click_at(min((x0 + x1) / 2, x0 + 40), (y0 + y1) / 2)
            if until is None:
                return None
            try:
                return wait_until(until, what or f'the click on "{name}" does something', PATIENCE * (attempt + 1) / 10)
            except AssertionError:
                if attempt == 3:
                    raise
        return None

    def choose(self, option, value):
        """Chooses from a list with the mouse. A list that opens in a slow frame can be clicked beside."""
        entry = f'{option}={value}'
        for _ in range(4):
            self.click(option, lambda: entry in self.widgets(), f'the list of "{option}" opens')
            self.click(entry, lambda: entry not in self.widgets(), f'the list of "{option}" closes')
            if self.state()['options'][option] == value:
                return
        raise AssertionError(f'"{value}" cannot be chosen from the list of "{option}"')

    def scroll_to(self, name):
        """Turns the wheel over the panel until a widget of it shows, first down, then up; then on the other tabs."""
        shown = self.shown_tab()
        for tab in sorted(self.TABS, key=lambda each: each != shown):
            self.show_tab(tab)
            if self.scroll_within_tab(name):
                return
        raise AssertionError(f'the panel does not scroll to "{name}"')

    def scroll_within_tab(self, name):
        """True if the widget can be brought into view: the map has those too that are scrolled out of it."""
        for _ in range(40):
            shown, height = self.settled_widgets(), self.size()[1]
            x0, y0, x1, y1 = shown.get(name, (0, 0, 0, 0))
            # Above it are the header and the tabs.
            top = shown.get(f'tab:{self.TABS[0]}', (0, 0, 0, 40))[3]
            if y1 > y0 > top and y1 < height - 12:
                return True
            if f'hidden:{name}' not in shown and y1 <= y0:
                return False
            if y1 <= y0:
                x0, y0, x1, y1 = shown[f'hidden:{name}']
            away = (y0 + y1) / 2 - height / 2
            self.point(120, height / 2)
            turns = max(1, min(20, int(abs(away) / self.SCROLLED_BY_A_TURN)))
            self.xdotool('click', '--repeat', turns, '--delay', 10, '5' if away > 0 else '4')
        return False

    # Less than it is: what is brought near is seen, and turned to again.
    SCROLLED_BY_A_TURN = 90

    def settled_widgets(self):
        """The map, once it stands still for longer than a slow frame takes."""
        deadline = time.monotonic() + 2.0
        shown = self.widgets()
        while time.monotonic() < deadline:
            before, shown = shown, (time.sleep(4 * POLL), self.widgets())[1]
            if shown and places(before) == places(shown):
                break
        return shown

    def type_value(self, option, value):
        """Ctrl+click into a slider and a number, as the help says."""
        for _ in range(4):
            self.scroll_to(option)
            x0, y0, x1, y1 = self.widget(option)
            self.point(min((x0 + x1) / 2, x0 + 40), (y0 + y1) / 2)
            self.xdotool('keydown', 'ctrl')
            self.press_button()
            self.xdotool('keyup', 'ctrl')
            time.sleep(4 * POLL)
            # What is there is selected.
            self.xdotool('type', '--delay', 60, str(value))
            # The panel sees only keys that are down when a frame begins; once more does no harm.
            for _ in range(3):
                self.xdotool('keydown', 'Return')
                time.sleep(4 * POLL)
                self.xdotool('keyup', 'Return')
                time.sleep(2 * POLL)
            if self.state()['options'][option] == value:
                return
        raise AssertionError(f'{value} cannot be typed into "{option}"')

    # Pictures.

    def picture_files(self):
        return set(self.pictures.glob('*.png')) if self.pictures.is_dir() else set()

    def take_picture(self, keys='ctrl+F12'):
        before = self.picture_files()
        for attempt in range(1, 5):
            # A slow frame can miss a key.
            self.key(keys)
            try:
                new = wait_until(lambda: self.picture_files() - before, 'a picture is written', PATIENCE * attempt / 4)
                break
            except AssertionError:
                if attempt == 4:
                    raise
        assert len(new) == 1, f'one picture at a time, not {new}'
        return Picture(new.pop())

    def state(self):
        """The state of the program, from a picture without the panel."""
        return self.take_picture().state

    def wait_for_state(self, condition, what, timeout=PATIENCE):
        def holds():
            state = self.state()
            return state if condition(state) else None
        return wait_until(holds, what, timeout)

    def wait_for_dataset(self):
        """Until bodies are shown: pictures can be taken from then on."""
        return self.widget('dataset')

    # The end.

    def wait_for_end(self):
        return self.process.wait(PATIENCE)

    def quit(self):
        self.focus()
        self.key('ctrl+q')
        status = self.wait_for_end()
        assert status == 0, f'status {status} after Ctrl+Q:\n{self.log()}'

    def end(self):
        """Whatever happened before."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class GpuProgram(Program):
    """The same, drawn by the NVIDIA GPU. Needs its driver's GLX, or its EGL."""

    RENDERER = {'__GLX_VENDOR_LIBRARY_NAME': 'nvidia'}
