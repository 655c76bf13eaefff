// The server's events about a lab, for as long as the page is open. Connects again when the
// connection is lost, each time after a longer pause.
import {ask, lines} from './ndjson.js';

const silence = 40_000;       // the server sends a line every 15 s
const unseen = 60_000;        // a hidden page closes its connection after this time
const pauses = [500, 1000, 2000, 4000, 8000, 15_000];

// Calls event(object) for each line, up() after each connection and down(words) after each
// failure.
export function follow(url, {event, up, down}) {
  let stop = null, failures = 0, timer = 0, resting = false;

  async function connect() {
    clearTimeout(timer);
    const mine = stop = new AbortController();
    let watch = 0;
    const alive = () => {
      clearTimeout(watch);
      watch = setTimeout(() => mine.abort(), silence);
    };
    let why = 'the server has ended the connection';
    try {
      alive();
      const response = await ask(url, {signal: mine.signal});
      failures = 0;
      up();
      for await (const each of lines(response)) {
        alive();
        if (each.event !== 'alive') event(each);
      }
    } catch (failure) {
      why = failure.name === 'AbortError' ? 'the server is silent' : failure.message;
    }
    clearTimeout(watch);
    if (stop !== mine) return;
    stop = null;
    if (resting) return;
    down(why);
    const pause = pauses[Math.min(failures++, pauses.length - 1)];
    timer = setTimeout(connect, pause * (0.75 + Math.random() / 2));
  }

  // A browser has six connections to a server, for all of its tabs together.
  let rest = 0;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(rest);
    if (document.hidden) {
      rest = setTimeout(() => {
        resting = true;
        clearTimeout(timer);
        stop?.abort();
      }, unseen);
    } else if (resting || !stop) {
      resting = false;
      connect();
    }
  });
  addEventListener('online', () => { if (!stop && !resting) connect(); });
  connect();
}
