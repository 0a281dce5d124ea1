// Curves over time, several at once, one chart for each unit. A line stands at the time of the scene.

const kShownChoices = 120;

class Plots {
  constructor(data, series, seek) {
    this.list = data.curves.list;
    this.times = data.frames.times;
    this.series = series;
    this.seek = seek;
    this.shown = [];
    this.charts = [];
    this.box = part('plots', 'Plots', `${this.list.length} curves`);
    this.search = element(
        'input',
        {type: 'search', placeholder: 'find a curve', 'aria-label': 'Find a curve', oninput: () => this.offer()});
    const save = element(
        'button', {text: 'CSV', title: 'Save the curves that are shown', id: 'csv', onclick: () => this.save()});
    const none = element('button', {text: 'clear', onclick: () => this.choose([])});
    this.choices = element('div', {class: 'choices', role: 'group', 'aria-label': 'Curves'});
    this.area = element('div', {});
    this.box.append(this.area, element('div', {class: 'pick'}, this.search, none, save), this.choices);
    if (data.curves.remark) this.box.append(element('p', {class: 'dim', text: data.curves.remark}));
    this.choose(this.first());
  }
  // What most want to see first: energies, else the first coordinates.
  first() {
    const energy = this.list.map((c, k) => c.group === 'energy' ? k : -1).filter(k => k >= 0);
    const position = this.list.findIndex(c => c.group === 'position');
    return [...energy.slice(0, 4), ...(position >= 0 ? [position] : [])];
  }
  values(k) {
    return curveValues(this.series, this.list[k], k, this.times.length);
  }
  nameOf(k) {
    return this.list[k].name;
  }

  choose(list) {
    this.shown = list.slice();
    this.offer();
    this.draw();
  }
  toggle(k, on) {
    this.choose(on ? [...this.shown.filter(x => x !== k), k] : this.shown.filter(x => x !== k));
  }
  offer() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fit = k => words.every(w => (this.list[k].group + ' ' + this.nameOf(k)).toLowerCase().includes(w));
    const found = this.list.map((c, k) => k).filter(fit), rows = [];
    for (const k of found.slice(0, kShownChoices)) {
      const box = element('input', {type: 'checkbox', onchange: event => this.toggle(k, event.target.checked)});
      box.checked = this.shown.includes(k);
      const unit = this.list[k].unit ? ` [${this.list[k].unit}]` : '';
      rows.push(element('label', {}, box, document.createTextNode(` ${this.nameOf(k)}${unit}`)));
    }
    if (found.length > kShownChoices)
      rows.push(element('p', {class: 'dim', text: `${found.length - kShownChoices} more`}));
    if (!found.length) rows.push(element('p', {class: 'dim', text: 'none of this name'}));
    this.choices.replaceChildren(...rows);
  }

  colour(k) {
    return kColours[this.shown.indexOf(k) % kColours.length];
  }
  draw() {
    for (const chart of this.charts) chart.graph.destroy();
    this.charts = [];
    this.area.replaceChildren();
    const units = [...new Set(this.shown.map(k => this.list[k].unit))].slice(0, 4);
    for (const unit of units) this.chart(unit, this.shown.filter(k => this.list[k].unit === unit));
  }
  chart(unit, curves) {
    const columns = curves.map(k => this.values(k)), numbers = curves.map(() => element('b', {}));
    const rows = Array.from(this.times, (t, i) => [t, ...columns.map(c => c[i])]);
    const plot = element('div', {class: 'plot'}), cursor = element('div', {class: 'cursor'});
    const legend = element(
        'div', {class: 'legend'},
        ...curves.map(
            (k, i) => element(
                'span', {}, element('i', {style: 'background:' + this.colour(k)}),
                document.createTextNode(this.nameOf(k)), numbers[i])));
    this.area.append(
        element('div', {class: 'unit', text: unit && unit !== '1' ? `[${unit}] over time [s]` : 'over time [s]'}), plot,
        legend);
    const graph = new Dygraph(plot, rows, {
      labels: ['t', ...curves.map((k, i) => 'c' + i)],
      colors: curves.map(k => this.colour(k)),
      legend: 'never',
      strokeWidth: 1.6,
      axisLineColor: 'rgba(128,128,128,.5)',
      gridLineColor: 'rgba(128,128,128,.18)',
      highlightCircleSize: 3,
      axisLabelFontSize: 11,
      rightGap: 8,
      includeZero: false,
      digitsAfterDecimal: 4,
      axes: {y: {axisLabelWidth: 52, valueFormatter: shown, axisLabelFormatter: shown}},
      clickCallback: (event, x) => this.seek(x),
      drawCallback: () => this.cursor(this.now)
    });
    plot.append(cursor);
    this.charts.push({graph, cursor, columns, numbers});
  }
  cursor(time) {
    this.now = time;
    if (time === undefined) return;
    const {frame, share} = locate(this.times, time), next = Math.min(frame + 1, this.times.length - 1);
    for (const chart of this.charts) {
      const x = chart.graph.toDomXCoord(time), area = chart.graph.getArea();
      chart.cursor.style.left = x + 'px';
      chart.cursor.hidden = x < area.x - 1 || x > area.x + area.w + 1;
      chart.columns.forEach((c, i) => {
        chart.numbers[i].textContent = shown(c[frame] + share * (c[next] - c[frame]));
      });
    }
  }
  csv() {
    return csvOf(
        this.shown.map(k => `${this.nameOf(k)} [${this.list[k].unit}]`), this.times,
        this.shown.map(k => this.values(k)));
  }
  save() {
    saveFile(new Blob([this.csv()], {type: 'text/csv'}), 'curves.csv');
  }
}

function saveFile(blob, name) {
  const link = element('a', {href: URL.createObjectURL(blob), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
