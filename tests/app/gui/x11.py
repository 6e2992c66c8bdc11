"""What the tests ask of an X display: frames and pictures of a window, closing it, dropping files on it (XDND)."""

import pathlib
import select
import time

from PIL import Image
from Xlib import X, Xatom, display, error
from Xlib.ext import damage
from Xlib.protocol import event

# What a display says that cannot be reached, and one that closes while it is greeted.
NoConnection = (error.DisplayError, error.ConnectionClosedError, OSError)


class Connection:
    """A connection to an X display, as a second program would have it."""

    def __init__(self, name):
        self.display = display.Display(name)
        self.root = self.display.screen().root

    def close(self):
        self.display.close()

    def atom(self, name):
        return self.display.intern_atom(name)

    def window(self, number):
        """The window of another program, by its number."""
        return self.display.create_resource_object('window', number)

    def set_root_text(self, name, text):
        """Sets a text property of the root window."""
        self.root.change_property(self.atom(name), Xatom.STRING, 8, text.encode())
        self.display.sync()

    def size(self, number):
        """None if the window is gone."""
        try:
            geometry = self.window(number).get_geometry()
        except error.XError:
            return None
        return geometry.width, geometry.height

    def capture(self, number):
        """What the window shows now, as a picture; None if it cannot be had."""
        size = self.size(number)
        try:
            image = size and self.window(number).get_image(0, 0, *size, X.ZPixmap, 0xFFFFFFFF)
        except error.XError:
            return None
        return image and Image.frombytes('RGB', size, image.data, 'raw', 'BGRX')

    def send(self, number, message, data):
        window = self.window(number)
        window.send_event(event.ClientMessage(window=window, client_type=self.atom(message), data=(32, data)))
        self.display.flush()

    def ask_to_close(self, number):
        """What a window manager sends when its close button is pressed."""
        self.send(number, 'WM_PROTOCOLS', [self.atom('WM_DELETE_WINDOW'), 0, 0, 0, 0])

    def drop(self, number, paths, at=(200, 200), timeout=20.0):
        """Drops files on the window by the XDND protocol, as a file manager does."""
        XdndSource(self, number).drop(paths, at, timeout)


class FrameCounter:
    """Waits for frames of a window of another program: the DAMAGE extension tells each time that something is drawn."""

    def __init__(self, name, number):
        # A connection of its own: its events do not mix with those of others.
        self.display = display.Display(name)
        # The window may be gone at any time.
        self.display.set_error_handler(lambda *_: None)
        self.display.damage_query_version()
        self.damage = self.display.create_resource_object('window', number).damage_create(damage.DamageReportNonEmpty)
        self.drawn = self.display.extension_event.DamageNotify

    def close(self):
        try:
            self.display.close()
        except (error.ConnectionClosedError, OSError):
            pass  # the server has ended

    def wait(self, count, goes_on, timeout):
        """Until the window has been drawn so many times from now on, `goes_on()` is false, or the time is over."""
        deadline = time.monotonic() + timeout
        self.forget()
        while count > 0 and goes_on() and time.monotonic() < deadline:
            if not self.display.pending_events():
                select.select([self.display], [], [], 0.05)
            elif self.display.next_event().type == self.drawn:
                count -= 1
                self.arm()

    def forget(self):
        """What was drawn until now counts no more."""
        self.arm()
        while self.display.pending_events():
            self.display.next_event()
            self.arm()

    def arm(self):
        """The next drawing is told."""
        self.display.damage_subtract(self.damage)
        self.display.sync()


class XdndSource:
    """The dragging side of the XDND protocol, version 5."""

    def __init__(self, connection, target):
        self.connection, self.target = connection, target
        self.window = connection.root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        self.uris = b''

    def drop(self, paths, at, timeout):
        self.uris = ''.join(pathlib.Path(p).absolute().as_uri() + '\r\n' for p in paths).encode()
        deadline = time.monotonic() + timeout
        atom = self.connection.atom
        self.window.set_selection_owner(atom('XdndSelection'), X.CurrentTime)
        self.send('XdndEnter', [5 << 24, atom('text/uri-list'), 0, 0])
        self.send('XdndPosition', [0, at[0] << 16 | at[1], 0, atom('XdndActionCopy')])
        if not self.wait_for('XdndStatus', deadline)[1] & 1:
            raise AssertionError('the window does not accept dropped files')
        self.send('XdndDrop', [0, 0, 0, 0])
        finished = self.wait_for('XdndFinished', deadline)
        self.window.destroy()
        self.connection.display.flush()
        # By the protocol bit 0; GLFW puts the number of bytes there.
        if not finished[1]:
            raise AssertionError('the window did not take the dropped files')

    def send(self, message, data):
        self.connection.send(self.target, message, [self.window.id, *data])

    def wait_for(self, message, deadline):
        """Answers requests for the file names until the named message comes; its data."""
        wanted = self.connection.atom(message)
        while time.monotonic() < deadline:
            if not self.connection.display.pending_events():
                time.sleep(0.01)
                continue
            came = self.connection.display.next_event()
            if came.type == X.SelectionRequest:
                self.answer(came)
            elif came.type == X.ClientMessage and came.client_type == wanted:
                return came.data[1]
        raise AssertionError(f'no {message} within the time allowed')

    def answer(self, request):
        request.requestor.change_property(request.property, request.target, 8, self.uris)
        request.requestor.send_event(event.SelectionNotify(
            time=request.time, requestor=request.requestor, selection=request.selection, target=request.target,
            property=request.property))
        self.connection.display.flush()
