// What the page holds, unpacked. Pure functions: nothing here knows a document or a screen.

// Bytes of base64 text.
function bytesOf(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Series of 16 bit numbers, `frames` of each. Stored are all low bytes, then all high bytes, of zigzag differences to
// the number before (order 1) or to the line through the two before (order 2): those are small, and deflate well.
function unpackSeries(bytes, frames, order) {
  const count = bytes.length >> 1, out = new Uint16Array(count);
  for (let begin = 0; begin < count; begin += frames) {
    let last = 0, before = 0;
    for (let k = 0; k < frames; ++k) {
      const zigzag = bytes[begin + k] | (bytes[count + begin + k] << 8);
      const step = (zigzag >>> 1) ^ -(zigzag & 1);
      const guess = order === 2 && k > 1 ? 2 * last - before : last;
      before = last;
      last = (guess + step) & 0xffff;
      out[begin + k] = last;
    }
  }
  return out;
}

// A turn in three words: the largest of the four parts of its quaternion is left out and is not negative; its place
// stands in the top bits of the first two words, the other three in 15 bits each.
const kTurnRange = Math.SQRT1_2;
function unpackTurn(a, b, c, out) {
  const largest = (a >> 15) | ((b >> 15) << 1);
  const rest = [a & 0x7fff, b & 0x7fff, c & 0x7fff].map(n => (n / 32767 * 2 - 1) * kTurnRange);
  let next = 0, sum = 0;
  for (let k = 0; k < 4; ++k) {
    if (k === largest) continue;
    out[k] = rest[next++];
    sum += out[k] * out[k];
  }
  out[largest] = Math.sqrt(Math.max(0, 1 - sum));
  return out;
}

// Quaternions are w x y z.
function multiply(p, q) {
  return [
    p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
    p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]
  ];
}
function rotate(q, v) {
  const tx = 2 * (q[2] * v[2] - q[3] * v[1]), ty = 2 * (q[3] * v[0] - q[1] * v[2]),
        tz = 2 * (q[1] * v[1] - q[2] * v[0]);
  return [
    v[0] + q[0] * tx + q[2] * tz - q[3] * ty, v[1] + q[0] * ty + q[3] * tx - q[1] * tz,
    v[2] + q[0] * tz + q[1] * ty - q[2] * tx
  ];
}
const conjugate = q => [q[0], -q[1], -q[2], -q[3]];

// Between two turns, the short way.
function between(p, q, share, out) {
  const sign = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0 ? -1 : 1;
  let norm = 0;
  for (let k = 0; k < 4; ++k) {
    out[k] = p[k] + share * (sign * q[k] - p[k]);
    norm += out[k] * out[k];
  }
  norm = Math.sqrt(norm) || 1;
  for (let k = 0; k < 4; ++k) out[k] /= norm;
  return out;
}

// Where `time` lies among ascending times: the frame at or before it, and the share of the way to the next.
function locate(times, time) {
  let low = 0, high = times.length - 1;
  if (high < 1 || time <= times[0]) return {frame: 0, share: 0};
  if (time >= times[high]) return {frame: high - 1, share: 1};
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time)
      low = middle;
    else
      high = middle;
  }
  return {frame: low, share: (time - times[low]) / (times[high] - times[low])};
}

// The poses of all bodies at any time, from what the page holds of the frames.
class Motion {
  // `poses`: seven numbers a body, as drawn; `frames`: {times, bodies, low, span, turns, order} or null.
  constructor(poses, frames, bytes) {
    this.drawn = poses;
    this.frames = frames;
    this.times = frames ? frames.times : [0];
    this.count = this.times.length;
    this.pose = new Float32Array(poses);
    this.series = frames ? unpackSeries(bytes, this.count, frames.order) : null;
    this.first = [];
    let at = 0;
    if (frames)
      frames.bodies.forEach((body, k) => {
        this.first.push(at);
        at += (frames.turns[k] ? 6 : 3) * this.count;
      });
  }
  get start() {
    return this.times[0];
  }
  get end() {
    return this.times[this.count - 1];
  }
  // Fills `pose`.
  at(time) {
    if (!this.frames) return this.pose;
    const {frame, share} = locate(this.times, time), n = this.count, s = this.series, p = [0, 0, 0, 0],
                  q = [0, 0, 0, 0];
    const next = Math.min(frame + 1, n - 1), {bodies, low, span, turns} = this.frames, out = [0, 0, 0, 0];
    for (let k = 0; k < bodies.length; ++k) {
      const at = this.first[k], to = 7 * bodies[k];
      for (let c = 0; c < 3; ++c) {
        const a = s[at + c * n + frame], b = s[at + c * n + next];
        this.pose[to + c] = low[3 * k + c] + span[3 * k + c] * (a + share * (b - a)) / 65535;
      }
      if (!turns[k]) continue;
      unpackTurn(s[at + 3 * n + frame], s[at + 4 * n + frame], s[at + 5 * n + frame], p);
      unpackTurn(s[at + 3 * n + next], s[at + 4 * n + next], s[at + 5 * n + next], q);
      between(p, q, share, out);
      for (let c = 0; c < 4; ++c) this.pose[to + 3 + c] = out[c];
    }
    return this.pose;
  }
}

// One curve of the page as numbers.
function curveValues(series, curve, index, frames) {
  const out = new Float64Array(frames);
  for (let k = 0; k < frames; ++k) out[k] = curve.low + curve.span * series[index * frames + k] / 65535;
  return out;
}

