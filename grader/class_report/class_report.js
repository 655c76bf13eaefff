// The class report's script: sorts and filters the class table, opens and closes sections. All
// data is already on the page: the script never makes markup from text and fetches nothing.
// Controls that need it are hidden until it runs.
'use strict';
(() => {
  const table = document.querySelector('table.class');
  const body = table.tBodies[0], rows = [...body.rows], headings = table.tHead.rows[0].cells;
  const words = document.getElementById('words'), kind = document.getElementById('kind');
  const count = document.getElementById('count');
  const compare = new Intl.Collator(undefined, {numeric: true, sensitivity: 'base'}).compare;
  const value = (row, column, number) => {
    const text = row.cells[column].textContent.trim();
    if (!number) return text;
    const parsed = parseFloat(text);
    return Number.isNaN(parsed) ? (text === '-' ? -1 : -2) : parsed;
  };
  const sort = (heading) => {
    const number = heading.dataset.sort === 'number', column = heading.cellIndex;
    const up = heading.getAttribute('aria-sort') !== 'ascending';
    for (const each of headings) each.removeAttribute('aria-sort');
    heading.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    const keys = new Map(rows.map((row, at) => [row, {value: value(row, column, number), at}]));
    const by_value = (a, b) => number ? a.value - b.value : compare(a.value, b.value);
    const order = (a, b) => (up ? 1 : -1) * by_value(a, b) || a.at - b.at;
    body.append(...[...rows].sort((a, b) => order(keys.get(a), keys.get(b))));
  };
  for (const heading of headings) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener('click', () => sort(heading));
  }

  const people = (number) => number === 1 ? '1 student' : number + ' students';
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const is_kind = !kind.value || row.dataset.f.split(' ').includes(kind.value);
      row.hidden = !(is_kind && wanted.every((word) => text.includes(word)));
      shown += !row.hidden;
    }
    const all = people(rows.length);
    count.textContent = shown === rows.length ? all : shown + ' of ' + all;
  };
  words.addEventListener('input', filter);
  kind.addEventListener('change', filter);
  const tools = document.getElementById('tools');
  tools.addEventListener('submit', (event) => event.preventDefault());
  tools.hidden = false;
  filter();  // a browser may have restored the fields' values

  const openers = document.getElementById('openers');
  if (openers) {
    openers.hidden = false;
    const open_all = (open) => {
      for (const each of document.querySelectorAll('details')) each.open = open;
    };
    for (const button of openers.children)
      button.addEventListener('click', () => open_all(button.hasAttribute('data-open')));
  }
  // Opens the section that a link leads to. Most browsers do this themselves.
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    const closed = target && target.closest('details:not([open])');
    if (closed) closed.open = true, target.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  reveal();
})();
