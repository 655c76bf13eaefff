// The editor as a plain textarea, with a margin for line numbers and marks. A textarea cannot
// underline, so the margin has the marks, and a list below it has their messages.
import {button, element} from './dom.js';

// Inserts like typing does, so that the change can be undone.
function insert(area, text) {
  area.focus();
  document.execCommand('insertText', false, text);
}

export async function mount({host, textarea, text, label, indent}) {
  const listeners = [];
  const sheet = element('link', {
    rel: 'stylesheet', href: new URL('./editor.css', import.meta.url)
  });
  const margin = element('div', {class: 'margin', 'aria-hidden': 'true'});
  const messages = element('ul', {class: 'messages', 'aria-label': 'marked lines'});
  const box = element('div', {class: 'plain'}, margin);
  document.head.append(sheet);
  host.append(box, messages);
  box.append(textarea);
  textarea.setAttribute('aria-label', label);
  textarea.setAttribute('wrap', 'off');
  textarea.hidden = false;
  textarea.value = text;

  let marked = [], leaving = false;
  const number = () => {
    const count = textarea.value.split('\n').length;
    const rows = [];
    for (let line = 1; line <= count; ++line) {
      const mark = marked.find((each) => each.line === line);
      rows.push(element('div', {class: mark ? 'mark ' + mark.kind : null,
                                title: mark?.message}, (mark ? '● ' : '') + line));
    }
    margin.replaceChildren(...rows);
    textarea.setAttribute('rows', Math.max(12, count + 1));
  };
  const goTo = (line, column = 1) => {
    const before = textarea.value.split('\n').slice(0, line - 1);
    const at = before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
    textarea.focus();
    textarea.setSelectionRange(at, at);
    margin.children[line - 1]?.scrollIntoView({block: 'center'});
  };
  const changed = () => {
    number();
    listeners.forEach((call) => call());
  };
  textarea.addEventListener('input', changed);
  textarea.addEventListener('focus', () => { leaving = false; });
  textarea.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      leaving = true;
    } else if (event.key === 'Tab' && !event.shiftKey && !leaving) {
      event.preventDefault();
      const begin = textarea.value.lastIndexOf('\n', textarea.selectionStart - 1) + 1;
      insert(textarea, ' '.repeat(indent - (textarea.selectionStart - begin) % indent));
    } else if (!['Tab', 'Shift'].includes(event.key)) {
      leaving = false;
    }
  });
  number();

  return {
    name: 'textarea',
    text: () => textarea.value,
    setText(text) {
      const focused = document.activeElement;
      textarea.select();
      if (text) insert(textarea, text);
      else textarea.value = text;
      if (textarea.value !== text) textarea.value = text;
      if (focused !== textarea) focused?.focus?.();
      changed();
    },
    onChange: (call) => listeners.push(call),
    marks(list) {
      marked = list.filter((mark) => mark.line >= 1 &&
                           mark.line <= textarea.value.split('\n').length);
      messages.replaceChildren(...marked.map((mark) => element('li', {
        class: 'message ' + mark.kind
      }, button(`line ${mark.line}`, () => goTo(mark.line, mark.column)), ' ' + mark.message)));
      number();
    },
    goTo,
    focus: () => textarea.focus()
  };
}
