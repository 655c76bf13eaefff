// A launch while it runs: bars for what the bins should hold of the data read so far, and for what
// they hold. The difference is what is missing from the bins.
//
// The server sends the lines of `histolab run --stream` (docs/stream.schema.json).
import {Failure, ask, lines} from './ndjson.js';
import {byId, element, number, plural, svg} from './dom.js';

const height = 220, foot = 22, head = 8;
const quiet = 1500;  // milliseconds between two sentences, which a screen reader reads out

const sum = (values) => values.reduce((total, each) => total + each, 0);

// What is missing and what is too much, bin by bin. A bin that holds null is unknown.
export function differences(expected, histogram) {
  const missing = expected.map((each, i) => Math.max(0, each - (histogram[i] ?? each)));
  const extra = expected.map((each, i) => Math.max(0, (histogram[i] ?? each) - each));
  return {missing: sum(missing), extra: sum(extra), bins: missing.filter(Boolean).length};
}

// A sentence about one state of the launch. Until the launch has ended, what is missing may also
// be in a private copy or on its way.
export function describe({state, read, length, expected, histogram}) {
  const {missing, extra, bins} = differences(expected, histogram);
  const begin = state === 'ended' ? 'The launch has ended' :
    `${state === 'paused' ? 'Paused' : 'Running'}: ${number(read)} of ` +
    `${plural(length, 'element')} read`;
  const words = [`${begin}; the bins should hold ${number(sum(expected))}.`];
  if (missing && state === 'ended') {
    words.push(`${plural(missing, 'update')} ${missing === 1 ? 'is' : 'are'} lost, in ` +
               `${plural(bins, 'bin')}.`);
  } else if (missing) {
    words.push(`${number(missing)} are missing: lost, in a private copy, or on their way.`);
  }
  if (extra) words.push(`The bins hold ${number(extra)} too many.`);
  if (!missing && !extra) words.push('They do.');
  return words.join(' ');
}

// The bars, drawn at the figure's real width so that its labels stay readable on a phone.
class Chart {
  #figure;
  #labels = [];
  #top = 1;
  #bars = [];
  #frame = 0;
  #next = null;
  #last = 0;

  constructor(figure) {
    this.#figure = figure;
    new ResizeObserver(() => {
      if (this.#labels.length && this.#width() !== this.#drawn) this.#build();
    }).observe(figure);
  }

  #drawn = 0;
  #width() {
    const {paddingLeft, paddingRight} = getComputedStyle(this.#figure);
    const inside = this.#figure.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return Math.max(240, Math.floor(inside));
  }

  begin(labels, most) {
    this.#labels = labels;
    this.#top = Math.max(1, most);
    this.#next = null;
    this.#build();
  }

  #build() {
    const width = this.#drawn = this.#width(), bins = this.#labels.length;
    const step = width / bins, gap = step > 8 ? Math.min(10, step / 5) : step > 3 ? 1 : 0;
    const picture = svg('svg', {
      viewBox: `0 0 ${width} ${height}`, width, height, role: 'img',
      'aria-label': 'bars of the bins; the same numbers are in the table'
    });
    picture.append(svg('defs', {}, svg('pattern', {
      id: 'live-hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse',
      patternTransform: 'rotate(45)'
    }, svg('rect', {width: 6, height: 6, class: 'hatch-paper'}),
    svg('rect', {width: 2.5, height: 6, class: 'hatch-line'}))));
    const longest = Math.max(...this.#labels.map((each) => each.length));
    const every = Math.ceil(longest * 8.5 / step + 0.3);
    this.#bars = this.#labels.map((label, i) => {
      const place = {x: (i * step + gap / 2).toFixed(2), width: (step - gap).toFixed(2)};
      const due = svg('rect', {...place, class: 'due', fill: 'url(#live-hatch)'});
      const held = svg('rect', {...place, class: 'held'});
      const title = svg('title', {}, label);
      picture.append(svg('g', {}, title, due, held));
      if (i % every === 0) {
        const first = every > 1 && i === 0, x = first ? 1 : (i + 0.5) * step;
        picture.append(svg('text', {x, y: height - 6, 'text-anchor': first ? 'start' : 'middle'},
                           label));
      }
      return {due, held, title};
    });
    picture.append(svg('line', {
      class: 'base', x1: 0, x2: width, y1: height - foot + 0.5, y2: height - foot + 0.5
    }));
    this.#figure.replaceChildren(picture, element(
      'figcaption', {}, element('span', {class: 'key held'}), ' in the bins ',
      element('span', {class: 'key due'}), ' missing from the bins'));
    if (this.#current) this.#draw(this.#current);
  }

  #current = null;

  // Draws at the next frame; with reduced motion at most once a second, and at once if `now`.
  show(numbers, now = false) {
    this.#next = numbers;
    if (now) this.#last = 0;
    if (this.#frame) return;
    const frame = (time) => {
      const slow = matchMedia('(prefers-reduced-motion: reduce)').matches;
      if (slow && this.#last && time - this.#last < 1000) {
        this.#frame = requestAnimationFrame(frame);
        return;
      }
      this.#frame = 0;
      this.#last = time;
      if (this.#next) this.#draw(this.#next);
    };
    this.#frame = requestAnimationFrame(frame);
  }

  #draw(numbers) {
    this.#current = numbers;
    const most = Math.max(this.#top, ...numbers.histogram.map((each) => each ?? 0));
    const room = height - foot - head;
    const set = (bar, from, to) => {
      bar.setAttribute('height', ((to - from) / most * room).toFixed(2));
      bar.setAttribute('y', (height - foot - to / most * room).toFixed(2));
    };
    this.#bars.forEach(({due, held, title}, i) => {
      const expected = numbers.expected[i] ?? 0, now = numbers.histogram[i] ?? 0;
      set(due, Math.min(now, expected), expected);
      set(held, 0, now);
      title.textContent = `${this.#labels[i]}: ${number(now)} of ${number(expected)}`;
    });
  }
}

