// The source editor behind one small interface. Three implementations have it: CodeMirror 6,
// CodeMirror 5 and a plain textarea. The build decides which one this page has (editor_choice.js).
//
//   text()              the whole text, lines end with \n
//   setText(text)       replaces it; the change can be undone
//   onChange(call)      call() after every change, also after setText()
//   marks(list)         replaces all marks: {line, column, message, kind}, line and column from 1,
//                       kind "error" or "remark". Marks of lines that do not exist are left out
//   goTo(line, column)  moves the cursor there, scrolls to it and focuses the editor
//   focus()
//
// In every editor Tab indents, and Escape and then Tab moves on to the next control.
import {choice} from './editor_choice.js';

export const help = 'Tab indents. To leave the editor by keyboard, press Escape, then Tab.';

// Two or four spaces, whichever the text uses.
export function indentOf(text) {
  const widths = [...text.matchAll(/^( +)\S/gm)].map((found) => found[1].length);
  return widths.length && widths.every((width) => width % 4 === 0) ? 4 : 2;
}

// The end of the word at `column` of a line, both from 1. It is never before column + 1.
export function endOfWord(line, column) {
  const word = /^\w+/.exec(line.slice(column - 1));
  return column + (word ? word[0].length : 1);
}

// Mounts an editor into `host`, with the text of `textarea`, and hides the textarea. `label` names
// the editor for screen readers. The text is the server's: a browser may have put an older one into
// the textarea after a reload. If the chosen editor cannot be loaded, the textarea is used.
export async function mountEditor(host, textarea, label) {
  const text = textarea.defaultValue;
  const options = {
    host, textarea, text, label: `${label}. ${help}`, indent: indentOf(text)
  };
  let editor;
  try {
    const {mount} = await import(`./editor_${choice}.js`);
    editor = await mount(options);
  } catch (failure) {
    if (choice === 'textarea') throw failure;
    host.replaceChildren();
    const {mount} = await import('./editor_textarea.js');
    editor = await mount(options);
  }
  textarea.hidden = editor.name !== 'textarea';
  for (const each of textarea.labels) {
    each.addEventListener('click', (event) => {
      if (textarea.hidden) event.preventDefault();
      editor.focus();
    });
  }
  return editor;
}
