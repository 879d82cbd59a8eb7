(() => {
'use strict';
const $ = id => document.getElementById(id);
const island = e => JSON.parse(e.textContent);
const rows = [...document.querySelectorAll('script[id^="data"]')].flatMap(island), D = island($('dict')), W = D.words;
if (!$('table')) return;

// The fields of a row, in the order in which island.go writes them.
const ID = 0, URL_ = 1, KEY = 2, SCHEME = 3, HOST = 4, STATE = 5, WHAT = 6, STEP = 7, REASON = 8, OUTCOME = 9, REPLY = 10,
  FINAL = 11, NEW = 12, FLAGS = 13, FIRST = 14, LAST = 15, LASTOK = 16, FAILING = 17, NEXT = 18, STRIKES = 19, NEEDED = 20, CHECKS = 21,
  CHANGES = 22, COPY = 23, PAST = 24, CHAIN = 25, PIN = 26, PROOF = 27, NPLACES = 28, PLACES = 29;
const NEVER = -99999, PAGE = 200, PRINT = 1000;
const GROUPS = ['fix', 'update', 'check', 'wait', 'fine'];
const states = D.states.map(s => { const [word, group, icon] = s.split(' '); return {word, group, icon, rank: GROUPS.indexOf(group)}; });
const groupOf = r => states[r[STATE]].group;
const locale = D.lang === 'en' ? 'en-GB' : D.lang;
const number = n => n.toLocaleString(locale);
const dateForm = new Intl.DateTimeFormat(locale, {dateStyle: 'long', timeZone: 'UTC'});
const shortForm = new Intl.DateTimeFormat(locale, {dateStyle: 'medium', timeZone: 'UTC'});
const dayOf = back => new Date((D.today - back) * 864e5);
const day = (back, form = dateForm) => back === NEVER ? W.never : form.format(dayOf(back));
const fill = (text, args) => text.replace(/\{(\w+)\}/g, (_, name) => args[name] ?? '');
const count = (key, n) => fill(W[key + (n === 1 ? '.one' : '.other')], {n: number(n)});
// An address is kept without the scheme and host of its row (island.go).
function urlOf(r) {
  const s = r[URL_] || '';
  return s[0] === '~' ? s.slice(1) : s && '/:?#'.includes(s[0]) ? D.schemes[r[SCHEME]] + '://' + D.hosts[r[HOST]] + s : s;
}
const suggested = r => r[NEW] === 1 ? r[FINAL] : r[NEW];

// make builds an element: attributes by name, children as nodes or text.
function make(tag, attrs, ...children) {
  const svg = ['svg', 'use', 'path'].includes(tag);
  const e = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [k, v] of Object.entries(attrs || {})) if (v !== undefined && v !== null) e.setAttribute(k, v);
  e.append(...children.filter(c => c !== null && c !== undefined && c !== ''));
  return e;
}
const icon = name => make('svg', {class: 'i', 'aria-hidden': 'true'}, make('use', {href: '#i-' + name}));
const bdi = (text, cls) => make('bdi', {class: cls}, text);

const opens = url => /^(https?|ftp):\/\/[^\s<>"\ufffd]+$/i.test(url);
// An address may break behind its slashes and the like before it breaks anywhere.
function address(url, cls = 'url') {
  if (url.length > 300) cls += ' long';
  const open = opens(url), b = bdi('', open ? undefined : cls);
  url.split(/(?<=[\/?&=;])(?=[^\/?&=;])/).forEach((part, i) => b.append(...i ? [make('wbr'), part] : [part]));
  return open ? make('a', {class: cls, href: url, rel: 'noreferrer noopener'}, b) : b;
}

function sentence(r, key) {
  const template = (key === WHAT ? D.whats : D.steps)[r[key]];
  if (!template.includes('{')) return template;
  const reason = D.reasons[r[REASON]], code = reason.slice(reason.indexOf('-') + 1);
  return fill(template, {host: D.hosts[r[HOST]] || D.schemes[r[SCHEME]], scheme: D.schemes[r[SCHEME]], code: /^\d/.test(code) ? code : reason,
    new: suggested(r) || r[FINAL] || '', copy: r[COPY] || '', strikes: count('strike', r[STRIKES]), n: number(r[STRIKES]), needed: number(r[NEEDED]),
    next: r[NEXT] === NEVER ? W['unknown-day'] : day(r[NEXT]), by: (D.pins[r[PIN]] || '').split(':')[0]});
}

// past gives the last checks as {state, outcome, back}: back is days before the report.
function past(r) {
  if (!r[PAST]) return [];
  const list = [];
  for (const token of r[PAST].split(' ')) {
    const [s, times] = token.split('*');
    for (let n = parseInt(times || '1', 10); n > 0; n--) {
      list.push({state: states[s.charCodeAt(0) - 97], outcome: D.outcomes[s.charCodeAt(1) - 97], step: parseInt(s.slice(2) || '0', 36)});
    }
  }
  let back = r[LAST];
  for (let i = list.length - 1; i >= 0; i--) { list[i].back = back; back += list[i].step; }
  return list;
}
const BAR = {fix: [10, 8], wait: [7, 11], check: [4, 14], update: [1, 17], fine: [1, 17]};
function strip(r) {
  const list = past(r), paths = {};
  if (!list.length) return '';
  list.forEach((p, i) => { // one path a group: 200 rows of single bars would be slow to lay out
    const [y, height] = BAR[p.state.group];
    paths[p.state.group] = (paths[p.state.group] || '') + `M${i * 8} ${y}h6v${height}h-6z`;
  });
  return make('svg', {class: 'strip', viewBox: '0 0 96 18', role: 'img', 'aria-label': W['col.checks'] + ': ' + list.map(p => p.outcome).join(', ')},
    ...Object.entries(paths).map(([group, d]) => make('path', {class: 'f-' + group, d})));
}

// A file is known by its name and its folder's, but for details. A page opens, a member of it does not.
const near = path => path.split('/').slice(-2).join('/'), members = new Set(D.members);
const page = src => !members.has(src) && opens(D.sources[src]) ? D.sources[src] : '';
const linked = (node, href) => href ? make('a', {href, rel: 'noreferrer noopener'}, node) : node;
function place(rec, src, loc, withTitle, whole) {
  const [col, id, title] = D.recs[rec], file = whole ? D.sources[src] : near(D.sources[src]);
  const out = make('span', {}), where = make('span', {class: 'loc'});
  const name = make('bdi', id ? {class: 'rec id', title: id} : {class: 'rec'}, id || file);
  out.append(linked(name, id ? D.templates[col].replace('{id}', encodeURIComponent(id)) : page(src)));
  if (withTitle && title) out.append(' ', bdi(title, 'ttl'));
  if (id) where.append(linked(file, page(src)), loc ? ' · ' : '');
  where.append(loc || '');
  out.append(where);
  return out;
}

function button(text, act, cls = 'btn copy') {
  const b = make('button', {class: cls, type: 'button'}, text);
  b.addEventListener('click', act);
  return b;
}
async function copy(text, b) {
  try { await navigator.clipboard.writeText(text); } catch {
    const area = make('textarea', {'aria-hidden': 'true'});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  b.textContent = W.copied;
  setTimeout(() => { b.textContent = W.copy; }, 1500);
}
const copier = text => { const b = button(W.copy, () => copy(text, b)); b.setAttribute('aria-label', W.copy + ': ' + text); return b; };

function detail(r) {
  const facts = make('dl', {});
  const fact = (name, value) => { if (value) facts.append(make('dt', {}, name), make('dd', {}, value)); };
  const s = states[r[STATE]], withCommand = c => { const e = make('span', {}, make('code', {}, c), ' '); e.append(copier(c)); return e; };
  const withCopy = url => { const s = make('span', {}, address(url, 'mono'), ' '); s.append(copier(url)); return s; };
  fact(W['known.normal'], r[KEY] && r[KEY] !== 1 ? withCopy(r[KEY]) : '');
  fact(W['ends.at'], r[FINAL] ? withCopy(r[FINAL]) : '');
  fact('→', suggested(r) && suggested(r) !== r[FINAL] ? withCopy(suggested(r)) : '');
  fact(W.archived, r[COPY] ? withCopy(r[COPY]) : '');
  fact(W.chain, r[CHAIN] ? bdi(r[CHAIN].split('\n').map(hop => hop.includes(' ') ? hop : hop + ' ' + r[FINAL]).join(' → '), 'mono') : '');
  fact(W['move.proof'], D.proofs[r[PROOF]]);
  fact(W.server, D.replies[r[REPLY]] ? bdi(D.replies[r[REPLY]], 'mono') : '');
  fact(W.flags, D.flags[r[FLAGS]]);
  fact(W.strikes, r[STRIKES] ? number(r[STRIKES]) : '');
  fact(W.firstseen, day(r[FIRST]));
  fact(W.lastcheck, day(r[LAST]));
  fact(W.lastok, day(r[LASTOK]));
  fact(W.nextcheck, r[NEXT] === NEVER ? '' : day(r[NEXT]));
  fact(W.checks, number(r[CHECKS]));
  fact(W.pinned, D.pins[r[PIN]]);
  if (s.group === 'check') fact(W.decide, withCommand(`linkcheck mark '${urlOf(r).replaceAll("'", "'\\''")}' alive --why ''`));
  const history = make('ul', {class: 'hist', tabindex: '0', 'aria-label': W.history}, ...past(r).reverse().map(p =>
    make('li', {}, make('time', {datetime: dayOf(p.back).toISOString().slice(0, 10)}, day(p.back, shortForm)),
      make('span', {class: 'g-' + p.state.group}, icon(p.state.icon)), W['state.' + p.state.word], make('code', {}, p.outcome))));
  const places = make('ul', {class: 'place where', tabindex: '0', 'aria-label': W.places});
  for (let i = 0; i < r[PLACES].length; i += 3) {
    const p = place(r[PLACES][i], r[PLACES][i + 1], r[PLACES][i + 2], true, true);
    places.append(make('li', {}, p));
  }
  const hidden = r[NPLACES] - r[PLACES].length / 3;
  if (hidden > 0) places.append(make('li', {class: 'quiet'}, fill(W.more, {n: number(hidden)}) + ' (CSV)'));
  return make('div', {class: 'sheet'},
    make('div', {}, facts),
    make('div', {}, make('h3', {}, W.history), history),
    make('div', {}, make('h3', {}, W.places + ' (' + number(r[NPLACES]) + ')'), places));
}

const open = new Set();
function rowOf(r, printing, only) { // only: the number of the one place to show, under the head of its record
  const s = states[r[STATE]], id = 'd' + r[ID], url = urlOf(r);
  const link = make('td', {}, address(url));
  for (const c of D.changes[r[CHANGES]].split(' ').filter(Boolean)) link.append(' ', make('span', {class: 'tag'}, W['change.' + c]));
  const what = make('td', {}, sentence(r, WHAT) + ' ', make('span', {class: 'step'}, sentence(r, STEP)),
    D.replies[r[REPLY]] ? bdi(D.replies[r[REPLY]], 'reply') : '');
  const where = make('td', {class: 'where'});
  if (only !== undefined) where.append(make('span', {class: 'loc'}, r[PLACES][3 * only + 2] || ''));
  else if (r[PLACES].length) where.append(place(r[PLACES][0], r[PLACES][1], r[PLACES][2], true));
  if (only === undefined && r[NPLACES] > 1) where.append(make('span', {class: 'loc'}, '+' + fill(W.more, {n: number(r[NPLACES] - 1)})));
  const tr = make('tr', {'data-g': s.group}, make('td', {}, make('span', {class: 'state g-' + s.group}, icon(s.icon), W['state.' + s.word])),
    link, what, where, make('td', {class: 'c-checks'}, strip(r)));
  if (printing) return [tr];
  const toggle = button(W.details, () => { open.has(r[ID]) ? open.delete(r[ID]) : open.add(r[ID]); show(); }, 'more');
  toggle.setAttribute('aria-label', W.details + ': ' + url);
  const more = button(W.copy, () => copy(url, more), 'more');
  more.setAttribute('aria-label', W.copy + ': ' + url);
  link.append(make('div', {class: 'acts'}, toggle, more));
  const out = [tr];
  const show = () => {
    const is = open.has(r[ID]);
    toggle.setAttribute('aria-expanded', is);
    tr.classList.toggle('open', is);
    if (!is) { tr.nextSibling?.classList?.contains('detail') && tr.nextSibling.remove(); return; }
    const d = make('tr', {class: 'detail', id}, make('td', {colspan: 5}, detail(r)));
    tr.parentNode ? tr.after(d) : out.push(d);
  };
  show();
  return out;
}

// What is chosen: kept in the address after '#', so that any view can be sent to a colleague.
const FIELDS = ['group', 'state', 'scheme', 'host', 'collection', 'reason', 'change', 'q', 'sort', 'view', 'page', 'l'];
let want = {}, timer; // timer: a search that waits for the next key
function readHash() {
  clearTimeout(timer);
  const text = location.hash.slice(1);
  if (text && !text.includes('=')) return false;
  const p = new URLSearchParams(text);
  want = {};
  for (const f of FIELDS) if (p.get(f)) want[f] = p.get(f);
  return true;
}
function choose(change, keepPage) {
  want = {...want, ...change};
  if (!keepPage) delete want.page;
  for (const f of FIELDS) if (!want[f]) delete want[f];
  history.replaceState(null, '', '#' + new URLSearchParams(want).toString().replaceAll('+', '%20'));
  show();
}

// haystack is the words of n things as one text, and where each one's begin. It is
// gathered when the page has nothing else to do, or when a search cannot wait.
function haystack(n, wordsOf) {
  const from = new Uint32Array(n + 1), parts = [];
  let text = null;
  const put = (i, s) => { parts[i] = s; from[i + 1] = from[i] + s.length + 1; };
  const gather = until => {
    if (text !== null) return true;
    for (let i = parts.length; i < until; i++) put(i, wordsOf(i));
    if (until < n) return false;
    const whole = parts.join('\n');
    text = whole.toLowerCase();
    if (text.length !== whole.length) { // a few letters grow when they are made small
      parts.forEach((s, i) => put(i, s.toLowerCase()));
      text = parts.join('\n');
    }
    parts.length = 0;
    return true;
  };
  return {
    more: () => gather(Math.min(n, parts.length + 1000)),
    marks: q => { // of the things whose words hold q
      gather(n);
      const marks = new Uint8Array(n);
      for (let i = 0, at = text.indexOf(q); at >= 0 && i < n; at = text.indexOf(q, from[i])) {
        while (from[i + 1] <= at) i++;
        marks[i++] = 1;
      }
      return marks;
    },
  };
}
const hays = {
  row: haystack(rows.length, i => urlOf(rows[i]) + '\n' + (rows[i][FINAL] || '')),
  rec: haystack(D.recs.length, i => D.recs[i][1] + ' ' + D.recs[i][2]),
  source: haystack(D.sources.length, i => D.sources[i]),
};
const idle = window.requestIdleCallback || (f => setTimeout(() => f({timeRemaining: () => 20}), 50));
function gatherIdly(deadline) {
  let done = false;
  while (!done && deadline.timeRemaining() > 4) done = Object.values(hays).every(h => h.more());
  if (!done) idle(gatherIdly);
}

// search marks the rows whose address, records or files hold a text; null: no text.
function search(text) {
  const q = (text || '').replace(/\s+/g, ' ').toLowerCase();
  if (!q.trim()) return null;
  const marks = hays.row.marks(q), rec = hays.rec.marks(q), source = hays.source.marks(q);
  rows.forEach((r, i) => {
    const list = r[PLACES];
    for (let k = 0; k < list.length; k += 3) marks[i] |= rec[list[k]] | source[list[k + 1]];
  });
  return marks;
}

function filter(order, down) {
  const {group, state, reason, change, l} = want;
  const index = (list, word) => word === undefined ? -1 : list.indexOf(word);
  const scheme = index(D.schemes, want.scheme), col = index(D.cols, want.collection), why = index(D.reasons, reason);
  const host = want.host, noHost = host?.endsWith(':'), hostN = index(D.hosts, noHost ? '' : host), hostScheme = noHost ? index(D.schemes, host.slice(0, -1)) : -1;
  const inCol = want.collection && D.recs.map(r => r[0] === col);
  const marks = search(want.q);
  const out = [];
  for (let n = 0; n < order.length; n++) {
    const i = order[down ? order.length - 1 - n : n], r = rows[i];
    if (l && String(r[ID]) !== l || group && groupOf(r) !== group || state && states[r[STATE]].word !== state) continue;
    if (want.scheme && r[SCHEME] !== scheme || reason && r[REASON] !== why || host && r[HOST] !== hostN || noHost && r[SCHEME] !== hostScheme) continue;
    if (change && !D.changes[r[CHANGES]].includes(change)) continue;
    if (inCol) { let is = false; for (let k = 0; k < r[PLACES].length; k += 3) is ||= inCol[r[PLACES][k]]; if (!is) continue; }
    if (marks && !marks[i]) continue;
    out.push(i);
  }
  return out;
}

// ordered gives the numbers of all rows in the order of a column, sorted once and
// kept. Rank and number go into one figure, so that figures are sorted, not rows.
const orders = {};
function ordered(key) {
  if (orders[key]) return orders[key];
  const step = 2 ** Math.ceil(Math.log2(rows.length + 1)), rank = ranker(key);
  const figures = Float64Array.from(rows, (r, i) => rank(r, i) * step + i).sort();
  return orders[key] = Uint32Array.from(figures, f => f % step);
}
const LAST_RANK = 2 ** 33;

// byRecord gives every place of every row, in the order of the records: a link
// stands under each record that holds it.
let places;
function byRecord() {
  if (places) return places;
  const rank = alphabetic(D.recs.map(r => r[0] + ' ' + r[1])), of = [];
  rows.forEach((r, i) => { for (let k = 0; k < r[PLACES].length / 3; k++) of.push([i, k]); });
  const step = 2 ** Math.ceil(Math.log2(of.length + 1));
  const figures = Float64Array.from(of, ([i, k], n) => rank[rows[i][PLACES][3 * k]] * step + n).sort();
  return places = Array.from(figures, f => of[f % step]);
}
function alphabetic(list) {
  const by = [...list.keys()].sort((a, b) => list[a] < list[b] ? -1 : list[a] > list[b] ? 1 : a - b), n = new Uint32Array(list.length);
  by.forEach((i, k) => { n[i] = k; });
  return n;
}
// byAddress ranks all rows by host, then address. Hosts are few: sorted first,
// they leave little to compare.
function byAddress() {
  const host = alphabetic(D.hosts.map(h => h || '~')), n = new Uint32Array(rows.length), step = 2 ** Math.ceil(Math.log2(rows.length + 1));
  const order = Float64Array.from(rows, (r, i) => host[r[HOST]] * step + i).sort();
  for (let from = 0, to; from < order.length; from = to) {
    const h = Math.floor(order[from] / step), same = [];
    for (to = from; to < order.length && Math.floor(order[to] / step) === h; to++) { const i = order[to] % step; same.push([urlOf(rows[i]), i]); }
    same.sort((a, b) => a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1]).forEach(([, i], k) => { n[i] = from + k; });
  }
  return n;
}
function ranker(key) {
  switch (key) {
  case 'url': { const n = byAddress(); return (r, i) => n[i]; }
  case 'reason': { const n = alphabetic(D.reasons); return r => n[r[REASON]]; }
  case 'where': { const n = alphabetic(D.recs.map(r => r[0] + ' ' + r[1])); return r => r[PLACES].length ? n[r[PLACES][0]] * 1e4 + r[PLACES][1] : LAST_RANK; }
  case 'fail_days': return r => r[FAILING] === NEVER ? 0 : r[FAILING] + 1;
  }
  const first = new Map(D.first.map((id, n) => [id, n])); // what the page showed before all was read
  const news = D.changes.map(codes => codes.split(' ').filter(Boolean).length);
  return r => first.get(r[ID]) ?? // urgency: the group, then news, then the longest failing
    (states[r[STATE]].rank + 1) * 1e9 - news[r[CHANGES]] * 1e6 - (r[FAILING] === NEVER ? 0 : Math.min(r[FAILING], 99999));
}

let found = [];
function show() {
  const sort = want.sort || 'state', down = sort.startsWith('-'), key = sort.replace(/^-/, '');
  found = filter(ordered(key), down);
  let list = found; // numbers of rows, or pairs of row and place
  if (want.view === 'record') {
    const is = new Uint8Array(rows.length);
    for (const i of found) is[i] = 1;
    list = byRecord().filter(([i]) => is[i]);
  }
  const pages = Math.max(1, Math.ceil(list.length / PAGE));
  const page = Math.min(pages, Math.max(1, parseInt(want.page || '1', 10) || 1));
  const from = (page - 1) * PAGE, part = list.slice(from, from + PAGE).map(x => typeof x === 'number' ? [x] : x);
  if (want.l && part.length === 1) open.add(rows[part[0][0]][ID]);
  fillTable(part);
  const range = list.length ? fill(W['page.of'], {from: number(from + 1), to: number(from + part.length), n: number(list.length)}) : '';
  $('range').textContent = range;
  $('status').textContent = found.length ? count('link', found.length) : W['page.none'];
  $('prev').disabled = page <= 1;
  $('next').disabled = page >= pages;
  controls(key, down);
}

// fillTable shows what fits on the screen at once, and the rest of the page when
// that is painted.
const SCREEN = 30;
let pass = 0; // of filling: a newer one ends an older
function fillTable(part) {
  const body = $('rows'), mine = ++pass;
  let last;
  const some = (from, to) => {
    const rowsOf = document.createDocumentFragment();
    for (const [i, k] of part.slice(from, to)) {
      const r = rows[i], rec = k === undefined ? last : r[PLACES][3 * k];
      if (rec !== last) {
        last = rec;
        rowsOf.append(make('tr', {class: 'rec where'}, make('th', {colspan: 5, scope: 'rowgroup'}, place(rec, r[PLACES][3 * k + 1], '', true))));
      }
      rowsOf.append(...rowOf(r, false, k));
    }
    return rowsOf;
  };
  body.replaceChildren(part.length ? some(0, SCREEN) : make('tr', {}, make('td', {colspan: 5, class: 'none'}, W['page.none'])));
  body.setAttribute('aria-busy', part.length > SCREEN);
  const more = from => requestAnimationFrame(() => setTimeout(() => {
    if (mine !== pass) return;
    body.append(some(from, from + 2 * SCREEN));
    body.setAttribute('aria-busy', from + 2 * SCREEN < part.length);
    if (from + 2 * SCREEN < part.length) more(from + 2 * SCREEN);
  }));
  if (part.length > SCREEN) more(SCREEN);
}

function controls(key, down) {
  for (const b of document.querySelectorAll('.chip.g')) b.setAttribute('aria-pressed', b.dataset.group === want.group);
  for (const th of document.querySelectorAll('#table th[data-key]')) {
    const on = th.dataset.key === key;
    on ? th.setAttribute('aria-sort', down ? 'descending' : 'ascending') : th.removeAttribute('aria-sort');
    th.querySelector('.dir').textContent = on ? (down ? '▼' : '▲') : '▲▼';
  }
  for (const f of ['scheme', 'collection', 'state']) $(f).value = want[f] || '';
  if (document.activeElement !== $('q')) $('q').value = want.q || '';
  $('view').setAttribute('aria-pressed', want.view === 'record');
  const words = ['host', 'reason', 'change', 'l'].filter(f => want[f]).map(f => f === 'change' ? W['change.' + want[f]] || want[f] : f === 'l' ? '№ ' + want[f] : want[f]);
  $('filters').textContent = words.join(' · ');
  $('clear').hidden = !['group', 'state', 'scheme', 'host', 'collection', 'reason', 'change', 'q', 'l'].some(f => want[f]);
}

function turn(by) {
  const b = $(by < 0 ? 'prev' : 'next');
  if (b.disabled) return;
  choose({page: String((parseInt(want.page || '1', 10) || 1) + by)}, true);
  $('links').scrollIntoView();
}

function setUp() {
  const options = (id, list, word = s => s) => $(id).append(...list.filter(Boolean).map(s => make('option', {value: s}, word(s))));
  options('scheme', [...D.schemes].sort());
  options('collection', [...D.cols].sort());
  const present = new Set(rows.map(r => states[r[STATE]].word));
  options('state', states.map(s => s.word).filter(s => present.has(s)), s => W['state.' + s]);
  for (const f of ['scheme', 'collection', 'state']) $(f).addEventListener('change', e => choose({[f]: e.target.value}));
  for (const b of document.querySelectorAll('.chip.g')) b.addEventListener('click', () => choose({group: want.group === b.dataset.group ? '' : b.dataset.group, l: ''}));
  for (const th of document.querySelectorAll('#table th[data-key]')) {
    const b = button(th.textContent, () => { const k = th.dataset.key; choose({view: '', sort: want.sort === k || !want.sort && k === 'state' ? '-' + k : want.sort === '-' + k ? k : k === 'fail_days' ? '-' + k : k}); }, '');
    b.append(make('span', {class: 'dir', 'aria-hidden': 'true'}, '▲▼'));
    th.replaceChildren(b);
  }
  $('q').addEventListener('input', e => {
    pass++; // what is still being filled will be replaced
    clearTimeout(timer);
    timer = setTimeout(() => choose({q: e.target.value, l: ''}), 30);
  });
  $('view').addEventListener('click', () => choose({view: want.view === 'record' ? '' : 'record'}));
  $('clear').addEventListener('click', () => { want = {sort: want.sort, view: want.view}; choose({}); });
  $('prev').addEventListener('click', () => turn(-1));
  $('next').addEventListener('click', () => turn(1));
  $('help').addEventListener('click', () => $('keys').showModal());
  for (const b of document.querySelectorAll('[data-copy]')) b.addEventListener('click', () => copy(b.dataset.copy, b));
  document.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) || $('keys').open) return;
    const act = {'/': () => { $('q').focus(); $('q').select(); }, n: () => turn(1), p: () => turn(-1), '?': () => $('keys').showModal()}[e.key];
    if (act) { e.preventDefault(); act(); }
  });
  addEventListener('hashchange', () => { if (readHash()) { show(); $('links').scrollIntoView(); } });
  addEventListener('beforeprint', () => {
    const fix = found.filter(i => groupOf(rows[i]) === 'fix').slice(0, PRINT);
    const all = fix.length ? fix : [...rows.keys()].filter(i => groupOf(rows[i]) === 'fix').slice(0, PRINT);
    pass++;
    $('rows').replaceChildren(...all.flatMap(i => rowOf(rows[i], true)));
  });
  addEventListener('afterprint', show);
}

setUp();
if (!readHash()) want = {};
show();
$('rows').classList.add('live');
idle(gatherIdly);
if (location.hash.includes('=')) $('links').scrollIntoView();
performance.mark('linkcheck-usable');
})();
