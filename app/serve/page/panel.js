// The panel of the window: lists of triangles that differ little from frame to frame, and WebGL that draws them.
// app/serve/panel_lists.h says what the lists are.

const MOST_TEXTURES = 128;
const COMMAND = 20, VERTEX = 12, INDEX = 2;

const VERTEX_SHADER = `#version 300 es
uniform vec2 size;
in vec2 position;
in vec2 place;
in vec4 color;
out vec2 at;
out vec4 tint;
void main() {
  at = place;
  tint = color;
  gl_Position = vec4((position / 4.0 / size - 1.0) * vec2(1.0, -1.0), 0.0, 1.0);
}`;
const FRAGMENT_SHADER = `#version 300 es
precision mediump float;
uniform sampler2D image;
in vec2 at;
in vec4 tint;
out vec4 color;
void main() { color = tint * texture(image, at); }`;

async function unpack(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
}

// One list: units of `before` that are copied, and new ones. Returns it and where the next one begins.
function rebuild(buffer, at, before, unit) {
  const view = new DataView(buffer), bytes = new Uint8Array(buffer);
  const number = k => view.getUint32(at + 4 * k, true);
  const units = number(0), steps = number(1);
  const now = new Uint8Array(units * unit);
  let fresh = at + 8 + 12 * steps, to = 0;
  for (let step = 0; step < steps; ++step) {
    const from = number(2 + 3 * step) * unit, copied = number(3 + 3 * step) * unit, added = number(4 + 3 * step) * unit;
    now.set(before.subarray(from, from + copied), to);
    now.set(bytes.subarray(fresh, fresh + added), to + copied);
    to += copied + added;
    fresh += added;
  }
  if (to !== now.length) throw new Error('a list of the panel is incomplete');
  return [now, fresh];
}

// Differences become positions in pixels, and indices.
function sumUp(lists) {
  const vertices = new Int16Array(lists.vertices.slice().buffer), indices = new Uint16Array(lists.indices.slice().buffer);
  for (let k = VERTEX / 2; k < vertices.length; k += VERTEX / 2) {
    vertices[k] += vertices[k - VERTEX / 2];
    vertices[k + 1] += vertices[k + 1 - VERTEX / 2];
  }
  for (let k = 1; k < indices.length; ++k) indices[k] += indices[k - 1];
  return {vertices, indices};
}

export class Panel {
  // Throws where the browser has no WebGL 2.
  constructor(canvas) {
    this.canvas = canvas;
    this.gl = canvas.getContext('webgl2', {antialias: false, depth: false});
    if (!this.gl || typeof DecompressionStream === 'undefined') throw new Error('no WebGL 2');
    this.restart();
    this.setUp();
    canvas.addEventListener('webglcontextlost', event => event.preventDefault());
  }

  restart() {
    this.lists = {commands: new Uint8Array(), vertices: new Uint8Array(), indices: new Uint8Array()};
  }

  setUp() {
    const {gl} = this;
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX_SHADER], [gl.FRAGMENT_SHADER, FRAGMENT_SHADER]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    this.size = gl.getUniformLocation(program, 'size');
    this.inputs = ['position', 'place', 'color'].map(name => gl.getAttribLocation(program, name));
    for (const input of this.inputs) gl.enableVertexAttribArray(input);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.enable(gl.SCISSOR_TEST);
    this.textures = new Map();
  }

  // The lists of the next frame; the bytes say how they differ from the frame before.
  async read(bytes) {
    const buffer = await unpack(bytes);
    const lists = {};
    let at = 0;
    [lists.commands, at] = rebuild(buffer, at, this.lists.commands, COMMAND);
    [lists.vertices, at] = rebuild(buffer, at, this.lists.vertices, VERTEX);
    [lists.indices, at] = rebuild(buffer, at, this.lists.indices, INDEX);
    this.lists = lists;
    return lists;
  }

  async addTexture(number, bytes, type) {
    const {gl} = this;
    const image = await createImageBitmap(new Blob([bytes], {type}), {premultiplyAlpha: 'none', colorSpaceConversion: 'none'});
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
    image.close();
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.LINEAR);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
    this.textures.set(number, texture);
    if (this.shown) this.draw(this.shown, this.canvas.width, this.canvas.height);
  }

  // Those that were drawn last are at the end of the map.
  drop() {
    for (const [number, texture] of this.textures) {
      if (this.textures.size <= MOST_TEXTURES) return;
      this.gl.deleteTexture(texture);
      this.textures.delete(number);
    }
  }

  // Null: the panel is part of the picture.
  draw(lists, width, height) {
    const {gl, canvas} = this;
    if (lists === this.shown && lists === null) return;
    this.shown = lists;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    gl.viewport(0, 0, width, height);
    gl.scissor(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (!lists) return;
    const {vertices, indices} = sumUp(lists);
    gl.uniform2f(this.size, width, height);
    gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.STREAM_DRAW);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STREAM_DRAW);
    this.drawCommands(new DataView(lists.commands.buffer, lists.commands.byteOffset, lists.commands.length), height);
    this.drop();
  }

  drawCommands(commands, height) {
    const {gl} = this, [position, place, color] = this.inputs;
    let vertex = 0, index = 0;
    for (let at = 0; at < commands.byteLength; at += COMMAND) {
      const [left, top, right, bottom] = [0, 2, 4, 6].map(k => commands.getInt16(at + k, true));
      const number = commands.getUint16(at + 8, true), texture = this.textures.get(number);
      const step = commands.getInt32(at + 12, true), count = commands.getUint32(at + 16, true);
      vertex += step;
      if (texture) {
        this.textures.delete(number);
        this.textures.set(number, texture);
      }
      if (texture && right > left && bottom > top) {
        gl.vertexAttribPointer(position, 2, gl.SHORT, false, VERTEX, vertex * VERTEX);
        gl.vertexAttribPointer(place, 2, gl.UNSIGNED_SHORT, true, VERTEX, vertex * VERTEX + 4);
        gl.vertexAttribPointer(color, 4, gl.UNSIGNED_BYTE, true, VERTEX, vertex * VERTEX + 8);
        gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.scissor(left, height - bottom, right - left, bottom - top);
        gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_SHORT, index * INDEX);
      }
      index += count;
    }
  }
}
