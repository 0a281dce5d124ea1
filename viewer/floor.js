// The floor: a plane that fades towards its rim, with a grid and with the shadows of what stands on it.

// `at` has place and turn; `own`: the model's, which stays where the grid is switched off.
function makePlane(scene, {place, turn}, own) {
  const back = conjugate(turn), centre = scene.low.map((x, k) => (x + scene.high[k]) / 2 - place[k]);
  const shift = rotate(back, centre);
  const uniforms = {
    ...scene.uniforms,
    place: {value: new THREE.Vector3(...place)},
    turn: {value: new THREE.Vector4(...turn)},
    reach: {value: scene.extent * 1.6},
    shift: {value: new THREE.Vector2(shift[0], shift[1])},
    cell: {value: scene.cell},
    floorColour: {value: new THREE.Vector3()},
    lineColour: {value: new THREE.Vector3()},
    back: {value: new THREE.Vector3()},
    gridOn: {value: 1}
  };
  const material = new THREE.ShaderMaterial({
    uniforms,
    vertexShader: kFloorVertex,
    fragmentShader: kFloorFragment,
    transparent: true,
    side: THREE.DoubleSide,
    extensions: {derivatives: true},
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1
  });
  const mesh = new THREE.Mesh(new THREE.PlaneBufferGeometry(2, 2), material);
  mesh.frustumCulled = false;
  mesh.renderOrder = -1;
  mesh.own = own;
  return mesh;
}
