// The page's script: sorting, filtering and opening. What it needs of the page it finds there; what
// only works with it is hidden until it runs. It makes no markup out of text, and asks for nothing.
#pragma once

namespace histolab::class_report {

inline constexpr const char* script = R"js(
'use strict';
(() => {
  const table = document.querySelector('table.class'), body = table.tBodies[0], rows = [...body.rows];
  const words = document.getElementById('words'), kind = document.getElementById('kind'), count = document.getElementById('count');
  const compare = new Intl.Collator(undefined, {numeric: true, sensitivity: 'base'}).compare;
  const value = (row, column, number) => {
    const text = row.cells[column].textContent.trim();
    if (!number) return text;
    const parsed = parseFloat(text);
    return Number.isNaN(parsed) ? (text === '-' ? -1 : -2) : parsed;
  };
  const sort = (heading) => {
    const up = heading.getAttribute('aria-sort') !== 'ascending', number = heading.dataset.sort === 'number', column = heading.cellIndex;
    for (const each of table.tHead.rows[0].cells) each.removeAttribute('aria-sort');
    heading.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    const keys = new Map(rows.map((row, at) => [row, [value(row, column, number), at]]));
    const order = (a, b) => number ? a - b : compare(a, b);
    body.append(...[...rows].sort((a, b) => (up ? 1 : -1) * order(keys.get(a)[0], keys.get(b)[0]) || keys.get(a)[1] - keys.get(b)[1]));
  };
  for (const heading of table.tHead.rows[0].cells) {
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
      row.hidden = !(wanted.every((word) => text.includes(word)) && (!kind.value || row.dataset.f.split(' ').includes(kind.value)));
      shown += !row.hidden;
    }
    count.textContent = shown === rows.length ? people(shown) : shown + ' of ' + people(rows.length);
  };
  words.addEventListener('input', filter);
  kind.addEventListener('change', filter);
  const tools = document.getElementById('tools');
  tools.addEventListener('submit', (event) => event.preventDefault());
  tools.hidden = false;
  filter();  // a browser may have kept what was typed

  const openers = document.getElementById('openers');
  if (openers) {
    openers.hidden = false;
    for (const button of openers.children)
      button.addEventListener('click', () => document.querySelectorAll('details').forEach((each) => { each.open = button.hasAttribute('data-open'); }));
  }
  // What a link leads to is opened; most browsers do so by themselves.
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1)), closed = target && target.closest('details:not([open])');
    if (closed) closed.open = true, target.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  reveal();
})();
)js";

}  // namespace histolab::class_report
