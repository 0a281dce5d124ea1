// The parts beside the scene that are not tree and curves: contact, ranks, what is shown as a table, where it is from.

const kStates = ['stick', 'slide', 'open'];
const kStateColours = ['#009e73', '#d55e00', '#8c8c8c'];

function checkbox(text, on, change, colour) {
  const box = element('input', {type: 'checkbox', onchange: () => change(box.checked)});
  box.checked = on;
  const label = element('label', {}, box);
  if (colour) label.append(element('i', {class: 'swatch', style: 'background:' + colour}));
  label.append(document.createTextNode(text));
  return label;
}
function table(head, rows) {
  const line = (cells, kind) => element(
      'tr', {},
      ...cells.map(
          c =>
              element(kind, {class: typeof c === 'number' ? 'n' : false, text: typeof c === 'number' ? shown(c) : c})));
  return element(
      'table', {class: 'data'}, element('thead', {}, line(head, 'th')),
      element('tbody', {}, ...rows.map(cells => line(cells, 'td'))));
}

class Contacts {
  constructor(data, series, scene, redraw) {
    this.table = data.contacts;
    this.series = series;
    this.scene = scene;
    const size = scene.startSize();
    this.options = {states: [true, true, true], threshold: 0, radius: 0.006 * size, scale: 0};
    this.strength = 1;
    const box = part('contacts', 'Contacts');
    const states = kStates.map((word, k) => checkbox(word, true, on => {
                                 this.options.states[k] = on;
                                 redraw();
                               }, kStateColours[k]));
    const points = checkbox('points', true, on => {
      scene.switches.points = on;
      redraw();
    });
    const arrows = checkbox('force arrows', true, on => {
      scene.switches.arrows = on;
      redraw();
    });
    const scale = element('input', {
      type: 'range',
      min: -1,
      max: 1,
      step: 0.05,
      value: 0,
      'aria-label': 'Length of arrows',
      oninput: () => {
        this.strength = Math.pow(10, +scale.value);
        redraw();
      }
    });
    const least = element('input', {
      type: 'range',
      min: 0,
      max: 1,
      step: 0.01,
      value: 0,
      'aria-label': 'Smallest force',
      oninput: () => {
        this.options.threshold = Math.pow(+least.value, 3) * this.table.force;
        redraw();
      }
    });
    this.text = element('p', {});
    box.append(
        this.text, element('div', {class: 'switch'}, points, arrows, ...states),
        element(
            'div', {class: 'switch'}, element('label', {}, document.createTextNode('length '), scale),
            element('label', {}, document.createTextNode('from '), least)));
    if (this.table.remark) box.append(element('p', {class: 'dim', text: this.table.remark}));
    // A typical force is a tenth of the scene long.
    this.options.base = 0.1 * size / (this.table.typical || 1);
  }
  show(frame, first) {
    const rows = first ? [] : contactRows(this.series, this.table, frame), count = [0, 0, 0];
    let largest = 0;
    for (const row of rows) {
      ++count[row.state];
      largest = Math.max(largest, Math.hypot(...row.force));
    }
    this.options.scale = this.options.base * this.strength;
    this.text.textContent = `${rows.length} contacts: ${count[0]} stick, ${count[1]} slide, ${count[2]} open; ` +
        `largest force ${shown(largest)} N`;
    this.scene.placeContacts(rows, this.options);
  }
}

class Ranks {
  constructor(data, series, scene, redraw) {
    this.data = data.ranks;
    this.series = series;
    this.box = part('ranks', 'Ranks', `${this.data.count}`);
    this.box.append(
        element('div', {class: 'switch'}, checkbox('colour bodies by the rank that owns them', false, on => {
                  scene.switches.ranks = on;
                  redraw();
                })));
    this.area = element('div', {});
    this.box.append(this.area);
  }
  // By body: the rank that owned it at a frame.
  owner(frame, frames) {
    const place = this.place || (this.place = new Map(this.data.bodies.map((b, k) => [b, k])));
    return body => place.has(body) ? this.series[place.get(body) * frames + frame] : 0;
  }
  show(frame) {
    const load = this.data.load[frame] || [], busy = load.map(row => row[0]);
    const mean = busy.reduce((a, b) => a + b, 0) / (busy.length || 1);
    const rows = load.map((row, k) => {
      const name = element('span', {});
      name.append(element('i', {class: 'swatch', style: 'background:' + kColours[k % kColours.length]}), String(k));
      return [name, row[2], row[3], row[0], row[1]];
    });
    const made = table(['rank', 'bodies', 'contacts', 'busy [s]', 'waiting [s]'], rows.map(r => ['', ...r.slice(1)]));
    made.querySelectorAll('tbody tr').forEach((tr, k) => tr.firstChild.replaceChildren(rows[k][0]));
    this.area.replaceChildren(
        made, element('p', {
          class: 'dim',
          text: mean > 0 ?
              `imbalance ${shown(Math.max(...busy) / mean)}: the busiest rank against the mean, since the last frame` :
              'nothing was computed yet'
        }));
  }
}

// What the scene shows, for those who do not see it.
class Listing {
  constructor(data, chosen) {
    this.data = data;
    this.most = Math.min(200, data.bodies.length);
    const box = part('listing', 'Bodies', `${data.bodies.length - 1} and the ground`);
    box.parentElement.removeAttribute('open');
    const rows = [];
    this.cells = [];
    for (let k = 0; k < this.most; ++k) {
      const cells = [0, 1, 2].map(() => element('td', {class: 'n'}));
      const name = element('button', {text: data.bodies[k].name, onclick: () => chosen({kind: 'body', index: k})});
      rows.push(element('tr', {}, element('td', {}, name), ...cells));
      this.cells.push(cells);
    }
    const head = element('tr', {}, ...['body', 'x [m]', 'y [m]', 'z [m]'].map(text => element('th', {text})));
    box.append(element(
        'div', {class: 'scroll'},
        element('table', {class: 'data'}, element('thead', {}, head), element('tbody', {}, ...rows))));
    if (this.most < data.bodies.length) {
      box.append(element('p', {class: 'dim', text: `The first ${this.most} of ${data.bodies.length}.`}));
    }
    this.details = box.parentElement;
  }
  show(pose) {
    if (!this.details.open) return;
    this.cells.forEach((cells, k) => cells.forEach((cell, c) => {
      cell.textContent = shown(pose[7 * k + c]);
    }));
  }
}

function provenance(data) {
  const from = data.provenance, box = part('provenance', 'Where this is from');
  const list = element('dl', {class: 'rows'});
  for (const [key, value] of from.rows) list.append(element('dt', {text: key}), element('dd', {text: value}));
  box.append(list);
  if (from.command) {
    const text = element('pre', {text: from.command});
    const copy = element('button', {
      text: 'copy',
      onclick: () => {
        const range = document.createRange();
        range.selectNodeContents(text);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        document.execCommand('copy');
      }
    });
    box.append(element('p', {class: 'dim', text: 'To repeat it:'}), element('div', {class: 'command'}, text, copy));
  }
  const notes =
      [...from.notes, ...data.missing.map(m => `The mesh ${m.file} of ${m.body} ${m.why}; a box stands for it.`)];
  if (notes.length) box.append(element('ul', {class: 'notes'}, ...notes.map(text => element('li', {text}))));
  const keys = 'Keys: space plays, ← → step, home and end jump, + and - change the speed, F fits, L shows names, ' +
      'T switches light and dark.';
  if (!data.plain) box.append(element('p', {class: 'dim', text: keys}));
}
