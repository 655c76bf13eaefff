// Hints, one after the other, and the solution.
import {button, byId, element} from './dom.js';
import {ask} from './ndjson.js';

// `api`: address of the lab's part of the API. `passed()`: whether the lab is passed.
export function mountHints(api, count) {
  const next = byId('next-hint'), list = byId('hint-list');
  if (!next) return;  // a lab without hints
  const label = next.textContent.trim() || 'Next hint';
  let shown = 0;
  const say = (words) => {
    list.querySelector('.failure')?.remove();
    if (words) list.append(element('p', {class: 'failure', role: 'alert'}, words));
  };
  const update = () => {
    next.textContent = shown < count ? `${label} (${shown + 1} of ${count})` : 'No more hints';
    next.disabled = shown >= count;
  };
  next.addEventListener('click', async () => {
    if (next.disabled) return;
    next.disabled = true;
    try {
      const html = await (await ask(`${api}/hints/${shown + 1}`)).text();
      const hint = element('article', {class: 'hint', tabindex: -1,
                                       'aria-label': `hint ${shown + 1}`});
      // The server made this of the kit's own Markdown; no other text is read as markup.
      hint.append(...new DOMParser().parseFromString(html, 'text/html').body.childNodes);
      say(null);
      list.append(hint);
      hint.focus();
      ++shown;
    } catch (failure) {
      say(`The hint cannot be shown: ${failure.message}.`);
    }
    update();
  });
  update();
}

export function mountSolution(api, passed) {
  const show = byId('show-solution'), text = byId('solution-text');
  const question = element('div', {class: 'question', hidden: true, role: 'group'});
  show.after(question);
  const answer = (...children) => {
    question.replaceChildren(...children);
    question.hidden = children.length === 0;
  };
  const fetchText = async (anyway) => {
    try {
      text.textContent = await (await ask(api + '/solution' + (anyway ? '?anyway=1' : ''))).text();
      text.hidden = false;
      text.tabIndex = -1;
      text.focus();
      answer();
      show.disabled = true;
    } catch (failure) {
      answer(element('p', {role: 'alert'}, `The solution cannot be shown: ${failure.message}.`));
    }
  };
  show.addEventListener('click', () => {
    if (passed()) return fetchText(false);
    const no = button('Not yet', () => { answer(); show.focus(); });
    answer(element('p', {}, 'You have not passed this lab yet. Show the solution anyway?'),
           button('Show the solution', () => fetchText(true)), no);
    no.focus();
  });
}
