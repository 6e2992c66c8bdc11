// The worker that decodes the pictures of the window and draws them.
// Messages to it: {canvas}, {frame: ArrayBuffer}, {codec}. From it: {drawn}, {window}, {reset}, {codec, why}.

const KEY = 1, VIDEO = 2, JPEG = 3, PNG = 4;
const HEAD = 32;

let canvas = null, context = null, decoder = null;
let newest = 0;        // number of the newest picture that was drawn
let failures = 0;

export function readHead(buffer) {
  const view = new DataView(buffer);
  return {
    kind: view.getUint8(0), number: view.getUint32(4, true),
    width: view.getUint16(16, true), height: view.getUint16(18, true),
    bytes: view.getUint32(20, true), time: view.getUint32(28, true),
  };
}

function show(image, head) {
  // A still that was overtaken by video is not shown.
  if (head.number < newest) { image.close(); return; }
  newest = head.number;
  if (canvas.width !== head.width || canvas.height !== head.height) {
    canvas.width = head.width;
    canvas.height = head.height;
  }
  context.drawImage(image, 0, 0, head.width, head.height);
  image.close();
  postMessage({drawn: head.number, window: [head.width, head.height], kind: head.kind});
}

function fail(why) {
  decoder = null;
  failures += 1;
  if (failures > 3) postMessage({codec: 'jpeg', why});
  else postMessage({reset: true});
}

const waiting = [];    // heads of pictures in the decoder, oldest first

function newDecoder(head) {
  waiting.length = 0;
  decoder = new VideoDecoder({
    output: frame => show(frame, waiting.shift() ?? head),
    error: error => fail(error.message),
  });
  decoder.configure({codec: 'vp09.00.40.08', codedWidth: head.width, codedHeight: head.height, optimizeForLatency: true});
}

function decodeVideo(buffer, head) {
  if (head.kind === KEY) {
    if (decoder && decoder.state === 'configured') decoder.close();
    newDecoder(head);
  }
  if (!decoder || decoder.state !== 'configured') { postMessage({reset: true}); return; }
  waiting.push(head);
  decoder.decode(new EncodedVideoChunk({
    type: head.kind === KEY ? 'key' : 'delta', timestamp: head.time * 1000, duration: 33000,
    data: new Uint8Array(buffer, HEAD, head.bytes),
  }));
}

async function decodeStill(buffer, head) {
  const type = head.kind === JPEG ? 'image/jpeg' : 'image/png';
  const image = await createImageBitmap(new Blob([new Uint8Array(buffer, HEAD, head.bytes)], {type}));
  show(image, head);
}

function take(buffer) {
  const head = readHead(buffer);
  if (head.kind === KEY || head.kind === VIDEO) decodeVideo(buffer, head);
  else decodeStill(buffer, head).catch(error => fail(error.message));
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
    postMessage(data.jpeg ? {codec: 'jpeg', why: 'asked for in the address'} : await findCodec());
  } else if (data.restart) {
    decoder = null;
    newest = 0;
  } else if (data.frame) {
    try {
      take(data.frame);
    } catch (error) {
      fail(error.message);
    }
  }
};
