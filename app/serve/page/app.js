// The page: one WebSocket to the server, one worker that draws, one bar.
import {findOption, pressKey, watchInput} from './input.js';

const element = id => document.getElementById(id);
const canvas = element('view'), keys = element('keys'), bar = element('bar');
const worker = new Worker('frames.js', {type: 'module'});
const drawn = canvas.transferControlToOffscreen(), overlay = element('panel-canvas').transferControlToOffscreen();
const query = new URLSearchParams(location.search), touchScreen = matchMedia('(pointer: coarse)');

let socket = null, codec = null, lists = false, why = '';
let windowSize = [1280, 720], drives = false, mayDrive = false, clients = 0, typing = false;
let retry = 500, lastInput = 0, lastDrawn = 0;
let asked = null;     // when the oldest question that has no answer yet was sent
const patience = {slow: 4000, lost: 15000};   // milliseconds without an answer
const count = {frames: 0, bytes: 0, roundTrip: 0};
// What tests and people with a console look at.
window.orrery = {count, patience, cut: () => socket?.close(),
  get codec() { return codec; }, get lists() { return lists; }, get drives() { return drives; }, get windowSize() { return windowSize; },
  get connected() { return socket !== null && socket.readyState === 1; }};

function send(message) {
  if (!socket || socket.readyState !== WebSocket.OPEN) return;
  if (!['drawn', 'ping', 'size', 'codec', 'reset', 'drive'].includes(message.t)) {
    if (!drives) return;
    lastInput = performance.now();
  }
  socket.send(JSON.stringify(message));
}

function note(text) {
  element('note').textContent = text;
}

function sendSize() {
  const ratio = window.devicePixelRatio || 1;
  send({t: 'size', w: Math.max(1, Math.round(innerWidth * ratio)), h: Math.max(1, Math.round(innerHeight * ratio)), ratio,
    fingers: touchScreen.matches});
}

const messages = {
  role({drives: now, may, clients: others}) {
    if (now && !drives) { drives = true; sendSize(); }
    drives = now;
    mayDrive = may;
    clients = others;
    element('drive').hidden = drives || !mayDrive;
    for (const id of ['panel', 'find', 'letters', 'upload']) element(id).hidden = !drives;
    bar.classList.toggle('watching', !drives);
    canvas.classList.toggle('watching', !drives);
  },
  title({s}) { document.title = s || 'Orrery'; },
  cursor({c, typing: letters}) {
    canvas.style.cursor = c;
    if (letters !== typing) showKeyboard(letters && drives);
    typing = letters;
  },
  // The browser that drives is told these. It may drive no longer when they come.
  clip({s}) { if (drives) copy(s); },
  fullscreen() { if (drives) toggleFullscreen(); },
  file({name}) { offer(name); },
  pong({n}) { asked = null; count.roundTrip = performance.now() - n; },
  end({s}) { retry = Infinity; note(s); },
  bye() { retry = Infinity; element('farewell').showModal(); },
};

