// ---- arrivals and what each lane made of them, over time -----------------------------------------

const UP = 60; // pixels for the highest column of arrivals
const NARROWEST = 3; // pixels a bar needs to be seen

/** A series with every so many columns as one. */
function merged(series, by) {
  const all = [];
  for (let i = 0; i < series.length; i += by) all.push(sum(series.slice(i, i + by)));
  return all;
}

/**
 * Bars as one path, from the line y = 0 up, or down where heights are negative. Bars that are wide
 * enough keep apart.
 */
function bars(series, width, height) {
  const gap = width >= 6 ? 1 : 0;
  return series
    .map((n, i) => (n === 0 ? '' : `M${(i * width).toFixed(2)} 0v${(-height(n)).toFixed(2)}h${(width - gap).toFixed(2)}V0z`))
    .join('');
}

/** A cross below the line for each column whose refusals are too few for a bar. */
function crosses(series, width, height) {
  return series
    .map((n, i) => (n === 0 || height(n) >= 4 ? '' : `M${((i + 0.5) * width - 2).toFixed(2)} 3l4 4m0 -4l-4 4`))
    .join('');
}

/** Round numbers of microseconds for the ticks of an axis, about so many. */
function tickStep(span, about) {
  const steps = [1000, 10e3, 100e3, SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 15 * SECOND, 30 * SECOND,
    MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE,
    HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 30 * DAY, 90 * DAY, 365 * DAY];
  return steps.find((step) => span / step <= about) || steps[steps.length - 1];
}

function timeAxis(width) {
  const span = axisEnd - axis.start;
  const step = tickStep(span, Math.max(2, width / 130));
  const base = simulated ? axis.start : 0;
  const drawing = svg('svg', { width, height: 26, viewBox: `0 0 ${width} 26`, 'aria-hidden': 'true', class: 'axis' }, svg('path', { d: `M0 .5H${width}` }));
  for (let at = Math.ceil((axis.start - base) / step) * step + base; at <= axisEnd; at += step) {
    const x = ((at - axis.start) / span) * width;
    const anchor = x < 30 ? 'start' : x > width - 30 ? 'end' : 'middle';
    drawing.append(svg('path', { d: `M${x.toFixed(1)} 0v5` }), svg('text', { x: x.toFixed(1), y: 20, 'text-anchor': anchor }, tick(at, step)));
  }
  return drawing;
}

/** A moment without the seconds, or the clock, that all ticks have in common. */
function tick(at, step) {
  const text = moment(at);
  if (simulated) return text;
  if (step >= DAY) return text.slice(0, 10);
  return step % MINUTE === 0 ? text.replace(/:\d\d(\.\d+)?$/, '') : text;
}

function legend() {
  if (findings.lanes.length === 0) return byId('legend').remove();
  const sample = (...shapes) => svg('svg', { width: 22, height: 12, 'aria-hidden': 'true' }, ...shapes);
  const item = (words, ...shapes) => html('li', {}, sample(...shapes), words);
  byId('legend').append(
    item('arrived', svg('rect', { class: 'arrived', width: 22, height: 12 })),
    item('admitted, upwards', svg('rect', { class: 'admitted', width: 22, height: 12 })),
    item('refused, downwards', svg('rect', { class: 'refused', x: 0.5, y: 0.5, width: 21, height: 11 })),
    item('refused, a few', svg('path', { class: 'cross', d: 'M9 4l4 4m0 -4l-4 4' })));
}

function laneLabel(name, detail, result) {
  return html('div', { class: 'lane-label' }, html('strong', {}, name), html('span', {}, detail), html('span', {}, result));
}

function timeline() {
  if (axis.columns === 0) return;
  show('timeline');
  const lanes = findings.lanes;
  const most = Math.max(1, ...findings.arrived);
  byId('timeline-title').textContent = lanes.length === 0 ? 'Arrivals' : 'Arrivals against admissions';
  legend();

  const plots = html('div', { class: 'plots-width' });
  const rows = [{ label: laneLabel('Arrived', count(sum(findings.arrived), UNITS.slice(0, -1)), 'from ' + count(findings.keys, 'client')), arrived: findings.arrived }];
  for (const lane of lanes) {
    rows.push({
      label: laneLabel(lane.name, limitsOf(lane), percent(lane.refused, lane.admitted + lane.refused) + ' refused'),
      lane,
    });
  }
  const place = byId('lanes');
  rows.forEach((row) => {
    row.plot = html('div', { class: 'lane-plot' });
    place.append(row.label, row.plot);
  });
  const axisPlot = html('div', { class: 'lane-plot' });
  place.append(html('div', { class: 'lane-label' }), axisPlot, plots);

  const cursor = makeCursor(plots);
  onWidth(axisPlot, (width) => {
    const by = Math.max(1, Math.ceil(axis.columns / Math.max(1, Math.floor(width / NARROWEST))));
    rows.forEach((row) => row.plot.replaceChildren(drawLane(row.lane, by, width, most)));
    axisPlot.replaceChildren(timeAxis(width));
    cursor(by, width);
    const highest = Math.max(...merged(findings.arrived, by));
    byId('timeline-lead').textContent =
      `Each column is ${length(axis.step * by)}; the highest has ${count(highest, UNITS.slice(0, -1))}. ${lanes.length > 0 ? 'All lanes have the same scale. ' : ''}Times are ${simulated ? 'since the start' : 'UTC'}.`;
  });
  byId('columns').append(columnsTable());
}

