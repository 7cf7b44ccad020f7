'use strict';

// ---- what was found, and the words for it --------------------------------------------------------

// A seed may have more digits than a number here; browsers that can tell how it was written keep them.
const findings = JSON.parse(document.getElementById('findings').textContent,
  (name, value, context) => (name === 'seed' && context ? context.source : value));
const SECOND = 1e6;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

// Timelines and distributions count what requests cost. Where each costs one, "requests" says more.
const UNITS = sum(findings.arrived) === findings.requests ? 'requests' : 'units';

// One language, whatever the reader's: the sentences around the numbers are English.
const grouped = new Intl.NumberFormat('en');
const number = (n) => grouped.format(n);
const count = (n, one, many = one + 's') => number(n) + ' ' + (n === 1 ? one : many);

/** A share in percent that says 0 or 100 only where it is exactly that. */
function percent(part, whole) {
  const share = whole === 0 ? 0 : (100 * part) / whole;
  if (share > 0 && share < 0.1) return 'under 0.1\u00a0%';
  if (share > 99.9 && share < 100) return 'over 99.9\u00a0%';
  const digits = share === 0 || share === 100 || (share >= 10 && share <= 90) ? 0 : 1;
  return share.toFixed(digits).replace(/\.0$/, '') + '\u00a0%';
}

const LENGTHS = [['d', DAY], ['h', HOUR], ['min', MINUTE], ['s', SECOND], ['ms', 1000], ['us', 1]];

/** A length of time, rounded as the command does: in its two largest units, below a minute in one. */
function length(micros) {
  const unitOf = (n) => LENGTHS.findIndex(([, size]) => n >= size);
  const filled = unitOf(micros);
  if (filled < 0) return '0\u00a0s';
  const grain = LENGTHS[filled][1] >= MINUTE ? LENGTHS[filled + 1][1] : Math.max(1, LENGTHS[filled][1] / 10);
  const rounded = Math.round(micros / grain) * grain;
  const at = unitOf(rounded);
  const [unit, size] = LENGTHS[at];
  if (size < MINUTE) return Number((rounded / size).toFixed(1)) + '\u00a0' + unit;
  const rest = Math.floor((rounded % size) / LENGTHS[at + 1][1]);
  return Math.floor(rounded / size) + '\u00a0' + unit + (rest > 0 ? ' ' + rest + '\u00a0' + LENGTHS[at + 1][0] : '');
}

/** How long something was watched, where little more than nothing is no number. */
const covered = (micros) => (micros < SECOND ? 'less than a second' : length(micros));

const axis = findings.axis;
const axisEnd = axis.start + axis.step * axis.columns;
const simulated = findings.source.format === 'simulated';
const sourceName = findings.source.name === '-' && !simulated ? 'standard input' : findings.source.name;

/**
 * A moment as the reader knows it: the clock of a log, in UTC as limits count, or the time since
 * simulated traffic began. The day is left out where there is only one.
 */
function moment(micros) {
  if (simulated) {
    const since = micros - axis.start;
    return since < MINUTE ? Number((since / SECOND).toFixed(3)) + '\u00a0s' : length(since);
  }
  const text = new Date(micros / 1000).toISOString();
  const clock = text.slice(11, axis.step < SECOND ? 23 : 19);
  return Math.floor(axis.start / DAY) === Math.floor((axisEnd - 1) / DAY)
    ? clock
    : text.slice(0, 10) + ' ' + clock;
}

/**
 * A key as text that shows what is in it. Whoever sends requests chooses keys: characters that
 * cannot be seen, or that turn the line around, are written as their numbers.
 */
function visible(key) {
  if (key === '') return '(empty)';
  return key.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (c) => '\\u{' + c.codePointAt(0).toString(16) + '}');
}

/** The same, short enough for a line or two. */
function brief(key) {
  const text = Array.from(visible(key));
  return text.length <= 80 ? text.join('') : text.slice(0, 56).join('') + ' … ' + text.slice(-16).join('');
}

/** What a rate string such as "100 per 5 minutes sliding-log" allows; null if it has no window. */
function rate(text) {
  const match = /^(\d+)(?:\/| per (\d+) )([a-z]+)/.exec(text);
  const sizes = { ms: 1000, millisecond: 1000, s: SECOND, second: SECOND, min: MINUTE, minute: MINUTE, h: HOUR, hour: HOUR, d: DAY, day: DAY, week: 7 * DAY };
  const size = match && (sizes[match[3]] || sizes[match[3].replace(/s$/, '')]);
  if (!size) return null;
  const burst = / burst (\d+)/.exec(text);
  return { amount: Number(match[1]), window: Number(match[2] || 1) * size, room: Number(burst ? burst[1] : match[1]) };
}

/** The limits of a lane without the word that is its name already. */
const limitsOf = (lane) => lane.limits.map((limit) => limit.replace(' ' + lane.name, '')).join(', ');

// ---- elements ------------------------------------------------------------------------------------

// Text goes in as text, never as markup: nothing that was found can become part of the page.
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const html = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
const byId = (id) => document.getElementById(id);
const show = (id) => { byId(id).hidden = false; };

/**
 * A table that becomes a card for each row where there is little room. Browsers forget that a table
 * is one as soon as its display changes, so its roles are written out.
 *
 * @param heads of columns; a head that starts with "#" is of numbers
 * @param rows of cells, text or elements; the first names the row
 */
function table(caption, heads, rows) {
  const kind = (head) => (head.startsWith('#') ? 'number' : 'text');
  const word = (head) => head.replace('#', '');
  const cell = (content, i) => i === 0
    ? html('th', { scope: 'row', role: 'rowheader' }, content)
    : html('td', { role: 'cell', class: kind(heads[i]), 'data-head': word(heads[i]) }, content);
  return html('table', { role: 'table', class: 'cards' },
    html('caption', {}, caption),
    html('thead', { role: 'rowgroup' }, html('tr', { role: 'row' },
      ...heads.map((head) => html('th', { scope: 'col', role: 'columnheader', class: kind(head) }, word(head))))),
    html('tbody', { role: 'rowgroup' }, ...rows.map((row) => html('tr', { role: 'row' }, ...row.map(cell)))));
}

/** One of several, as radio buttons; calls back with its index, now too. */
function choice(place, legend, name, options, first, chosen) {
  const group = html('fieldset', { class: 'choice' }, html('legend', {}, legend));
  options.forEach((option, i) => {
    const input = html('input', { type: 'radio', name, id: name + '-' + i, value: i });
    input.checked = i === first;
    input.addEventListener('change', () => chosen(i));
    group.append(html('span', {}, input, html('label', { for: input.id }, option)));
  });
  place.append(group);
  chosen(first);
}

/**
 * Calls back with the width of an element, now and whenever it changes. A drawing changes the height
 * of the page, so it waits for the next frame: one that is drawn while sizes are being told would
 * change what is told.
 */
function onWidth(element, draw) {
  let before = 0;
  const look = () => {
    const width = Math.floor(element.clientWidth);
    if (width > 0 && width !== before) draw(before = width);
  };
  look();
  new ResizeObserver(() => requestAnimationFrame(look)).observe(element);
}
