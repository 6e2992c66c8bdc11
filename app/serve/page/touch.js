// Touch: one finger is the left button, and scrolls the panel; two fingers move and zoom.

const LEFT = 0, RIGHT = 1;
const CONTROL = 2;                    // with the wheel: to where the pointer is
const BESIDE = {x: -1, y: -1};        // a place outside of the window: nothing is there to be clicked on
const NOTCH = Math.log(1.15);         // a notch of the wheel makes things this much larger
const READING = 4000;                 // milliseconds that the explanation of what was tapped stays

export function watchTouch(canvas, send, place) {
  const fingers = new Map();
  let held = null;                    // the button that is down in the window
  let pair = null, waits = false;     // two fingers as they were sent last, and whether they have moved since
  let leaving = 0;
  // The window itself knows where a single finger scrolls and where it presses.
  const button = (down, at) => send({t: 'button', b: held, down, ...at, m: 0, finger: held === LEFT});
  const press = (b, at) => { held = b; button(true, at); };
  const release = at => { button(false, at); held = null; };

  function begin(event) {
    clearTimeout(leaving);
    fingers.set(event.pointerId, event);
    if (fingers.size === 1) press(LEFT, place(event));
    if (fingers.size !== 2) return;
    if (held !== null) release(BESIDE);
    pair = span(fingers);
    press(RIGHT, place(pair));
  }

  // Each finger has an event of its own: both are read together, once a frame.
  function follow() {
    waits = false;
    if (!pair) return;
    const now = span(fingers);
    send({t: 'move', ...place(now)});
    if (now.apart !== pair.apart) send({t: 'wheel', x: 0, y: Math.log(now.apart / pair.apart) / NOTCH, m: CONTROL});
    pair = now;
  }

  function move(event) {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, event);
    if (!pair) {
      if (held !== null) send({t: 'move', ...place(event), finger: true});
    } else if (!waits) {
      waits = true;
      requestAnimationFrame(follow);
    }
  }

  // The first finger that leaves ends a gesture: those that stay do nothing.
  function end(event) {
    if (!fingers.has(event.pointerId)) return;
    if (waits) follow();
    if (held !== null) release(event.type === 'pointercancel' ? BESIDE : place(pair ?? event));
    pair = null;
    fingers.delete(event.pointerId);
    // No finger hovers: what the window explains beside the pointer goes away.
    if (fingers.size === 0) leaving = setTimeout(() => send({t: 'move', ...BESIDE}), READING);
  }

  const of = action => event => { if (event.pointerType === 'touch') action(event); };
  canvas.addEventListener('pointerdown', of(begin));
  canvas.addEventListener('pointermove', of(move));
  canvas.addEventListener('pointerup', of(end));
  canvas.addEventListener('pointercancel', of(end));
}

// The middle of the first two fingers, and how far they are apart.
function span(fingers) {
  const [a, b] = [...fingers.values()];
  return {clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2,
    apart: Math.max(Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), 10)};
}