/** Arrivals in grey behind, admitted before them, refused below the line. */
function drawLane(lane, by, width, unmerged) {
  const arrived = merged(findings.arrived, by);
  const most = by === 1 ? unmerged : Math.max(1, ...arrived);
  const bar = (width * by) / axis.columns;
  const height = (n) => (UP * n) / most;
  const deepest = Math.max(0, ...findings.lanes.flatMap((one) => merged(one.refusedOverTime, by)));
  const down = lane ? Math.max(10, Math.ceil(height(deepest))) + 2 : 1;
  const name = lane
    ? `${lane.name}: ${number(lane.admitted)} admitted, ${number(lane.refused)} refused`
    : `${number(sum(findings.arrived))} ${UNITS} arrived`;
  const drawing = svg('svg', { width, height: UP + down, viewBox: `0 ${-UP} ${width} ${UP + down}`, role: 'img', 'aria-label': name },
    svg('path', { class: 'arrived', d: bars(arrived, bar, height) }));
  if (lane) {
    const refused = merged(lane.refusedOverTime, by);
    const tall = refused.map((n) => (height(n) >= 4 ? n : 0));
    drawing.append(
      svg('path', { class: 'admitted', d: bars(merged(lane.admittedOverTime, by), bar, height) }),
      svg('path', { class: 'refused', d: bars(tall, bar, (n) => -height(n)) }),
      svg('path', { class: 'cross', d: crosses(refused, bar, height) }));
  }
  drawing.append(svg('path', { class: 'ground', d: `M0 0H${width}` }));
  return drawing;
}

/**
 * A line through all lanes that tells the numbers of one column. It follows the pointer, and is a
 * slider for the keyboard: what can be hovered over can be walked over.
 *
 * @returns what is to be called when the columns are drawn anew
 */
function makeCursor(place) {
  const line = html('div', { class: 'cursor-line' });
  const card = html('div', { class: 'card' });
  const slider = html('div', { class: 'cursor', id: 'moment', role: 'slider', tabindex: 0, 'aria-label': 'Moment', 'aria-orientation': 'horizontal', 'aria-valuemin': 0 }, line, card);
  place.append(slider);
  let by = 1;
  let width = 1;
  let at = 0;
  const last = () => Math.ceil(axis.columns / by) - 1;
  const hide = () => slider.classList.remove('shown');
  const at1 = (series) => sum(series.slice(at * by, (at + 1) * by));

  function move(column, shown) {
    at = Math.min(last(), Math.max(0, column));
    const from = axis.start + at * by * axis.step;
    const when = moment(from) + ' – ' + moment(Math.min(axisEnd, from + by * axis.step));
    const lines = findings.lanes.map((lane) => [lane.name, at1(lane.admittedOverTime), at1(lane.refusedOverTime)]);
    slider.setAttribute('aria-valuemax', last());
    slider.setAttribute('aria-valuenow', at);
    slider.setAttribute('aria-valuetext', [when, number(at1(findings.arrived)) + ' arrived',
      ...lines.map(([name, yes, no]) => `${name} ${number(yes)} admitted, ${number(no)} refused`)].join('; '));
    card.replaceChildren(
      html('p', {}, html('strong', {}, when), html('br'), number(at1(findings.arrived)) + ' arrived'),
      ...lines.map(([name, yes, no]) => html('p', { class: 'row' }, html('span', {}, name), html('span', { class: 'yes' }, number(yes)), html('span', { class: 'no' }, no === 0 ? '–' : '× ' + number(no)))));
    slider.classList.toggle('shown', shown);
    const x = Math.min(width - 1, ((at + 0.5) * width * by) / axis.columns);
    line.style.left = x + 'px';
    // Beside the line, on the side that has room.
    const wide = card.offsetWidth;
    card.style.left = Math.max(0, x + 14 + wide <= width ? x + 14 : x - 14 - wide) + 'px';
  }

  slider.addEventListener('pointermove', (event) => {
    const x = event.clientX - slider.getBoundingClientRect().left;
    move(Math.floor((x / width) * axis.columns / by), true);
  });
  slider.addEventListener('pointerleave', hide);
  slider.addEventListener('blur', hide);
  slider.addEventListener('focus', () => move(at, true));
  slider.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return hide();
    const to = walk(event.key, at, 0, last(), Math.max(1, Math.round(last() / 10)));
    if (to === null) return;
    event.preventDefault();
    move(to, true);
  });
  return (newBy, newWidth) => {
    by = newBy;
    width = newWidth;
    move(at, false);
  };
}

/** Where a key moves a slider; null if it is none of a slider's keys. */
function walk(key, at, least, most, page) {
  const to = {
    ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1,
    PageDown: at - page, PageUp: at + page, Home: least, End: most,
  }[key];
  return to === undefined ? null : Math.min(most, Math.max(least, to));
}

/** Every column as a row of numbers, for those who cannot see the drawing or want to be exact. */
function columnsTable() {
  const lanes = findings.lanes;
  const head = (text) => html('th', { scope: 'col', class: 'number' }, text);
  const cell = (n) => html('td', { class: 'number' }, number(n));
  const body = findings.arrived.map((n, i) => html('tr', {},
    html('th', { scope: 'row' }, moment(axis.start + i * axis.step)), cell(n),
    ...lanes.flatMap((lane) => [cell(lane.admittedOverTime[i]), cell(lane.refusedOverTime[i])])));
  return html('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Every column as a table' },
    html('table', { id: 'columns-table' },
      html('caption', {}, `${UNITS[0].toUpperCase() + UNITS.slice(1)} in each ${length(axis.step)}`),
      html('thead', {}, html('tr', {}, html('th', { scope: 'col' }, simulated ? 'From' : 'From (UTC)'), head('Arrived'),
        ...lanes.flatMap((lane) => [head(lane.name + ' admitted'), head(lane.name + ' refused')]))),
      html('tbody', {}, ...body)));
}
