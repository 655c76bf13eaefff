// The list of texts that were set aside in this browser: each can be read, used and deleted.
import {button, clock, element} from './dom.js';

const day = new Intl.DateTimeFormat('en-GB', {day: 'numeric', month: 'short'});

export function mountShelf(drafts, after, use) {
  const title = element('summary'), list = element('ul');
  const box = element('details', {id: 'shelf', hidden: true}, title, list);
  after.after(box);

  function update() {
    const texts = drafts.aside();
    box.hidden = texts.length === 0;
    title.textContent = `texts set aside in this browser (${texts.length})`;
    list.replaceChildren(...texts.map(({text, why, at, key}) => {
      const date = new Date(at);
      return element('li', {}, `${day.format(date)}, ${clock(date)}: ${why} `,
                     button('Use', () => use(text)), ' ',
                     button('Delete', () => { drafts.drop(key); update(); }),
                     element('details', {}, element('summary', {}, 'show'),
                             element('pre', {tabindex: 0}, text)));
    }));
  }
  update();
  return {update};
}