// The contacts of a frame: point, force and state (0 sticks, 1 slides, 2 open). Seven columns of `table.rows` numbers;
// forces are stored by their cube roots, so that small ones keep their direction.
function contactRows(series, table, frame) {
  const begin = frame > 0 ? table.end[frame - 1] : 0, n = table.rows, rows = [];
  const force = word => Math.pow((word - 32768) / 32767, 3) * table.force;
  for (let k = begin; k < table.end[frame]; ++k) {
    const point = [0, 1, 2].map(c => table.low[c] + table.span[c] * series[c * n + k] / 65535);
    rows.push({point, force: [3, 4, 5].map(c => force(series[c * n + k])), state: series[6 * n + k]});
  }
  return rows;
}

// Curves as a table with commas. Names with commas, quotes or line ends are quoted.
function csvOf(names, times, columns) {
  const field = text => /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  const number = x => String(+x.toPrecision(7));
  const rows = [['time [s]', ...names].map(field).join(',')];
  for (let k = 0; k < times.length; ++k) rows.push([times[k], ...columns.map(c => c[k])].map(number).join(','));
  return rows.join('\r\n') + '\r\n';
}

// What the address tells: time, speed, camera, selection. Unknown words are left alone.
function readAddress(hash) {
  const state = {};
  for (const part of hash.replace(/^#/, '').split('&')) {
    const at = part.indexOf('=');
    if (at < 1) continue;
    const key = part.slice(0, at);
    let value = part.slice(at + 1);
    try {
      value = decodeURIComponent(value);
    } catch (error) {
      continue;
    }
    if (key === 't' && isFinite(+value)) state.time = +value;
    if (key === 'm' && isFinite(+value)) state.mode = +value;
    if (key === 'p' && isFinite(+value)) state.phase = +value;
    if (key === 'play') state.play = value !== '0';
    if (key === 's') state.selected = value;
    if (key === 'f') state.follow = value;
    if (key === 'c') {
      const numbers = value.split(',').map(Number);
      if (numbers.length === 6 && numbers.every(isFinite)) state.camera = numbers;
    }
  }
  return state;
}
function writeAddress(state) {
  const parts = state.mode === undefined ? ['t=' + +state.time.toFixed(4)] :
                                           ['m=' + state.mode, 'p=' + +state.phase.toFixed(3)];
  if (state.camera) parts.push('c=' + state.camera.map(x => +x.toPrecision(5)).join(','));
  if (state.selected) parts.push('s=' + encodeURIComponent(state.selected));
  if (state.follow) parts.push('f=' + encodeURIComponent(state.follow));
  if (!state.play) parts.push('play=0');
  return '#' + parts.join('&');
}

// Where a ray first meets a box or an ellipsoid about the origin of a pose; Infinity where it passes by.
function hit(origin, direction, position, turn, half, round) {
  const back = conjugate(turn), o = rotate(back, origin.map((x, k) => x - position[k])), d = rotate(back, direction);
  if (round) {
    const a = [0, 0, 0], b = [0, 0, 0];
    for (let k = 0; k < 3; ++k) {
      a[k] = o[k] / half[k];
      b[k] = d[k] / half[k];
    }
    const bb = b[0] * b[0] + b[1] * b[1] + b[2] * b[2], ab = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const root = ab * ab - bb * (a[0] * a[0] + a[1] * a[1] + a[2] * a[2] - 1);
    const at = root < 0 ? -1 : (-ab - Math.sqrt(root)) / bb;
    return at > 0 ? at : Infinity;
  }
  let near = 0, far = Infinity;
  for (let k = 0; k < 3; ++k) {
    if (Math.abs(d[k]) < 1e-12) {
      if (Math.abs(o[k]) > half[k]) return Infinity;
      continue;
    }
    const a = (-half[k] - o[k]) / d[k], b = (half[k] - o[k]) / d[k];
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  }
  return near <= far ? near : Infinity;
}

// A number for people: four digits, no tail of zeros.
function shown(x) {
  if (!isFinite(x)) return '–';
  if (x === 0) return '0';
  const size = Math.abs(x);
  return size >= 1e5 || size < 1e-3 ? x.toExponential(2).replace('e+', 'e') : String(+x.toPrecision(4));
}

// Places of a tree: columns are levels, rows are leaves, and a parent stands in the middle of its children.
function layoutTree(parent, level) {
  const children = parent.map(() => []), roots = [], row = new Array(parent.length).fill(0);
  parent.forEach((p, k) => (p < 0 ? roots : children[p]).push(k));
  let next = 0;
  // Without recursion: a chain of 10^5 bodies is as deep as it is long.
  const stack = roots.slice().reverse().map(vertex => ({vertex, done: false}));
  while (stack.length) {
    const top = stack[stack.length - 1], list = children[top.vertex];
    if (!top.done) {
      top.done = true;
      for (let k = list.length - 1; k >= 0; --k) stack.push({vertex: list[k], done: false});
      continue;
    }
    stack.pop();
    row[top.vertex] = list.length ? (row[list[0]] + row[list[list.length - 1]]) / 2 : next++;
  }
  return {x: level.slice(), y: row, rows: Math.max(next, 1), columns: Math.max(0, ...level) + 1};
}

if (typeof module !== 'undefined') {
  module.exports = {
    unpackSeries,
    unpackTurn,
    multiply,
    rotate,
    between,
    locate,
    Motion,
    curveValues,
    contactRows,
    csvOf,
    readAddress,
    writeAddress,
    hit,
    shown,
    layoutTree
  };
}
