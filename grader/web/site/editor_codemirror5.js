// The editor as CodeMirror 5, as distributions have it: scripts that define a global name, and a
// style sheet of their own.
import {endOfWord} from './editor.js';

const file = (name) => new URL('./codemirror5/' + name, import.meta.url);

const loaded = (element) => new Promise((resolve, reject) => {
  element.addEventListener('load', resolve);
  element.addEventListener('error', () => reject(new Error('cannot load CodeMirror 5')));
  document.head.append(element);
});

const script = (name) => {
  const element = document.createElement('script');
  element.src = file(name);
  return loaded(element);
};

const style = (url) => {
  const element = document.createElement('link');
  element.rel = 'stylesheet';
  element.href = url;
  return loaded(element);
};

export async function mount({host, text, label, indent}) {
  await Promise.all([
    style(file('codemirror.css')).then(() => style(new URL('./editor.css', import.meta.url))),
    script('codemirror.js').then(() => script('clike.js'))
  ]);
  const CodeMirror = globalThis.CodeMirror;
  const leaving = {Tab: false, 'Shift-Tab': false};  // false: left to the browser
  const editor = CodeMirror(host, {
    value: text, mode: 'text/x-c++src', lineNumbers: true, lineWrapping: true,
    indentUnit: indent, tabSize: indent, indentWithTabs: false, inputStyle: 'contenteditable',
    gutters: ['CodeMirror-linenumbers', 'marks'], viewportMargin: Infinity,
    extraKeys: {
      Tab: (cm) => cm.somethingSelected() ? cm.indentSelection('add') :
        cm.execCommand('insertSoftTab'),
      'Shift-Tab': (cm) => cm.indentSelection('subtract'),
      Esc: (cm) => { cm.removeKeyMap(leaving); cm.addKeyMap(leaving); }
    }
  });
  const field = editor.getInputField();
  field.setAttribute('aria-label', label);
  field.setAttribute('role', 'textbox');
  field.setAttribute('aria-multiline', 'true');
  editor.on('keydown', (cm, event) => {
    if (!['Escape', 'Tab', 'Shift'].includes(event.key)) cm.removeKeyMap(leaving);
  });
  editor.on('focus', (cm) => cm.removeKeyMap(leaving));

  // Text typed over a selection gets the style of the old text as a style attribute, which the
  // content security policy forbids.
  field.addEventListener('beforeinput', (event) => {
    if (event.inputType !== 'insertText' || event.isComposing || !editor.somethingSelected()) {
      return;
    }
    event.preventDefault();
    editor.replaceSelection(event.data ?? '');
  });

  // CodeMirror reads typed characters 80 ms later: too late for a save right after them.
  const input = editor.display.input;
  const readTyped = () => {
    if (!input.readDOMTimeout || input.composing) return;
    clearTimeout(input.readDOMTimeout);
    input.readDOMTimeout = null;
    input.updateFromDOM();
  };

  let shown = [];
  const clear = () => {
    for (const each of shown) each.clear();
    shown = [];
    editor.clearGutter('marks');
    editor.eachLine((line) => { editor.removeLineClass(line, 'background'); });
  };
  const show = (mark) => {
    const at = mark.line - 1;
    if (at < 0 || at >= editor.lineCount()) return;
    const dot = document.createElement('span');
    dot.className = 'mark ' + mark.kind;
    dot.title = mark.message;
    dot.textContent = mark.kind === 'error' ? '●' : '◆';
    editor.setGutterMarker(at, 'marks', dot);
    editor.addLineClass(at, 'background', 'marked');
    editor.addLineClass(at, 'background', mark.kind);
    const line = editor.getLine(at), column = Math.min(mark.column ?? 1, line.length + 1);
    const end = Math.min(endOfWord(line, column), line.length + 1);
    if (column < end) {
      shown.push(editor.markText({line: at, ch: column - 1}, {line: at, ch: end - 1},
                                 {className: 'underlined ' + mark.kind}));
    }
    const message = document.createElement('div');
    message.className = 'message ' + mark.kind;
    message.textContent = mark.message;
    shown.push(editor.addLineWidget(at, message));
  };

  return {
    name: 'codemirror5',
    text() {
      readTyped();
      return editor.getValue('\n');
    },
    setText: (text) => editor.setValue(text),
    onChange: (call) => editor.on('change', call),
    marks: (list) => editor.operation(() => { clear(); list.forEach(show); }),
    goTo(line, column = 1) {
      editor.setCursor({line: line - 1, ch: column - 1});
      editor.focus();
      // Every line is in the page (viewportMargin), and the page scrolls, not the editor.
      host.querySelectorAll('.CodeMirror-line')[line - 1]?.scrollIntoView({block: 'center'});
    },
    focus: () => editor.focus()
  };
}
