// The worker that decodes the pictures of the window and draws them.
// Messages to it: {canvas, overlay, jpeg, whole}, {frame: ArrayBuffer}, {restart}. From it: {drawn, window, kind}, {reset},
// {codec, lists, why}.
import {Panel} from './panel.js';

const PANEL = 0, KEY = 1, VIDEO = 2, JPEG = 3, PNG_TEXTURE = 5, JPEG_TEXTURE = 6;
const HEAD = 32;

let canvas = null, context = null, decoder = null;
let panel = null;      // null: the panel is part of the pictures
let lists = null;      // of the newest message
let newest = 0;        // number of the newest picture that was drawn
let failures = 0;
let work = Promise.resolve();  // messages are taken one after the other

export function readHead(buffer) {
  const view = new DataView(buffer);
  return {
    kind: view.getUint8(0), inLists: view.getUint8(1) === 1, number: view.getUint32(4, true),
    width: view.getUint16(16, true), height: view.getUint16(18, true),
    bytes: view.getUint32(20, true), panelBytes: view.getUint32(24, true), time: view.getUint32(28, true),
  };
}

function showPanel(head) {
  newest = head.number;
  panel?.draw(head.lists, head.width, head.height);
  postMessage({drawn: head.number, window: [head.width, head.height], kind: head.kind});
}

function show(image, head) {
  // A still that was overtaken by video is not shown.
  if (head.number < newest) { image.close(); return; }
  // A picture may have fewer pixels than the window.
  const width = image.displayWidth ?? image.width, height = image.displayHeight ?? image.height;
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  context.drawImage(image, 0, 0);
  image.close();
  showPanel(head);
}

function stopDecoder() {
  if (decoder && decoder.state === 'configured') decoder.close();
  decoder = null;
  waiting.length = 0;
}

function fail(why) {
  stopDecoder();
  failures += 1;
  if (failures > 3) postMessage({codec: 'jpeg', lists: panel !== null, why});
  else postMessage({reset: true});
}

const waiting = [];    // heads of pictures in the decoder, oldest first

function newDecoder(head) {
  decoder = new VideoDecoder({
    output: frame => show(frame, waiting.shift() ?? head),
    error: error => fail(error.message),
  });
  decoder.configure({codec: 'vp09.00.40.08', optimizeForLatency: true});
}

function decodeVideo(buffer, head) {
  if (head.kind === KEY) {
    stopDecoder();
    newDecoder(head);
  }
  if (!decoder || decoder.state !== 'configured') { postMessage({reset: true}); return; }
  waiting.push(head);
  decoder.decode(new EncodedVideoChunk({
    type: head.kind === KEY ? 'key' : 'delta', timestamp: head.time * 1000, duration: 33000,
    data: new Uint8Array(buffer, HEAD, head.bytes),
  }));
}

// The panel alone has changed. It does not overtake pictures that are still in the decoder.
function takePanel(head) {
  const last = waiting.at(-1);
  if (last) Object.assign(last, {number: head.number, lists: head.lists});
  else showPanel(head);
}

async function decodeStill(buffer, head) {
  const type = head.kind === JPEG ? 'image/jpeg' : 'image/png';
  const image = await createImageBitmap(new Blob([new Uint8Array(buffer, HEAD, head.bytes)], {type}));
  show(image, head);
}

async function take(buffer) {
  const head = readHead(buffer);
  if (head.kind === PNG_TEXTURE || head.kind === JPEG_TEXTURE) {
    const type = head.kind === JPEG_TEXTURE ? 'image/jpeg' : 'image/png';
    return panel?.addTexture(head.number, new Uint8Array(buffer, HEAD, head.bytes), type);
  }
  if (head.panelBytes > 0 && panel) lists = await panel.read(new Uint8Array(buffer, HEAD + head.bytes, head.panelBytes));
  head.lists = head.inLists ? lists : null;
  if (head.kind === PANEL) takePanel(head);
  else if (head.kind === KEY || head.kind === VIDEO) decodeVideo(buffer, head);
  else await decodeStill(buffer, head);
}

function findPanel(offscreen) {
  try {
    panel = new Panel(offscreen);
    offscreen.addEventListener('webglcontextrestored', () => {
      panel.setUp();
      postMessage({reset: true});
    });
  } catch {
    panel = null;
  }
}

// Whether this browser decodes our video, and if not why.
async function findCodec() {
  if (typeof VideoDecoder === 'undefined') {
    return {codec: 'jpeg', why: self.isSecureContext
      ? 'this browser has no WebCodecs'
      : 'WebCodecs needs https or localhost: use the ssh tunnel that the server printed'};
  }
  const {supported} = await VideoDecoder.isConfigSupported({codec: 'vp09.00.40.08', codedWidth: 1280, codedHeight: 720});
  return supported ? {codec: 'vp9', why: ''} : {codec: 'jpeg', why: 'this browser decodes no VP9'};
}

onmessage = async ({data}) => {
  if (data.canvas) {
    canvas = data.canvas;
    context = canvas.getContext('2d', {alpha: false, desynchronized: true});
    if (!data.whole) findPanel(data.overlay);
    const found = data.jpeg ? {codec: 'jpeg', why: 'asked for in the address'} : await findCodec();
    postMessage({...found, lists: panel !== null});
  } else if (data.restart) {
    work = work.then(() => {
      stopDecoder();
      newest = 0;
      panel?.restart();
    });
  } else if (data.frame) {
    work = work.then(() => take(data.frame)).catch(error => fail(error.message));
  }
};
