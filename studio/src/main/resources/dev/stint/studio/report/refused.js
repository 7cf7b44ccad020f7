// ---- numbers of each lane, and who is refused ----------------------------------------------------

function numbers() {
  if (findings.lanes.length === 0) return;
  show('numbers');
  const share = (lane) => html('span', { class: 'nowrap' }, percent(lane.refused, lane.admitted + lane.refused));
  const made = table('What each algorithm did with the same requests',
    ['Algorithm', '#Admitted', '#Refused', '#Share refused', '#Clients refused', '#Worst second', '#Worst minute', '#Unneeded', '#Missed'],
    findings.lanes.map((lane) => [
      html('span', {}, html('strong', {}, lane.name), html('span', { class: 'under' }, limitsOf(lane))),
      number(lane.admitted), number(lane.refused), share(lane), number(lane.keysRefused),
      number(lane.worstSecond), number(lane.worstMinute), number(lane.unneeded), number(lane.missed)]));
  made.id = 'numbers-table';
  byId('numbers-title').after(made);
}

function refused() {
  const lanes = findings.lanes;
  if (lanes.length === 0) return;
  show('refused');
  const draw = (i) => byId('offenders').replaceChildren(offenders(lanes[i]));
  // The lane that refuses somebody tells more than one that refuses nobody.
  const first = Math.max(0, lanes.findIndex((lane) => lane.refused > 0));
  if (lanes.length === 1) return draw(0);
  choice(byId('refused-choice'), 'Algorithm', 'lane', lanes.map((lane) => lane.name), first, draw);
}

function offenders(lane) {
  if (lane.offenders.length === 0) {
    return html('p', { class: 'empty' }, `${lane.name} with ${limitsOf(lane)} refused nobody.`);
  }
  const rows = lane.offenders.map((one) => [
    html('span', {}, html('code', { class: 'key', title: visible(one.key) }, brief(one.key)), html('span', { class: 'under' }, one.pattern)),
    number(one.requests),
    html('span', {}, number(one.refused), html('span', { class: 'under' }, percent(one.refused, one.requests))),
    spark(one),
    why(one, lane)]);
  const named = rows.length < lane.keysRefused
    ? `The ${number(rows.length)} that were refused most, of ${count(lane.keysRefused, 'client')}`
    : `All ${count(lane.keysRefused, 'client')} that were refused`;
  const made = table(named, ['Client', '#Requests', '#Refused', 'When', 'Why'], rows);
  made.classList.add('offenders');
  return made;
}

/** When a client was refused, on the axis of the lanes. */
function spark(offender) {
  const series = offender.refusedOverTime;
  if (!series) return html('span', { class: 'empty' }, 'not remembered');
  const width = 132;
  const most = Math.max(1, ...series);
  const column = (width * offender.refusedStep) / (axisEnd - axis.start);
  return svg('svg', { width, height: 24, viewBox: `0 -22 ${width} 24`, role: 'img', 'aria-label': 'refused ' + during(offender), class: 'spark' },
    svg('path', { class: 'spark-bar', d: bars(series, column, (n) => Math.max(2, (22 * n) / most)) }),
    svg('path', { class: 'ground', d: `M0 .5H${width}` }));
}

function during(offender) {
  const series = offender.refusedOverTime;
  const first = series.findIndex((n) => n > 0);
  const from = axis.start + first * offender.refusedStep;
  const to = Math.min(axis.last, axis.start + series.length * offender.refusedStep);
  return `from ${moment(from)} to ${moment(to)}`;
}

/** Why a client is refused, as far as the numbers tell. */
function why(offender, lane) {
  const all = lane.refused;
  const part = `It makes ${percent(offender.refused, all)} of all refusals`;
  const when = offender.refusedOverTime ? `, ${during(offender)}.` : '.';
  return cause(offender, lane) + ' ' + part + when;
}

function cause(offender, lane) {
  const limit = lane.limits.length === 1 ? rate(lane.limits[0]) : null;
  if (!limit) return `${number(offender.refused)} of its requests did not fit ${limitsOf(lane)}.`;
  const burst = /^one burst, (\d+) in (\d+) s/.exec(offender.pattern);
  if (burst) {
    return `It sent ${number(Number(burst[1]))} within ${burst[2]} s, where there is room for ${number(limit.room)}.`;
  }
  const bursts = /^bursts, (\d+) at a time/.exec(offender.pattern);
  if (bursts) {
    return Number(bursts[1]) > limit.room
      ? `It comes ${number(Number(bursts[1]))} at a time, where there is room for ${number(limit.room)}.`
      : `It comes ${number(Number(bursts[1]))} at a time, and again before there is room: ${number(limit.amount)} in ${length(limit.window)}.`;
  }
  return tooFast(offender.pattern, limit) || `${number(offender.refused)} of its requests did not fit ${limitsOf(lane)}.`;
}

/** Compares how fast a client comes with what it is allowed, in the client's unit of time. */
function tooFast(pattern, limit) {
  const came = /([\d.]+) an? (second|minute|hour)$/.exec(pattern);
  if (!came) return null;
  const unit = { second: SECOND, minute: MINUTE, hour: HOUR }[came[2]];
  const allowed = (limit.amount * unit) / limit.window;
  const article = came[2] === 'hour' ? 'an' : 'a';
  const told = `${Number(allowed.toPrecision(2))} ${article} ${came[2]}`;
  return Number(came[1]) > allowed
    ? `It comes ${came[1]} times ${article} ${came[2]}, where the limit is ${told}.`
    : `On the whole it stays within its limit of ${told}, but it comes unevenly.`;
}
