// The page: one WebSocket to the server, one worker that draws, one bar.
import {watchInput} from './input.js';

const element = id => document.getElementById(id);
const canvas = element('view'), keys = element('keys'), bar = element('bar');
const worker = new Worker('frames.js', {type: 'module'});
const drawn = canvas.transferControlToOffscreen(), panel = element('panel').transferControlToOffscreen();
const asked = new URLSearchParams(location.search);

let socket = null, codec = null, lists = false, why = '';
let windowSize = [1280, 720], drives = false, mayDrive = false, clients = 0, typing = false;
let retry = 500, lastInput = 0, lastDrawn = 0;
const count = {frames: 0, bytes: 0, roundTrip: 0};
// What tests and people with a console look at.
window.orrery = {count, get codec() { return codec; }, get lists() { return lists; }, get drives() { return drives; }, get windowSize() { return windowSize; },
  get connected() { return socket !== null && socket.readyState === 1; }, cut: () => socket?.close()};

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
  element('note').hidden = !text;
}

function sendSize() {
  const ratio = window.devicePixelRatio || 1;
  send({t: 'size', w: Math.max(1, Math.round(innerWidth * ratio)), h: Math.max(1, Math.round(innerHeight * ratio)), ratio});
}

const messages = {
  role({drives: now, may, clients: others}) {
    if (now && !drives) { drives = true; sendSize(); }
    drives = now;
    mayDrive = may;
    clients = others;
    element('drive').hidden = drives || !mayDrive;
    canvas.classList.toggle('watching', !drives);
  },
  title({s}) { document.title = s || 'Orrery'; },
  cursor({c, typing: letters}) {
    canvas.style.cursor = c;
    // A touch screen shows its keyboard only while letters are typed.
    if (letters && !typing && navigator.maxTouchPoints > 0) keys.focus();
    typing = letters;
  },
  clip({s}) { navigator.clipboard?.writeText(s).catch(() => note('')); },
  fullscreen() { toggleFullscreen(); },
  file({name}) { offer(name); },
  pong({n}) { count.roundTrip = performance.now() - n; },
  end({s}) { retry = Infinity; note(s); },
};

function open() {
  const address = new URL('ws', location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  address.search = '';
  socket = new WebSocket(address);
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => {
    retry = 500;
    note('');
    worker.postMessage({restart: true});
    if (codec) send({t: 'codec', c: codec, lists});
    if (drives) sendSize();
  };
  socket.onmessage = ({data}) => {
    if (typeof data === 'string') {
      const message = JSON.parse(data);
      messages[message.t]?.(message);
      return;
    }
    count.bytes += data.byteLength;
    worker.postMessage({frame: data}, [data]);
  };
  socket.onclose = () => {
    drives = false;
    if (retry === Infinity) return;
    note('The connection is lost. Trying again; the simulation goes on meanwhile.');
    setTimeout(openAgain, retry);
    retry = Math.min(retry * 1.5, 5000);
  };
}

// Another run has another token: trying again would never end.
async function openAgain() {
  const answer = await fetch('files.json').catch(() => null);
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
worker.postMessage({canvas: drawn, panel, jpeg: asked.get('codec') === 'jpeg', whole: asked.get('panel') === 'picture'},
  [drawn, panel]);

// After input something changes nearly always. Where nothing is drawn for a second, the decoder may be stuck.
function watchdog() {
  if (lastInput > lastDrawn && performance.now() - lastInput > 1000) {
    send({t: 'reset'});
    lastInput = 0;
  }
}

let before = {frames: 0, bytes: 0};
function showState() {
  send({t: 'ping', n: Math.round(performance.now())});
  const frames = count.frames - before.frames, bytes = count.bytes - before.bytes;
  before = {...count};
  const rate = bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB/s` : `${(bytes / 1e3).toFixed(0)} kB/s`;
  const state = [`${count.roundTrip.toFixed(0)} ms`, `${frames} frames/s`, rate];
  if (codec === 'jpeg') state.push('JPEG');
  if (clients > 1) state.push(`${clients} clients`);
  if (!drives) state.push('watching');
  element('state').textContent = state.join('  ');
  element('state').title = codec === 'jpeg' ? `Pictures as JPEG: ${why}` : 'Round trip, pictures and bytes per second';
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
    note(`${file.name} was not accepted: it may be too large.`);
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

function back(action) {
  return event => { action(event); keys.focus({preventScroll: true}); };
}
element('drive').onclick = back(() => send({t: 'drive'}));
element('whole').onclick = back(toggleFullscreen);
element('files').onclick = listFiles;
element('upload').onclick = () => element('chosen').click();
element('chosen').onchange = back(() => { for (const file of element('chosen').files) upload(file); });
element('fold').onclick = back(() => bar.classList.toggle('folded'));
addEventListener('dragover', event => event.preventDefault());
addEventListener('drop', event => {
  event.preventDefault();
  for (const file of event.dataTransfer.files) upload(file);
});
addEventListener('resize', sendSize);

watchInput(canvas, keys, send, () => windowSize);
keys.focus({preventScroll: true});
setInterval(showState, 1000);
setInterval(watchdog, 500);
open();
