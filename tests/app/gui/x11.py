"""The little of Xlib that the tests need: pictures of a window, closing it, dropping files on it (XDND)."""

import ctypes
import ctypes.util
import pathlib
import time

Atom = Window = Time = ctypes.c_ulong

CLIENT_MESSAGE, SELECTION_REQUEST, SELECTION_NOTIFY = 33, 30, 31
Z_PIXMAP, ALL_PLANES, PROP_MODE_REPLACE, XA_STRING = 2, ctypes.c_ulong(-1).value, 0, 31


class ClientMessage(ctypes.Structure):
    _fields_ = [('type', ctypes.c_int), ('serial', ctypes.c_ulong), ('send_event', ctypes.c_int),
                ('display', ctypes.c_void_p), ('window', Window), ('message_type', Atom), ('format', ctypes.c_int),
                ('data', ctypes.c_long * 5)]


class SelectionRequest(ctypes.Structure):
    _fields_ = [('type', ctypes.c_int), ('serial', ctypes.c_ulong), ('send_event', ctypes.c_int),
                ('display', ctypes.c_void_p), ('owner', Window), ('requestor', Window), ('selection', Atom),
                ('target', Atom), ('property', Atom), ('time', Time)]


class Selection(ctypes.Structure):
    _fields_ = [('type', ctypes.c_int), ('serial', ctypes.c_ulong), ('send_event', ctypes.c_int),
                ('display', ctypes.c_void_p), ('requestor', Window), ('selection', Atom), ('target', Atom),
                ('property', Atom), ('time', Time)]


class Event(ctypes.Union):
    _fields_ = [('type', ctypes.c_int), ('client', ClientMessage), ('request', SelectionRequest),
                ('selection', Selection), ('pad', ctypes.c_long * 24)]


class Image(ctypes.Structure):
    """The public head of an XImage."""
    _fields_ = [('width', ctypes.c_int), ('height', ctypes.c_int), ('xoffset', ctypes.c_int),
                ('format', ctypes.c_int), ('data', ctypes.c_void_p), ('byte_order', ctypes.c_int),
                ('bitmap_unit', ctypes.c_int), ('bitmap_bit_order', ctypes.c_int), ('bitmap_pad', ctypes.c_int),
                ('depth', ctypes.c_int), ('bytes_per_line', ctypes.c_int), ('bits_per_pixel', ctypes.c_int)]


def load_xlib():
    name = ctypes.util.find_library('X11') or 'libX11.so.6'
    lib = ctypes.CDLL(name)
    signatures = {
        'XOpenDisplay': (ctypes.c_void_p, [ctypes.c_char_p]),
        'XCloseDisplay': (ctypes.c_int, [ctypes.c_void_p]),
        'XDefaultRootWindow': (Window, [ctypes.c_void_p]),
        'XInternAtom': (Atom, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]),
        'XGetAtomName': (ctypes.c_char_p, [ctypes.c_void_p, Atom]),
        'XCreateSimpleWindow': (Window, [ctypes.c_void_p, Window] + [ctypes.c_int] * 2 + [ctypes.c_uint] * 3 +
                                [ctypes.c_ulong] * 2),
        'XDestroyWindow': (ctypes.c_int, [ctypes.c_void_p, Window]),
        'XSetSelectionOwner': (ctypes.c_int, [ctypes.c_void_p, Atom, Window, Time]),
        'XSendEvent': (ctypes.c_int, [ctypes.c_void_p, Window, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]),
        'XChangeProperty': (ctypes.c_int, [ctypes.c_void_p, Window, Atom, Atom, ctypes.c_int, ctypes.c_int,
                                           ctypes.c_char_p, ctypes.c_int]),
        'XNextEvent': (ctypes.c_int, [ctypes.c_void_p, ctypes.c_void_p]),
        'XPending': (ctypes.c_int, [ctypes.c_void_p]),
        'XFlush': (ctypes.c_int, [ctypes.c_void_p]),
        'XSync': (ctypes.c_int, [ctypes.c_void_p, ctypes.c_int]),
        'XSetErrorHandler': (ctypes.c_void_p, [ctypes.c_void_p]),
        'XGetImage': (ctypes.POINTER(Image), [ctypes.c_void_p, Window, ctypes.c_int, ctypes.c_int, ctypes.c_uint,
                                              ctypes.c_uint, ctypes.c_ulong, ctypes.c_int]),
        'XDestroyImage': (ctypes.c_int, [ctypes.POINTER(Image)]),
        'XGetGeometry': (ctypes.c_int, [ctypes.c_void_p, Window, ctypes.POINTER(Window)] +
                         [ctypes.POINTER(ctypes.c_int)] * 2 + [ctypes.POINTER(ctypes.c_uint)] * 4),
    }
    for function, (result, arguments) in signatures.items():
        getattr(lib, function).restype = result
        getattr(lib, function).argtypes = arguments
    return lib