function open() {
  const address = new URL('ws', location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  address.search = '';
  const mine = socket = new WebSocket(address);
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => {
    retry = 500;
    asked = null;
    note('');
    worker.postMessage({restart: true});
    if (codec) send({t: 'codec', c: codec, lists});
  };
  socket.onmessage = ({data}) => {
    if (mine !== socket) return;
    if (typeof data === 'string') {
      const message = JSON.parse(data);
      messages[message.t]?.(message);
      return;
    }
    count.bytes += data.byteLength;
    worker.postMessage({frame: data}, [data]);
  };
  socket.onclose = () => { if (mine === socket) lost(); };
}

function lost() {
  const gone = socket;
  socket = null;
  gone.close();
  drives = false;
  if (retry === Infinity) return;
  note('The connection is lost. Trying again; the simulation goes on meanwhile.');
  setTimeout(openAgain, retry);
  retry = Math.min(retry * 1.5, 5000);
}

// A connection that breaks without a word is noticed by questions that get no answer.
function ask() {
  if (!window.orrery.connected) return;
  const now = performance.now(), waited = asked === null ? 0 : now - asked;
  if (waited > patience.lost) return lost();
  if (waited > patience.slow) note(`No answer from the server for ${Math.round(waited / 1000)} s.`);
  else if (element('note').textContent.startsWith('No answer')) note('');
  asked ??= now;
  send({t: 'ping', n: Math.floor(now)});
}

// Another run has another token: trying again would never end.
async function openAgain() {
  const answer = await fetch('files.json', {signal: AbortSignal.timeout?.(10000)}).catch(() => null);
  if (answer?.status === 401) note('This address is of an earlier run. Open the one that orrery serve printed now.');
  else open();
}

worker.onmessage = ({data}) => {
  if (data.drawn !== undefined) {
    send({t: 'drawn', n: data.drawn});
    windowSize = data.window;
    count.frames += 1;
    lastDrawn = performance.now();
    window.orrery.newest = data.drawn;
    window.orrery.kind = data.kind;
  }
  if (data.reset) send({t: 'reset'});
  if (data.codec) {
    codec = data.codec;
    lists = data.lists;
    why = data.why;
    send({t: 'codec', c: codec, lists});
  }
};
worker.postMessage({canvas: drawn, overlay, jpeg: query.get('codec') === 'jpeg', whole: query.get('panel') === 'picture'},
  [drawn, overlay]);

// After input something changes nearly always. Where nothing is drawn for a second, the decoder may be stuck.
function watchdog() {
  if (lastInput > lastDrawn && performance.now() - lastInput > 1000) {
    send({t: 'reset'});
    lastInput = 0;
  }
}

let before = {frames: 0, bytes: 0};
function showState() {
  ask();
  const frames = count.frames - before.frames, bytes = count.bytes - before.bytes;
  before = {...count};
  const rate = bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB/s` : `${(bytes / 1e3).toFixed(0)} kB/s`;
  const flow = [`${count.roundTrip.toFixed(0)} ms`, `${frames} frames/s`, rate];
  const state = drives ? [...flow] : ['watching'];
  if (codec === 'jpeg') state.push('JPEG');
  if (clients > 1) state.push(`${clients} clients`);
  element('state').textContent = state.join('  ');
  element('state').title = `Round trip, pictures and bytes per second: ${flow.join(', ')}` +
    (codec === 'jpeg' ? `. Pictures as JPEG: ${why}` : '');
}

function toggleFullscreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen().catch(() => {});
}

async function upload(file) {
  note(`Sending ${file.name} …`);
  try {
    const answer = await fetch('upload/' + encodeURIComponent(file.name), {method: 'PUT', body: file});
    note(answer.ok ? '' : `${file.name}: ${(await answer.text()).trim()}`);
    if (!answer.ok) setTimeout(() => note(''), 8000);
  } catch {
    note(`${file.name} was not accepted: it may be too large, or the connection broke.`);
    setTimeout(() => note(''), 8000);
  }
}

function save(name) {
  const link = document.createElement('a');
  link.href = 'files/' + encodeURIComponent(name);
  link.download = name;
  link.click();
}

// A file that was just written: it comes to the one who asked for it.
function offer(name) {
  if (drives) save(name);
}

async function listFiles() {
  const names = await (await fetch('files.json')).json();
  const list = element('list').querySelector('ul');
  list.replaceChildren(...names.map(name => {
    const item = document.createElement('li'), link = document.createElement('a');
    link.href = 'files/' + encodeURIComponent(name);
    link.download = link.textContent = name;
    item.append(link);
    return item;
  }));
  if (names.length === 0) list.textContent = 'None yet: F12 takes a picture.';
  element('list').showModal();
}

// Where the address is neither https nor localhost, browsers have no clipboard for scripts but the old one.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    keys.value = text;
    keys.select();
    document.execCommand('copy');
    keys.value = '';
  }
}

// A touch screen shows its keyboard only while letters are typed.
function showKeyboard(shown) {
  if (navigator.maxTouchPoints === 0) return;
  keys.inputMode = shown ? 'text' : 'none';
  keys.blur();
  keys.focus({preventScroll: true});
}

function fold(folded) {
  bar.classList.toggle('folded', folded);
  element('fold').setAttribute('aria-expanded', String(!folded));
}

function back(action) {
  return event => { action(event); keys.focus({preventScroll: true}); };
}
element('drive').onclick = back(() => send({t: 'drive'}));
element('whole').onclick = back(toggleFullscreen);
element('files').onclick = listFiles;
element('upload').onclick = () => element('chosen').click();
element('chosen').onchange = back(() => { for (const file of element('chosen').files) upload(file); });
element('fold').onclick = back(() => fold(!bar.classList.contains('folded')));
element('panel').onclick = back(() => pressKey(send, 'Tab', 'Tab'));
element('find').onclick = () => { findOption(send); showKeyboard(true); };
element('letters').onclick = () => showKeyboard(true);
element('farewell').oncancel = event => event.preventDefault();
element('return').onclick = () => location.reload();
element('list').onclose = () => keys.focus({preventScroll: true});
addEventListener('dragover', event => event.preventDefault());
addEventListener('drop', event => {
  event.preventDefault();
  for (const file of event.dataTransfer.files) upload(file);
});
addEventListener('resize', sendSize);
touchScreen.addEventListener('change', sendSize);

// F6 leads from the window to the bar; the Tab key is the window's.
function leaveWindow() {
  fold(false);
  [...bar.querySelectorAll('button')].find(button => button.offsetWidth > 0).focus();
}

watchInput(canvas, keys, send, () => windowSize, leaveWindow);
showKeyboard(false);
keys.focus({preventScroll: true});
// On a small screen the bar would cover what the window says there.
fold(innerWidth < 1150);
setInterval(showState, 1000);
setInterval(watchdog, 500);
open();
