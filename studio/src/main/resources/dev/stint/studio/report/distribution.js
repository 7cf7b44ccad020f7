// ---- how much clients use, and a limit to try ----------------------------------------------------

/** How many clients use more than a limit in one span: whom it would touch. */
const keysAbove = (points, limit) => sum(points.map(([amount, keys]) => (amount > limit ? keys : 0)));

/** How much lies beyond a limit in its span: what it would refuse on windows of the clock. */
const unitsAbove = (points, limit) => sum(points.map(([amount, , spans]) => Math.max(0, amount - limit) * spans));

/** The lowest limit that this share of clients never exceeds. */
function limitFor(points, share) {
  const wanted = sum(points.map((point) => point[1])) * share;
  let seen = 0;
  for (const [amount, keys] of points) {
    seen += keys;
    if (seen >= wanted) return amount;
  }
  return 1;
}

/**
 * Where amounts lie on the axis. An amount is as wide as from half below it to half above it, so
 * that a limit, drawn half above its amount, has whom it leaves alone on its left and whom it
 * touches on its right. Logarithmic where there are many amounts.
 */
function amountScale(most, width) {
  const log = most > 50;
  const f = log ? Math.log1p : (x) => x; // of 1 + x, or amount 1 alone would take a third
  const inverse = log ? Math.expm1 : (x) => x;
  const low = f(0.5);
  const high = f(most + 0.5);
  return {
    log,
    x: (edge) => ((f(edge) - low) / (high - low)) * width,
    edge: (x) => inverse(low + (x / width) * (high - low)),
  };
}

/** Clients by their busiest span, with neighbouring amounts in one bar where one has no room. */
function histogram(points, scale, most) {
  const all = [];
  let i = 0;
  for (let from = 0.5; from < most + 0.5; ) {
    const to = Math.min(most + 0.5, Math.max(from + 1, Math.ceil(scale.edge(scale.x(from) + 7)) - 0.5));
    let keys = 0;
    for (; i < points.length && points[i][0] < to; i++) keys += points[i][1];
    if (keys > 0) all.push({ from, to, keys });
    from = to;
  }
  return all;
}

/** 1, 2, 5, 10 … up to a number; only the powers of ten if those would be too many. */
function niceTicks(most, about) {
  const all = [];
  for (let power = 1; power <= most; power *= 10) for (const n of [1, 2, 5]) if (n * power <= most) all.push(n * power);
  return all.length <= about ? all : all.filter((n) => /^10*$/.test(n));
}

/** Even ticks from 0 on, about so many. */
function evenTicks(most, about) {
  const step = niceTicks(most, 99).find((n) => most / n <= about) || 1;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}

const LEFT = 52;
const TOP = 34;
const PLOT = 190;
const BOTTOM = 46;

/** The drawing of one distribution, without its line. */
function drawDistribution(one, width) {
  const most = one.points[one.points.length - 1][0];
  const scale = amountScale(most, width - LEFT - 12);
  const all = histogram(one.points, scale, most);
  const highest = Math.max(...all.map((bar) => bar.keys));
  const logKeys = highest > 50;
  const height = (keys) => PLOT * (logKeys ? Math.log1p(keys) / Math.log1p(highest) : keys / highest);
  const path = all.map((bar) => {
    const wide = Math.max(1.5, scale.x(bar.to) - scale.x(bar.from) - 1);
    return `M${scale.x(bar.from).toFixed(2)} 0v${(-height(bar.keys)).toFixed(2)}h${wide.toFixed(2)}V0z`;
  }).join('');
  const drawing = svg('svg', { width, height: TOP + PLOT + BOTTOM, viewBox: `${-LEFT} ${-TOP - PLOT} ${width} ${TOP + PLOT + BOTTOM}`, role: 'img',
    'aria-label': `How many clients use how much in their busiest ${one.span}` },
    svg('defs', {},
      svg('clipPath', { id: 'left' }, svg('rect', { x: 0, y: -PLOT - 1, height: PLOT + 2 })),
      svg('clipPath', { id: 'right' }, svg('rect', { y: -PLOT - 1, width, height: PLOT + 2 }))));
  for (const keys of logKeys ? niceTicks(highest, 7) : evenTicks(highest, 5)) {
    const y = (-height(keys)).toFixed(1);
    drawing.append(svg('path', { class: 'grid', d: `M0 ${y}H${width - LEFT}` }), svg('text', { x: -8, y: y - -4, 'text-anchor': 'end' }, number(keys)));
  }
  drawing.append(
    svg('path', { class: 'admitted', d: path, 'clip-path': 'url(#left)' }),
    svg('path', { class: 'refused', d: path, 'clip-path': 'url(#right)' }),
    svg('path', { class: 'ground', d: `M0 0H${width - LEFT}` }),
    svg('path', { class: 'limit', d: `M0 0V${-PLOT - 6}` }));
  const ticks = scale.log ? niceTicks(most, width / 60) : evenTicks(most, Math.min(12, width / 50)).filter((n) => n > 0);
  for (const amount of ticks) {
    const x = ((scale.x(amount - 0.5) + scale.x(amount + 0.5)) / 2).toFixed(1);
    drawing.append(svg('path', { class: 'ground', d: `M${x} 0v4` }), svg('text', { x, y: 18, 'text-anchor': 'middle' }, number(amount)));
  }
  drawing.append(
    svg('text', { x: width - LEFT, y: 38, 'text-anchor': 'end', class: 'title' }, `${UNITS} in the busiest ${one.span}${scale.log ? ', log scale' : ''}`),
    svg('text', { x: -LEFT, y: -PLOT - 20, class: 'title' }, `clients${logKeys ? ', log scale' : ''}`));
  return { drawing, scale, most };
}

