// Puts the parts together, and keeps time.

const kPieceRoles = ['shape', 'joint', 'bar'];

// The document of the page as the parts want it.
function prepare(json) {
  const data = {...json};
  data.bodies = json.bodies.names.map((name, k) => ({
                                        name,
                                        still: json.bodies.still[k] === 1,
                                        mass: (json.bodies.mass || [])[k],
                                        kind: json.bodies.kinds[json.bodies.kind[k]]
                                      }));
  data.joints = json.joints.map(j => ({...j, place: j.at.slice(0, 3), turn: j.at.slice(3), cut: false, why: ''}));
  if (json.tree) {
    for (const cut of json.tree.cut) {
      data.joints[cut.joint].cut = true;
      data.joints[cut.joint].why = cut.why;
    }
  }
  data.meshes = json.meshes.map(mesh => {
    const half = [0, 1, 2].map(c => mesh.points.reduce((m, x, k) => k % 3 === c ? Math.max(m, Math.abs(x)) : m, 0));
    return {...mesh, half};
  });
  data.pieces = json.pieces.map(row => {
    const [body, kind, role, joint, x, y, z] = row,
                                          piece = {body, kind: kPieceKinds[kind], role: kPieceRoles[role], joint};
    piece.place = row.length > 7 ? row.slice(7, 10) : [0, 0, 0];
    piece.turn = row.length > 10 ? row.slice(10, 14) : [1, 0, 0, 0];
    piece.centred = row.length === 7;
    piece.size = [x, y, z];
    piece.scale = piece.kind === 'sphere' || piece.kind === 'ring' ? [x, x, x] :
        piece.kind === 'cylinder'                                  ? [x, x, y] :
        piece.kind === 'mesh'                                      ? [1, 1, 1] :
                                                                     [x, y, z];
    if (piece.kind === 'mesh') piece.mesh = x;
    return piece;
  });
  return data;
}

class Viewer {
  constructor(parts) {
    this.data = prepare(JSON.parse(new TextDecoder().decode(parts.scene)));
    const data = this.data, frames = data.frames;
    document.title = data.title + ' · Espalier';
    document.getElementById('title').textContent = data.title;
    document.getElementById('facts').textContent = data.subtitle;
    this.motion = new Motion(data.poses, frames, parts.frames);
    const ghost = data.ghost ? new Motion(data.ghost.poses, data.ghost, parts.ghost) : null;
    this.scene = new Scene(document.getElementById('view'), data, this.motion, ghost);
    this.over = document.getElementById('over');
    this.time = this.motion.start;
    this.speed = 1;
    this.playing = false;
    this.drawn = '';
    this.makeParts(parts);
    this.makeSwitches();
    this.makeTime();
    this.makePointer();
    this.listen();
    this.readAddress(readAddress(location.hash), true);
    requestAnimationFrame(now => this.frame(now));
  }

  makeParts(parts) {
    const data = this.data, frames = data.frames ? this.motion.count : 0, redraw = () => {
      this.drawn = '';
    };
    const choose = mark => this.select(mark), point = mark => {
      this.scene.lit = mark;
    };
    if (data.modes) this.modes = new Modes(data, this.scene, redraw);
    if (data.tree) this.topology = new Topology(data, point, choose);
    if (data.curves && data.curves.list.length) {
      this.plots = new Plots(data, unpackSeries(parts.curves, frames, data.curves.order), t => this.seek(t));
    }
    if (data.contacts) {
      this.contacts = new Contacts(data, unpackSeries(parts.contacts, data.contacts.rows, 1), this.scene, redraw);
    }
    if (data.ranks) this.ranks = new Ranks(data, unpackSeries(parts.owner, frames, 1), this.scene, redraw);
    // What stands in the page already comes behind what moves.
    for (const id of ['pictures', 'charts', 'report']) {
      const still = document.getElementById(id);
      if (still) document.getElementById('side').append(still);
    }
    if (data.bodies.length > 1) this.listing = new Listing(data, choose);
    provenance(data);
  }

