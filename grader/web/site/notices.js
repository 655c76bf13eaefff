// Notices below the editor: an event that the student must know of, and the choices. A notice with
// the same name replaces the earlier one.
import {button, element} from './dom.js';

export class Notices {
  #box;
  #shown = new Map();

  constructor(before) {
    this.#box = element('div', {id: 'notices'});
    before.before(this.#box);
  }

  // `choices`: [label, call] each; a choice removes the notice. `texts`: [title, text] each, shown
  // on demand.
  set(name, words, {choices = [], texts = []} = {}) {
    const notice = element('div', {class: 'notice', role: 'group', 'data-notice': name,
                                   'aria-label': 'notice'});
    notice.append(element('p', {role: 'alert'}, words));
    for (const [title, text] of texts) {
      notice.append(element('details', {}, element('summary', {}, title),
                            element('pre', {tabindex: 0}, text)));
    }
    const buttons = choices.map(([label, call]) => button(label, () => {
      this.remove(name);
      call();
    }));
    if (buttons.length) notice.append(element('p', {class: 'choices'}, ...buttons));
    const old = this.#shown.get(name);
    if (old) old.replaceWith(notice);
    else this.#box.append(notice);
    this.#shown.set(name, notice);
  }

  remove(name) {
    this.#shown.get(name)?.remove();
    this.#shown.delete(name);
  }
}