/** The span and the limit to begin with: those that were tried or proposed, if any were. */
function firstLimits(distributions) {
  const rates = [...findings.lanes.flatMap((lane) => lane.limits), ...findings.proposals.map((one) => one.limit)].map(rate).filter(Boolean);
  const limits = distributions.map((one) => {
    const known = rates.find((each) => each.window === one.micros);
    return known ? known.amount : Math.max(1, limitFor(one.points, 0.99));
  });
  const known = rates.map((each) => distributions.findIndex((one) => one.micros === each.window)).find((i) => i >= 0);
  const minute = distributions.findIndex((one) => one.micros === MINUTE);
  return { limits, span: known !== undefined ? known : Math.max(0, minute) };
}

function distribution() {
  const distributions = findings.distributions.filter((one) => one.points.length > 0);
  if (distributions.length === 0) return;
  show('distribution');
  const { limits, span } = firstLimits(distributions);
  const [plot, line, grip, field] = ['plot', 'line', 'grip', 'limit'].map(byId);
  let chosen = span;
  let width = 0;
  let drawn = null;

  function draw() {
    if (width === 0) return;
    drawn = drawDistribution(distributions[chosen], width);
    plot.querySelector('svg')?.remove();
    plot.prepend(drawn.drawing);
    place();
  }

  /** Puts the line where the limit is; one beyond the highest amount stays at the edge. */
  function place() {
    if (drawn === null) return;
    const x = drawn.scale.x(Math.min(limits[chosen], drawn.most) + 0.5);
    line.style.left = (100 * (LEFT + x)) / width + '%'; // also of the narrower paper
    plot.querySelector('.limit').setAttribute('transform', `translate(${x} 0)`);
    plot.querySelector('#left rect').setAttribute('width', x);
    plot.querySelector('#right rect').setAttribute('x', x);
    grip.textContent = number(limits[chosen]);
    // A long number beside the edge would make the page wider than a telephone.
    grip.style.left = `calc(50% - ${Math.max(0, LEFT + x + grip.offsetWidth / 2 - width)}px)`;
  }

  function tell() {
    const { points, span: name } = distributions[chosen];
    const limit = limits[chosen];
    const keys = keysAbove(points, limit);
    const units = unitsAbove(points, limit);
    const allUnits = sum(points.map(([amount, , spans]) => amount * spans));
    const most = points[points.length - 1][0];
    line.setAttribute('aria-valuemin', 1);
    line.setAttribute('aria-valuemax', most);
    line.setAttribute('aria-valuenow', Math.min(limit, most));
    line.setAttribute('aria-valuetext', `${number(limit)} per ${name}`);
    // A request of several units is refused whole or not at all, so of units only this is exact.
    const [refuses, them] = UNITS === 'requests' ? ['refuses', ''] : ['leaves', ' beyond it'];
    byId('answer').replaceChildren(
      `${number(limit)} per ${name} touches `, html('strong', {}, number(keys)),
      ` of ${count(findings.keys, 'client')} (${percent(keys, findings.keys)}) and ${refuses} `, html('strong', {}, number(units)),
      ` of ${number(allUnits)} ${UNITS} (${percent(units, allUnits)})${them}, on windows of the clock.`);
  }

  function set(limit, fromField) {
    limits[chosen] = Math.max(1, Math.round(limit));
    if (!fromField) field.value = limits[chosen];
    place();
    tell();
  }

  function toPointer(event) {
    const x = event.clientX - plot.getBoundingClientRect().left - LEFT;
    set(Math.min(drawn.most, drawn.scale.edge(x) - 0.5));
  }

  plot.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    plot.setPointerCapture(event.pointerId);
    toPointer(event);
    line.focus({ preventScroll: true });
    event.preventDefault();
  });
  plot.addEventListener('pointermove', (event) => {
    if (plot.hasPointerCapture(event.pointerId)) toPointer(event);
  });
  line.addEventListener('keydown', (event) => {
    const limit = limits[chosen];
    const to = walk(event.key, limit, 1, Math.max(drawn.most, limit), Math.max(1, Math.round(limit / 10)));
    if (to === null) return;
    event.preventDefault();
    set(event.key === 'End' ? drawn.most : to);
  });
  // While a number is being typed it may be none; the line waits for one.
  field.addEventListener('input', () => {
    if (Number(field.value) >= 1) set(Number(field.value), true);
  });
  field.addEventListener('change', () => set(limits[chosen]));

  choice(byId('spans'), 'Within', 'span', distributions.map((one) => one.span), span, (i) => {
    chosen = i;
    const { points, span: name } = distributions[i];
    byId('per').textContent = 'per ' + name;
    const whole = { '1 s': 'seconds', '1 min': 'minutes', '1 h': 'hours', '1 d': 'days' }[name];
    byId('clock').textContent =
      `This is counted in whole ${whole || 'spans of ' + name} of the clock, as fixed-window does. Other algorithms look at any ${name}, wherever it begins, and several limits are decided together: so the lanes may refuse more or less.`;
    byId('quantiles').textContent =
      `In its busiest ${name}, half of all clients stay at ${number(limitFor(points, 0.5))} or below, 90 % at ${number(limitFor(points, 0.9))}, 99 % at ${number(limitFor(points, 0.99))}, 99.9 % at ${number(limitFor(points, 0.999))}; the busiest reaches ${number(points[points.length - 1][0])}.`;
    draw();
    set(limits[i]);
  });
  onWidth(plot, (now) => {
    width = now;
    draw();
  });
}
