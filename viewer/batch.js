// Many instances of a few shapes, as the graphics card wants them, and the arithmetic of boxes and turns.

// Many things of one shape in one drawing call. Rows: place 3, turn 4, size 3, colour 4.
class Batch {
  constructor(kind, geometry, capacity, uniforms) {
    this.kind = kind;
    this.capacity = capacity;
    this.geometry = new THREE.InstancedBufferGeometry();
    for (const name of Object.keys(geometry.attributes)) this.geometry.setAttribute(name, geometry.attributes[name]);
    if (geometry.index) this.geometry.setIndex(geometry.index);
    const add = (name, size) => {
      const attribute = new THREE.InstancedBufferAttribute(new Float32Array(capacity * size), size);
      attribute.setUsage ? attribute.setUsage(THREE.DynamicDrawUsage) : attribute.dynamic = true;
      this.geometry.setAttribute(name, attribute);
      return attribute;
    };
    this.place = add('iPlace', 3);
    this.turn = add('iTurn', 4);
    this.size = add('iSize', 3);
    this.colour = add('iColour', 4);
    const ball = kind === 'ball', defines = kind === 'capsule' ? {CAPSULE: 1} : {};
    const shader = (vertexShader, fragmentShader, more) => new THREE.ShaderMaterial({
      uniforms,
      vertexShader,
      fragmentShader,
      side: THREE.DoubleSide,
      ...more,
      defines: {...defines, ...(more.defines || {})},
      extensions: {fragDepth: ball}
    });
    this.material = ball ? shader(kBallVertex, kBallFragment, {}) : shader(kMeshVertex, kMeshFragment, {});
    this.depth = ball ? shader(kBallVertex, kBallDepthFragment, {defines: {DEPTH: 1}}) :
                        shader(kMeshVertex, kDepthFragment, {defines: {DEPTH: 1}});
    this.mesh = new THREE.Mesh(this.geometry, this.material);
    this.mesh.frustumCulled = false;
    this.show(capacity);
  }
  makeGlass() {
    this.glass = true;
    this.material.transparent = true;
    this.material.depthWrite = false;
    this.mesh.renderOrder = 4;
  }
  show(count) {
    this.geometry.maxInstancedCount = count;
    this.mesh.visible = count > 0;
  }
  set(k, place, turn, size) {
    this.place.array.set(place, 3 * k);
    this.turn.array.set(turn, 4 * k);
    this.size.array.set(size, 3 * k);
  }
  paint(k, rgb, alpha) {
    this.colour.array[4 * k] = rgb.r;
    this.colour.array[4 * k + 1] = rgb.g;
    this.colour.array[4 * k + 2] = rgb.b;
    this.colour.array[4 * k + 3] = alpha;
  }
  changed(colours) {
    this.place.needsUpdate = this.turn.needsUpdate = this.size.needsUpdate = true;
    if (colours) this.colour.needsUpdate = true;
  }
}

// Unit shapes; sizes of pieces scale them.
function unitGeometry(kind) {
  if (kind === 'ball') return new THREE.PlaneBufferGeometry(2, 2);
  if (kind === 'box') return new THREE.BoxBufferGeometry(1, 1, 1);
  if (kind === 'ellipsoid') return new THREE.SphereBufferGeometry(1, 32, 20);
  if (kind === 'ring') {
    return new THREE.TorusBufferGeometry(1, 0.16, 10, 36);
  }
  if (kind === 'cylinder') {
    const geometry = new THREE.CylinderBufferGeometry(1, 1, 1, 32);
    geometry.rotateX(Math.PI / 2);
    return geometry;
  }
  if (kind === 'arrow') {
    // One long: a shaft, and a head of which the width is that of the shaft three times.
    const profile = [[0, 0], [1, 0], [1, 0.76], [2.6, 0.76], [0, 1]].map(([r, z]) => new THREE.Vector2(r, z));
    const geometry = new THREE.LatheBufferGeometry(profile, 16);
    geometry.rotateX(Math.PI / 2);
    geometry.computeVertexNormals();
    return geometry;
  }
  // Capsule: the upper half of a ball belongs to one end, the lower to the other.
  const ball = new THREE.SphereBufferGeometry(1, 24, 16);
  ball.rotateX(Math.PI / 2);
  const z = ball.attributes.position, end = new Float32Array(z.count);
  for (let k = 0; k < z.count; ++k) end[k] = z.getZ(k) > 1e-6 ? 1 : z.getZ(k) < -1e-6 ? -1 : 0;
  // The rim is shared by both: it stands twice, once a side, so that the wall between them is straight.
  for (let k = 0; k < z.count; ++k)
    if (end[k] === 0) end[k] = 1;
  ball.setAttribute('end', new THREE.BufferAttribute(end, 1));
  return ball;
}

function meshGeometry(mesh) {
  // Corners of their own for each triangle: faces of hulls and robots are flat.
  const geometry = new THREE.BufferGeometry(), at = new Float32Array(mesh.triangles.length * 3);
  mesh.triangles.forEach((corner, k) => at.set(mesh.points.slice(3 * corner, 3 * corner + 3), 3 * k));
  geometry.setAttribute('position', new THREE.BufferAttribute(at, 3));
  geometry.computeVertexNormals();
  return geometry;
}

const sizeOf = box => Math.max(0, Math.hypot(...box.low.map((x, k) => box.high[k] - x)));

// How far a turned box of half lengths `h` reaches along an axis of the world.
function reachAlong(turn, h, axis) {
  let sum = 0;
  for (let c = 0; c < 3; ++c) {
    const edge = [0, 0, 0];
    edge[c] = h[c];
    sum += Math.abs(rotate(turn, edge)[axis]);
  }
  return sum;
}

// The shortest turn that takes z to a unit vector.
function turnTo(d) {
  if (d[2] < -0.999999) return [0, 1, 0, 0];
  const q = [1 + d[2], -d[1], d[0], 0], norm = Math.hypot(...q);
  return q.map(x => x / norm);
}
