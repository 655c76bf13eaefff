// The race stepper: one interleaving of threads that increment a counter, step by step. Threads
// are columns, steps are rows (docs/race.schema.json).
import {ask} from './ndjson.js';
import {button, byId, element} from './dom.js';

const verbs = {
  load: 'loads', add: 'adds 1', store: 'stores', atomicAdd: 'atomicAdd',
  atomic: 'updates atomically', compare_and_swap: 'compares and swaps',
  exchange: 'exchanges'
};
const shown = (value) => value === null || value === undefined ? 'nothing' : String(value);

// The variable of a step: a kernel's step names it, the model has one counter.
const placeOf = (step) => step.variable ? `${step.variable}[${step.index}]` : 'histo[b]';

// A step in a few words, without its thread: "loads 0", "stores 1".
function action({operation, register, memory}) {
  const value = {load: register.after, add: register.after, store: memory.after}[operation] ??
    `${shown(memory.before)} to ${shown(memory.after)}`;
  const verb = verbs[operation] ?? operation;
  return operation === 'add' ? `${verb}, has ${shown(value)}` : `${verb} ${shown(value)}`;
}

// What is wrong at a step, or null: a lost update is marked at its own store and at the store that
// overwrites it.
function lossAt(step, lost) {
  const words = lost.filter((each) => each.overwritten_at === step.time).map((each) =>
    `overwrites the update of T${each.thread} in step ${each.stored_at}`);
  const own = lost.find((each) => each.stored_at === step.time);
  if (own) words.push(`this update is lost: step ${own.overwritten_at} overwrites it`);
  return words.join('; ') || null;
}

function sentence(step, lost) {
  const loss = lossAt(step, lost);
  return `T${step.thread} ${action(step)}; ${placeOf(step)} is ${shown(step.memory.after)}` +
    (loss ? `; ${loss}` : '') + '.';
}

// `api`: address of the lab's part of the API. goTo(line): jumps to a line of the student's kernel.
// Returns a function to call after each save: the steps of that kernel are then others.
export function mountRace(api, goTo) {
  const section = byId('race'), choice = byId('race-scenario'), figure = byId('race-figure');
  const list = byId('race-steps'), words = byId('race-words');
  const [previous, next, all] = ['race-previous', 'race-next', 'race-all'].map(byId);
  const another = button('Another order', () => load(seed + 1), {id: 'race-another', hidden: true});
  all.after(' ', another);
  let race = null, at = 0, seed = 1, loading = null;

  const ofKernel = () => !/^\d+$/.test(choice.value);
  const steps = () => race?.trace?.steps ?? [];
  const link = (step) => step.line > 0 && race.kernel && !step.file ?
    [' ', button(`line ${step.line}`, () => goTo(step.line), {class: 'place'})] : [];

  const build = () => {
    const {lost} = race.trace, threads = Array.from({length: race.threads}, (_, i) => i + 1);
    const heads = ['step', ...threads.map((each) => 'T' + each), race.trace.counter ?? 'histo[b]'];
    const rows = steps().map((step) => {
      const loss = lossAt(step, lost);
      const cells = threads.map((thread) => thread !== step.thread ? element('td') : element(
        'td', {class: 'acts'}, action(step), ...link(step),
        loss ? element('span', {class: 'loss'}, loss) : null));
      return element('tr', {class: loss ? 'lost' : null, 'data-thread': step.thread},
                     element('th', {scope: 'row'}, String(step.time)), ...cells,
                     element('td', {class: 'memory'}, shown(step.memory.after)));
    });
    figure.replaceChildren(rows.length ? element(
      'table', {class: 'race'},
      element('thead', {}, element('tr', {}, ...heads.map((each) =>
        element('th', {scope: 'col'}, each)))),
      element('tbody', {}, ...rows)) : '');
    list.replaceChildren(...steps().map((step) => element('li', {}, sentence(step, lost))));
  };

  // Shows the first `at` steps.
  const show = () => {
    const count = steps().length;
    for (const rows of [figure.querySelectorAll('tbody tr'), list.children]) {
      [...rows].forEach((row, i) => {
        row.classList.toggle('ahead', i >= at);
        if (i === at - 1) row.setAttribute('aria-current', 'step');
        else row.removeAttribute('aria-current');
      });
    }
    [...list.children].forEach((item, i) => { item.hidden = i >= at; });
    previous.disabled = at === 0;
    next.disabled = all.disabled = at >= count;
    if (count === 0) words.textContent = race.trace?.message ?? 'There are no steps.';
    else if (at === 0) words.textContent = `${count} steps. Step 1 is next.`;
    else if (at === count) {
      words.textContent = `Step ${at} of ${count}: ${sentence(steps()[at - 1], race.trace.lost)} ` +
        race.trace.message + (race.trace.cut ? ' Later steps were not recorded.' : '');
    } else {
      words.textContent = `Step ${at} of ${count}: ${sentence(steps()[at - 1], race.trace.lost)}`;
    }
  };
  const go = (to) => {
    if (!race) return;
    at = Math.max(0, Math.min(to, steps().length));
    show();
  };

  // A focused button that becomes disabled would lose the focus, and the arrow keys with it.
  const keep = (control, call) => control.addEventListener('click', () => {
    call();
    if (control.disabled) [next, previous].find((each) => !each.disabled)?.focus();
  });

  async function load(withSeed = 1) {
    loading?.abort();
    const mine = loading = new AbortController();
    seed = withSeed;
    another.hidden = !ofKernel();
    words.textContent = 'Loading.';
    try {
      const url = ofKernel() ? `${api}/race?seed=${seed}` : `/api/race?scenario=${choice.value}`;
      race = await (await ask(url, {signal: mine.signal})).json();
      at = 0;
      build();
      show();
    } catch (failure) {
      if (failure.name === 'AbortError') return;
      race = null;
      figure.replaceChildren();
      list.replaceChildren();
      words.textContent = `There is no race to show: ${failure.message}.`;
      previous.disabled = next.disabled = all.disabled = true;
    }
  }

  keep(previous, () => go(at - 1));
  keep(next, () => go(at + 1));
  keep(all, () => go(steps().length));
  choice.addEventListener('change', () => load());
  section.addEventListener('keydown', (event) => {
    if (event.target === choice || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = {ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1,
                Home: 0, End: steps().length}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
  figure.tabIndex = 0;
  figure.setAttribute('aria-label', 'Steps of the threads; arrow keys move through them');
  load();
  return () => { if (ofKernel()) load(seed); };
}
