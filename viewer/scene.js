// The moving picture: instances of a few shapes, lit, with a floor, looked at by a camera.

// Wong's palette, safe for the colour-blind, without black; then the same lighter.
const kColours = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#56b4e9', '#cc79a7', '#8a7d00', '#7a5fb0'];
const kPieceKinds = ['sphere', 'box', 'capsule', 'cylinder', 'ellipsoid', 'plane', 'mesh', 'ring'];

class Scene {
  constructor(canvas, data, motion, ghost) {
    this.data = data;
    this.ghost = ghost;
    this.motion = motion;
    this.pieces = data.pieces;
    this.switches = {
      grid: true,
      shadow: true,
      ghost: true,
      joints: true,
      axes: false,
      frames: false,
      labels: false,
      ranks: false,
      points: true,
      arrows: true
    };
    this.selected = null;
    this.lit = null;
    this.follow = null;
    this.painted = '';
    this.shapeBatches = [];
    this.flatThings = [];
    this.renderer = this.makeRenderer(canvas);
    this.canvas = canvas;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
    // The last of three axes of the world points up; modes may have another one.
    const up = data.modes ? data.modes.up : 2;
    this.axes = [(up + 1) % 3, (up + 2) % 3, up];
    this.camera.up.copy(this.inWorld(0, 0, 1));
    this.controls = new THREE.OrbitControls(this.camera, canvas);
    this.controls.enableKeys = false;
    this.controls.screenSpacePanning = true;
    this.makeUniforms();
    this.measure();
    this.makePieces();
    this.makeFloor();
    this.makeLines();
    this.makeShadow();
    this.theme();
    this.fit();
  }

  makeRenderer(canvas) {
    const wanted = {antialias: true, alpha: false, preserveDrawingBuffer: true};
    const context = canvas.getContext('webgl2', wanted) || canvas.getContext('webgl', wanted);
    if (!context) throw new Error('This browser shows no 3D graphics (WebGL).');
    const renderer = new THREE.WebGLRenderer({canvas, context, antialias: true});
    renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    renderer.autoClear = true;
    return renderer;
  }

  inWorld(x, y, z) {
    const v = [0, 0, 0];
    this.axes.forEach((axis, k) => v[axis] = [x, y, z][k]);
    return new THREE.Vector3(...v);
  }

  makeUniforms() {
    const vector = (x, y, z) => ({value: new THREE.Vector3(x, y, z)});
    this.uniforms = {
      sun: vector(0.42, -0.48, 0.77),
      sky: vector(0.5, 0.55, 0.62),
      earth: vector(0.2, 0.19, 0.18),
      gloss: {value: 0.3},
      shadowMap: {value: null},
      shadowMatrix: {value: new THREE.Matrix4()},
      shadowOn: {value: 0},
      shadowTexel: {value: 0},
      lightMatrix: {value: new THREE.Matrix4()},
      towards: vector(0, 0, 1),
      viewProjection: {value: new THREE.Matrix4()}
    };
    this.uniforms.sun.value.copy(this.inWorld(0.42, -0.48, 0.77)).normalize();
    this.uniforms.towards.value.copy(this.uniforms.sun.value);
  }

  // Half lengths of the box around a piece.
  half(piece) {
    const [x, y, z] = piece.size;
    switch (piece.kind) {
      case 'sphere':
        return [x, x, x];
      case 'box':
        return [x / 2, y / 2, z / 2];
      case 'capsule':
        return [x, x, x + y / 2];
      case 'cylinder':
        return [x, x, y / 2];
      case 'ring':
        return [1.2 * x, 1.2 * x, 0.3 * x];
      case 'ellipsoid':
        return [x, y, z];
      case 'mesh':
        return this.data.meshes[piece.mesh].half;
      default:
        return [0, 0, 0];
    }
  }