  makeSwitches() {
    const box = document.getElementById('switches'), scene = this.scene, data = this.data;
    const add = (text, name, title) => {
      const button = element('button', {
        text,
        title,
        id: 'switch-' + name,
        'aria-pressed': String(scene.switches[name]),
        onclick: () => {
          scene.switches[name] = !scene.switches[name];
          button.setAttribute('aria-pressed', String(scene.switches[name]));
          this.drawn = '';
        }
      });
      box.append(button);
      return button;
    };
    box.append(element('button', {
      text: 'fit',
      title: 'Look at everything (F)',
      id: 'fit',
      onclick: () => {
        scene.fit();
        this.drawn = '';
      }
    }));
    add('grid', 'grid', 'Lines on the floor');
    add('shadow', 'shadow', 'Shadows');
    if (data.joints.length) {
      add('joints', 'joints', 'Joints');
      add('axes', 'axes', 'Axes of joints');
    }
    if (data.ghost) add('ghost', 'ghost', 'The other run, in grey');
    if (data.bodies.length < 2) return;
    add('frames', 'frames', 'Axes of bodies');
    this.labelSwitch = add('names', 'labels', 'Names (L)');
  }

  makeTime() {
    const bar = document.getElementById('time'), of = id => document.getElementById(id);
    if (this.motion.count < 2) {
      bar.hidden = true;
      return;
    }
    this.scrub = of('scrub');
    this.scrub.min = this.motion.start;
    this.scrub.max = this.motion.end;
    this.scrub.addEventListener('input', () => this.seek(+this.scrub.value));
    of('play').addEventListener('click', () => this.play(!this.playing));
    of('back').addEventListener('click', () => this.step(-1));
    of('step').addEventListener('click', () => this.step(1));
    for (const speed of [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 50]) {
      const option = element('option', {value: speed, text: speed + '×'});
      of('speed').append(option);
    }
    // A run shorter than four seconds is shown slower, a long one faster.
    const length = this.motion.end - this.motion.start, speeds = [...of('speed').options].map(o => +o.value);
    const wanted = length < 3 ? length / 5 : length > 60 ? length / 30 : 1;
    this.speed =
        speeds.reduce((best, s) => Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best);
    of('speed').value = this.speed;
    of('speed').addEventListener('change', () => {
      this.speed = +of('speed').value;
    });
  }

  makePointer() {
    const view = this.scene.canvas;
    let down = null, last = 0;
    view.addEventListener('pointerdown', event => {
      down = [event.offsetX, event.offsetY];
    });
    view.addEventListener('pointerup', event => {
      if (down && Math.hypot(event.offsetX - down[0], event.offsetY - down[1]) < 5) {
        this.select(this.scene.pick(event.offsetX, event.offsetY));
      }
      down = null;
    });
    view.addEventListener('pointermove', event => {
      const now = performance.now();
      if (event.buttons || now - last < 60 || this.data.pieces.length > 20000) return;
      last = now;
      this.scene.lit = this.scene.pick(event.offsetX, event.offsetY);
      view.title = this.scene.lit ? this.nameOf(this.scene.lit) : '';
    });
    view.addEventListener('pointerleave', () => {
      this.scene.lit = null;
    });
    this.scene.controls.addEventListener('change', () => {
      this.drawn = '';
    });
  }

