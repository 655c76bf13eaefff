"""The lab page's scripts in a browser, against a server with scripted answers (fake_server.py).
Each scenario runs with each of the three editors. Whatever happens, the page writes nothing to the
console, asks no other server, and breaks no rule of the content security policy. Pictures go to the
test's current folder."""
import inspect
import json
import os
import queue
import re
import sys

from fake_server import (EDITORS, KERNEL, LAB, RACE, Fake, has_editor, passed, sha256, verdict)
from browser import Browser, find_chromium
from histolab_program import Checks, skip, skip_part, wait_until

check = Checks()
WATCH = """window.violations = [];
document.addEventListener('securitypolicyviolation',
  (e) => violations.push(`${e.violatedDirective} ${e.blockedURI} ${e.sourceFile}`));"""
# The contrast of each visible text with its background (WCAG 2.2, 1.4.3), if below 4.5. Inside of
# the editor too.
TOO_FAINT = r"""(() => {
  const channels = (color) => { const c = color.match(/[\d.]+/g).map(Number);
    return c.length < 4 ? [...c, 1] : c; };
  const luminance = (c) => c.slice(0, 3).map((v) => v / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const up = (e) => e.parentElement ?? e.getRootNode().host;
  const behind = (element) => { for (let e = element; e; e = up(e)) {
    const c = channels(getComputedStyle(e).backgroundColor); if (c[3] === 1) return c; }
    return [255, 255, 255]; };
  const found = new Set();
  const look = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const e = node.parentElement;
      if (!node.data.trim() || e?.closest('script, style, title, option, button, [hidden]') ||
          !e?.checkVisibility({visibilityProperty: true})) continue;
      const style = getComputedStyle(e), svg = e.namespaceURI.endsWith('svg');
      const [a, b] = [luminance(channels(svg ? style.fill : style.color)), luminance(behind(e))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (contrast < 4.5)
        found.add(`${contrast.toFixed(2)} ${e.tagName}.${e.className} ${node.data.slice(0, 20)}`);
    }
  };
  look(document.body);
  const shadow = document.querySelector('#editor').shadowRoot;
  if (shadow) for (const each of shadow.children) look(each);
  return [...found];
})()"""


