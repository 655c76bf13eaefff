// The lab page: puts the parts together. Each part is a module of its own; this one holds what
// they share: the text of the file, and whether the student's text is saved.
import {byId, clock, element} from './dom.js';
import {Drafts} from './drafts.js';
import {help, mountEditor} from './editor.js';
import {follow} from './events.js';
import {mountHints, mountSolution} from './hints.js';
import {mountLive} from './live.js';
import {ask} from './ndjson.js';
import {Notices} from './notices.js';
import {mountRace} from './race.js';
import {Saver} from './save.js';
import {mountShelf} from './shelf.js';
import {watchTabs} from './tabs.js';
import {Verdict} from './verdict.js';

const main = document.querySelector('main[data-lab]');
const lab = main.dataset.lab, api = '/api/labs/' + encodeURIComponent(lab);
const state = byId('state');
document.head.append(element('link', {
  rel: 'stylesheet', href: new URL('./lab.css', import.meta.url)
}));

// Editors end lines with \n only. The file may have others; they become \n at the next save.
const plain = (text) => text.replace(/\r\n?/g, '\n');

// Controls that need this script are hidden until it runs.
for (const each of main.querySelectorAll('[hidden]')) {
  if (each.id !== 'solution-text') each.hidden = false;
}

// A page cannot have some characters of a text. Then it has no fingerprint, and the server is
// asked.
const area = byId('text');
if (!main.dataset.sha256) {
  const file = await ask(api + '/text').then((response) => response.json()).catch(() => null);
  if (file) {
    area.defaultValue = plain(file.text);
    main.dataset.sha256 = file.sha256;
  }
}
const drafts = new Drafts(lab);
const editor = await mountEditor(byId('editor'), area, area.labels[0]?.textContent.trim() ||
  'your kernel');
byId('editor').after(element('p', {class: 'editor-help'}, help));
// What the scripts add follows the part of the form that has the state.
const line = [...byId('work').children].find((each) => each.contains(state));
const notices = new Notices(line);
const shelf = mountShelf(drafts, line, (text) => replaceText(text, 'replaced by another text'));

const saver = new Saver(lab, plain(area.defaultValue), main.dataset.sha256, {
  state: showState, before: (sha256) => seen.add(sha256),
  conflict: (event) => offerChoice(plain(event.text), event.sha256), answer
});
const verdict = new Verdict(editor, () => ({sha256: saver.sha256, text: saver.text}),
                            `/lab/${encodeURIComponent(lab)}/quiz`);
const unsaved = () => editor.text() !== saver.text;

// ---- the state of the text ---------------------------------------------------------------------
let savedAt = null, kept = true, failed = false, kernelChanged = () => {};

function inThisBrowser() {
  return kept ? 'your text is kept in this browser' :
    'this browser does not keep it: copy your text before you leave';
}

function showState(name, detail) {
  state.dataset.state = name;
  if (name === 'failed') failed = true;
  if (name === 'saved') {
    savedAt = detail;
    failed = false;
    notices.remove('choice');
    notices.remove('back');
    verdict.waiting(saver.sha256);
    kernelChanged();
    keepDraft();
    if (unsaved()) return showUnsaved();
  }
  if (name === 'failed') keepDraft();
  state.textContent = {
    saving: () => 'saving',
    slow: () => 'saving; the server has not answered for 10 seconds',
    saved: () => `saved ${clock(detail)}`,
    failed: () => `not saved: ${detail} (${inThisBrowser()})`
  }[name]();
}

function showUnsaved() {
  state.dataset.state = 'unsaved';
  state.textContent = savedAt ? `changed after ${clock(savedAt)}, not saved` : 'not saved';
}

// The draft is in this browser exactly as long as the text is not in the file.
function keepDraft() {
  if (unsaved()) kept = drafts.keep(editor.text(), saver.sha256);
  else drafts.drop();
}

editor.onChange(() => {
  keepDraft();
  verdict.refresh();
  if (saver.saving !== null || state.dataset.state === 'failed') return;
  if (unsaved()) {
    if (state.dataset.state !== 'unsaved') showUnsaved();
  } else {
    state.dataset.state = 'saved';
    state.textContent = savedAt ? `saved ${clock(savedAt)}` : 'no unsaved changes';
  }
});

function save() {
  notices.remove('back');
  saver.save(editor.text());
}

byId('work').addEventListener('submit', (event) => {
  event.preventDefault();
  save();
});
addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 's') {
    event.preventDefault();
    save();
  }
});
addEventListener('beforeunload', (event) => { if (unsaved()) event.preventDefault(); });

// ---- events from the server --------------------------------------------------------------------
function answer(event) {
  if (event.sha256 !== saver.sha256 && event.event !== 'verdict') return;
  if (event.event === 'queued') verdict.waiting(event.sha256, event.ahead);
  if (event.event === 'error') verdict.none(event.message, event.whose);
  if (event.event === 'lost') verdict.none(event.message, 'machine');
  if (event.event === 'verdict') {
    verdict.show(event);
    if (event.passed && !event.quick) main.dataset.passed = 'true';
  }
}

// Returns false, and says so, if the browser does not store the text: then nothing may replace it.
function setAside(text, why) {
  const stored = drafts.setAside(text, why);
  if (!stored) {
    notices.set('full', 'This browser has no room to set a text aside, so nothing was changed. ' +
      'Copy the text that you want to keep to a file, then choose again.',
                {texts: [['show the text', text]]});
  }
  shelf.update();
  return stored;
}

