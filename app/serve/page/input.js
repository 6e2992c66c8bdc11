// Mouse, keyboard, clipboard: what a person does, as messages for the server.
import {watchTouch} from './touch.js';

const SHIFT = 1, CONTROL = 2, ALT = 4, SUPER = 8;
const BUTTONS = [0, 2, 1, 3, 4];     // of the browser: left, middle, right; of the window: left, right, middle
const NOTCH = 100;                   // pixels of a wheel's notch
const PINCH = 100 * Math.log(1.15);  // the same for two fingers on a trackpad, which come as a wheel with Ctrl

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

// On a Mac the key of commands is Cmd.
function modifiers(event) {
  return (event.shiftKey ? SHIFT : 0) | (event.ctrlKey || (isMac && event.metaKey) ? CONTROL : 0) |
    (event.altKey ? ALT : 0) | (!isMac && event.metaKey ? SUPER : 0);
}

// A point of the page in pixels of the server's window, which is shown as large as fits.
export function toWindow(point, box, size) {
  const factor = Math.min(box.width / size[0], box.height / size[1]) || 1;
  const left = box.left + (box.width - factor * size[0]) / 2, top = box.top + (box.height - factor * size[1]) / 2;
  return {x: (point.clientX - left) / factor, y: (point.clientY - top) / factor};
}

// A key of the window that is pressed and let go.
export function pressKey(send, code, key, m = 0) {
  for (const down of [true, false]) send({t: 'key', key, code, down, repeat: false, m});
  if (m & CONTROL) send({t: 'key', key: 'Control', code: 'ControlLeft', down: false, repeat: false, m: 0});
}
export const findOption = send => pressKey(send, 'KeyP', 'p', CONTROL);

export function watchInput(canvas, keys, send, windowSize, leave) {
  const place = event => toWindow(event, canvas.getBoundingClientRect(), windowSize());
  watchPointer(canvas, keys, send, place);
  watchTouch(canvas, send, place);
  watchKeys(keys, send, leave);
  watchText(keys, send);
  addEventListener('blur', () => send({t: 'release'}));
}

function watchPointer(canvas, keys, send, place) {
  const button = down => event => {
    if (event.pointerType === 'touch') return;
    send({t: 'button', b: BUTTONS[event.button] ?? 0, down, ...place(event), m: modifiers(event)});
  };
  canvas.addEventListener('pointerdown', event => {
    event.preventDefault();
    if (event.pointerType !== 'touch') keys.focus({preventScroll: true});
    try { canvas.setPointerCapture(event.pointerId); } catch { /* a pointer that is gone already */ }
  });
  canvas.addEventListener('pointerdown', button(true));
  canvas.addEventListener('pointerup', button(false));
  canvas.addEventListener('pointercancel', button(false));
  canvas.addEventListener('pointermove', event => {
    if (event.pointerType !== 'touch') send({t: 'move', ...place(event)});
  });
  canvas.addEventListener('contextmenu', event => event.preventDefault());
  canvas.addEventListener('wheel', event => {
    event.preventDefault();
    const pinches = event.ctrlKey && event.deltaMode === 0 && Math.abs(event.deltaY) < NOTCH / 2;
    const unit = pinches ? PINCH : event.deltaMode === 0 ? NOTCH : 3;
    send({t: 'wheel', x: -event.deltaX / unit, y: -event.deltaY / unit, m: modifiers(event)});
  }, {passive: false});
}

function watchKeys(keys, send, leave) {
  const key = (event, down) => send({t: 'key', key: event.key.slice(0, 32), code: event.code.slice(0, 32), down,
    repeat: event.repeat, m: modifiers(event)});
  const pastes = event => (event.ctrlKey || event.metaKey) && event.code === 'KeyV';
  // Keys that an input method takes, or that wait for a letter to put an accent on, are none of the window. Those
  // with AltGr only type; Windows reports them with Ctrl and Alt.
  const composes = event => event.isComposing || event.key === 'Process' || event.key === 'Dead' ||
    (event.key.length === 1 && event.getModifierState('AltGraph'));
  const types = event => event.key.length === 1 && !event.ctrlKey && !event.metaKey;
  keys.addEventListener('keydown', event => {
    if (event.key === 'F6') {
      event.preventDefault();
      leave();
      return;
    }
    if (composes(event) || pastes(event)) return;
    key(event, true);
    // What types a letter goes on into the text field, where input methods work. So does what a keyboard on a
    // screen types: it names no key.
    if (!types(event) && event.key !== 'Unidentified') event.preventDefault();
  });
  keys.addEventListener('keyup', event => {
    if (composes(event) || pastes(event)) return;
    key(event, false);
    // A Mac reports no other key going up while Cmd is down.
    if (event.key === 'Meta') send({t: 'release'});
    event.preventDefault();
  });
}

function watchText(keys, send) {
  const typed = () => {
    if (keys.value) send({t: 'text', s: keys.value.slice(0, 1000)});
    keys.value = '';
  };
  keys.addEventListener('input', event => { if (!event.isComposing) typed(); });
  keys.addEventListener('compositionend', typed);
  // Keyboards on a screen say what happens to the text, not which key was pressed.
  const meanings = {deleteContentBackward: 'Backspace', insertLineBreak: 'Enter', insertParagraph: 'Enter'};
  keys.addEventListener('beforeinput', event => {
    const meaning = meanings[event.inputType];
    if (!meaning || event.isComposing) return;
    event.preventDefault();
    pressKey(send, meaning, meaning);
  });
  keys.addEventListener('paste', event => {
    event.preventDefault();
    send({t: 'clip', s: event.clipboardData.getData('text').slice(0, 16000)});
    pressKey(send, 'KeyV', 'v', CONTROL);
  });
}
