// The editor as CodeMirror 6. It is mounted in a shadow root: there its styles are an adopted
// style sheet, which the content security policy allows, and not a <style> element.
import {
  Compartment, Decoration, EditorState, EditorView, GutterMarker, HighlightStyle, Prec, RangeSet,
  StateEffect, StateField, WidgetType, basicSetup, defaultHighlightStyle, gutter, indentUnit,
  indentWithTab, keymap, languages, oneDarkHighlightStyle, syntaxHighlighting
} from './codemirror6/index.js';
import {endOfWord} from './editor.js';

const setMarks = StateEffect.define();

class Dot extends GutterMarker {
  constructor(mark) {
    super();
    this.mark = mark;
  }
  eq(other) { return other.mark.message === this.mark.message; }
  toDOM() {
    const dot = document.createElement('span');
    dot.className = 'mark ' + this.mark.kind;
    dot.title = this.mark.message;
    dot.textContent = this.mark.kind === 'error' ? '●' : '◆';
    return dot;
  }
}

class Message extends WidgetType {
  constructor(mark) {
    super();
    this.mark = mark;
  }
  eq(other) {
    return other.mark.message === this.mark.message && other.mark.kind === this.mark.kind;
  }
  toDOM() {
    const message = document.createElement('div');
    message.className = 'message ' + this.mark.kind;
    message.textContent = this.mark.message;
    return message;
  }
}

// {dots, lines}: ranges for the gutter and for the text. They move with the edits.
function rangesOf(doc, marks) {
  const dots = [], lines = [];
  for (const mark of marks) {
    if (mark.line < 1 || mark.line > doc.lines) continue;
    const line = doc.line(mark.line);
    dots.push(new Dot(mark).range(line.from));
    lines.push(Decoration.line({class: 'marked ' + mark.kind}).range(line.from));
    const from = Math.min(line.from + (mark.column ?? 1) - 1, line.to);
    const to = Math.min(line.from + endOfWord(line.text, from - line.from + 1) - 1, line.to);
    if (from < to) lines.push(Decoration.mark({class: 'underlined ' + mark.kind}).range(from, to));
    lines.push(Decoration.widget({widget: new Message(mark), block: true, side: 1})
      .range(line.to));
  }
  return {dots: RangeSet.of(dots, true), lines: Decoration.set(lines, true)};
}

const marked = StateField.define({
  create: () => ({dots: RangeSet.empty, lines: Decoration.none}),
  update(value, transaction) {
    const set = transaction.effects.find((effect) => effect.is(setMarks));
    if (set) return rangesOf(transaction.state.doc, set.value);
    if (!transaction.docChanged) return value;
    return {
      dots: value.dots.map(transaction.changes), lines: value.lines.map(transaction.changes)
    };
  },
  provide: (field) => [
    EditorView.decorations.from(field, (value) => value.lines),
    gutter({class: 'marks', markers: (view) => view.state.field(field).dots})
  ]
});

// The default green of types is too faint on the background of a marked line.
const light = HighlightStyle.define(defaultHighlightStyle.specs.map(
  (spec) => spec.color === '#085' ? {...spec, color: '#075'} : spec));

const look = (dark) => [
  syntaxHighlighting(dark ? oneDarkHighlightStyle : light),
  EditorView.theme({
    '&': {fontSize: '0.9rem'},
    '&.cm-focused': {outline: '2px solid var(--link)'},
    '.cm-scroller': {fontFamily: 'ui-monospace, "DejaVu Sans Mono", monospace'},
    '.cm-gutters': {
      backgroundColor: 'var(--paper)', color: 'var(--quiet)', borderRight: '1px solid var(--rule)'
    },
    '.cm-activeLine, .cm-activeLineGutter': {backgroundColor: 'transparent'}
  }, {dark})
];

export async function mount({host, text, label, indent}) {
  const cpp = await languages.find((each) => each.name === 'C++').load();
  const root = host.attachShadow({mode: 'open'});
  const sheet = document.createElement('link');
  sheet.rel = 'stylesheet';
  sheet.href = new URL('./editor.css', import.meta.url);
  root.append(sheet);

  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const looks = new Compartment();
  const listeners = [];
  const leave = (view) => {
    view.setTabFocusMode(true);
    return false;  // Escape also closes what is open
  };
  const view = new EditorView({
    parent: root, root,
    state: EditorState.create({
      doc: text,
      extensions: [
        Prec.highest(keymap.of([{key: 'Escape', run: leave}])),
        keymap.of([indentWithTab]),
        basicSetup, cpp, marked, indentUnit.of(' '.repeat(indent)),
        EditorState.tabSize.of(indent), EditorView.lineWrapping,
        EditorView.contentAttributes.of({'aria-label': label}),
        EditorView.domEventHandlers({
          // A key other than these means that the student stays.
          keydown: (event, view) => {
            if (!['Escape', 'Tab', 'Shift'].includes(event.key)) view.setTabFocusMode(false);
          },
          focus: (event, view) => view.setTabFocusMode(false)
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) listeners.forEach((call) => call());
        }),
        looks.of(look(scheme.matches))
      ]
    })
  });
  scheme.addEventListener('change', () =>
    view.dispatch({effects: looks.reconfigure(look(scheme.matches))}));

  return {
    name: 'codemirror6',
    text: () => view.state.doc.toString(),
    setText(text) {
      view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: text}});
    },
    onChange: (call) => listeners.push(call),
    marks: (list) => view.dispatch({effects: setMarks.of(list)}),
    goTo(number, column = 1) {
      const line = view.state.doc.line(Math.max(1, Math.min(number, view.state.doc.lines)));
      const at = Math.min(line.from + column - 1, line.to);
      view.dispatch({
        selection: {anchor: at}, effects: EditorView.scrollIntoView(at, {y: 'center'})
      });
      view.focus();
    },
    focus: () => view.focus()
  };
}