// Puts another text into the editor. The student's own text is set aside first.
function replaceText(text, why) {
  const mine = editor.text();
  if (mine !== text && mine !== saver.text && !setAside(mine, why)) return false;
  editor.setText(text);
  return true;
}

// The file has another text than the one that the student's edit began from.
function offerChoice(text, sha256) {
  keepDraft();
  state.dataset.state = 'failed';
  state.textContent = `not saved: the file was changed elsewhere (${inThisBrowser()})`;
  notices.set('choice', 'The file was changed elsewhere after your edit began. Which text do you ' +
    'want to continue with? The other one is set aside in this browser.', {
    texts: [['show the text of the file', text]],
    choices: [
      ['Keep mine', () => {
        if (!setAside(text, 'the text of the file, changed elsewhere')) {
          return offerChoice(text, sha256);
        }
        seen.add(saver.sha256);
        saver.adopt(text, sha256);
        keepDraft();
        showUnsaved();
        verdict.refresh();
        editor.focus();
      }],
      ['Take the text of the file', () => takeFile(text, sha256)]
    ]
  });
}

function takeFile(text, sha256) {
  if (!replaceText(text, 'your text, replaced by the text of the file')) {
    return offerChoice(text, sha256);
  }
  seen.add(saver.sha256);
  saver.adopt(text, sha256);
  keepDraft();
  state.dataset.state = 'saved';
  state.textContent = 'this is the text of the file';
  verdict.refresh();
  editor.focus();
}

// `text` is in the file now, by another program, another tab, or this page.
function fileHas(text, sha256) {
  if (sha256 === saver.sha256 || text === saver.saving) return;
  seen.add(saver.sha256);
  if (text === editor.text() || !unsaved()) {
    const other = text !== editor.text();
    saver.adopt(text, sha256);
    if (other) editor.setText(text);
    editor.marks([]);
    keepDraft();
    notices.remove('choice');
    state.dataset.state = 'saved';
    state.textContent = `saved elsewhere ${clock(new Date())}; this is the text of the file`;
    verdict.refresh();
  } else {
    offerChoice(text, sha256);
  }
}

// A report may arrive late, after a newer save. A text that this page has seen before may be such
// a one, so the server is asked.
const seen = new Set();
function changedElsewhere({text, sha256}) {
  if (seen.has(sha256)) compareWithFile();
  else fileHas(plain(text), sha256);
}

async function compareWithFile() {
  const before = saver.sha256;
  try {
    const {text, sha256} = await (await ask(api + '/text')).json();
    if (saver.sha256 === before && saver.saving === null) fileHas(plain(text), sha256);
  } catch {
    // The events' own connection reports a server that is gone.
  }
}

let gone = false;
follow(api + '/events', {
  event: (event) => event.event === 'changed' ? changedElsewhere(event) : answer(event),
  up() {
    notices.remove('gone');
    compareWithFile();
    if (gone && failed && unsaved()) {
      notices.set('back', 'The server is back. Your text is not saved yet.',
                  {choices: [['Save now', save]]});
    }
    gone = false;
  },
  down(words) {
    if (words !== gone) {
      notices.set('gone', `The server cannot be used: ${words.replace(/\.$/, '')}. You can keep ` +
        'editing. This page connects again when the server is back.');
    }
    gone = words;
  }
});

watchTabs(lab, (count) => {
  if (!count) return notices.remove('tabs');
  notices.set('tabs', `This lab is also open in ${count === 1 ? 'another tab' :
    count + ' other tabs'}. A text that you save there appears here, if you have no unsaved ` +
    'changes.');
});

// ---- drafts of an earlier visit ----------------------------------------------------------------
function restore(draft) {
  if (!replaceText(draft.text, 'replaced by an earlier draft')) return;
  keepDraft();
  drafts.drop(draft.key);
  editor.focus();
}

function offerDraft(draft) {
  const at = clock(new Date(draft.at));
  if (draft.text === saver.text) {
    drafts.drop(draft.key);
  } else if (draft.base === saver.sha256 && !unsaved()) {
    restore(draft);
    notices.set('restored', `Your unsaved text from ${at} is back in the editor.`, {
      texts: [['show the text of the file', saver.text]],
      choices: [['OK', () => {}],
                ['Take the text of the file', () => takeFile(saver.text, saver.sha256)]]
    });
  } else {
    notices.set(draft.key, `There is an unsaved text from ${at}. The file, or the text in the ` +
      'editor, is another one by now. Which text do you want to continue with?', {
      texts: [['show the unsaved text', draft.text], ['show the text of the file', saver.text]],
      choices: [
        ['Use the unsaved text', () => {
          if (setAside(editor.text(), 'replaced by an earlier draft')) restore(draft);
          else offerDraft(draft);
        }],
        ['Keep what is in the editor', () => {
          if (setAside(draft.text, 'an unsaved text of an earlier visit')) drafts.drop(draft.key);
          else offerDraft(draft);
        }]
      ]
    });
  }
}
(await drafts.abandoned()).forEach(offerDraft);

mountHints(api, Number(main.dataset.hints));
mountSolution(api, () => main.dataset.passed === 'true');
mountLive(lab, {unsaved});
kernelChanged = mountRace(api, (line) => editor.goTo(line, 1));
if (!state.textContent.trim()) state.textContent = 'no unsaved changes';
document.body.dataset.ready = editor.name;
