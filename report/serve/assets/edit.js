// The page from which a store is changed: every act is a question to the API, and every one has
// a key. No act needs a mouse, none needs the keys.
'use strict';
(() => {
  document.documentElement.classList.remove('nojs');
  const root = new URL('.', document.currentScript.src);
  const token = document.querySelector('meta[name=csrf-token]').content;
  const $ = id => document.getElementById(id);
  const texts = $('texts') ? $('texts').dataset : {};
  const rows = [...document.querySelectorAll('tr[data-link]')];
  const undoable = JSON.parse(sessionStorage.getItem('undoable') || '[]');
  let at = -1;

  const say = (text, bad) => { const s = $('said'); if (s) { s.textContent = text; s.classList.toggle('bad', !!bad); } };

  const ask = async (path, body) => {
    const res = await fetch(new URL('api/v1/' + path, root), {
      method: 'POST', credentials: 'same-origin',
      headers: {'Content-Type': 'application/json', 'X-CSRF-Token': token}, body: JSON.stringify(body)});
    const answer = await res.json().catch(() => ({}));
    if (!res.ok) throw new Error(answer.error || res.status);
    return answer;
  };

  const remember = id => { undoable.push(id); sessionStorage.setItem('undoable', JSON.stringify(undoable.slice(-100))); };

  // go makes a row the current one: the one that acts are about.
  const go = (i, focus) => {
    if (!rows.length) return;
    at = Math.max(0, Math.min(rows.length - 1, i));
    rows.forEach((r, k) => { r.tabIndex = k === at ? 0 : -1; k === at ? r.setAttribute('aria-current', 'true') : r.removeAttribute('aria-current'); });
    if (focus) { rows[at].focus({preventScroll: true}); rows[at].scrollIntoView({block: 'center'}); }
  };

  // show puts what was said into the row; pages that are loaded later say it in full.
  const show = (row, line) => {
    const words = row.querySelector('[data-words]');
    words.querySelector('[data-verb="' + line.verb + '"]')?.remove();
    const span = document.createElement('span');
    span.className = 'tag';
    span.dataset.verb = line.verb;
    span.textContent = texts[line.verb] + ': ' + (line.after || '–');
    words.append(span, ' ');
    if (line.verb === 'note') row.dataset.note = line.after;
    if (line.verb === 'assign') row.dataset.owner = line.after;
  };

  const act = async (path, body, row) => {
    try {
      const line = await ask(path, body);
      remember(line.id);
      show(row, line);
      say(texts.done + ' ' + row.dataset.url + ': ' + texts[line.verb] + ' – ' + (line.after || '–'));
      return true;
    } catch (e) { say(texts.failed + ' ' + e.message, true); throw e; }
  };

  const undo = async id => {
    try {
      const line = await ask('undo', {id});
      say(texts.undone + ' ' + line.target + ': ' + (line.after || '–'));
      const row = rows.find(r => r.dataset.url === line.target);
      if (row) show(row, line);
      return line;
    } catch (e) { say(texts.failed + ' ' + e.message, true); }
  };

  const form = $('form');
  let submit = null; // what the form does, once it is sent
  const open = (kind, row, send) => {
    form.querySelectorAll('[data-of]').forEach(d => { d.hidden = d.dataset.of !== kind; });
    $('form-h').textContent = texts[kind];
    $('form-url').textContent = row ? row.dataset.url : '';
    $('fault').textContent = '';
    submit = send;
    form.showModal();
    (form.querySelector('[data-of="' + kind + '"] :is(input,select,textarea)')).focus();
  };
  const back = () => { if (rows[at]) rows[at].focus({preventScroll: true}); };
  form?.addEventListener('close', back);
  form?.addEventListener('submit', async e => {
    if (e.submitter && e.submitter.value !== 'go' || !submit) return; // cancelled
    e.preventDefault();
    const send = submit, row = at;
    try { await send(); submit = null; form.close(); go(row, true); } catch (err) { $('fault').textContent = err.message; }
  });

  const link = row => ({link: Number(row.dataset.link)});
  const acts = {
    mark: row => { $('f-decision').selectedIndex = 0; $('f-why').value = $('f-until').value = ''; open('mark', row, () => act('marks', {...link(row), decision: $('f-decision').value, why: $('f-why').value, until: $('f-until').value}, row)); },
    unmark: async row => {
      try {
        const res = await fetch(new URL('api/v1/marks?link=' + row.dataset.link, root), {method: 'DELETE', credentials: 'same-origin', headers: {'X-CSRF-Token': token}});
        const line = await res.json();
        if (!res.ok) throw new Error(line.error);
        remember(line.id); show(row, line); say(texts.undone + ' ' + row.dataset.url);
      } catch (e) { say(texts.failed + ' ' + e.message, true); }
    },
    note: row => { $('f-note').value = row.dataset.note; open('note', row, () => act('notes', {...link(row), text: $('f-note').value}, row)); },
    assign: row => { $('f-owner').value = row.dataset.owner; open('assign', row, () => act('owners', {...link(row), owner: $('f-owner').value}, row)); },
    check: row => act('rechecks', link(row), row).catch(() => {}),
    accept: row => fix(row, 'accept'),
    refuse: row => fix(row, 'refuse'),
    undo: async () => {
      if (!undoable.length) return say(texts.nothing);
      if (await undo(undoable[undoable.length - 1])) { undoable.pop(); sessionStorage.setItem('undoable', JSON.stringify(undoable)); }
    },
  };
  const fix = (row, decision) => row.dataset.new ? act('fixes', {...link(row), decision, new: row.dataset.new}, row).catch(() => {}) : say(texts.nofix, true);
  const run = name => {
    if (name === 'undo') return acts.undo();
    if (at < 0 || !rows[at]) return say(texts.none, true);
    acts[name](rows[at]);
  };

  const keys = {m: 'mark', d: 'unmark', n: 'note', o: 'assign', r: 'check', a: 'accept', x: 'refuse', u: 'undo'};
  document.addEventListener('keydown', e => {
    if (e.ctrlKey || e.altKey || e.metaKey || form?.open || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) {
      if (e.key === 'Escape' && /^(INPUT|SELECT)$/.test(e.target.tagName) && !form?.open) e.target.blur();
      return;
    }
    if (e.key === 'j' || e.key === 'k') go(at + (e.key === 'j' ? 1 : -1), true);
    else if (e.key === 'Enter' && e.target.matches('tr[data-link]')) e.target.querySelector('.more')?.click();
    else if (e.key === 'Escape') { if (document.querySelector('table.one') && history.length > 1) history.back(); else document.activeElement.blur(); }
    else if (e.key === '/' && document.querySelector('input[type=search]')) document.querySelector('input[type=search]').focus();
    else if (e.key === '?') { const h = $('keyhelp'); if (h) { h.open = !h.open; h.querySelector('summary').focus(); } }
    else if (keys[e.key] && document.querySelector('.desk')) run(keys[e.key]);
    else return;
    e.preventDefault();
  });
  document.addEventListener('focusin', e => { const i = rows.indexOf(e.target.closest('tr[data-link]')); if (i >= 0 && i !== at) go(i); });
  document.addEventListener('click', async e => {
    const row = e.target.closest('tr[data-link]');
    if (row) go(rows.indexOf(row));
    const button = e.target.closest('button');
    if (!button) return;
    if (button.dataset.do) run(button.dataset.do);
    if (button.dataset.undo && await undo(Number(button.dataset.undo))) location.reload();
    if (button.dataset.records) {
      const res = await fetch(new URL(button.dataset.records, root), {credentials: 'same-origin'});
      const text = await res.text();
      try { await navigator.clipboard.writeText(text); say(texts.copied + ' ' + (text.split('\n').length - 1)); } catch {
        $('f-records').value = text; open('records', null, async () => {}); $('f-records').select();
      }
    }
  });
  go(0);
})();
