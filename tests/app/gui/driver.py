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
PATIENCE = 120.0
POLL = 0.05
SERVERS = 5


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
        # A server that closes its first connection is the machine's fault, and says nothing of the program.
        for _ in range(SERVERS):
            self.name = self.start(arguments, size)
            try:
                self.connection = x11.Connection(self.name)
                return
            except x11.NoConnection as error:
                self.stop()
                print(f'{self.name} ended with {self.process.returncode}: {error}', flush=True)
        raise Missing(f'none of {SERVERS} X servers takes a connection')

    def start(self, arguments, size):
        """The name of the display of a new server."""
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
        return f':{number}'

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)

    def set_dpi(self, dpi):
        """What a desktop sets for a display with small pixels; 96 is normal."""
        self.connection.set_root_text('RESOURCE_MANAGER', f'Xft.dpi:\t{dpi}\n')

    def close(self):
        self.connection.close()
        self.stop()


def names(state, path):
    """True if the state's dataset is the file of that name. Where it lies is no one's business."""
    file = state['dataset'].get('file', '')
    return not file.startswith('/') and pathlib.PurePath(file).name == path.name


class Program:
    """The running program: its window, where its widgets are, its pictures."""

    # The software renderer: the same pictures on every machine. On the program's own thread: others cost it half as
    # much again, and other tests need the cores.
    RENDERER = {'LIBGL_ALWAYS_SOFTWARE': '1', 'LP_NUM_THREADS': '0'}

    def __init__(self, screen, program, folder, *arguments, size='1100x900', environment=None, subcommand='view',
                 paused=False):
        """`paused`: files open as they do for a person, who runs them; otherwise they run at once."""
        self.screen, self.folder = screen, pathlib.Path(folder)
        self.work, self.pictures = self.folder / 'work', self.folder / 'pictures'
        self.configuration = self.folder / 'config'
        for each in (self.work, self.folder / 'home'):
            each.mkdir(parents=True, exist_ok=True)
        self.map_file, self.log_file = self.folder / 'widgets.json', self.folder / 'log.txt'
        self.map_file.unlink(missing_ok=True)
        self.environment = self.make_environment() | (environment or {})
        command = [str(program), subcommand, *map(str, arguments)]
        if subcommand == 'view' and not paused:
            command += ['--play']
        if subcommand == 'view':
            command += ['--pictures', str(self.pictures)]
        if size:
            command += ['--size', size]
        with open(self.log_file, 'w', encoding='utf-8') as log:
            self.process = subprocess.Popen(command, cwd=self.work, env=self.environment, stdout=log, stderr=log)
        self.window = wait_until(self.find_window, 'the window opens')
        self.frame_counter = x11.FrameCounter(screen.name, self.window)
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

    def wait_for_frames(self, count=2):
        """Until the window has been drawn so many times. The first frame may have begun before what was just sent: what
        the second shows, and the map of its widgets, come after it. A window that draws nothing is not waited for."""
        self.frame_counter.wait(count, lambda: self.process.poll() is None, PATIENCE / 3)

    def capture(self):
        """What the window shows, at least as new as the widgets and the state that were read before."""
        self.wait_for_frames(1)
        return wait_until(lambda: self.screen.connection.capture(self.window), 'the window can be seen')

    def wait_for_change(self, before, least=160):
        """Until the window looks different from `before`; the new look."""
        def changed():
            now = self.capture()
            return now if count_different(before, now) >= least else None
        return wait_until(changed, 'the picture changes')

    # Keys and mouse.

    def key(self, *names):
        """Presses keys. What they do at once, state(), widgets() and capture() show afterwards."""
        self.xdotool('key', *names)
        self.wait_for_frames()

    def press_until(self, keys, condition, what):
        """Presses keys until `condition` holds; its value. They are pressed again only after a long wait: a program that
        was slow must not take two presses for one."""
        return self.repeat_until(lambda: self.key(*keys.split()), condition, what)

    @staticmethod
    def repeat_until(action, condition, what, attempts=3):
        """Does something until `condition` holds; its value. It is done again after a wait without effect."""
        for attempt in range(1, attempts + 1):
            action()
            try:
                return wait_until(condition, what, PATIENCE * (0.5 if attempt < attempts else 1.0))
            except AssertionError:
                if attempt == attempts:
                    raise
        return None

    def type(self, text):
        self.xdotool('type', '--delay', 60, str(text))
        self.wait_for_frames()

    def point(self, x, y):
        # Not with --sync, which waits in vain where the cursor is there already.
        self.xdotool('mousemove', '--window', self.window, int(x), int(y))
        # What is below the cursor the program decides once a frame.
        self.wait_for_frames()

    def press_button(self, button=1):
        self.xdotool('mousedown', button)
        self.wait_for_frames()
        self.xdotool('mouseup', button)
        self.wait_for_frames(3)

    def turn_wheel(self, button, turns=1):
        """4 turns it up, 5 down."""
        self.xdotool('click', '--repeat', turns, '--delay', 10, button)
        self.wait_for_frames()

    def click_at(self, x, y):
        self.point(x, y)
        self.press_button()

    def drag(self, start, end):
        self.point(*start)
        self.xdotool('mousedown', 1)
        # The program asks where the cursor is when it hears of the button.
        self.wait_for_frames()
        for k in range(1, 6):
            self.point(*(a + (b - a) * k / 5 for a, b in zip(start, end)))
        self.xdotool('mouseup', 1)
        self.wait_for_frames(3)

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
            self.wait_for_frames(3)
        self.scroll_to(f'panel:{title}')
        if f'section-open:{title}' not in self.widgets():
            self.click(f'panel:{title}', lambda: f'section-open:{title}' in self.widgets(), f'the section {title} opens')

    def widget(self, name):
        """The rectangle of a widget, once it is shown and stands still."""
        def settled():
            first = self.widgets().get(name)
            if first is None:
                return None
            self.wait_for_frames(3)
            return first if first == self.widgets().get(name) else None
        return wait_until(settled, f'the widget "{name}" shows')

    def click(self, name, until, what):
        """Clicks a widget until `until()` holds; its value. A widget that moves away can be missed: after a long wait
        without effect it is clicked again, if it is there still."""
        self.widget(name)
        return self.repeat_until(lambda: name in self.widgets() and self.click_once(name), until, what)

    def click_once(self, name):
        """For what must not be clicked twice, and for what the caller clicks again."""
        x0, y0, x1, y1 = self.widget(name)
        self.click_at(min((x0 + x1) / 2, x0 + 40), (y0 + y1) / 2)

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
            self.turn_wheel(5 if away > 0 else 4, turns)
        return False

    # Less than it is: what is brought near is seen, and turned to again.
    SCROLLED_BY_A_TURN = 90

    def settled_widgets(self):
        """The map, once it stands still for some frames; as it is where something always moves."""
        shown = self.widgets()
        for _ in range(10):
            self.wait_for_frames(3)
            before, shown = shown, self.widgets()
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
            self.wait_for_frames()
            # What is there is selected. The panel takes a letter or two in a frame.
            self.type(value)
            self.wait_for_frames(len(str(value)))
            # It sees only keys that are down when a frame begins; once more does no harm.
            for _ in range(2):
                self.xdotool('keydown', 'Return')
                self.wait_for_frames()
                self.xdotool('keyup', 'Return')
                self.wait_for_frames()
            if self.state()['options'][option] == value:
                return
        raise AssertionError(f'{value} cannot be typed into "{option}"')

    # Pictures.

    def picture_files(self):
        return set(self.pictures.glob('*.png')) if self.pictures.is_dir() else set()

    def take_picture(self, keys='F12'):
        """Of the frame after all that was pressed before. The key does nothing while no bodies are shown."""
        before, pressed = self.picture_files(), 0

        def press():
            nonlocal pressed
            pressed += 1
            self.key(keys)
        self.repeat_until(press, lambda: self.picture_files() - before, 'a picture is written')
        # One that came late is the answer to a press before.
        new = wait_until(lambda: self.pictures_after(before, pressed), 'the last picture is written')
        assert len(new) <= pressed, f'one picture at a time, not {new}'
        return Picture(max(new, key=lambda path: path.stat().st_mtime_ns))

    def pictures_after(self, before, pressed):
        """All that are written after so many presses, each of which may be in vain."""
        if pressed > 1:
            self.wait_for_frames(3)
        return self.picture_files() - before

    def wait_for_picture(self, condition, what, keys='F12'):
        """Takes pictures until one is as wanted."""
        def holds():
            picture = self.take_picture(keys)
            return picture if condition(picture) else None
        return wait_until(holds, what)

    def state(self):
        """The state of the program, from a picture without the panel."""
        return self.take_picture().state

    def wait_for_state(self, condition, what, timeout=PATIENCE):
        def holds():
            state = self.state()
            return state if condition(state) else None
        return wait_until(holds, what, timeout)

    def option_is(self, name, value):
        self.wait_for_state(lambda state: state['options'][name] == value, f'{name} is {value}')

    def rest(self):
        """Until neither bodies nor camera move; a picture of that."""
        def settled():
            first = self.state()
            self.wait_for_frames(3)
            second = self.take_picture()
            return second if first == second.state else None
        return wait_until(settled, 'all stands still')

    def pause(self):
        """Space, until the last step that had begun is made too; a picture of that."""
        self.press_until('space', lambda: 'paused' in self.widgets(), 'it pauses')
        return self.rest()

    def wait_for_dataset(self):
        """Until bodies are shown: pictures can be taken from then on."""
        return self.widget('dataset')

    # The end.

    def wait_for_end(self):
        return self.process.wait(2 * PATIENCE)

    def quit(self):
        self.focus()
        self.key('ctrl+q')
        status = self.wait_for_end()
        assert status == 0, f'status {status} after Ctrl+Q:\n{self.log()}'

    def end(self):
        """Whatever happened before."""
        self.frame_counter.close()
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