  // The box around all that is drawn, at some times of the run. What stands still and is far larger than what moves,
  // the ground say, would make the rest too small to see.
  measure() {
    const moving = this.boxOf(piece => !this.data.bodies[piece.body].still), size = sizeOf(moving.whole);
    this.moving = isFinite(size) ? size : 0;
    const keep = piece => !(size > 0 && this.data.bodies[piece.body].still && Math.hypot(...this.half(piece)) > size);
    const {whole, first} = this.data.modes ? this.boxOfModes() : this.boxOf(keep);
    for (const box of [whole, first])
      if (!isFinite(box.low[0])) {
        box.low.fill(-1);
        box.high.fill(1);
      }
    this.start = first;
    this.low = whole.low;
    this.high = whole.high;
    this.extent = Math.max(1e-9, sizeOf(whole));
  }
  // With room for the motion.
  boxOfModes() {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const p of this.data.modes.points) {
      p.forEach((x, k) => {
        low[k] = Math.min(low[k], x);
        high[k] = Math.max(high[k], x);
      });
    }
    const room = 0.04 * sizeOf({low, high}), box = {low: low.map(x => x - room), high: high.map(x => x + room)};
    return {whole: box, first: {low: box.low.slice(), high: box.high.slice()}};
  }
  boxOf(keep) {
    const whole = {low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity]};
    const pieces = this.pieces.filter(piece => piece.kind !== 'plane' && keep(piece));
    let first = null;
    for (const share of this.motion.count > 1 ? [0, 0.25, 0.5, 0.75, 1] : [0]) {
      this.motion.at(this.motion.start + share * (this.motion.end - this.motion.start));
      for (const piece of pieces) {
        const {place, turn} = this.poseOf(piece), h = this.half(piece);
        for (let k = 0; k < 3; ++k) {
          const reach = piece.kind === 'sphere' ? h[0] : reachAlong(turn, h, k);
          whole.low[k] = Math.min(whole.low[k], place[k] - reach);
          whole.high[k] = Math.max(whole.high[k], place[k] + reach);
        }
      }
      if (!first) first = {low: whole.low.slice(), high: whole.high.slice()};
    }
    return {whole, first};
  }

  poseOf(piece) {
    const b = 7 * piece.body, p = this.motion.pose, turn = [p[b + 3], p[b + 4], p[b + 5], p[b + 6]];
    const at = rotate(turn, piece.place);
    return {place: [at[0] + p[b], at[1] + p[b + 1], at[2] + p[b + 2]], turn: multiply(turn, piece.turn)};
  }

  makePieces() {
    const groups = new Map();
    for (const piece of this.pieces) {
      if (piece.kind === 'plane') continue;
      const kind = piece.kind === 'sphere' ? 'ball' : piece.kind === 'mesh' ? 'mesh' + piece.mesh : piece.kind;
      const key = kind + (this.isGlass(piece) ? ' glass' : '');
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(piece);
    }
    this.batches = [];
    for (const [key, pieces] of groups) {
      const geometry = pieces[0].kind === 'mesh' ? meshGeometry(this.data.meshes[pieces[0].mesh]) : unitGeometry(key.split(' ')[0]);
      const batch = new Batch(key.split(' ')[0], geometry, pieces.length, this.uniforms);
      batch.pieces = pieces;
      if (key.endsWith('glass')) batch.makeGlass();
      this.batches.push(batch);
      this.scene.add(batch.mesh);
    }
    this.makeGhost();
    this.makeContactBatches();
  }

  // The other run of a comparison: what moves, in grey glass.
  makeGhost() {
    this.ghosts = [];
    if (!this.ghost) return;
    for (const batch of this.batches.slice()) {
      const pieces = batch.pieces.filter(p => p.role !== 'joint' && !this.data.bodies[p.body].still);
      if (!pieces.length) continue;
      const key = pieces[0].kind, geometry = key === 'mesh' ? meshGeometry(this.data.meshes[pieces[0].mesh]) :
                                                              unitGeometry(batch.kind);
      const ghost = new Batch(batch.kind, geometry, pieces.length, this.uniforms);
      ghost.pieces = pieces;
      ghost.makeGlass();
      this.ghosts.push(ghost);
      this.flatThings.push(ghost.mesh);
      this.scene.add(ghost.mesh);
    }
  }
  placeGhost(time) {
    if (!this.ghost) return;
    const own = this.motion, grey = new THREE.Color('#7d8894');
    this.ghost.at(time);
    this.motion = this.ghost;
    for (const batch of this.ghosts) {
      batch.mesh.visible = this.switches.ghost;
      batch.pieces.forEach((piece, k) => {
        const {place, turn} = this.poseOf(piece);
        batch.set(k, place, turn, piece.scale.map(x => Math.max(1e-12, x)));
        batch.paint(k, grey, 0.38);
      });
      batch.changed(true);
    }
    this.motion = own;
  }

  // Walls that stand around what moves would hide it.
  isGlass(piece) {
    return piece.role === 'shape' && this.data.bodies[piece.body].still && this.moving > 0 &&
        Math.hypot(...this.half(piece)) > 0.3 * this.moving;
  }

  makeContactBatches() {
    const most = this.data.contacts ? Math.max(1, this.data.contacts.most) : 0;
    this.contactBatches = [];
    if (!most) return;
    this.points = new Batch('ball', unitGeometry('ball'), most, this.uniforms);
    this.arrows = new Batch('arrow', unitGeometry('arrow'), most, this.uniforms);
    for (const batch of [this.points, this.arrows]) {
      batch.show(0);
      this.contactBatches.push(batch);
      this.scene.add(batch.mesh);
    }
  }

  // Planes of the model, or, where it has none, a grid below everything.
  makeFloor() {
    const planes = this.pieces.filter(p => p.kind === 'plane');
    const places = planes.length ? planes.map(p => this.poseOf(p)) :
                                   [{
                                     place: this.inWorld(0, 0, this.low[this.axes[2]] - 0.002 * this.extent).toArray(),
                                     turn: turnTo(this.inWorld(0, 0, 1).toArray())
                                   }];
    this.cell = Math.pow(10, Math.round(Math.log10(this.extent / 12)));
    this.floors = places.map(at => makePlane(this, at, planes.length > 0));
    this.scene.add(...this.floors);
  }

  // Joint axes and body frames.
  makeLines() {
    const make = count => {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(count * 6), 3));
      geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(count * 6), 3));
      const lines = new THREE.LineSegments(
          geometry,
          new THREE.LineBasicMaterial({vertexColors: THREE.VertexColors, depthTest: false, transparent: true}));
      lines.frustumCulled = false;
      lines.renderOrder = 5;
      this.scene.add(lines);
      return lines;
    };
    const bodies = Math.min(this.data.bodies.length, 2000), joints = Math.min(this.data.joints.length, 4000);
    this.frameLines = make(bodies * 3);
    this.axisLines = make(joints);
    this.springLines = make(this.data.springs.length);
    const colours = [[0.84, 0.37, 0], [0, 0.62, 0.45], [0, 0.45, 0.7]], c = this.frameLines.geometry.attributes.color;
    for (let k = 0; k < bodies * 3; ++k) c.array.set([...colours[k % 3], ...colours[k % 3]], 6 * k);
    const gold = this.axisLines.geometry.attributes.color;
    for (let k = 0; k < joints; ++k) gold.array.set([0.9, 0.62, 0, 0.9, 0.62, 0], 6 * k);
    const grey = this.springLines.geometry.attributes.color;
    for (let k = 0; k < this.data.springs.length; ++k) grey.array.set([0.8, 0.47, 0.65, 0.8, 0.47, 0.65], 6 * k);
  }

  makeShadow() {
    this.shadowTarget =
        new THREE.WebGLRenderTarget(2048, 2048, {minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter});
    this.uniforms.shadowMap.value = this.shadowTarget.texture;
    this.light = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1);
    this.light.up.copy(this.inWorld(0, 0, 1));
  }

  // Colours of the page's own style, so that light and dark are told in one place.
  theme() {
    const style = getComputedStyle(document.documentElement),
          colour = name => new THREE.Color(style.getPropertyValue(name).trim() || '#888888');
    this.renderer.setClearColor(colour('--stage'));
    const set = (vector, c) => vector.set(c.r, c.g, c.b);
    for (const floor of this.floors) {
      set(floor.material.uniforms.floorColour.value, colour('--floor'));
      set(floor.material.uniforms.lineColour.value, colour('--line'));
      set(floor.material.uniforms.back.value, colour('--stage'));
    }
    this.ground = colour('--solid');
    this.cutColour = colour('--cut');
    this.dark = colour('--joint');
    this.glow = colour('--glow');
    this.painted = '';
  }

  // Looks at everything; from the side where all moves in one plane.
  fit() {
    const long = this.data.flat && this.motion.count > 1;
    const low = long ? this.start.low : this.low, high = long ? this.start.high : this.high;
    const size = sizeOf({low, high}) || 1;
    const centre = new THREE.Vector3(...low.map((x, k) => (x + high[k]) / 2));
    const eye = this.data.flat ?
        new THREE.Vector3(...this.data.flat).multiplyScalar(0.94).add(new THREE.Vector3(0.22, 0, 0.24)).normalize() :
        this.inWorld(0.58, -0.72, 0.38).normalize();
    const wide = Math.min(1, this.camera.aspect), away = 0.52 * size / Math.tan(this.camera.fov * Math.PI / 360) / wide;
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(eye, away);
    this.camera.near = away / 400;
    this.camera.far = away * 60 + this.extent * 4;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.lastFollowed = null;
  }

  resize() {
    const w = this.canvas.clientWidth, h = this.canvas.clientHeight;
    if (!w || !h || (this.w === w && this.h === h)) return false;
    const first = !this.w;
    this.w = w;
    this.h = h;
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    if (first) this.fit();
    return true;
  }

  colourOf(piece, owner) {
    const body = this.data.bodies[piece.body];
    if (piece.role === 'joint') {
      const cut = this.data.joints[piece.joint].cut;
      return cut ? this.cutColour : this.dark;
    }
    if (body.still) return this.ground;
    if (this.switches.ranks && owner) return new THREE.Color(kColours[owner(piece.body) % kColours.length]);
    return new THREE.Color(kColours[(piece.body - 1 + kColours.length) % kColours.length]);
  }

  isMarked(piece, mark) {
    if (!mark) return false;
    if (mark.kind === 'joint') return piece.role === 'joint' && piece.joint === mark.index;
    return piece.role !== 'joint' && piece.body === mark.index;
  }

  paint(owner, stamp) {
    const key = JSON.stringify([this.selected, this.lit, this.switches.ranks, this.switches.joints, stamp]);
    if (key === this.painted) return false;
    this.painted = key;
    const cache = new Map();
    for (const batch of this.batches) {
      batch.pieces.forEach((piece, k) => {
        let colour = this.colourOf(piece, owner);
        if (this.isMarked(piece, this.selected))
          colour = colour.clone().lerp(this.glow, 0.6);
        else if (this.isMarked(piece, this.lit))
          colour = colour.clone().lerp(this.glow, 0.35);
        batch.paint(k, colour, batch.glass ? 0.09 : 1);
      });
      batch.colour.needsUpdate = true;
    }
    return true;
  }

  // Moves everything to what `motion.pose` holds.
  place() {
    for (const batch of this.batches) {
      const {pieces} = batch, p = this.motion.pose, place = batch.place.array, turns = batch.turn.array;
      const ball = batch.kind === 'ball';
      for (let k = 0; k < pieces.length; ++k) {
        const piece = pieces[k], b = 7 * piece.body;
        if (ball && piece.centred) {
          place[3 * k] = p[b];
          place[3 * k + 1] = p[b + 1];
          place[3 * k + 2] = p[b + 2];
          turns[4 * k] = p[b + 3];
          turns[4 * k + 1] = p[b + 4];
          turns[4 * k + 2] = p[b + 5];
          turns[4 * k + 3] = p[b + 6];
        } else {
          const pose = this.poseOf(piece);
          place.set(pose.place, 3 * k);
          turns.set(pose.turn, 4 * k);
        }
        const shown = piece.role !== 'joint' || this.switches.joints ? 1 : 0;
        const grow = piece.role === 'joint' && (this.isMarked(piece, this.selected) || this.isMarked(piece, this.lit)) ?
            1.35 :
            1;
        const size = batch.size.array;
        size[3 * k] = Math.max(1e-12, piece.scale[0] * shown * grow);
        size[3 * k + 1] = Math.max(1e-12, piece.scale[1] * shown * grow);
        size[3 * k + 2] = Math.max(1e-12, piece.scale[2] * shown * grow);
      }
      batch.changed(false);
    }
    this.placeLines();
  }

  placeLines() {
    const p = this.motion.pose, reach = 0.035 * this.startSize();
    this.frameLines.visible = this.switches.frames;
    if (this.switches.frames) {
      const at = this.frameLines.geometry.attributes.position, axis = [0, 0, 0];
      for (let k = 0; k < at.count / 6; ++k) {
        const b = 7 * k, turn = [p[b + 3], p[b + 4], p[b + 5], p[b + 6]];
        for (let c = 0; c < 3; ++c) {
          axis.fill(0);
          axis[c] = reach;
          const d = rotate(turn, axis);
          at.array.set([p[b], p[b + 1], p[b + 2], p[b] + d[0], p[b + 1] + d[1], p[b + 2] + d[2]], 18 * k + 6 * c);
        }
      }
      at.needsUpdate = true;
    }
    this.axisLines.visible = this.switches.axes;
    if (this.switches.axes) {
      const at = this.axisLines.geometry.attributes.position;
      for (let k = 0; k < at.count / 2; ++k) {
        const {place, axis} = this.jointPlace(k), d = axis.map(x => 2 * reach * x);
        at.array.set([...place.map((x, c) => x - d[c]), ...place.map((x, c) => x + d[c])], 6 * k);
      }
      at.needsUpdate = true;
    }
    this.springLines.visible = this.data.springs.length > 0;
    const at = this.springLines.geometry.attributes.position;
    this.data.springs.forEach((spring, k) => {
      at.array.set([...this.pointOf(spring.a, spring.from), ...this.pointOf(spring.b, spring.to)], 6 * k);
    });
    at.needsUpdate = true;
  }
  startSize() {
    return sizeOf(this.start);
  }

  pointOf(body, point) {
    const b = 7 * body, p = this.motion.pose, at = rotate([p[b + 3], p[b + 4], p[b + 5], p[b + 6]], point);
    return [at[0] + p[b], at[1] + p[b + 1], at[2] + p[b + 2]];
  }
  jointPlace(index) {
    const joint = this.data.joints[index], b = 7 * joint.a, p = this.motion.pose;
    const turn = multiply([p[b + 3], p[b + 4], p[b + 5], p[b + 6]], joint.turn);
    return {place: this.pointOf(joint.a, joint.place), axis: rotate(turn, [0, 0, 1])};
  }

  // Rows of {point, force, state}; `arrow` metres for the largest force.
  placeContacts(rows, options) {
    if (!this.points) return;
    const state = [new THREE.Color('#009e73'), new THREE.Color('#d55e00'), new THREE.Color('#8c8c8c')];
    const radius = options.radius, scale = options.scale;
    let points = 0, arrows = 0;
    for (const row of rows) {
      const size = Math.hypot(...row.force);
      if (!options.states[row.state] || size < options.threshold) continue;
      if (this.switches.points) {
        this.points.set(points, row.point, [1, 0, 0, 0], [radius, radius, radius]);
        this.points.paint(points++, state[row.state], 1);
      }
      if (!this.switches.arrows || size <= 0) continue;
      const d = row.force.map(x => x / size), turn = turnTo(d), length = scale * size;
      const thick = Math.min(radius * 0.55, length * 0.12);
      this.arrows.set(arrows, row.point, turn, [thick, thick, length]);
      this.arrows.paint(arrows++, state[row.state], 1);
    }
    this.points.show(points);
    this.arrows.show(arrows);
    for (const batch of this.contactBatches) batch.changed(true);
  }

  followBody() {
    if (this.follow === null) return;
    const b = 7 * this.follow, p = this.motion.pose, now = new THREE.Vector3(p[b], p[b + 1], p[b + 2]);
    if (this.lastFollowed) {
      const step = now.clone().sub(this.lastFollowed);
      this.camera.position.add(step);
      this.controls.target.add(step);
    }
    this.lastFollowed = now;
  }

  drawShadow() {
    const on = this.switches.shadow && this.pieces.length < 30000;
    this.uniforms.shadowOn.value = on ? 1 : 0;
    if (!on) return;
    const centre = this.controls.target, size = Math.min(this.extent, 2.2 * this.startSize()) * 0.62;
    const sun = this.uniforms.sun.value, far = 2 * this.extent + size;
    this.light.position.copy(centre).addScaledVector(sun, far);
    this.light.lookAt(centre);
    this.light.left = this.light.bottom = -size;
    this.light.right = this.light.top = size;
    this.light.near = 0;
    this.light.far = 2 * far;
    this.light.updateProjectionMatrix();
    this.light.updateMatrixWorld();
    this.light.matrixWorldInverse.getInverse(this.light.matrixWorld);
    this.uniforms.lightMatrix.value.multiplyMatrices(this.light.projectionMatrix, this.light.matrixWorldInverse);
    this.uniforms.shadowMatrix.value.copy(this.uniforms.lightMatrix.value);
    this.uniforms.shadowTexel.value = 2 * size / 2048;
    const glass = this.batches.filter(batch => batch.glass).map(batch => batch.mesh);
    const hidden = [...this.floors, ...glass, ...this.flatThings, this.frameLines, this.axisLines, this.springLines];
    const seen = hidden.map(x => x.visible);
    hidden.forEach(x => {
      x.visible = false;
    });
    const solid = [...this.batches, ...this.shapeBatches];
    for (const batch of solid) batch.mesh.material = batch.depth;
    const contacts = this.contactBatches.map(x => x.mesh.visible);
    this.contactBatches.forEach(x => {
      x.mesh.visible = false;
    });
    const clear = this.renderer.getClearColor().clone();
    this.renderer.setClearColor('#ffffff', 1);
    this.uniforms.shadowMap.value = null;
    this.renderer.setRenderTarget(this.shadowTarget);
    this.renderer.clear();
    this.renderer.render(this.scene, this.light);
    this.renderer.setRenderTarget(null);
    this.renderer.setClearColor(clear, 1);
    this.uniforms.shadowMap.value = this.shadowTarget.texture;
    for (const batch of solid) batch.mesh.material = batch.material;
    hidden.forEach((x, k) => {
      x.visible = seen[k];
    });
    this.contactBatches.forEach((x, k) => {
      x.mesh.visible = contacts[k];
    });
  }

  draw() {
    this.drawShadow();
    this.camera.updateMatrixWorld();
    this.camera.matrixWorldInverse.getInverse(this.camera.matrixWorld);
    this.uniforms.viewProjection.value.multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse);
    for (const floor of this.floors) {
      floor.visible = this.switches.grid || floor.own;
      floor.material.uniforms.gridOn.value = this.switches.grid ? 1 : 0;
    }
    this.renderer.render(this.scene, this.camera);
  }

  // The body or joint under a point of the canvas; joints win where they lie within what holds them.
  pick(x, y) {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(2 * x / this.w - 1, 1 - 2 * y / this.h), this.camera);
    const origin = ray.ray.origin.toArray(), direction = ray.ray.direction.toArray();
    let best = null, nearest = Infinity;
    for (const piece of this.pieces) {
      if (piece.kind === 'plane' || (piece.role === 'joint' && !this.switches.joints)) continue;
      const {place, turn} = this.poseOf(piece), round = piece.kind === 'sphere' || piece.kind === 'ellipsoid';
      const grow = piece.role === 'joint' ? 1.4 : 1;
      let at = hit(origin, direction, place, turn, this.half(piece).map(h => Math.max(1e-9, h * grow)), round);
      if (piece.role === 'joint') at -= 0.03 * this.startSize();
      if (at < nearest) {
        nearest = at;
        best = piece.role === 'joint' ? {kind: 'joint', index: piece.joint} : {kind: 'body', index: piece.body};
      }
    }
    return best;
  }
  // Where a point of the world is seen, in pixels; null behind the eye.
  seen(point) {
    const v = new THREE.Vector3(...point).project(this.camera);
    return v.z > 1 ? null : [(v.x + 1) / 2 * this.w, (1 - v.y) / 2 * this.h];
  }
  cameraNumbers() {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()];
  }
  setCamera(numbers) {
    this.camera.position.set(...numbers.slice(0, 3));
    this.controls.target.set(...numbers.slice(3));
    this.controls.update();
  }
}
