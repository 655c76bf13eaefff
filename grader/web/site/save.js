// The way of a text to the disk. Only the server's event `saved` makes a text a saved one.
import {Failure, ask, lines} from './ndjson.js';

const patience = 10_000;  // milliseconds until the page says that the server is slow

// Calls on `report`:
//   before(sha256)        this text of the file is about to be replaced by a saved one
//   state(name, detail)   saving | slow | saved (detail: Date) | failed (detail: words)
//   conflict(event)       the file was changed elsewhere; nothing was written
//   answer(event)         queued, verdict, superseded or error about a saved text, with its sha256
export class Saver {
  #url;
  #report;
  #attempt = null;  // {text, stop} until the server has confirmed or refused it
  #next = null;     // the text to save after that

  constructor(lab, text, sha256, report) {
    this.#url = `/api/labs/${encodeURIComponent(lab)}/save`;
    this.#report = report;
    this.text = text;      // the text of the file, as far as this page knows
    this.sha256 = sha256;  // and its fingerprint
  }

  // The text that is on its way, or null.
  get saving() { return this.#attempt?.text ?? null; }

  // The file has this text now: saved elsewhere, or taken as the base of the edit.
  adopt(text, sha256) {
    this.text = text;
    this.sha256 = sha256;
  }

  // Saves the text. One that is asked for during a save follows it; if the server is slow, it
  // replaces it.
  save(text) {
    if (this.#attempt && !this.#attempt.slow) this.#next = text;
    else {
      this.#attempt?.stop.abort();
      this.#send(text);
    }
  }

  async #send(text) {
    const attempt = this.#attempt = {text, stop: new AbortController(), slow: false};
    const mine = () => this.#attempt === attempt;
    const watch = setTimeout(() => {
      attempt.slow = true;
      if (mine()) this.#report.state('slow');
    }, patience);
    this.#report.state('saving');
    let sha256 = null, ended = false;  // ended: the last line has arrived
    try {
      const response = await ask(this.#url, {
        json: {text, base: this.sha256, force: false}, signal: attempt.stop.signal
      });
      for await (const event of lines(response)) {
        if (event.event === 'saved') {
          sha256 = event.sha256;
          clearTimeout(watch);
          if (mine()) {
            this.#report.before(this.sha256);
            this.adopt(text, sha256);
            this.#done('saved', new Date(event.at));
          }
        } else if (event.event === 'conflict') {
          clearTimeout(watch);
          if (mine()) this.#refused(event);
          return;
        } else if (sha256 === null && event.event === 'error') {
          throw new Failure(event.message, event.whose);
        } else {
          this.#report.answer({sha256, ...event});
          ended = event.event === 'verdict' ? !event.more : event.event !== 'queued';
        }
      }
      if (sha256 === null) throw new Failure('the server did not confirm it');
      if (!ended) throw new Failure('the connection to the server broke off');
    } catch (failure) {
      if (sha256 !== null) {
        this.#report.answer({event: 'lost', sha256, message: failure.message});
      } else if (mine()) {
        this.#next = null;
        this.#done('failed', failure.message);
      }
    } finally {
      clearTimeout(watch);
    }
  }

  #done(state, detail) {
    this.#attempt = null;
    this.#report.state(state, detail);
    const next = this.#next;
    this.#next = null;
    if (next !== null && next !== this.text) this.#send(next);
  }

  #refused(event) {
    this.#attempt = null;
    this.#next = null;
    this.#report.conflict(event);
  }
}