function fillTable(table, labels, {expected, histogram}) {
  if (!table.tHead) {
    const head = ['bin', 'should hold', 'holds', 'missing'].map((word) =>
      element('th', {scope: 'col'}, word));
    table.createTHead().append(element('tr', {}, ...head));
  }
  const body = table.tBodies[0] ?? table.createTBody();
  body.replaceChildren(...labels.map((label, i) => {
    const due = expected[i] ?? 0, held = histogram[i];
    const cells = [due, held, held === null ? null : due - held].map((value) =>
      element('td', {}, value === null || value === undefined ? 'unknown' : number(value)));
    return element('tr', {'data-missing': held < due ? 'yes' : null},
                   element('th', {scope: 'row'}, label), ...cells);
  }));
}

// The launch's last numbers: those of the report, in which only wrong bins are listed.
function finalNumbers(begin, report, last) {
  const expected = begin.expected, wrong = report.mismatches ?? [];
  if (report.correct) return {expected, histogram: expected};
  if (!wrong.length || report.mismatched_bins > wrong.length) {
    return {expected, histogram: last?.histogram ?? expected.map(() => null)};
  }
  const histogram = [...expected];
  for (const {bin, got} of wrong) histogram[bin] = got;
  return {expected, histogram};
}

// `unsaved()`: whether the editor's text differs from the file, which is what runs.
export function mountLive(lab, {unsaved}) {
  const [start, pause, step, speed] = ['live-start', 'live-pause', 'live-step', 'live-speed']
    .map(byId);
  const words = byId('live-words'), table = byId('live-numbers');
  const chart = new Chart(byId('live-chart'));
  let run = null;  // {id, stop, begin, last, paused, waiting} while a launch runs
  let said = 0, later = 0;

  // 0 to 100 of the slider: from one step a second to full speed.
  const commandOfSpeed = () => {
    const at = (speed.value - speed.min) / (speed.max - speed.min || 1);
    return at >= 1 ? 'speed 0' : `speed ${Math.round(10 ** (at * 5))}`;
  };
  const speedInWords = () => {
    const command = commandOfSpeed().split(' ')[1];
    speed.setAttribute('aria-valuetext', command === '0' ? 'full speed' :
      `${plural(Number(command), 'step')} a second`);
  };
  // Changes the words and the table: at once if `now`, else not more often than they can be read.
  const say = (text, now = false, also = () => {}) => {
    clearTimeout(later);
    const write = () => {
      said = performance.now();
      words.textContent = text;
      also();
    };
    const pause = said + quiet - performance.now();
    if (now || pause <= 0) write();
    else later = setTimeout(write, pause);
  };
  const buttons = () => {
    start.textContent = run ? 'Stop' : 'Start';
    pause.textContent = run?.paused ? 'Continue' : 'Pause';
    pause.disabled = !run;
  };
  const send = async (...commands) => {
    const mine = run;
    if (!mine) return;
    if (!mine.id) {
      mine.waiting.push(...commands);
      return;
    }
    try {
      for (const each of commands) {
        await ask(`/api/run/${encodeURIComponent(mine.id)}/say`, {json: {say: each}});
      }
    } catch (failure) {
      if (run === mine) say(`The launch did not get the command: ${failure.message}.`, true);
    }
  };
  const show = (state, numbers, now) => {
    const {begin} = run;
    chart.show(numbers, now);
    const text = describe({state, read: numbers.read ?? begin.length, length: begin.length,
                           ...numbers});
    say(text, now, () => fillTable(table, begin.bin_labels, numbers));
  };

  const on = {
    run: (event) => {
      run.id = event.id;
      send(...run.waiting.splice(0));
    },
    begin: (event) => {
      if (!event.expected) return say('This launch has no bins to show.', true);
      run.begin = event;
      const none = {expected: event.expected.map(() => 0), histogram: event.expected.map(() => 0)};
      chart.begin(event.bin_labels, Math.max(...event.expected));
      show(run.paused ? 'paused' : 'running', {...none, read: 0}, true);
    },
    progress: (event) => {
      const changed = run.paused !== (event.state === 'paused');
      run.paused = event.state === 'paused';
      if (changed) buttons();
      if (!run.begin) return;
      run.last = {expected: event.of_read, histogram: event.histogram, read: event.elements_read};
      show(event.state, run.last, run.paused || changed);
    },
    result: (event) => {
      const {report} = event;
      if (report.ending !== 'completed') {
        run.ended = `The launch has not completed: ${report.ending.replaceAll('_', ' ')}` +
          `${report.ending_detail ? ', ' + report.ending_detail : ''}.`;
        say(run.ended, true);
        return;
      }
      if (run.begin) show('ended', finalNumbers(run.begin, report, run.last), true);
      else say('The launch has ended.', true);
      run.ended = words.textContent;
    },
    error: (event) => { throw new Failure(event.message, event.whose); }
  };

  async function launch(commands) {
    const mine = run = {id: null, stop: new AbortController(), begin: null, last: null,
                        paused: false, waiting: commands, ended: null};
    buttons();
    say(unsaved() ? 'The saved text runs, without your unsaved changes.' : 'The launch starts.',
        true);
    try {
      const response = await ask('/api/run', {
        json: {lab, case: byId('case')?.value ?? ''}, signal: mine.stop.signal
      });
      for await (const event of lines(response)) {
        if (run !== mine) return;
        on[event.event]?.(event);
      }
      if (!mine.ended) throw new Failure('the connection to the server broke off');
    } catch (failure) {
      if (run === mine && failure.name !== 'AbortError') {
        say(`The launch has stopped: ${failure.message}.`, true);
      }
    }
    if (run === mine) run = null;
    buttons();
  }

  async function stopRun() {
    const old = run;
    await send('quit');
    if (run === old) run = null;
    old.stop.abort();
    say('Stopped.', true);
    buttons();
  }

  start.addEventListener('click', () => {
    if (run) stopRun();
    else launch([commandOfSpeed()]);
  });
  pause.addEventListener('click', () => send(run?.paused ? commandOfSpeed() : 'pause'));
  step.addEventListener('click', () => {
    if (run) send('pause', 'step 1');
    else launch(['pause', 'step 1']);
  });
  speed.addEventListener('input', speedInWords);
  speed.addEventListener('change', () => { if (run && !run.paused) send(commandOfSpeed()); });
  speedInWords();
  buttons();
}