class Page:
    """The lab page in a tab of its own."""

    def __init__(self, browser, fake, what, **size):
        self.browser, self.fake, self.what = browser, fake, what
        self.tab = browser.new_tab(**size)
        browser.on_each_page(WATCH)
        self.open()

    def open(self):
        self.use()
        self.browser.open_url(f"{self.fake.url}/lab/{LAB}")
        self.is_ready()

    def is_ready(self):
        self.expect("document.body.dataset.ready", "the page is ready")
        editor = self.value("document.body.dataset.ready")
        check(editor == self.fake.editor, f"{self.what}: the editor is {editor}")

    def use(self):
        self.browser.use_tab(self.tab)

    def value(self, expression):
        return self.browser.value(expression)

    def expect(self, expression, what):
        """Waits until a JavaScript expression is true."""
        holds = self.browser.becomes_true(f"Boolean({expression})")
        check(holds, f"{self.what}: {what}", expression, self.text("#state"),
              self.text("#headline"), self.text("#notices"))
        return holds

    def says(self, selector, words):
        """Waits until an element that can be seen has these words."""
        wanted = json.dumps(words)
        self.expect(f"""document.querySelector('{selector}')?.checkVisibility() &&
                    document.querySelector('{selector}').textContent.includes({wanted})""",
                    f"{selector} says {words!r}, not {self.text(selector)!r}")

    def text(self, selector):
        return self.value(f"document.querySelector({json.dumps(selector)})?.textContent ?? ''")

    def count(self, selector):
        """The elements in the page and in the editor's shadow root."""
        return self.value(f"""document.querySelectorAll('{selector}').length +
          (document.querySelector('#editor').shadowRoot?.querySelectorAll('{selector}').length ??
           0)""")

    def type(self, text):
        """Types at the beginning of the text."""
        self.value("document.querySelector('label[for=text]').click()")
        self.browser.press("Home", control=True)
        self.browser.type(text)
        self.says("#state", "not saved")

    def choose(self, label):
        """Clicks the button with this label in a notice."""
        self.expect(f"""(() => {{
          const b = [...document.querySelectorAll(':is(.notice, #shelf) button')]
            .find((b) => b.textContent === {json.dumps(label)});
          b?.click(); return b; }})()""", f"there is a button {label!r}")

    def drafts(self):
        return self.value("""Object.entries(localStorage).filter(([key]) =>
          key.startsWith('histolab/draft/')).map(([, value]) => JSON.parse(value).text)""")

    def close(self, network=False):
        """`network`: requests have failed on purpose."""
        self.use()
        events = self.browser.events
        said = [data["entry"]["text"] for name, data in events if name == "Log.entryAdded" and
                not (network and data["entry"]["source"] == "network")]
        said += [str(data) for name, data in events
                 if name in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown")]
        asked = [data["request"]["url"] for name, data in events
                 if name == "Network.requestWillBeSent"]
        check(not said, f"{self.what}: the console has", *said)
        check(asked, f"{self.what}: requests are seen")
        check(all(url.startswith(self.fake.url + "/") for url in asked),
              f"{self.what}: asks elsewhere", *asked)
        violations = self.value("window.violations")
        check(violations == [], f"{self.what}: against the policy", *violations)
        self.browser.close_tab(self.tab)


def gated(events):
    """A step of the fake that sends what the test puts into the queue, until None (the end) or
    False (the connection breaks off)."""

    def step(text, send):
        while event := events.get():
            send(event(text) if callable(event) else event)
        return event
    return step


def saved(text):
    return {"event": "saved", "sha256": sha256(text), "at": "2026-11-29T09:20:05Z"}


def asked(fake, count):
    check(wait_until(lambda: len(fake.saves) >= count), f"{count} saves arrive")


# ---- scenarios -----------------------------------------------------------------------------------
def save_then_quick_then_complete(page, fake):
    steps = queue.Queue()
    fake.script = [gated(steps)]
    page.says("#state", "no unsaved changes")
    page.type("// mine\n")
    page.browser.press("s", control=True)
    asked(fake, 1)
    check(fake.saves[0] == {"text": "// mine\n" + KERNEL, "base": sha256(KERNEL), "force": False},
          "what is sent", fake.saves[0])
    check(page.text("#state") == "saving", "before the server confirms it, the page says saving",
          page.text("#state"))
    steps.put(saved)
    page.expect("/^saved \\d\\d:\\d\\d:05$/.test(document.querySelector('#state').textContent)",
                "says saved, and when")
    page.says("#headline", "grading")
    check(page.drafts() == [], "a saved text is no draft any more", page.drafts())
    steps.put({"event": "queued", "ahead": 2})
    page.says("#headline", "waiting: 2 texts")
    moved = [{**RACE, "places": [{"line": place["line"] + 1, "column": place["column"]}
                                 for place in RACE["places"]]}]
    steps.put(lambda text: verdict(text, remarks=moved))
    page.says("#headline", "no_findings failed (0 of 2 points)")
    page.says("#verdict-note", "quick verdict; the complete one follows")
    for part in ("what", "why", "next", "where"):
        page.says(f"#remarks .{part}", RACE[part])
    check(page.count("#checks tbody tr") == 3, "the table of checks")
    page.expect(f"{page.count('.mark.error')} === 2", "two marks in the margin")
    if fake.editor != "textarea":
        underlined = page.value("""[...(document.querySelector('#editor').shadowRoot ?? document)
          .querySelectorAll('.underlined')].map((e) => e.textContent)""")
        check(underlined == ["letter", "histo"], "the columns are underlined", underlined)
    steps.put(lambda text: verdict(text, quick=False, more=False, remarks=moved,
                                   headline="correct failed"))
    steps.put(None)
    page.says("#headline", "correct failed")
    page.says("#verdict-note", "Complete verdict")
    page.browser.click("#remarks .place")
    page.browser.type("X")
    page.says("#state", "not saved")
    page.says("#verdict-older", "you have changed it since")
    page.browser.press("s", control=True)
    asked(fake, 2)
    line = fake.saves[1]["text"].split("\n")[7]
    check(line == "      Xhisto[letter / 4] += 1;", "the button of a place goes there", line)
    check(fake.saves[1]["base"] == sha256(fake.saves[0]["text"]), "the next base")
    return {}


def nothing_says_saved_without_the_server(page, fake):
    """The connection breaks off before the server confirms."""
    steps = queue.Queue()
    fake.script = [gated(steps), lambda text, send: send({
        "event": "error", "message": "the disk is full", "whose": "machine"})]
    page.value("""window.states = []; new MutationObserver(() =>
      states.push(document.querySelector('#state').textContent)).observe(
      document.querySelector('#state'), {childList: true, characterData: true, subtree: true})""")
    page.type("// mine\n")
    page.browser.press("s", control=True)
    asked(fake, 1)
    steps.put(False)
    page.says("#state", "not saved: ")
    page.says("#state", "(your text is kept in this browser)")
    check(page.drafts() == ["// mine\n" + KERNEL], "the text is a draft", page.drafts())
    page.browser.click("#save")
    page.says("#state", "not saved: the disk is full (your text is kept in this browser)")
    check(not any(state.startswith("saved") for state in page.value("states")),
          "no state says saved", page.value("states"))
    return {"network": True}


def server_goes_and_comes_back(page, fake):
    page.type("// mine\n")
    fake.stop()
    page.says("[data-notice=gone]", "The server cannot be used")
    page.browser.press("s", control=True)
    page.says("#state", "not saved: the server cannot be reached (your text is kept")
    fake.again()
    page.says("[data-notice=back]", "The server is back. Your text is not saved yet.")
    check(page.count("[data-notice=gone]") == 0, "the notice about the lost server disappears")
    check(fake.saves == [], "nothing is saved before the student asks")
    page.choose("Save now")
    page.expect("/^saved/.test(document.querySelector('#state').textContent)", "saved")
    check(fake.text == "// mine\n" + KERNEL, "the text is in the file", fake.text)
    return {"network": True}


def verdict_that_never_comes(page, fake):
    """The server is gone after the text was saved: that stays true."""
    steps = queue.Queue()
    fake.script = [gated(steps), lambda text, send: (fake.store(text, send), send({
        "event": "error", "message": "the worker ended", "whose": "machine"}))]
    page.browser.click("#save")
    steps.put(saved)
    page.says("#headline", "grading")
    steps.put(False)
    page.says("#headline", "no verdict: the connection to the server broke off")
    page.says("#verdict-note", "This is not a fault of your code.")
    check(page.text("#state").startswith("saved"), "it is still saved", page.text("#state"))
    page.browser.click("#save")
    page.says("#headline", "no verdict: the worker ended")
    page.expect("/^saved/.test(document.querySelector('#state').textContent)", "saved again")
    fake.script = [lambda text, send: (fake.store(text, send), send(verdict(
        text, status="infrastructure_error", whose="machine", headline="not graded",
        remarks=[], quick=False, more=False)))]
    page.browser.click("#save")
    page.says("#headline", "not graded")
    page.says("#verdict-note", "This is a fault of the machine, not of your code.")
    return {"network": True}


def conflict_keeps_both_texts(page, fake):
    other, mine = KERNEL + "// theirs\n", "// mine\n" + KERNEL
    for choice in ("Keep mine", "Take the text of the file"):
        fake.text = KERNEL
        page.value("localStorage.clear()")
        page.value("window.onbeforeunload = null")
        page.type("// mine\n")
        fake.text = other
        page.browser.press("s", control=True)
        page.says("[data-notice=choice]", "The file was changed elsewhere")
        page.says("#state", "not saved: the file was changed elsewhere")
        check(page.text("[data-notice=choice] pre") == other, "the file's text can be read")
        check(page.drafts() == [mine], "the own text is a draft")
        check(fake.text == other, "nothing is written")
        page.choose(choice)
        page.says("#shelf", "texts set aside in this browser (1)")
        if choice == "Keep mine":
            check(page.text("#shelf pre") == other, "the file's text is set aside")
            page.browser.press("s", control=True)
            page.expect("/^saved/.test(document.querySelector('#state').textContent)", "saved")
            check(fake.text == mine and not fake.saves[-1]["force"], "the own text is in the file")
            fake.write(KERNEL)
            page.says("#state", "saved elsewhere")
        else:
            check(page.text("#shelf pre") == mine, "the own text is set aside")
            page.says("#state", "this is the text of the file")
            page.choose("Use")
            page.says("#state", "not saved")
            check(page.drafts() == [mine], "it can be used again", page.drafts())
    return {}


def browser_without_room(page, fake):
    """Storage that is full or not allowed: the page says so, and replaces no text."""
    page.value("Storage.prototype.setItem = () => { throw new Error('full'); }; 0")
    page.type("// mine\n")
    fake.script = [lambda text, send: False]
    page.browser.press("s", control=True)
    page.says("#state", "(this browser does not keep it: copy your text before you leave)")
    fake.write(KERNEL + "// theirs\n")
    for choice in ("Keep mine", "Take the text of the file"):
        page.choose(choice)
        page.says("[data-notice=full]", "no room to set a text aside, so nothing was changed")
    page.says("[data-notice=choice]", "Which text do you want")
    page.type("// more\n")
    page.browser.press("s", control=True)
    asked(fake, 2)
    check(fake.saves[1]["text"] == "// more\n// mine\n" + KERNEL, "the own text is still there",
          fake.saves[1]["text"])
    page.says("#state", "not saved: the file was changed elsewhere")
    return {"network": True}


def other_ends_of_lines(page, fake):
    fake.write(KERNEL.replace("\n", "\r\n"))
    page.says("#state", "saved elsewhere")
    check(page.drafts() == [], "that is no unsaved change", page.drafts())
    page.type("// mine\n")
    page.browser.press("s", control=True)
    page.expect("/^saved/.test(document.querySelector('#state').textContent)", "saved")
    check(fake.saves[0]["base"] == sha256(KERNEL.replace("\n", "\r\n")), "the base is the file")
    return {}


def editor_that_cannot_be_loaded(page, fake):
    if fake.editor == "textarea":
        return {}
    files = {"codemirror6": ("index.js", "index-fNO8kRX1.js"),
             "codemirror5": ("codemirror.js", "clike.js", "codemirror.css")}[fake.editor]
    whole, folder, choice = fake.asset, fake.editor, fake.asset("editor_choice.js")
    fake.editor = "textarea"  # the expected state of the page
    for missing in files:
        fake.asset = lambda name, missing=missing: (
            None if name == f"{folder}/{missing}" else
            choice if name == "editor_choice.js" else whole(name))
        page.open()
        page.type("// mine\n")
        page.browser.press("s", control=True)
        page.says("#state", "saved")
        fake.write(KERNEL)
        page.says("#state", "saved elsewhere")
    return {"network": True}


def superseded(page, fake):
    first, second = queue.Queue(), queue.Queue()
    fake.script = [gated(first), gated(second)]
    page.type("// 1\n")
    page.browser.press("s", control=True)
    first.put(saved)
    page.says("#headline", "grading")
    page.type("// 2\n")
    page.browser.press("s", control=True)
    asked(fake, 2)
    first.put({"event": "superseded"})
    second.put(saved)
    first.put(lambda text: verdict(text, headline="about the first text"))
    first.put(None)
    second.put(lambda text: passed(text))
    second.put(None)
    page.says("#headline", "passed (5 of 5 points)")
    check(page.text("#state").startswith("saved"), "saved", page.text("#state"))
    check(page.value("document.querySelector('#verdict').classList.contains('older')") is False,
          "the verdict is about this text")
    check(page.value("document.querySelector('main').dataset.passed") == "true", "passed")
    check(page.count(".mark") == 0, "no marks are left")
    return {}


def stale_verdict(page, fake):
    """A verdict about another text than that of the file."""
    fake.announce(verdict("another text"))
    page.says("#verdict-older", "What follows is about an older text.")
    check(page.count(".mark") == 0, "its lines are not marked")
    fake.announce(verdict(KERNEL))
    page.expect("document.querySelector('#verdict-older').hidden", "a verdict about this text")
    page.expect("(document.querySelector('#editor').shadowRoot ?? document)"
                ".querySelectorAll('.mark').length === 2", "its lines are marked")
    fake.last = verdict(KERNEL, headline="the last one")
    page.open()
    page.says("#headline", "the last one")
    fake.announce(verdict("another text", headline="older"))
    fake.announce(verdict(KERNEL, headline="newer"))
    page.says("#headline", "newer")
    return {}


def hostile_words(page, fake):
    evil = "<img src=/x onerror=alert(1)><script>alert(2)</script>"
    remark = {"what": evil, "why": evil, "next": evil, "where": evil,
              "places": [{"line": 7, "column": 400}, {"line": 999, "column": 1},
                         {"line": 0, "column": 0}]}
    fake.announce(verdict(KERNEL, headline=evil, message=evil, remarks=[remark], more_remarks=3))
    page.says("#headline", evil)
    page.says("#verdict-message", evil)
    page.says("#remarks", "and 3 more remarks")
    check(page.count("img") + page.count("main script") == 0, "words are no markup")
    page.expect("(document.querySelector('#editor').shadowRoot ?? document)"
                ".querySelectorAll('.mark').length === 1", "only lines that exist are marked")
    return {}


def draft_of_a_closed_tab(page, fake):
    mine = "// mine\n" + KERNEL
    page.type("// mine\n")
    page.browser.close_tab(page.tab)
    second = Page(page.browser, fake, page.what)
    second.says("[data-notice=restored]", "is back in the editor")
    check(second.drafts() == [mine], "it is now this tab's draft", second.drafts())
    second.browser.press("s", control=True)
    second.expect("/^saved/.test(document.querySelector('#state').textContent)", "saved")
    check(fake.saves[-1]["text"] == mine, "the draft is saved", fake.saves[-1]["text"])
    second.type("// more\n")
    more = "// more\n" + mine
    second.browser.close_tab(second.tab)

    fake.text = KERNEL + "// theirs\n"
    third = Page(page.browser, fake, page.what)
    third.says("#notices", "There is an unsaved text from")
    third.says("#state", "no unsaved changes")
    texts = third.value("[...document.querySelectorAll('.notice pre')].map((e) => e.textContent)")
    check(texts == [more, fake.text], "both texts can be read", texts)
    third.choose("Use the unsaved text")
    third.says("#state", "not saved")
    check(third.drafts() == [more], "the draft is in the editor", third.drafts())
    check(third.text("#shelf pre") == fake.text, "the other text is set aside")
    third.close()
    return None


def draft_of_an_open_tab(page, fake):
    page.type("// mine\n")
    other = Page(page.browser, fake, page.what + ", the other tab")
    other.says("[data-notice=tabs]", "This lab is also open in another tab.")
    other.says("#state", "no unsaved changes")
    check(other.count(".notice") == 1, "its draft is left to it", other.text("#notices"))
    other.close()
    return {}


def leaving_asks(page, fake):
    """A reload asks first, and then finds the draft."""
    page.type("// mine\n")
    page.browser.events = []
    page.browser.call("Page.reload")
    page.browser.wait_for("Page.javascriptDialogOpening")
    kinds = [data["type"] for name, data in page.browser.events
             if name == "Page.javascriptDialogOpening"]
    check(kinds == ["beforeunload"], "the browser asks", kinds)
    page.browser.call("Page.handleJavaScriptDialog", accept=True)
    page.browser.wait_for("Page.loadEventFired")
    page.is_ready()
    page.says("[data-notice=restored]", "is back in the editor")
    page.choose("Take the text of the file")
    check(page.text("#shelf pre") == "// mine\n" + KERNEL, "it is set aside, not lost")
    page.says("#state", "this is the text of the file")
    return {}


def changed_on_disk(page, fake):
    fake.write(KERNEL + "// vim\n")
    page.says("#state", "saved elsewhere")
    page.type("// mine\n")
    page.browser.press("s", control=True)
    asked(fake, 1)
    check(fake.saves[0]["text"] == "// mine\n" + KERNEL + "// vim\n", "the new text is shown",
          fake.saves[0]["text"])
    page.expect("/^saved/.test(document.querySelector('#state').textContent)", "saved")
    page.type("// more\n")
    fake.write(KERNEL)
    page.says("[data-notice=choice]", "Which text do you want to continue with?")
    check(page.drafts() == ["// more\n// mine\n" + KERNEL + "// vim\n"], "the own text is kept")
    page.choose("Keep mine")
    page.browser.press("s", control=True)
    asked(fake, 2)
    check(fake.saves[1]["base"] == sha256(KERNEL), "the base is the file that the student saw")
    return {}


def two_tabs(page, fake):
    other = Page(page.browser, fake, page.what + ", the other tab")
    other.says("[data-notice=tabs]", "This lab is also open in another tab.")
    other.type("// other\n")
    other.browser.press("s", control=True)
    other.expect("/^saved/.test(document.querySelector('#state').textContent)", "saved")
    page.use()
    page.says("[data-notice=tabs]", "This lab is also open in another tab.")
    page.says("#state", "saved elsewhere")
    page.says("#headline", "no_findings failed")
    page.type("// mine\n")
    other.use()
    other.type("// again\n")
    drafts = sorted(other.drafts())
    check(drafts == sorted(["// mine\n// other\n" + KERNEL, "// again\n// other\n" + KERNEL]),
          "each tab has its draft", drafts)
    other.browser.press("s", control=True)
    other.expect("/^saved/.test(document.querySelector('#state').textContent)", "saved")
    page.use()
    page.says("[data-notice=choice]", "The file was changed elsewhere")
    other.use()
    other.browser.click("h1")
    other.browser.call("Page.navigate", url="about:blank")
    page.use()
    page.expect("!document.querySelector('[data-notice=tabs]')", "the other tab has left")
    return {}


def keyboard_only(page, fake):
    def focused():
        return page.value("""(() => { const e = document.activeElement;
          return e.closest('#editor') ? 'editor' : e.id || e.tagName; })()""")

    def tab(shift=False):
        page.browser.press("Tab", shift=shift)
        return focused()

    before = []
    while len(before) < 20 and tab() != "editor":
        before.append(focused())
    check(set(before) <= {"A", "SUMMARY"}, "Tab reaches the editor after links and a menu", before)
    page.browser.press("Home", control=True)
    check(tab() == "editor", "Tab indents")
    page.says("#state", "not saved")
    check(page.drafts()[0] == "  " + KERNEL, "by two spaces, like the text", page.drafts()[0][:20])
    page.browser.press("Escape")
    page.value("(() => { const now = Date.now; Date.now = () => now() + 3600_000; })()")
    check(tab() == "save", "Escape and then Tab leaves, however long it takes", focused())
    check(tab(shift=True) == "editor", "and Shift-Tab comes back", focused())
    page.browser.type("x")
    page.browser.press("Escape")
    check(tab() == "save", "again", focused())
    page.browser.press("Enter", text="\r")
    page.expect("document.querySelector('#verdict').dataset.quick === 'false'", "a verdict")
    order = [tab() for _ in range(9)]
    wanted = ["BUTTON", "BUTTON", "next-hint", "show-solution", "case", "live-speed",
              "live-start", "live-step", "race-scenario"]
    check(order == wanted, "the order of the controls", order, wanted)
    label = page.value("""(() => { const root = document.querySelector('#editor').shadowRoot ??
      document; return root.querySelector('[aria-label*=Escape]')?.getAttribute('aria-label') })()
      """)
    check(label == f"Source of work/{LAB}.cu. Tab indents. To leave the editor by keyboard, press "
          "Escape, then Tab.", "the label says how to leave", label)
    return {}


def hints_and_solution(page, fake):
    for number in (1, 2, 3):
        page.says("#next-hint", f"({number} of 3)")
        page.browser.click("#next-hint")
        page.says("#hint-list", f"Hint {number}")
        page.expect(f"document.activeElement.getAttribute('aria-label') === 'hint {number}'",
                    "the hint has the focus")
    page.says("#next-hint", "No more hints")
    check(page.count("#hint-list code") == 3, "hints are the server's markup")
    page.browser.click("#show-solution")
    page.says(".question", "You have not passed this lab yet.")
    check(page.value("document.querySelector('#solution-text').hidden"), "not shown yet")
    page.browser.press("Enter", text="\r")
    page.expect("document.querySelector('.question').hidden", "`Not yet` has the focus")
    page.browser.click("#show-solution")
    page.browser.click(".question button")
    page.says("#solution-text", "// solution <b>")
    check(page.value("!document.querySelector('#solution-text').hidden"), "shown")
    return {}


def live_run(page, fake):
    page.browser.click("#live-start")
    page.says("#live-start", "Stop")
    check(fake.said.get() == "speed 0", "full speed")
    fake.run_lines.put({"read": 0.5, "held": 0.25, "state": "paused"})
    page.says("#live-words", "Paused: 32,768 of 65,536 elements read; the bins should hold 25,367. "
              "19,028 are missing: lost, in a private copy, or on their way.")
    page.says("#live-pause", "Continue")
    bars = page.value("""[...document.querySelectorAll('#live-chart g')].map((g) =>
      [...g.querySelectorAll('rect')].map((r) => Number(r.getAttribute('height'))))""")
    check(len(bars) == 7 and all(abs(due - 3 * held) < 1 for due, held in bars),
          "the bars are the numbers", bars)
    rows = page.value("""[...document.querySelectorAll('#live-numbers tbody tr')].map((r) =>
      [...r.cells].map((c) => c.textContent))""")
    check(len(rows) == 7 and rows[0] == ["a-d", "3,620", "905", "2,715"], "the table", rows)
    page.browser.click("#live-step")
    check([fake.said.get(), fake.said.get()] == ["pause", "step 1"], "a step")
    page.browser.click("#live-pause")
    check(fake.said.get() == "speed 0", "continues")
    fake.run_lines.put({"read": 1, "held": 0.25})
    fake.run_lines.put(None)
    page.says("#live-words", "The launch has ended")
    page.says("#live-words", "updates are lost, in 7 bins.")
    page.says("#live-start", "Start")
    page.browser.click("#live-start")
    page.says("#live-start", "Stop")
    check(fake.said.get() == "speed 0", "full speed again")
    page.browser.click("#live-start")
    check(fake.said.get() == "quit", "Stop ends it")
    page.says("#live-words", "Stopped.")
    fake.run_lines.put(None)
    return {}


def race_stepper(page, fake):
    def rows():
        return page.value("document.querySelectorAll('#race-figure tbody tr:not(.ahead)').length")

    page.says("#race-words", "6 steps. Step 1 is next.")
    page.value("document.querySelector('#race-scenario').value = '3'")
    page.value("document.querySelector('#race-scenario').dispatchEvent(new Event('change'))")
    page.expect("document.querySelectorAll('#race-figure tr.lost').length === 2",
                "a lost update is marked")
    check(rows() == 0, "no step is shown yet")
    page.browser.click("#race-next")
    page.says("#race-words", "Step 1 of 6: T1 loads 0; histo[b] is 0.")
    page.browser.press("ArrowRight")
    page.browser.press("ArrowRight")
    check(rows() == 3, "arrow keys step", rows())
    page.browser.press("ArrowLeft")
    check(rows() == 2, "and back", rows())
    page.browser.click("#race-all")
    page.says("#race-words", fake.recorded.races[2]["trace"]["message"])
    page.says("#race-figure", "this update is lost: step 6 overwrites it")
    check(page.count("#race-steps li:not([hidden])") == 6, "the steps are also a list")
    page.browser.click("#race-previous")
    check(rows() == 5, "one back", rows())
    page.value("document.querySelector('#race-scenario').value = 'kernel'")
    page.value("document.querySelector('#race-scenario').dispatchEvent(new Event('change'))")
    page.expect("document.querySelector('#race-figure thead')?.textContent.includes('histo[3]')",
                "the steps of the student's kernel")
    page.browser.click("#race-all")
    page.browser.click("#race-figure .place")
    page.browser.type("X")
    page.says("#state", "not saved")
    check("\nX      histo[letter / 4] += 1;" in page.drafts()[0], "a step leads to its line",
          page.drafts())
    return {}


def on_a_phone_in_both_colours(page, fake):
    for width, dark in ((390, False), (390, True), (1280, True), (1280, False)):
        page.browser.size(width, 2400, phone=width < 500)
        page.browser.media(dark=dark)
        page.open()
        page.browser.click("#save")
        page.expect("document.querySelector('#verdict').dataset.quick === 'false'", "a verdict")
        page.value("document.querySelector('#case').value = 'bytes-256'")
        page.browser.click("#live-start")
        fake.run_lines.put({"read": 0.9, "held": 0.5, "state": "paused"})
        page.says("#live-words", "Paused")
        page.browser.click("#next-hint")
        page.browser.click("#race-all")
        name = f"{fake.editor}-{width}-{'dark' if dark else 'light'}"
        check(page.value("document.documentElement.scrollWidth") <= width,
              f"{name}: nothing is wider than the window")
        faint = page.value(TOO_FAINT)
        check(not faint, f"{name}: too faint", *faint)
        labels = page.value("""[...document.querySelectorAll('#live-chart text')].map((e) =>
          e.getBoundingClientRect()).every((r, i, all) => i === 0 || all[i - 1].right < r.left)""")
        check(labels, f"{name}: the labels of the bins do not overlap")
        page.value("scrollTo(0, 0)")
        page.browser.screenshot(name + ".png")
        fake.run_lines.put(None)
        page.says("#live-words", "The launch has ended")
    page.browser.media(dark=False)
    return {}


def chosen():
    """The scenarios, or those whose names contain a word of the command line."""
    found = [each for name, each in globals().items() if inspect.isfunction(each) and
             list(inspect.signature(each).parameters) == ["page", "fake"]]
    words = [word for word in sys.argv[1:] if word not in (*EDITORS, "textarea")]
    return [each for each in found if not words or any(word in each.__name__ for word in words)]


def main():
    chromium = find_chromium()
    if chromium is None:
        if os.environ.get("HISTOLAB_REQUIRE_CHROMIUM"):
            sys.exit("there is no Chromium")
        skip("there is no Chromium (Debian: apt-get install chromium)")
    editors = [each for each in ("codemirror6", "codemirror5", "textarea")
               if each in sys.argv or not set(sys.argv) & {*EDITORS, "textarea"}]
    for editor in editors:
        if not has_editor(editor):
            skip_part(f"there is no {re.sub('codemirror', 'CodeMirror ', editor)}")
            continue
        with Browser(chromium) as browser:
            for scenario in chosen():
                fake = Fake(editor)
                page = Page(browser, fake, f"{editor}, {scenario.__name__}")
                closing = scenario(page, fake)
                if closing is not None:
                    page.close(**closing)
                fake.stop()


main()
check.finish()
