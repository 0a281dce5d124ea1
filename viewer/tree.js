// The plan as a picture: the spanning tree from the root on the left, a column a level, cut joints dashed.

const kSvg = 'http://www.w3.org/2000/svg';
const kMostVertices = 1200;

function element(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const key of Object.keys(attributes || {})) {
    if (key === 'text')
      node.textContent = attributes.text;
    else if (key.startsWith('on'))
      node.addEventListener(key.slice(2), attributes[key]);
    else if (attributes[key] !== false)
      node.setAttribute(key, attributes[key]);
  }
  node.append(...children);
  return node;
}
function drawn(name, attributes, text) {
  const node = document.createElementNS(kSvg, name);
  for (const key of Object.keys(attributes)) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  return node;
}

// A part of the page that can be folded.
function part(id, title, remark) {
  const body = element('div', {}), summary = element('summary', {text: title});
  if (remark) summary.append(element('small', {text: remark}));
  const details = element('details', {id, open: ''}, summary, body);
  document.getElementById('side').append(details);
  return body;
}

class Topology {
  // `pointed` and `chosen` get {kind, index} or null.
  constructor(data, pointed, chosen) {
    this.marks = [];
    this.data = data;
    const tree = data.tree;
    const loops = tree.cut.length === 1 ? '1 cut joint' : tree.cut.length + ' cut joints';
    this.box = part('topology', 'Topology', `${tree.vertices.length} vertices, ${loops}`);
    if (tree.facts.length) {
      this.box.append(element('p', {class: 'dim', text: tree.facts.join(' · ')}));
    }
    if (tree.vertices.length > kMostVertices) {
      this.box.append(
          element('p', {text: `A tree of ${tree.vertices.length} vertices is too large to be drawn here.`}));
      return;
    }
    this.pointed = pointed;
    this.chosen = chosen;
    const scroll = element('div', {class: 'scroll'});
    scroll.append(this.picture(tree));
    this.box.append(
        this.search(), scroll, element('p', {
          class: 'dim',
          text:
              'Lines are tree joints, the critical branch bold, dashes cut joints. Point at one to see it in the scene.'
        }),
        this.table(tree));
  }

  // Bodies and joints by a part of their name: the first that fits is chosen.
  search() {
    const {bodies, joints} = this.data, names = [
      ...joints.map((joint, index) => ({name: joint.name.toLowerCase(), mark: {kind: 'joint', index}})),
      ...bodies.map((body, index) => ({name: body.name.toLowerCase(), mark: {kind: 'body', index}})),
    ];
    const input = element('input', {type: 'search', placeholder: 'find a body or joint', 'aria-label': 'Find a body or joint'});
    input.addEventListener('input', () => {
      const word = input.value.trim().toLowerCase();
      const found = word && (names.find(n => n.name === word) || names.find(n => n.name.startsWith(word)) ||
                             names.find(n => n.name.includes(word)));
      this.chosen(found ? found.mark : null);
    });
    return element('div', {class: 'pick'}, input);
  }

  // All joints of the plan in words.
  table(tree) {
    const {joints} = this.data, most = 400, rows = [];
    const row = (index, cells) => {
      const name = element('button', {text: joints[index].name, onclick: () => this.chosen({kind: 'joint', index})});
      const line = element('tr', {}, element('td', {}, name), ...cells.map(text => element('td', {text})));
      rows.push(line);
    };
    for (const cut of tree.cut) row(cut.joint, ['cut', joints[cut.joint].type, cut.why.replace(/^.* is cut: /, '')]);
    tree.parent.forEach((parent, k) => {
      if (parent < 0 || tree.joint[k] < 0) return;
      const critical = tree.critical.includes(k) ? ', critical' : '';
      row(tree.joint[k], [
        'tree' + critical, joints[tree.joint[k]].type,
        `${tree.vertices[parent].name} to ${tree.vertices[k].name}, level ${tree.level[k]}`
      ]);
    });
    const head = element('tr', {}, ...['joint', 'in the plan', 'type', ''].map(text => element('th', {text})));
    const body = element('tbody', {}, ...rows.slice(0, most));
    const all = rows.length > most ? `The first ${most} of ${rows.length}.` : '';
    return element(
        'details', {class: 'inner'}, element('summary', {text: 'All joints as a table'}),
        element('div', {class: 'scroll'}, element('table', {class: 'data'}, element('thead', {}, head), body)),
        element('p', {class: 'dim', text: all}));
  }

  picture(tree) {
    const place = layoutTree(tree.parent, tree.level), named = tree.vertices.length <= 250;
    const row = Math.min(26, Math.max(15, 520 / place.rows)), column = named ? 96 : 46, left = 26, top = 30;
    const x = k => left + column * place.x[k], y = k => top + row * place.y[k];
    const width = left + column * (place.columns - 1) + (named ? 150 : 70), height = top + row * place.rows + 8;
    const svg = drawn('svg', {
      class: 'tree',
      preserveAspectRatio: 'xMinYMin',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'aria-label': 'Spanning tree and cut joints'
    });
    for (let k = 0; k < place.columns; ++k)
      svg.append(drawn('text', {class: 'level', x: left + column * k - 4, y: 11}, k));
    tree.parent.forEach((parent, k) => {
      if (parent < 0) return;
      const middle = (x(parent) + x(k)) / 2, critical = tree.critical.includes(k) ? ' critical' : '';
      this.line(
          svg, `M${x(parent)},${y(parent)} C${middle},${y(parent)} ${middle},${y(k)} ${x(k)},${y(k)}`,
          'edge' + critical, tree.joint[k]);
    });
    for (const cut of tree.cut) {
      const [a, b] = [cut.a, cut.b], bend = 18 + 0.25 * Math.abs(y(a) - y(b));
      const out = Math.max(x(a), x(b)) + (named ? 70 : 10) + Math.min(bend, 90);
      this.line(svg, `M${x(a)},${y(a)} C${out},${y(a)} ${out},${y(b)} ${x(b)},${y(b)}`, 'cut', cut.joint);
    }
    tree.vertices.forEach((vertex, k) => {
      const group = drawn('g', {});
      group.append(drawn(
          'circle', {class: 'vertex' + (tree.parent[k] < 0 ? ' root' : ''), cx: x(k), cy: y(k), r: named ? 5 : 3.5}));
      group.append(drawn('title', {}, vertex.name));
      if (named) group.append(drawn('text', {x: x(k) + 8, y: y(k) + 4}, short(vertex.name, 16)));
      this.listen(group, {kind: 'body', index: vertex.bodies[0]}, vertex.bodies);
      svg.append(group);
    });
    return svg;
  }
  line(svg, path, kind, joint) {
    const group = drawn('g', {});
    group.append(
        drawn('path', {class: kind, d: path}), drawn('path', {class: 'grip', d: path}),
        drawn('title', {}, this.data.joints[joint].name));
    group.dataset.joint = joint;
    this.listen(group, {kind: 'joint', index: joint}, [joint]);
    svg.append(group);
  }
  listen(group, mark, members) {
    this.marks.push({group, kind: mark.kind, members: new Set(members)});
    group.addEventListener('pointerenter', () => this.pointed(mark));
    group.addEventListener('pointerleave', () => this.pointed(null));
    group.addEventListener('click', () => this.chosen(mark));
  }
  show(...marks) {
    for (const {group, kind, members} of this.marks) {
      const on = marks.some(mark => mark && mark.kind === kind && members.has(mark.index));
      group.setAttribute('class', on ? 'on' : '');
    }
  }
}

const short = (text, most) => text.length > most ? text.slice(0, most - 1) + '…' : text;