  listen() {
    document.addEventListener('keydown', event => {
      if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== 'range') return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const onButton = event.target.tagName === 'BUTTON' || event.target.tagName === 'SUMMARY';
      const act = {
        ' ': () => !onButton && (this.play(!this.playing), true),
        ArrowLeft: () => (this.step(-1), true),
        ArrowRight: () => (this.step(1), true),
        Home: () => (this.seek(this.motion.start), true),
        End: () => (this.seek(this.motion.end), true),
        '+': () => (this.faster(1), true),
        '-': () => (this.faster(-1), true),
        f: () => (this.scene.fit(), this.drawn = '', true),
        l: () => this.labelSwitch && (this.labelSwitch.click(), true),
        t: () => (this.changeTheme(), true),
        Escape: () => (this.select(null), true)
      }[event.key];
      if (act && act()) event.preventDefault();
    });
    document.getElementById('theme').addEventListener('click', () => this.changeTheme());
    document.getElementById('picture').addEventListener('click', () => {
      this.scene.draw();
      this.scene.canvas.toBlob(blob => saveFile(blob, 'view.png'));
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.themed());
    addEventListener('hashchange', () => this.readAddress(readAddress(location.hash), false));
  }
  changeTheme() {
    const root = document.documentElement,
          dark =
              root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
    this.themed();
  }
  themed() {
    this.scene.theme();
    if (this.modes) this.modes.choose(this.modes.mode);
    this.drawn = '';
  }

  faster(by) {
    const select = document.getElementById('speed'), at = select.selectedIndex + by;
    if (at < 0 || at >= select.options.length) return;
    select.selectedIndex = at;
    this.speed = +select.value;
  }
  play(on) {
    if (this.modes) {
      this.modes.play(on);
      this.playing = on;
      return this.saveAddress();
    }
    if (this.motion.count < 2) return;
    if (on && this.time >= this.motion.end) this.seek(this.motion.start);
    this.playing = on;
    const button = document.getElementById('play');
    button.textContent = on ? '⏸' : '▶';
    button.setAttribute('aria-label', on ? 'Pause' : 'Play');
    this.saveAddress();
  }
  seek(time) {
    this.time = Math.min(this.motion.end, Math.max(this.motion.start, time));
    this.saveAddress();
  }
  step(by) {
    this.play(false);
    const {frame, share} = locate(this.motion.times, this.time), at = frame + (share > 0.999 ? 1 : 0);
    const to = share > 0.001 && share < 0.999 && by < 0 ? at : at + by;
    this.seek(this.motion.times[Math.max(0, Math.min(this.motion.count - 1, to))]);
  }

  nameOf(mark) {
    return (mark.kind === 'joint' ? this.data.joints : this.data.bodies)[mark.index].name;
  }
  select(mark) {
    this.scene.selected = mark;
    this.fillCard();
    this.saveAddress();
  }
  followBody(index) {
    this.scene.follow = this.scene.follow === index ? null : index;
    this.scene.lastFollowed = null;
    this.fillCard();
    this.saveAddress();
  }

  fillCard() {
    const card = document.getElementById('card'), mark = this.scene.selected;
    card.hidden = !mark;
    this.cardRows = [];
    if (!mark) return;
    const close =
        element('button', {class: 'close', text: '×', 'aria-label': 'Close', onclick: () => this.select(null)});
    card.replaceChildren(element('h2', {text: this.nameOf(mark)}), close);
    const rows = element('table', {}), add = (key, value) => {
      const cell = element('td', {text: value});
      rows.append(element('tr', {}, element('th', {text: key}), cell));
      return cell;
    };
    card.append(rows);
    if (mark.kind === 'joint')
      this.jointCard(this.data.joints[mark.index], add, card);
    else
      this.bodyCard(mark.index, add, card);
  }
  jointCard(joint, add, card) {
    const data = this.data;
    add('joint', joint.type);
    add('from', data.bodies[joint.a].name);
    add('to', data.bodies[joint.b].name);
    if (data.tree && joint.type !== 'fixed') {
      const cell = add('in the plan', joint.cut ? 'cut' : 'tree joint');
      if (joint.cut) cell.setAttribute('class', 'cut-word');
    }
    for (const k of (joint.curves || []).slice(0, 12)) {
      const curve = data.curves.list[k];
      this.cardRows.push({cell: add(curve.label || curve.name, ''), k, unit: curve.unit});
    }
    if (joint.why) card.append(element('p', {text: joint.why}));
    if (this.plots && joint.curves && joint.curves.length) {
      card.append(element(
          'div', {class: 'row'},
          element('button', {text: 'plot', onclick: () => this.plots.choose(joint.curves.slice(0, 8))})));
    }
  }
  bodyCard(index, add, card) {
    const body = this.data.bodies[index];
    add('body', body.kind);
    if (body.mass > 0) add('mass', shown(body.mass) + ' kg');
    ['x', 'y', 'z'].forEach((axis, c) => this.cardRows.push({cell: add(axis, ''), pose: 7 * index + c, unit: 'm'}));
    const joints = this.data.joints.filter(j => j.a === index || j.b === index).map(j => j.name);
    if (joints.length) add('joints', joints.slice(0, 12).join(', ') + (joints.length > 12 ? ' ...' : ''));
    if (!body.still) {
      card.append(element('div', {class: 'row'}, element('button', {
                            text: this.scene.follow === index ? 'stop following' : 'follow',
                            onclick: () => this.followBody(index)
                          })));
    }
  }
  updateCard() {
    for (const row of this.cardRows || []) {
      let value = row.k === undefined ? this.motion.pose[row.pose] : 0;
      if (row.k !== undefined) {
        row.values = row.values || this.plots.values(row.k);
        const {frame, share} = locate(this.motion.times, this.time), next = Math.min(frame + 1, this.motion.count - 1);
        value = row.values[frame] + share * (row.values[next] - row.values[frame]);
      }
      row.cell.textContent = shown(value) + (row.unit && row.unit !== '1' ? ' ' + row.unit : '');
    }
  }

