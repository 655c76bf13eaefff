// The verdict: headline, remarks with buttons that jump to their lines, the table of checks, and
// marks in the editor.
import {button, byId, element, plural} from './dom.js';

const results = {passed: 'passed', failed: 'failed', not_run: 'not run'};

// The places of the remarks as marks of the editor.
function marksOf(remarks) {
  return remarks.flatMap((remark, at) => (remark.places ?? []).map((place, which) => ({
    ...place, kind: at === 0 ? 'error' : 'remark',
    message: which === 0 ? remark.what : 'Also part of it: ' + remark.what
  })));
}

function remarkItem(remark, goTo) {
  const places = (remark.places ?? []).map(({line, column}) =>
    button(`line ${line}`, () => goTo(line, column), {class: 'place'}));
  return element('li', {},
                 element('p', {class: 'what'}, remark.what),
                 remark.where ? element('p', {class: 'where'}, remark.where) : null,
                 remark.why ? element('p', {class: 'why'}, remark.why) : null,
                 remark.next ? element('p', {class: 'next'}, remark.next) : null,
                 places.length ? element('p', {class: 'places'}, ...places) : null);
}

export class Verdict {
  #editor;
  #file;  // () => {sha256, text} of the file
  #quiz;
  #shown = null;
  #section = byId('verdict');
  #headline = byId('headline');
  #note = element('p', {id: 'verdict-note'});
  #message = element('pre', {id: 'verdict-message', hidden: true});
  #older = element('p', {id: 'verdict-older', hidden: true});

  constructor(editor, file, quiz) {
    this.#editor = editor;
    this.#file = file;
    this.#quiz = quiz;
    this.#headline.before(this.#older);
    this.#headline.after(this.#note, this.#message);
  }

  // A text is on the disk and has no verdict yet.
  waiting(sha256, ahead = 0) {
    if (this.#shown?.sha256 === sha256 && this.#shown.quick) return;
    this.#section.dataset.status = 'waiting';
    this.#section.setAttribute('aria-busy', 'true');
    this.#headline.textContent = ahead ?
      `waiting: ${plural(ahead, 'text')} to be graded before yours` : 'grading';
    this.#note.replaceChildren();
    this.refresh();
  }

  // The grading ended without a verdict.
  none(words, whose) {
    this.#section.removeAttribute('aria-busy');
    this.#section.dataset.status = whose === 'yours' ? 'failed' : 'machine';
    this.#headline.textContent = 'no verdict: ' + words;
    this.#note.replaceChildren(whose === 'yours' ? '' :
      'This is not a fault of your code. Your text is saved; save it again to have it graded.');
  }

  show(verdict) {
    const shown = this.#shown, current = this.#file().sha256;
    if (shown && shown.sha256 === verdict.sha256 && !shown.quick && verdict.quick) return;
    if (shown && shown.sha256 === current && verdict.sha256 !== current) return;
    this.#shown = verdict;
    if (verdict.quick && verdict.more) this.#section.setAttribute('aria-busy', 'true');
    else this.#section.removeAttribute('aria-busy');
    const remarks = verdict.remarks ?? [];
    const machine = verdict.whose === 'machine' || verdict.status === 'infrastructure_error';
    this.#section.dataset.status = machine ? 'machine' : verdict.passed ? 'passed' :
      verdict.status;
    this.#section.dataset.sha256 = verdict.sha256;
    this.#section.dataset.quick = String(verdict.quick);
    this.#headline.textContent = verdict.headline;
    this.#note.replaceChildren(...this.#noteOf(verdict, machine));
    this.#message.textContent = verdict.message ?? '';
    this.#message.hidden = !verdict.message;
    const items = remarks.map((remark) =>
      remarkItem(remark, (line, column) => this.#editor.goTo(line, column)));
    if (verdict.more_remarks) {
      items.push(element('li', {class: 'more'},
                         `and ${plural(verdict.more_remarks, 'more remark')}`));
    }
    // The complete verdict replaces the quick one, also under a focused button.
    const places = () => [...byId('remarks').querySelectorAll('.place')];
    const focused = places().indexOf(document.activeElement);
    byId('remarks').replaceChildren(...items);
    if (focused >= 0) places()[Math.min(focused, places().length - 1)]?.focus();
    this.#fillChecks(verdict.checks ?? []);
    // After an edit, the lines are no longer those of the verdict.
    const {sha256, text} = this.#file();
    const same = verdict.sha256 === sha256 && this.#editor.text() === text;
    this.#editor.marks(same ? marksOf(remarks) : []);
    this.refresh();
  }

  // Says which text the shown verdict is about.
  refresh() {
    const {sha256, text} = this.#file();
    const shown = this.#shown;
    const older = shown !== null && shown.sha256 !== sha256;
    const changed = shown !== null && !older && this.#editor.text() !== text;
    this.#section.classList.toggle('older', older);
    this.#older.hidden = !older && !changed;
    this.#older.textContent = older ? 'What follows is about an older text.' :
      changed ? 'About the saved text; you have changed it since.' : '';
  }

  #noteOf(verdict, machine) {
    const note = [];
    if (machine) {
      note.push('This is a fault of the machine, not of your code. Your text is saved; save it ' +
                'again to have it graded. ');
    } else {
      note.push(`${verdict.score} of ${plural(verdict.max_score, 'point')}. `);
    }
    if (verdict.quick && verdict.more) {
      note.push('This is the quick verdict; the complete one follows.');
    } else if (!verdict.quick && verdict.passed) {
      note.push(`Complete verdict. ${plural(verdict.labs_passed, 'lab')} passed.`);
    } else if (!verdict.quick && !machine) {
      note.push('Complete verdict.');
    }
    if (verdict.of_quiz) {
      note.push(' What is missing is in ', element('a', {href: this.#quiz}, 'the quiz'), '.');
    }
    return note;
  }

  #fillChecks(checks) {
    const table = byId('checks');
    if (!table.tHead) {
      const head = ['check', 'result', 'points'].map((word) =>
        element('th', {scope: 'col'}, word));
      table.createTHead().append(element('tr', {}, ...head));
    }
    const body = table.tBodies[0] ?? table.createTBody();
    body.replaceChildren(...checks.map((check) => element(
      'tr', {'data-status': check.status, 'data-check': check.id},
      element('th', {scope: 'row'}, check.title),
      element('td', {}, results[check.status] ?? check.status),
      element('td', {class: 'points'}, `${check.score} of ${check.max_score}`))));
    table.hidden = checks.length === 0;
  }
}
