// Shapes of vibration modes that move: bars between their points, coloured by strain energy.

// From little to much, told apart by lightness too.
const kStrainRamp = ['#31688e', '#35b779', '#fde725'];

class Modes {
  constructor(data, scene, redraw) {
    this.data = data.modes;
    this.scene = scene;
    this.redraw = redraw;
    this.mode = 0;
    this.phase = 0;
    this.size = scene.extent;
    this.playing = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.segments = [];
    this.data.lines.forEach((line, index) => {
      for (let k = 1; k < line.points.length; ++k) {
        this.segments.push({a: line.points[k - 1], b: line.points[k], line: index, kind: line.kind});
      }
    });
    this.makeShapes();
    this.makePanel();
  }

  makeShapes() {
    const {scene, segments, data} = this, uniforms = scene.uniforms;
    const add = (kind, count) => {
      const batch = new Batch(kind, unitGeometry(kind), Math.max(1, count), uniforms);
      batch.show(count);
      scene.shapeBatches.push(batch);
      scene.scene.add(batch.mesh);
      return batch;
    };
    this.bars = add('cylinder', segments.length);
    this.corners = add('ball', data.points.length);
    this.supports = add('box', data.fixed.filter(Boolean).length);
    // How thick a point is: as the thickest bar that ends there.
    this.thick = new Float32Array(data.points.length);
    for (const {a, b, kind} of segments) {
      const thick = kind === 'joint' ? 0.011 * this.size : this.radius(kind);
      for (const k of [a, b]) this.thick[k] = Math.max(this.thick[k], thick);
    }
    const geometry = new THREE.BufferGeometry(), at = new Float32Array(segments.length * 6);
    segments.forEach(({a, b}, k) => at.set([...data.points[a], ...data.points[b]], 6 * k));
    geometry.setAttribute('position', new THREE.BufferAttribute(at, 3));
    this.drawn = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({color: '#8a95a1'}));
    this.drawn.frustumCulled = false;
    scene.scene.add(this.drawn);
    scene.flatThings.push(this.drawn);
  }
  radius(kind) {
    return this.size * (kind === 'elastic' ? 0.007 : kind === 'rigid' ? 0.0045 : 0.003);
  }

  makePanel() {
    const box = part('modes', 'Modes', `${this.data.modes.length}`);
    const range = (text, id, max, step, value, change) => {
      const input = element('input', {type: 'range', id, min: 0, max, step, value, 'aria-label': text});
      input.addEventListener('input', () => (change(+input.value), this.redraw()));
      change(value);
      return element('label', {}, document.createTextNode(text + ' '), input);
    };
    this.button = element('button', {id: 'mode-play', onclick: () => this.play(!this.playing)});
    const rows = this.data.modes.map((mode, k) => {
      const name = element('button', {text: `${k + 1}`, onclick: () => this.choose(k)});
      const cells = [mode.frequency, mode.decay].map(x => element('td', {class: 'n', text: x === 0 ? '0' : String(+x.toPrecision(6))}));
      return element('tr', {onclick: () => this.choose(k)}, element('td', {}, name), ...cells, element('td', {text: this.most(mode)}));
    });
    this.rows = rows;
    const head = element('tr', {}, ...['mode', 'frequency [Hz]', 'decay [1/s]', 'most strain energy'].map(text => element('th', {text})));
    box.append(
        element(
            'div', {class: 'switch'}, this.button,
            range('amplitude', 'mode-amplitude', 3, 0.02, 1, value => this.amplitude = value),
            range('speed', 'mode-speed', 2, 0.02, 0.6, value => this.speed = value)),
        element('div', {class: 'scroll'}, element('table', {class: 'data modes'}, element('thead', {}, head), element('tbody', {}, ...rows))));
    if (this.data.modes.some(mode => mode.strain)) {
      const ramp = element('span', {class: 'ramp', style: `background:linear-gradient(90deg,${kStrainRamp.join(',')})`});
      box.append(element(
          'p', {class: 'dim'}, document.createTextNode('Strain energy of a part: none '), ramp,
          document.createTextNode(' the most of all parts. Thin grey lines: at rest.')));
    }
    const panel = box.parentElement;
    panel.parentElement.prepend(panel);
    this.choose(0);
    this.play(this.playing);
  }
  // The line with the largest part of the strain energy.
  most(mode) {
    if (!mode.strain) return '';
    const k = mode.strain.reduce((best, x, at) => x > mode.strain[best] ? at : best, 0);
    return mode.strain[k] > 0 ? `${this.data.lines[k].name} ${(100 * mode.strain[k]).toFixed(0)} %` : '';
  }

  choose(k) {
    this.mode = Math.max(0, Math.min(this.data.modes.length - 1, k));
    this.rows.forEach((row, at) => row.setAttribute('aria-selected', String(at === this.mode)));
    const mode = this.data.modes[this.mode], strain = mode.strain || [], most = Math.max(1e-300, ...strain);
    const ramp = kStrainRamp.map(text => new THREE.Color(text));
    const colour = (kind, line) => {
      if (kind === 'rigid') return this.scene.dark;
      const share = strain.length ? Math.max(0, strain[line]) / most : 0, at = share * (ramp.length - 1);
      const k = Math.min(ramp.length - 2, Math.floor(at));
      return ramp[k].clone().lerp(ramp[k + 1], at - k);
    };
    const ends = new Map(), rank = ['rigid', 'elastic', 'joint'];
    this.segments.forEach(({a, b, line, kind}, at) => {
      const c = colour(kind, line);
      this.bars.paint(at, c, 1);
      // Joints have no length as a rule: they are seen by their ends.
      for (const end of [a, b]) {
        if (!ends.has(end) || rank.indexOf(kind) > rank.indexOf(ends.get(end).kind)) ends.set(end, {kind, c});
      }
    });
    this.data.points.forEach((p, k) => this.corners.paint(k, ends.has(k) ? ends.get(k).c : this.scene.dark, 1));
    for (let k = 0; k < this.supports.capacity; ++k) this.supports.paint(k, this.scene.ground, 1);
    this.redraw();
  }
  play(on) {
    this.playing = on;
    this.button.textContent = on ? '⏸ pause' : '▶ move';
  }
  step(seconds) {
    if (this.playing) this.phase = (this.phase + 2 * Math.PI * this.speed * seconds) % (2 * Math.PI);
  }

  // Moves everything to the phase: Re(u exp(i phase)), the largest 0.15 of the size at amplitude 1.
  place() {
    const {points, fixed, modes} = this.data, shape = modes[this.mode].displacement;
    const size = 0.15 * this.size * this.amplitude, c = size * Math.cos(this.phase), s = size * Math.sin(this.phase);
    const moved = points.map((p, k) => p.map((x, i) => x + c * shape[k][2 * i] - s * shape[k][2 * i + 1]));
    this.segments.forEach(({a, b, kind}, k) => {
      const way = moved[b].map((x, i) => x - moved[a][i]), length = Math.hypot(...way), r = this.radius(kind);
      const turn = length > 0 ? turnTo(way.map(x => x / length)) : [1, 0, 0, 0];
      this.bars.set(k, moved[a].map((x, i) => (x + moved[b][i]) / 2), turn, [r, r, Math.max(1e-12, length)]);
    });
    let held = 0;
    moved.forEach((p, k) => {
      const r = Math.max(1e-12, this.thick[k]);
      this.corners.set(k, p, [1, 0, 0, 0], [r, r, r]);
      if (!fixed[k]) return;
      const side = 0.03 * this.size;
      this.supports.set(held++, p, [1, 0, 0, 0], [side, side, side]);
    });
    for (const batch of [this.bars, this.corners, this.supports]) batch.changed(true);
  }
}