  readAddress(state, first) {
    if (state.time !== undefined) this.seek(state.time);
    if (state.camera) {
      this.scene.resize();
      this.scene.setCamera(state.camera);
    }
    if (state.selected) {
      const at = state.selected.indexOf(':'), kind = state.selected.slice(0, at), index = +state.selected.slice(at + 1);
      const list = kind === 'joint' ? this.data.joints : this.data.bodies;
      if (index >= 0 && index < list.length) this.select({kind, index});
    }
    if (state.follow !== undefined && +state.follow < this.data.bodies.length) this.scene.follow = +state.follow;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (this.modes) {
      if (state.mode !== undefined) this.modes.choose(state.mode);
      if (state.phase !== undefined) this.modes.phase = state.phase;
      if (first) this.play(state.play === undefined ? !calm && state.phase === undefined : state.play);
    } else if (first)
      this.play(state.play === undefined ? !calm && this.motion.count > 1 && state.time === undefined : state.play);
    this.drawn = '';
  }
  saveAddress() {
    const mark = this.scene.selected, moved = this.cameraMoved;
    this.address = writeAddress({
      time: this.time,
      mode: this.modes ? this.modes.mode : undefined,
      phase: this.modes ? this.modes.phase : undefined,
      play: this.playing,
      camera: moved ? this.scene.cameraNumbers() : null,
      selected: mark ? `${mark.kind}:${mark.index}` : '',
      follow: this.scene.follow === null ? '' : String(this.scene.follow)
    });
    if (!this.playing && this.address !== location.hash) {
      try {
        history.replaceState(null, '', this.address);
      } catch (error) { /* some browsers keep file:// as it is */
      }
    }
  }

