// ---- the rest of the page, and its order ---------------------------------------------------------

function head() {
  const source = findings.source;
  byId('command').textContent = findings.command;
  byId('verdict').textContent = findings.verdict ? visible(findings.verdict) : 'Stint report';
  document.title = `${visible(sourceName)} · stint ${findings.command}`;
  byId('interrupted').hidden = !findings.interrupted;
  const facts = [
    [simulated ? 'Traffic' : 'Source', visible(sourceName)],
    ['Requests', number(findings.requests)],
    ['Clients', `${number(findings.keys)}${source.by && !simulated ? ', by ' + source.by : ''}`]];
  if (axis.columns > 0) {
    const lasts = covered(axis.last - axis.start);
    facts.push(simulated ? ['Lasts', lasts] : ['From', `${date(axis.start)}, ${lasts}`]);
  }
  if (!simulated) {
    facts.push(['Lines', `${number(source.lines)}${source.format ? ', ' + source.format : ''}`]);
    const out = [[source.bad, 'not understood'], [source.late, 'too late']].filter(([n]) => n > 0);
    if (out.length > 0) facts.push(['Left out', out.map(([n, words]) => number(n) + ' ' + words).join(', ')]);
  }
  if (source.seed !== undefined) facts.push(['Seed', String(source.seed)]);
  byId('facts').append(...facts.map(([name, value]) => html('div', {}, html('dt', {}, name), html('dd', {}, value))));
  byId('notes').append(...source.notes.map((note) => html('li', {}, visible(note))));
  byId('notes').hidden = source.notes.length === 0;
  show('read');
}

const date = (micros) => new Date(micros / 1000).toISOString().slice(0, 19).replace('T', ' ') + ' UTC';

function proposals() {
  if (findings.proposals.length === 0) return;
  show('proposals');
  byId('proposals').append(table('Limits and their price', ['Limit', 'Price', '#Never notice', '#Clients refused', '#Requests refused'],
    findings.proposals.map((one) => [
      html('strong', {}, one.limit), visible(one.price), html('span', { class: 'nowrap' }, percent(one.share, 1)), number(one.keysRefused), number(one.refused)])));
}

function policy() {
  if (findings.yaml === '') return;
  show('policy');
  byId('yaml').textContent = findings.yaml;
  byId('copy').addEventListener('click', async () => {
    byId('copied').textContent = (await copied()) ? 'Copied' : 'Selected: copy it with the keyboard';
  });
}

/** Copies the policy. A page from a file may not be given the clipboard; what is selected can be copied all the same. */
async function copied() {
  try {
    await navigator.clipboard.writeText(findings.yaml);
    return true;
  } catch {
    getSelection().selectAllChildren(byId('yaml'));
    return document.execCommand('copy');
  }
}

head();
timeline();
numbers();
refused();
distribution();
proposals();
policy();
