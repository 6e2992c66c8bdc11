// Mouse, touch, keyboard, clipboard: what a person does, as messages for the server.

const SHIFT = 1, CONTROL = 2, ALT = 4, SUPER = 8;
const BUTTONS = [0, 2, 1, 3, 4];     // of the browser: left, middle, right; of the window: left, right, middle
const NOTCH = 100;                   // pixels of a wheel's notch

function modifiers(event) {
  return (event.shiftKey ? SHIFT : 0) | (event.ctrlKey ? CONTROL : 0) | (event.altKey ? ALT : 0) | (event.metaKey ? SUPER : 0);
}

// A point of the page in pixels of the server's window, which is shown as large as fits.
export function toWindow(point, box, size) {
  const factor = Math.min(box.width / size[0], box.height / size[1]) || 1;
  const left = box.left + (box.width - factor * size[0]) / 2, top = box.top + (box.height - factor * size[1]) / 2;
  return {x: (point.clientX - left) / factor, y: (point.clientY - top) / factor};
}

export function watchInput(canvas, keys, send, windowSize) {
  const place = event => toWindow(event, canvas.getBoundingClientRect(), windowSize());
  watchPointer(canvas, keys, send, place);
  watchKeys(keys, send);
  addEventListener('blur', () => send({t: 'release'}));
}

function watchPointer(canvas, keys, send, place) {
  const fingers = new Map();
  let pinch = null;
  canvas.addEventListener('pointerdown', event => {
    event.preventDefault();
    if (event.pointerType !== 'touch') keys.focus({preventScroll: true});
    try { canvas.setPointerCapture(event.pointerId); } catch { /* a pointer that is gone already */ }
    if (event.pointerType === 'touch') {
      fingers.set(event.pointerId, event);
      if (fingers.size === 2) {
        send({t: 'button', b: 0, down: false, ...place(event), m: 0});
        pinch = gesture(fingers);
        send({t: 'button', b: 1, down: true, ...place(pinch), m: 0});
        return;
      }
      if (fingers.size > 2) return;
    }
    send({t: 'button', b: BUTTONS[event.button] ?? 0, down: true, ...place(event), m: modifiers(event)});
  });
  canvas.addEventListener('pointermove', event => {
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event);
    if (pinch && fingers.size === 2) {
      const now = gesture(fingers);
      send({t: 'move', ...place(now)});
      send({t: 'wheel', x: 0, y: Math.log(now.apart / pinch.apart) / Math.log(1.1)});
      pinch = now;
      return;
    }
    if (event.pointerType === 'touch' && !fingers.has(event.pointerId)) return;
    send({t: 'move', ...place(event)});
  });
  const up = event => {
    if (event.pointerType === 'touch') {
      fingers.delete(event.pointerId);
      if (pinch) {
        if (fingers.size < 2) {
          send({t: 'button', b: 1, down: false, ...place(event), m: 0});
          pinch = null;
        }
        return;
      }
    }
    send({t: 'button', b: BUTTONS[event.button] ?? 0, down: false, ...place(event), m: modifiers(event)});
  };
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('contextmenu', event => event.preventDefault());
  canvas.addEventListener('wheel', event => {
    event.preventDefault();
    const unit = event.deltaMode === 0 ? NOTCH : 3;
    send({t: 'wheel', x: -event.deltaX / unit, y: -event.deltaY / unit});
  }, {passive: false});
}

// The middle of two fingers, and how far they are apart.
function gesture(fingers) {
  const [a, b] = [...fingers.values()];
  return {clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2,
    apart: Math.max(Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), 10)};
}

function watchKeys(keys, send) {
  const key = (event, down) => send({t: 'key', key: event.key.slice(0, 32), code: event.code.slice(0, 32), down,
    repeat: event.repeat, m: modifiers(event)});
  const pastes = event => (event.ctrlKey || event.metaKey) && event.code === 'KeyV';
  const types = event => event.key.length === 1 && !event.ctrlKey && !event.metaKey;
  keys.addEventListener('keydown', event => {
    if (event.isComposing || pastes(event)) return;
    key(event, true);
    // What types a letter goes on into the text field, where input methods work.
    if (!types(event)) event.preventDefault();
  });
  keys.addEventListener('keyup', event => {
    if (event.isComposing || pastes(event)) return;
    key(event, false);
    event.preventDefault();
  });
  const typed = () => {
    if (keys.value) send({t: 'text', s: keys.value.slice(0, 1000)});
    keys.value = '';
  };
  keys.addEventListener('input', event => { if (!event.isComposing) typed(); });
  keys.addEventListener('compositionend', typed);
  keys.addEventListener('paste', event => {
    event.preventDefault();
    send({t: 'clip', s: event.clipboardData.getData('text').slice(0, 16000)});
    for (const down of [true, false]) send({t: 'key', key: 'v', code: 'KeyV', down, repeat: false, m: CONTROL});
    send({t: 'key', key: 'Control', code: 'ControlLeft', down: false, repeat: false, m: 0});
  });
}
