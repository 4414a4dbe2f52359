// SPDX-License-Identifier: Apache-2.0
// Shows verdicts: an execution in lanes, a proof by lines, or what was tried. Everything is in the page; nothing is loaded.
'use strict';
(function () {
  const data = JSON.parse(document.getElementById('data').textContent);
  const ROW = 28, TEXT = 20, LEFT = 44, GAP = 14, NONE = -1, MOST_TEXTS = 8;
  const root = document.getElementById('main');

  // ---- small things ----
  function el(tag, attributes, ...children) {
    const e = document.createElement(tag);
    for (const [k, v] of Object.entries(attributes || {})) {
      if (v === undefined || v === null || v === false) continue;
      if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
      else e.setAttribute(k, v);
    }
    for (const c of children.flat()) if (c !== null && c !== undefined) e.append(c);
    return e;
  }
  function svg(tag, attributes) {
    const e = document.createElementNS('http:' + '//www.w3.org/2000/svg', tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    return e;
  }
  const count = (n, one, many) => n.toLocaleString('en') + ' ' + (n === 1 ? one : many || one + 's');
  const base = f => (f || '').split('/').pop();
  const place = s => s && s.file ? base(s.file) + ':' + s.line : '';
  const color = i => 'var(--t' + i % 7 + ')';

  // ---- sources ----
  function sourceLine(file, line) {
    for (const [first, lines] of data.sources[file] || []) if (line >= first && line < first + lines.length) return lines[line - first];
    return null;
  }
  // Adds a line of C, with comments, strings and keywords marked. open: the line begins inside a comment. Returns true if it ends inside a comment.
  const PARTS = /\/\*|\/\/.*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|^\s*#\s*\w+|\b(?:_Atomic|_Bool|_Thread_local|auto|bool|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while)\b/g;
  function putLine(cell, text, open) {
    let at = 0;
    const put = (to, kind) => {
      if (to > at) cell.append(kind ? el('span', { class: kind }, text.slice(at, to)) : text.slice(at, to));
      at = to;
    };
    for (;;) {
      if (open) {
        const end = text.indexOf('*/', at);
        put(end < 0 ? text.length : end + 2, 'comment');
        if (end < 0) return true;
        open = false;
      }
      PARTS.lastIndex = at;
      const m = PARTS.exec(text);
      if (!m) break;
      put(m.index);
      if (m[0] === '/*') {
        const end = text.indexOf('*/', at + 2);
        put(end < 0 ? text.length : end + 2, 'comment');
        if (end < 0) return true;
      } else put(m.index + m[0].length, m[0].startsWith('//') ? 'comment' : /^["']/.test(m[0]) ? 'text' : 'word');
    }
    put(text.length);
    return false;
  }
  // Returns a table of the file's lines; margin(line) returns additional cells.
  function sourceTable(file, margin) {
    const table = el('table', { class: 'source' }), rows = new Map();
    const width = margin ? margin(0).length : 0;
    for (const [first, lines] of data.sources[file] || []) {
      if (first > 1) table.append(el('tr', { class: 'gap' }, el('td', { colspan: 2 + width }, '⋯')));
      let open = false;
      lines.forEach((text, i) => {
        const cell = el('td', { class: 'c' });
        if (/\.[chi]$/.test(file)) open = putLine(cell, text || ' ', open);
        else cell.append(text || ' ');
        const row = el('tr', {}, el('td', { class: 'n' }, String(first + i)), margin ? margin(first + i) : null, cell);
        rows.set(first + i, row);
        table.append(row);
      });
    }
    return { table, rows };
  }

  // ---- words ----
  function eventText(e, threads) {
    const v = e.value === undefined ? '' : e.value;
    const mark = (e.input ? ' (input)' : '') + (e.uninitialised ? ' (uninitialised)' : '');
    if (e.does) return e.does;
    switch (e.kind) {
      case 'read': return 'reads ' + e.name + (v === '' ? '' : ' = ' + v) + mark;
      case 'write':
        if (e.failed) return 'compare-exchange fails: ' + e.name + ' is ' + v;
        if (e.buffered) return e.name + ' = ' + v + ' waits in its store buffer' + mark;
        if (v === '') return 'writes ' + e.name;
        return (e.shared && e.before !== undefined ? e.name + ': ' + e.before + ' → ' + v : e.name + ' = ' + v) + (e.arrives ? ', its store arrives in memory' : '') + mark;
      case 'lock': return (e.wakes ? (e.wakes === 'spuriously' ? 'wakes up spuriously, ' : 'wakes up, ') : '') + (e.failed ? 'finds ' + e.name + ' locked' : 'locks ' + e.name);
      case 'unlock': return (e.waits ? 'waits, ' : '') + 'unlocks ' + e.name;
      case 'alloc': return 'allocates ' + e.name + ' (' + v + (v === '1' ? ' byte)' : ' bytes)') + (e.before ? ', which reuses the address of ' + e.before : '');
      case 'free': return 'frees ' + e.name;
      case 'create': return 'starts ' + (threads[e.thread - 1] || 'a thread');
      case 'join': return 'joins ' + (threads[e.thread - 1] || 'a thread');
    }
    return e.kind;
  }
  const stepTexts = (s, threads) => s.waits ? ['waits for ' + s.waits] : s.accesses.map(e => eventText(e, threads));

  // ---- a trace: writes that reads see ----
  // Records the last write of each name, once other threads can see it. A write without a value may be larger: names that begin with its name are forgotten.
  function noteWrite(wrote, e, step) {
    if (e.kind === 'free' || e.kind === 'write' && e.value === undefined) {
      for (const name of Object.keys(wrote)) if (name.startsWith(e.name)) delete wrote[name];
    } else if (e.kind === 'write' && !e.failed && !e.buffered) wrote[e.name] = { step, value: e.value };
  }
  // Returns the step whose write this access finds; undefined if it is not known, or if the access's own thread made it.
  function foundBy(wrote, e, s, trace) {
    const found = e.kind === 'read' ? e.value : e.kind === 'write' && !e.arrives ? e.before : undefined, w = wrote[e.name];
    if (found === undefined || !w || w.value !== found || e.uninitialised || e.buffered || trace.loose) return undefined;
    return trace.steps[w.step].thread === s.thread ? undefined : w.step;
  }
  // Returns arrows {from, to, kind} between numbers of steps. The two accesses of a race do not see each other.
  function findArrows(trace) {
    const arrows = [], started = {}, last = {}, wrote = {}, unlocked = {}, seen = {}, end = trace.end;
    trace.steps.forEach((s, i) => {
      if (!seen[s.thread] && started[s.thread] !== undefined) arrows.push({ from: started[s.thread], to: i, kind: 'create' });
      seen[s.thread] = true;
      for (const e of s.accesses) {
        if (e.kind === 'create') started[e.thread] = i;
        if (e.kind === 'join' && last[e.thread] !== undefined) arrows.push({ from: last[e.thread], to: i, kind: 'join' });
        const lock = e.kind === 'lock' && !e.failed, from = lock ? unlocked[e.name] : foundBy(wrote, e, s, trace);
        const both = i === end && from === trace.racing;
        if (from !== undefined && !both && trace.steps[from].thread !== s.thread) arrows.push({ from, to: i, kind: lock ? 'lock' : 'sees' });
        noteWrite(wrote, e, i);
        if (e.kind === 'unlock') unlocked[e.name] = i;
      }
      last[s.thread] = i;
    });
    if (trace.racing !== undefined) arrows.push({ from: trace.racing, to: end, kind: 'race' });
    return arrows;
  }
  // Returns the values after the steps so far, name → {value, step}, and the names that the last step changed.
  function valuesAt(trace, step) {
    const values = new Map(), changed = new Set();
    for (let i = 0; i <= step; i++)
      for (const e of trace.steps[i].accesses) {
        if (e.buffered) continue;
        if (e.kind === 'write' && !e.failed && e.value !== undefined) {
          values.set(e.name, { value: e.value, step: i });
          if (i === step) changed.add(e.name);
        } else if (e.kind === 'read' && e.value !== undefined && !values.has(e.name)) values.set(e.name, { value: e.value, step: NONE });
        else if (e.kind === 'lock' && !e.failed || e.kind === 'unlock') {
          values.set(e.name, { value: e.kind === 'lock' ? 'held by ' + trace.threads[trace.steps[i].thread - 1] : 'free', step: i });
          if (i === step) changed.add(e.name);
        } else if (e.kind === 'free') {
          values.set(e.name, { value: 'freed', step: i });
          if (i === step) changed.add(e.name);
        }
      }
    return { values, changed };
  }
  // Returns the values that the last thread read in its last steps and that another thread had written.
  function causes(trace) {
    const list = [], end = trace.end, last = end >= 0 ? trace.steps[end].thread : 0, wrote = {};
    trace.steps.forEach((s, i) => {
      for (const e of s.accesses) {
        const from = e.kind === 'read' && s.thread === last && i >= end - 2 ? foundBy(wrote, e, s, trace) : undefined;
        if (from !== undefined && !(i === end && from === trace.racing)) list.push({ name: e.name, value: e.value, step: from });
        noteWrite(wrote, e, i);
      }
    });
    return list.filter((c, i) => list.findIndex(d => d.name === c.name && d.step === c.step) === i).slice(-4);
  }
  // Adds the thread to the names of variables that no other thread sees, if several threads have a variable of this name.
  function tellApart(trace) {
    const owners = new Map();
    const each = f => { for (const s of trace.steps) for (const e of s.accesses) if (e.kind === 'read' || e.kind === 'write') f(e, e.shared ? 0 : s.thread); };
    each((e, owner) => owners.set(e.name, (owners.get(e.name) || new Set()).add(owner)));
    each((e, owner) => {
      if (owner && owners.get(e.name).size > 1) e.name += owner === 1 ? ' (main)' : ' (thread ' + owner + ')';
    });
  }
  // What the views below go by. end: the last step; waits follow it as steps without a number. loose: which write a read sees is not the order of the steps.
  function prepare(report) {
    const trace = report.trace, cut = trace.cut || 0;
    if (trace.end !== undefined) return;
    trace.end = trace.steps.length - 1;
    tellApart(trace);
    trace.loose = report.memory_model === 'c11';
    for (const key of ['racing', 'loop']) if (trace[key] !== undefined) trace[key] = trace[key] < cut ? undefined : trace[key] - cut;
    for (const w of trace.waits || []) trace.steps.push({ thread: w.thread, file: w.file, line: w.line, accesses: [], waits: w.for });
  }
  const plainStart = trace => {
    const first = trace.steps.findIndex(s => s.accesses.some(e => e.kind === 'create'));
    const odd = trace.steps.findIndex(s => s.accesses.some(e => e.input || e.uninitialised));
    const n = odd >= 0 && odd < first ? odd : first;
    return n > 4 ? n : 0;
  };

  // Breaks a text into lines of at most `most` letters, if its words allow it.
  function wrapped(text, most) {
    const lines = [];
    for (const word of text.split(' ')) {
      const last = lines.length - 1;
      if (last >= 0 && lines[last].length + word.length < most) lines[last] += ' ' + word;
      else lines.push(word);
    }
    return lines.length > 4 ? [...lines.slice(0, 3), lines.slice(3).join(' ')] : lines;
  }

  // ---- the lanes ----
  function traceView(report, to) {
    const trace = report.trace, steps = trace.steps, arrows = findArrows(trace);
    const acting = trace.threads.map((name, i) => i + 1).filter(t => steps.some(s => s.thread === t));
    const all = root.clientWidth, room = all > 970 ? 0.6 * (all - 14) - 20 : all - 20;
    const width = Math.max(180, Math.min(460, Math.floor((room - LEFT) / Math.max(1, acting.length)) - GAP));
    const state = { now: Math.max(0, trace.end), hidden: new Set(), variable: '', folded: plainStart(trace), shown: [], rows: new Map(), y: new Map() };
    const lanes = el('div', { class: 'lanes' }), scroll = el('div', { class: 'scroll lanes-scroll', tabindex: '0' }, lanes);
    const values = el('tbody'), valuesTitle = el('div', { class: 'title' }), sourceTitle = el('div', { class: 'title' }), sourceBox = el('div', { class: 'scroll' });
    const x = t => LEFT + acting.indexOf(t) * (width + GAP);
    const isLast = i => i >= trace.end || i === trace.racing;
    let source = { file: null };

    function visible() {
      const list = [];
      for (let i = state.folded; i < steps.length; i++) {
        const s = steps[i];
        if (state.hidden.has(s.thread) && !isLast(i)) continue;
        if (state.variable && !isLast(i) && !s.accesses.some(e => e.name === state.variable)) continue;
        list.push(i);
      }
      return list;
    }
    // Texts of a row, each in a line of its own.
    function texts(i) {
      const s = steps[i], list = stepTexts(s, trace.threads);
      if (!list.length) list.push((sourceLine(s.file, s.line) || '').trim());
      const few = list.length > MOST_TEXTS ? [...list.slice(0, MOST_TEXTS - 1), '… ' + (list.length - MOST_TEXTS + 1) + ' more'] : list;
      return few.flatMap(t => wrapped(t, Math.floor((width - 44) / 7.4)));
    }
    function row(i, at, before) {
      const s = steps[i], text = sourceLine(s.file, s.line), list = texts(i), height = ROW + (list.length - 1) * TEXT;
      const hint = place(s) + '  ' + (text || '').trim() + '\n' + stepTexts(s, trace.threads).join('\n') + (s.callers ? '\nin ' + s.function + ' ← ' + s.callers : '');
      const cell = el('div', { class: 'cell', style: 'left:' + x(s.thread) + 'px;width:' + width + 'px;border-color:' + color(acting.indexOf(s.thread)), title: hint },
        list.map((t, k) => el('div', {}, el('span', { class: 'dim at' }, k ? '' : String(s.line || '')), el('span', { class: 'what' }, t))));
      const switched = before !== undefined && steps[before].thread !== s.thread;
      const number = s.waits ? '' : String(i + 1 + (trace.cut || 0));
      return el('div', { class: 'row' + (switched ? ' switch' : '') + (isLast(i) ? ' last' : ''), style: 'top:' + at + 'px;height:' + height + 'px', 'data-step': i, 'data-height': height, onclick: () => go(i) },
        el('span', { class: 'number' }, number), cell);
    }
    function arrowPath(a) {
      const y1 = state.y.get(a.from), y2 = state.y.get(a.to);
      const t1 = steps[a.from].thread, t2 = steps[a.to].thread;
      if (y1 === undefined || y2 === undefined || t1 === t2) return null;
      const right = acting.indexOf(t2) > acting.indexOf(t1);
      const x1 = right ? x(t1) + width : x(t1), x2 = right ? x(t2) : x(t2) + width;
      const a1 = y1 + ROW / 2, a2 = y2 + ROW / 2, bend = right ? GAP : -GAP;
      const p = svg('path', { d: 'M' + x1 + ' ' + a1 + 'C' + (x1 + bend * 2) + ' ' + a1 + ' ' + (x2 - bend * 2) + ' ' + a2 + ' ' + x2 + ' ' + a2, class: a.kind, 'marker-end': 'url(#tip-' + a.kind + ')' });
      p.arrow = a;
      return p;
    }
    function drawArrows(height) {
      const s = svg('svg', { class: 'arrows', width: LEFT + acting.length * (width + GAP), height });
      const defs = svg('defs', {});
      for (const kind of ['create', 'join', 'lock', 'sees', 'race']) {
        const m = svg('marker', { id: 'tip-' + kind, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' });
        m.append(svg('path', { d: 'M1 1L7 4L1 7', class: kind }));
        defs.append(m);
      }
      s.append(defs);
      state.paths = arrows.map(arrowPath).filter(p => p);
      s.append(...state.paths);
      return s;
    }
    function draw() {
      state.shown = visible();
      state.rows.clear();
      state.y.clear();
      const head = el('div', { class: 'lanehead', style: 'height:' + ROW + 'px' }, el('div', { style: 'width:' + LEFT + 'px;flex:none' }),
        acting.map((t, k) => el('div', { style: 'width:' + (width + GAP) + 'px;flex:none;color:' + color(k), title: trace.threads[t - 1] }, trace.threads[t - 1])));
      const body = el('div', { style: 'position:relative' });
      let y = 0;
      const line = (text, onclick) => {
        body.append(el('div', { class: 'row fold', style: 'top:' + y + 'px;height:' + ROW + 'px', onclick }, text));
        y += ROW;
      };
      if (state.folded) line('▸ main: ' + state.folded + ' lines before it starts a thread', () => { state.folded = 0; draw(); });
      state.shown.forEach((i, k) => {
        if (trace.loop !== undefined && i >= trace.loop && (!k || state.shown[k - 1] < trace.loop)) line('↻ again and again, from here');
        const r = row(i, y, k ? state.shown[k - 1] : undefined);
        state.rows.set(i, r);
        state.y.set(i, y);
        body.append(r);
        y += +r.dataset.height;
      });
      if (trace.loop !== undefined) line('↻ and so on for ever');
      body.append(drawArrows(y));
      body.style.height = y + 'px';
      lanes.style.width = LEFT + acting.length * (width + GAP) + 'px';
      lanes.replaceChildren(head, body);
      if (!state.rows.has(state.now)) state.now = state.shown.find(i => i >= state.now) ?? trace.end;
      show();
    }
    function showSource(s) {
      if (s.file && source.file !== s.file) {
        source = Object.assign(sourceTable(s.file), { file: s.file, marked: [] });
        sourceBox.replaceChildren(source.table);
      }
      if (!source.file) return;
      for (const r of source.marked) {
        r.classList.remove('now', 'other');
        r.title = '';
      }
      source.marked = [];
      const positions = new Map();
      for (let i = 0; i <= state.now; i++) positions.set(steps[i].thread, steps[i]);
      for (const [t, p] of positions)
        if (t !== s.thread && p.file === source.file && source.rows.has(p.line)) {
          const other = source.rows.get(p.line);
          other.classList.add('other');
          other.title = trace.threads[t - 1] + (p.waits ? ' waits here' : ' was here last');
          source.marked.push(other);
        }
      const r = source.rows.get(s.line);
      if (r) {
        r.classList.add('now');
        source.marked.push(r);
        reveal(sourceBox, r.offsetTop, r.offsetHeight);
      }
      sourceTitle.textContent = (trace.threads[s.thread - 1] || '') + ' at ' + place(s) + (s.function ? ' in ' + s.function : '');
    }
    function reveal(box, top, height) {
      if (top < box.scrollTop + 30 || top + height > box.scrollTop + box.clientHeight - 30) box.scrollTop = top - box.clientHeight / 2;
    }
    function showValues() {
      const before = trace.meet && isLast(state.now); // neither of the two accesses has happened
      const { values: known, changed } = valuesAt(trace, before ? trace.racing - 1 : state.now), rows = [];
      for (const s of before ? [steps[trace.racing], steps[trace.end]] : [])
        for (const e of s.accesses) {
          const value = e.kind === 'read' ? e.value : e.kind === 'write' ? e.before : undefined;
          if (value !== undefined && !known.has(e.name)) known.set(e.name, { value, step: NONE });
        }
      valuesTitle.textContent = before ? 'Values before these two accesses' : 'Values after this step';
      for (const [name, v] of [...known].slice(0, 300)) {
        const s = v.step >= 0 ? steps[v.step] : null;
        rows.push(el('tr', { class: changed.has(name) && !before ? 'changed' : null }, el('td', { class: 'mono' }, name), el('td', { class: 'mono' }, v.value),
          el('td', { class: 'dim' }, s ? trace.threads[s.thread - 1] + ', ' + place(s) : 'initially')));
      }
      values.replaceChildren(...rows);
    }
    function show() {
      const r = state.rows.get(state.now);
      if (state.marked) state.marked.classList.remove('now');
      state.marked = r;
      if (r) {
        r.classList.add('now');
        reveal(scroll, state.y.get(state.now) + ROW, ROW);
      }
      for (const p of state.paths || []) p.classList.toggle('near', p.arrow.from === state.now || p.arrow.to === state.now);
      if (steps.length) {
        showSource(steps[state.now]);
        showValues();
      }
      root.dataset.step = state.now;
    }
    function go(i) {
      state.now = i;
      show();
    }
    function move(by) {
      const at = state.shown.indexOf(state.now);
      const next = state.shown[Math.max(0, Math.min(state.shown.length - 1, at + by))];
      if (next !== undefined) go(next);
    }
    function filters() {
      const names = [...new Set(steps.flatMap(s => s.accesses.map(e => e.name).filter(n => n)))].sort();
      const threads = acting.map((t, k) => el('button', { 'aria-pressed': 'true', style: 'color:' + color(k), onclick: event => {
        const hide = !state.hidden.has(t);
        if (hide) state.hidden.add(t); else state.hidden.delete(t);
        event.target.setAttribute('aria-pressed', String(!hide));
        draw();
      } }, trace.threads[t - 1]));
      const variables = el('select', { 'aria-label': 'only steps of a variable', onchange: event => { state.variable = event.target.value; draw(); } },
        el('option', { value: '' }, 'all variables'), names.map(n => el('option', { value: n }, n)));
      const kinds = [['create', 'start'], ['join', 'join'], ['lock', 'unlock to lock'], ['sees', 'write to read'], ['race', 'race']];
      const keys = kinds.filter(([kind]) => arrows.some(a => a.kind === kind)).map(([kind, text]) => {
        const s = svg('svg', { width: 18, height: 8 });
        s.append(svg('path', { d: 'M0 4L18 4', class: kind }));
        return el('span', { class: 'key' }, s, text);
      });
      return el('div', { class: 'bar' }, el('button', { onclick: () => move(-1), title: '←' }, '◀ back'), el('button', { onclick: () => move(1), title: '→' }, 'step ▶'),
        el('button', { onclick: () => go(state.shown[0]) }, 'start'), el('button', { onclick: () => go(trace.end) }, 'end'), threads, variables, keys);
    }
    to.append(filters(), el('div', { class: 'columns' },
      el('div', { class: 'panel' }, el('div', { class: 'title' }, 'Who did what, in this order (← → or click)'), scroll),
      el('div', { class: 'side' }, el('div', { class: 'panel' }, sourceTitle, sourceBox),
        el('div', { class: 'panel' }, valuesTitle,
          el('div', { class: 'scroll values' }, el('table', { class: 'values' }, el('thead', {}, el('tr', {}, el('th', {}, 'variable'), el('th', {}, 'value'), el('th', {}, 'since'))), values))))));
    draw();
    return { move, go, first: () => go(state.shown[0]), last: () => go(steps.length - 1) };
  }

  // ---- the parts above ----
  function coded(code) {
    return code ? el('span', { class: 'dim' }, ' [' + code + ']') : '';
  }
  function notes(report) {
    const list = (report.notes || []).slice(), codes = report.note_codes || [];
    return list.length ? el('ul', {}, list.map((n, i) => el('li', {}, n, coded(codes[i])))) : null;
  }
  function causeView(report) {
    prepare(report);
    const trace = report.trace, error = trace.error;
    const box = el('div', { class: 'cause' + (report.verdict === 'UNSAFE' ? '' : ' soft') }, el('h2', {}, error.text || 'the property is violated'));
    const line = error.file ? sourceLine(error.file, error.line) : null;
    if (error.file) box.append(el('p', { class: 'mono' }, base(error.file) + ':' + error.line + (line ? '   ' + line.trim() : '')));
    for (const d of error.details || []) box.append(el('p', {}, d));
    for (const c of causes(trace)) {
      const s = trace.steps[c.step];
      box.append(el('p', {}, c.name + ' = ' + c.value + ' was written by ' + trace.threads[s.thread - 1] + ' at ' + place(s) + ' (step ' + (c.step + 1 + (trace.cut || 0)) + ')'));
    }
    if (trace.meet) box.append(el('p', {}, 'Steps ' + (trace.racing + 1 + (trace.cut || 0)) + ' and ' + (trace.end + 1 + (trace.cut || 0)) + ' are both possible next: nothing orders them.'));
    box.append(el('p', { class: 'dim' }, count(trace.threads.length, 'thread') + ', ' + count(trace.end + 1 + (trace.cut || 0), 'step') + ', ' + count(trace.switches, 'context switch', 'context switches') +
      (trace.cut ? '; the first ' + trace.cut.toLocaleString('en') + ' steps are left out here' : '')));
    return box;
  }
  function trusted(report) {
    const list = [];
    if (report.assuming) list.push('it was proved ' + report.assuming);
    for (const a of report.approximations || []) if (a.kind === 'assumed') list.push(a.text + (a.file ? ' (' + place(a) + ')' : ''));
    list.push('clang’s reading of the C text, and Heddle’s models of library functions');
    if (report.obligations) list.push('the solver that discharged the obligations (--second-solver asks a second one)');
    else if (report.states !== undefined) list.push('the interpreter that visited the states');
    return el('div', {}, el('h3', {}, 'What is trusted'), el('ul', {}, list.map(t => el('li', {}, t))));
  }
  function approximations(report) {
    const list = (report.approximations || []).filter(a => a.kind !== 'assumed');
    if (!list.length) return null;
    return el('div', {}, el('h3', {}, 'What the translation left out or added'), el('ul', {}, list.slice(0, 100).map(a => el('li', {}, (a.file ? place(a) + ': ' : '') + a.text))));
  }
  function statistics(report) {
    const rows = Object.entries(report.stats || {}).filter(([, n]) => n).map(([k, n]) => el('tr', {}, el('td', {}, k.replace(/_/g, ' ')), el('td', { class: 'mono' }, n.toLocaleString('en'))));
    return rows.length ? el('details', {}, el('summary', { class: 'dim' }, 'what the run counted'), el('table', { class: 'values' }, el('tbody', {}, rows))) : null;
  }

  // ---- a proof ----
  function whereText(proof, at) {
    return at.map(([t, file, line, what]) => proof.threads[t] + (what === 'ended' ? ' ended' : what === 'start' ? ' at its start' : ' at ' + (file ? base(file) + ':' + line : 'a place without a line'))).join(', ');
  }
  function placeView(proof, p) {
    const nothing = p.holds.includes('true');
    return [el('div', {}, whereText(proof, p.at)), nothing ? el('p', { class: 'dim' }, 'nothing needs to be known here') : el('pre', {}, p.holds.slice(0, 20).join('\n   or '))];
  }
  // Returns all places in order, for printing: on paper a reader cannot hover.
  function printedPlaces(proof) {
    const list = proof.places.filter(p => !p.holds.includes('true')).slice(0, 200);
    return el('div', { class: 'printed holds' }, el('h3', {}, 'What holds where'), list.flatMap(p => placeView(proof, p)));
  }
  // Returns thread:file:line for each line of a block, and for the few lines between two of them on which the thread does nothing.
  function blockLines(proof) {
    const found = new Set(), own = new Set(proof.movers.map(m => m[0] + ':' + m[1] + ':' + m[2]));
    for (const b of proof.blocks) for (const [file, line] of b.lines) own.add(b.thread + ':' + file + ':' + line);
    for (const b of proof.blocks)
      b.lines.forEach(([file, line], i) => {
        const key = n => b.thread + ':' + file + ':' + n, next = b.lines[i + 1], gap = [];
        found.add(key(line));
        for (let n = line + 1; next && next[0] === file && n < next[1]; n++) gap.push(key(n));
        if (gap.length <= 6 && !gap.some(k => own.has(k))) gap.forEach(k => found.add(k));
      });
    return found;
  }
  function proofView(report, to) {
    const proof = report.proof, files = report.files.filter(f => (data.sources[f] || []).length);
    for (const f of Object.keys(data.sources)) if (!files.includes(f) && data.sources[f].length) files.push(f);
    const threads = proof.threads.map((_, t) => t).filter(t => proof.blocks.some(b => b.thread === t) || proof.movers.some(m => m[0] === t));
    const byLine = new Map();
    proof.places.forEach((p, i) => p.at.forEach(([, file, line]) => {
      if (!file) return;
      const key = file + ':' + line;
      if (!byLine.has(key)) byLine.set(key, []);
      if (!byLine.get(key).includes(i)) byLine.get(key).push(i);
    }));
    const inBlock = blockLines(proof);
    const moves = new Map(proof.movers.map(m => [m[0] + ':' + m[1] + ':' + m[2], m[3]]));
    const title = el('div', { class: 'title' }), holds = el('div', { class: 'holds' });
    let chosen = null, fixed = false;

    const letters = { left: ['L', 'left mover'], right: ['R', 'right mover'], both: ['B', 'moves both ways'], none: ['N', 'moves neither way: the step that counts'] };
    const margin = file => line => threads.map(t => {
      const key = t + ':' + file + ':' + line, m = letters[moves.get(key)];
      return el('td', { class: 'margin', title: proof.threads[t] + (m ? ': ' + m[1] : ''), style: inBlock.has(key) ? 'box-shadow: inset 7px 0 0 ' + color(t) : null },
        el('b', { style: 'color:' + color(t) }, m ? m[0] : ''));
    });
    function show(file, line, row) {
      const list = byLine.get(file + ':' + line) || [];
      if (chosen) chosen.classList.remove('chosen');
      chosen = row;
      row.classList.add('chosen');
      title.textContent = 'When a thread is at ' + base(file) + ':' + line;
      holds.replaceChildren(...list.slice(0, 60).flatMap(i => {
        const p = proof.places[i];
        return placeView(proof, p);
      }), list.length > 60 ? el('p', { class: 'dim' }, '… and ' + (list.length - 60) + ' more places') : '');
    }
    const boxes = files.map(file => {
      const { table, rows } = sourceTable(file, margin(file));
      for (const [line, row] of rows) {
        if (!byLine.has(file + ':' + line)) continue;
        row.classList.add('has');
        row.dataset.line = line;
        row.addEventListener('mouseenter', () => fixed || show(file, line, row));
        row.addEventListener('click', () => { fixed = chosen !== row || !fixed; show(file, line, row); });
      }
      return el('div', { class: 'panel' }, el('div', { class: 'title' }, base(file)), el('div', { class: 'scroll', style: 'max-height:70vh' }, table));
    });
    const hint = ['Hover or click a line with a bold number (or ← →): what holds there, whenever no thread is inside a block' + (proof.rule === 'reduced' ? ', in the explored interleavings' : '') + '.'];
    if (proof.blocks.length) hint.push(' Bars in the margin are blocks, inside which no other thread needs to run: ', threads.map((t, k) => [k ? ', ' : '', el('b', { style: 'color:' + color(t) }, proof.threads[t])]), '.');
    if (moves.size) hint.push(' L, R, B, N: the directions in which a step commutes with steps of other threads (left, right, both, neither).');
    to.append(el('p', { class: 'dim' }, hint.flat(2)));
    to.append(el('div', { class: 'columns' }, el('div', {}, boxes), el('div', { class: 'side' }, el('div', { class: 'panel asked' }, title, holds))));
    to.append(printedPlaces(proof));
    const first = to.querySelector('tr.has');
    if (first) first.dispatchEvent(new Event('mouseenter'));
    const rows = [...to.querySelectorAll('tr.has')];
    return { move: by => {
      const next = rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(chosen) + by))];
      if (!next) return;
      fixed = false;
      next.dispatchEvent(new Event('mouseenter'));
      next.scrollIntoView({ block: 'nearest' });
    }, first: () => {}, last: () => {} };
  }

  // ---- verdicts ----
  function safeView(report, to) {
    to.append(el('div', { class: 'cause good' }, el('h2', {}, report.why), notes(report)));
    const keys = report.proof ? proofView(report, to) : null;
    if (report.invariants) to.append(el('pre', { class: 'text' }, report.invariants));
    to.append(trusted(report));
    if (report.trace) to.append(el('h3', {}, 'Undefined behaviour that comes first'), causeView(report));
    const traced = report.trace ? traceView(report, to) : null;
    return traced || keys;
  }
  function unknownView(report, to) {
    const r = report.reason || {};
    const box = el('div', { class: 'cause soft' }, el('h2', {}, r.text || 'no reason was given', coded(r.code)));
    if (r.file) {
      const from = Math.max(1, r.line - 3), lines = [];
      for (let i = from; i <= r.line + 3; i++) {
        const text = sourceLine(r.file, i);
        if (text !== null) lines.push((i === r.line ? '▸' : ' ') + String(i).padStart(5) + '  ' + text);
      }
      box.append(el('p', { class: 'mono' }, r.file + ':' + r.line), el('pre', {}, lines.join('\n')));
    }
    const rest = notes(report);
    to.append(box);
    if (rest) to.append(el('h3', {}, 'What was tried, and what to do'), rest);
    if (!report.trace) return null;
    to.append(causeView(report));
    return traceView(report, to);
  }
  function verdictView(report) {
    root.replaceChildren();
    const to = el('section', {});
    root.append(to);
    let keys = null;
    if (report.verdict === 'UNSAFE') {
      to.append(causeView(report));
      const rest = notes(report);
      if (rest) to.append(rest);
      keys = traceView(report, to);
    } else keys = report.verdict === 'SAFE' ? safeView(report, to) : unknownView(report, to);
    const more = approximations(report), counted = statistics(report);
    if (more) to.append(more);
    if (counted) to.append(el('h3', {}, 'How far it got'), counted);
    return keys;
  }

  // ---- the page ----
  let keys = null, current = 0;
  const tabs = data.verdicts.map((r, i) => el('button', { role: 'tab', class: r.verdict, onclick: () => choose(i) }, r.verdict + '  ' + r.property));
  const line = el('div', { class: 'dim' });
  function choose(i) {
    const r = data.verdicts[i];
    current = i;
    tabs.forEach((t, k) => t.setAttribute('aria-selected', String(k === i)));
    document.getElementById('word').textContent = r.verdict + '  ' + r.property;
    document.getElementById('word').className = r.verdict;
    line.textContent = r.files.join(', ') + ' · ' + r.data_model + (r.memory_model ? ' · ' + r.memory_model : '') + ' · engine ' + r.engine + ' · ' + r.seconds.toFixed(2) + ' s' + (r.assuming ? ' · ' + r.assuming : '') + ' · Heddle ' + data.version;
    document.title = r.verdict + ' ' + r.property + ' – ' + base(r.files[0]);
    keys = verdictView(r);
  }
  document.getElementById('head').append(el('h1', { id: 'word' }), line, data.verdicts.length > 1 ? el('nav', { role: 'tablist' }, tabs) : '');
  document.addEventListener('keydown', event => {
    if (!keys || event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === 'SELECT') return;
    const act = { ArrowRight: () => keys.move(1), ArrowLeft: () => keys.move(-1), PageDown: () => keys.move(10), PageUp: () => keys.move(-10), Home: keys.first, End: keys.last }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  const worst = data.verdicts.findIndex(r => r.verdict === 'UNSAFE'), unknown = data.verdicts.findIndex(r => r.verdict === 'UNKNOWN');
  const largest = data.verdicts.reduce((best, r, i) => ((r.proof || {}).places || []).length > ((data.verdicts[best].proof || {}).places || []).length ? i : best, 0);
  choose(worst >= 0 ? worst : unknown >= 0 ? unknown : largest);
})();