class Pixels:
    """A picture: `at(x, y)` gives (red, green, blue)."""

    def __init__(self, width, height, row_bytes, pixel_bytes, order, data):
        self.width, self.height = width, height
        self.row_bytes, self.pixel_bytes, self.order, self.data = row_bytes, pixel_bytes, order, data

    def at(self, x, y):
        start = y * self.row_bytes + x * self.pixel_bytes
        return tuple(self.data[start + k] for k in self.order)

    def box(self, x0, y0, x1, y1):
        """All pixels of a rectangle, cut at the picture's edges."""
        for y in range(max(0, int(y0)), min(self.height, int(y1))):
            for x in range(max(0, int(x0)), min(self.width, int(x1))):
                yield self.at(x, y)

    def rows(self, x0=0, y0=0, x1=1 << 20, y1=1 << 20):
        """The bytes of each row of a rectangle."""
        x0, x1 = max(0, int(x0)), min(self.width, int(x1))
        for y in range(max(0, int(y0)), min(self.height, int(y1))):
            start = y * self.row_bytes
            yield self.data[start + x0 * self.pixel_bytes:start + x1 * self.pixel_bytes]

    def lit(self, x0=0, y0=0, x1=1 << 20, y1=1 << 20, least=48):
        """How many pixels of a rectangle are brighter than `least` in their brightest channel, about."""
        dark = bytes(range(least + 1))
        rows = list(self.rows(x0, y0, x1, y1))
        return max(sum(len(row[channel::self.pixel_bytes].translate(None, dark)) for row in rows)
                   for channel in self.order)


class Connection:
    """A connection to an X display, as a second program would have it."""

    def __init__(self, display):
        self.lib = load_xlib()
        self.display = self.lib.XOpenDisplay(display.encode())
        if not self.display:
            raise RuntimeError(f'cannot connect to display {display}')
        # A window that goes away between two calls is no reason to end the test program.
        handler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda *_: 0)
        self.keep_alive = handler
        self.lib.XSetErrorHandler(ctypes.cast(handler, ctypes.c_void_p))

    def close(self):
        self.lib.XCloseDisplay(self.display)

    def atom(self, name):
        return self.lib.XInternAtom(self.display, name.encode(), 0)

    def set_root_text(self, name, text):
        """Sets a text property of the root window."""
        root, data = self.lib.XDefaultRootWindow(self.display), text.encode()
        self.lib.XChangeProperty(self.display, root, self.atom(name), XA_STRING, 8, PROP_MODE_REPLACE, data, len(data))
        self.lib.XSync(self.display, 0)

    def size(self, window):
        root, x, y = Window(), ctypes.c_int(), ctypes.c_int()
        width, height, border, depth = (ctypes.c_uint() for _ in range(4))
        if not self.lib.XGetGeometry(self.display, window, root, x, y, width, height, border, depth):
            return None
        return width.value, height.value

    def capture(self, window):
        """What the window shows now, as Pixels; None if it cannot be had."""
        size = self.size(window)
        if size is None:
            return None
        image = self.lib.XGetImage(self.display, window, 0, 0, *size, ALL_PLANES, Z_PIXMAP)
        if not image:
            return None
        head = image.contents
        data = ctypes.string_at(head.data, head.bytes_per_line * head.height)
        pixels = Pixels(head.width, head.height, head.bytes_per_line, head.bits_per_pixel // 8,
                        (2, 1, 0) if head.byte_order == 0 else (1, 2, 3), data)
        self.lib.XDestroyImage(image)
        return pixels

    def send(self, window, message, data):
        event = Event()
        event.client = ClientMessage(type=CLIENT_MESSAGE, window=window, message_type=self.atom(message), format=32,
                                     data=(ctypes.c_long * 5)(*data))
        self.lib.XSendEvent(self.display, window, 0, 0, ctypes.byref(event))
        self.lib.XFlush(self.display)

    def ask_to_close(self, window):
        """What a window manager sends when its close button is pressed."""
        self.send(window, 'WM_PROTOCOLS', [self.atom('WM_DELETE_WINDOW'), 0, 0, 0, 0])

    def drop(self, window, paths, at=(200, 200), timeout=20.0):
        """Drops files on the window by the XDND protocol, as a file manager does."""
        XdndSource(self, window).drop(paths, at, timeout)