  frame(now) {
    const passed = this.last === undefined ? 0 : Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    if (this.modes) {
      this.modes.step(passed);
      if (this.modes.playing !== this.playing) {
        this.playing = this.modes.playing;
        this.saveAddress();
      }
    } else if (this.playing) {
      this.time += passed * this.speed;
      if (this.time >= this.motion.end) {
        const again = document.getElementById('loop').checked;
        this.time = again ? this.motion.start : this.motion.end;
        this.scene.lastFollowed = null;
        if (!again) this.play(false);
      }
    }
    if (this.scene.resize()) this.drawn = '';
    const key = JSON.stringify(
        [this.time, this.scene.lit, this.scene.selected, this.scene.follow, this.modes && this.modes.phase]);
    if (key !== this.drawn) {
      this.drawn = key;
      this.update();
    }
    requestAnimationFrame(next => this.frame(next));
  }
  update() {
    this.motion.at(this.time);
    const {frame, share} = locate(this.motion.times, this.time), shownFrame = share > 0.5 ? frame + 1 : frame;
    const at = Math.min(shownFrame, this.motion.count - 1);
    const owner = this.ranks && this.scene.switches.ranks ? this.ranks.owner(at, this.motion.count) : null;
    this.scene.paint(owner, owner ? at : 0);
    this.scene.place();
    this.scene.placeGhost(this.time);
    if (this.modes) this.modes.place();
    this.scene.followBody();
    if (this.contacts) this.contacts.show(at, false);
    if (this.ranks) this.ranks.show(at);
    this.scene.draw();
    this.drawLabels();
    if (this.topology) this.topology.show(this.scene.selected, this.scene.lit);
    if (this.plots) this.plots.cursor(this.time);
    if (this.scrub) this.scrub.value = this.time;
    document.getElementById('clock').textContent = `${this.time.toFixed(3)} s`;
    if (this.listing) this.listing.show(this.motion.pose);
    this.updateCard();
    this.frames = (this.frames || 0) + 1;
  }

  drawLabels() {
    const over = this.over, ratio = Math.min(window.devicePixelRatio || 1, 2), pen = over.getContext('2d');
    if (over.width !== this.scene.w * ratio) over.width = this.scene.w * ratio;
    if (over.height !== this.scene.h * ratio) over.height = this.scene.h * ratio;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.scene.w, this.scene.h);
    const style = getComputedStyle(document.documentElement), marks = [];
    if (this.scene.switches.labels) {
      this.data.bodies.slice(1, 161).forEach((body, k) => marks.push({kind: 'body', index: k + 1}));
    }
    for (const mark of [this.scene.lit, this.scene.selected])
      if (mark) marks.push(mark);
    pen.font = '12px system-ui, sans-serif';
    pen.lineWidth = 3;
    pen.lineJoin = 'round';
    for (const mark of marks) {
      const place = mark.kind === 'joint' ? this.scene.jointPlace(mark.index).place : this.centreOf(mark.index);
      const at = this.scene.seen(place);
      if (!at) continue;
      pen.strokeStyle = style.getPropertyValue('--stage');
      pen.fillStyle = style.getPropertyValue('--text');
      const text = short(this.nameOf(mark), 32);
      pen.strokeText(text, at[0] + 8, at[1] - 6);
      pen.fillText(text, at[0] + 8, at[1] - 6);
    }
  }
  // The middle of what is drawn of a body.
  centreOf(body) {
    this.pieceOf = this.pieceOf || new Map();
    if (!this.pieceOf.has(body)) {
      this.pieceOf.set(
          body, this.data.pieces.find(p => p.body === body && p.role !== 'joint' && p.kind !== 'plane') || null);
    }
    const piece = this.pieceOf.get(body);
    return piece ? this.scene.poseOf(piece).place : this.scene.pointOf(body, [0, 0, 0]);
  }
}

// A page of charts: they are there already.
function startPlain(data) {
  document.title = data.title + ' · Espalier';
  document.getElementById('facts').textContent = data.subtitle;
  document.querySelector('.tools').hidden = true;
  provenance({...data, plain: true});
}

// Pages within the page, each when it is asked for.
function listenChapters() {
  for (const button of document.querySelectorAll('button[data-page]')) {
    button.addEventListener('click', () => {
      const frame = element('iframe', {src: button.dataset.page, title: button.dataset.page});
      button.closest('section').append(frame);
      button.remove();
    });
  }
}

function startViewer(parts) {
  listenChapters();
  if (document.body.classList.contains('plain')) return startPlain(JSON.parse(new TextDecoder().decode(parts.scene)));
  window.espalier = new Viewer(parts);
  // The camera tells the address only when it rests.
  const viewer = window.espalier;
  viewer.scene.controls.addEventListener('end', () => {
    viewer.cameraMoved = true;
    viewer.saveAddress();
  });
}
