// Texts that are only in this browser: what is not saved yet, and what was set aside.
//
// Each open page has a draft of its own, so two tabs never overwrite each other's. A page holds a
// lock while it is open; a draft without a lock is from a page that was closed or has crashed. A
// text leaves this store only after it was saved, or after the student has deleted it.
const mostAside = 20;

const parsed = (text) => {
  try {
    const value = JSON.parse(text);
    return value && typeof value.text === 'string' ? value : null;
  } catch {
    return null;
  }
};

export class Drafts {
  #lab;
  #storage;
  #id = crypto.getRandomValues(new Uint32Array(2)).join('-');
  #previous = null;  // draft of the page that this tab showed before a reload

  constructor(lab, storage = globalThis.localStorage) {
    this.#lab = lab;
    this.#storage = storage;
    const reloaded = performance.getEntriesByType('navigation')[0]?.type === 'reload';
    try {
      if (reloaded) this.#previous = sessionStorage.getItem(this.#own('page'));
      sessionStorage.setItem(this.#own('page'), this.#id);
    } catch {
      // Without storage there are no drafts either; keep() returns false.
    }
    navigator.locks?.request(this.#key(this.#id), () => new Promise(() => {}));
  }

  #own(kind) { return `histolab/${kind}/${this.#lab}/`; }
  #key(id) { return this.#own('draft') + id; }

  #all(prefix) {
    const found = [];
    try {
      for (let i = 0; i < this.#storage.length; ++i) {
        const key = this.#storage.key(i);
        const value = key.startsWith(prefix) ? parsed(this.#storage.getItem(key)) : null;
        if (value) found.push({...value, key});
      }
    } catch {
      // Storage is not allowed here.
    }
    return found.sort((a, b) => b.at - a.at);
  }

  // Stores the unsaved text of this page. Returns false if the browser does not store it.
  keep(text, base) {
    try {
      this.#storage.setItem(this.#key(this.#id), JSON.stringify({text, base, at: Date.now()}));
      return true;
    } catch {
      return false;
    }
  }

  drop(key = this.#key(this.#id)) {
    try {
      this.#storage.removeItem(key);
    } catch {
      // Nothing is stored.
    }
  }

  // Drafts of pages that are no longer open, the newest first: {text, base, at, key}.
  async abandoned() {
    const held = new Set((await navigator.locks?.query())?.held.map((lock) => lock.name));
    if (this.#previous) held.delete(this.#key(this.#previous));
    held.add(this.#key(this.#id));
    return this.#all(this.#own('draft')).filter((draft) => !held.has(draft.key));
  }

  // Sets a text aside, with the reason in words. The oldest of too many is dropped. Returns false
  // if the browser does not store it; then the caller must keep the text on the page.
  setAside(text, why) {
    const same = this.aside().find((each) => each.text === text);
    if (same) this.drop(same.key);
    try {
      this.#storage.setItem(`${this.#own('aside')}${Date.now()}-${this.#id}`,
                            JSON.stringify({text, why, at: Date.now()}));
    } catch {
      return false;
    }
    for (const old of this.aside().slice(mostAside)) this.drop(old.key);
    return true;
  }

  // The texts that were set aside, the newest first: {text, why, at, key}.
  aside() { return this.#all(this.#own('aside')); }
}