class XdndSource:
    """The dragging side of the XDND protocol, version 5."""

    def __init__(self, connection, target):
        self.connection, self.lib, self.display = connection, connection.lib, connection.display
        self.target = target
        root = self.lib.XDefaultRootWindow(self.display)
        self.window = self.lib.XCreateSimpleWindow(self.display, root, 0, 0, 1, 1, 0, 0, 0)
        self.uris = b''

    def drop(self, paths, at, timeout):
        self.uris = ''.join(pathlib.Path(p).absolute().as_uri() + '\r\n' for p in paths).encode()
        deadline = time.monotonic() + timeout
        atom = self.connection.atom
        self.lib.XSetSelectionOwner(self.display, atom('XdndSelection'), self.window, 0)
        self.send('XdndEnter', [5 << 24, atom('text/uri-list'), 0, 0])
        self.send('XdndPosition', [0, at[0] << 16 | at[1], 0, atom('XdndActionCopy')])
        accepted = self.wait_for('XdndStatus', deadline)
        if not accepted.data[1] & 1:
            raise AssertionError('the window does not accept dropped files')
        self.send('XdndDrop', [0, 0, 0, 0])
        finished = self.wait_for('XdndFinished', deadline)
        self.lib.XDestroyWindow(self.display, self.window)
        self.lib.XFlush(self.display)
        # By the protocol bit 0; GLFW puts the number of bytes there.
        if not finished.data[1]:
            raise AssertionError('the window did not take the dropped files')

    def send(self, message, data):
        self.connection.send(self.target, message, [self.window, *data])

    def wait_for(self, message, deadline):
        """Answers requests for the file names until the named message comes."""
        wanted = self.connection.atom(message)
        while time.monotonic() < deadline:
            if not self.lib.XPending(self.display):
                time.sleep(0.01)
                continue
            event = Event()
            self.lib.XNextEvent(self.display, ctypes.byref(event))
            if event.type == SELECTION_REQUEST:
                self.answer(event.request)
            elif event.type == CLIENT_MESSAGE and event.client.message_type == wanted:
                return event.client
        raise AssertionError(f'no {message} within the time allowed')

    def answer(self, request):
        self.lib.XChangeProperty(self.display, request.requestor, request.property, request.target, 8,
                                 PROP_MODE_REPLACE, self.uris, len(self.uris))
        event = Event()
        event.selection = Selection(type=SELECTION_NOTIFY, requestor=request.requestor, selection=request.selection,
                                    target=request.target, property=request.property, time=request.time)
        self.lib.XSendEvent(self.display, request.requestor, 0, 0, ctypes.byref(event))
        self.lib.XFlush(self.display)


