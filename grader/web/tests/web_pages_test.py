"""The pages of `histolab serve` in a browser, without the service: the kit's labs, quizzes and docs
as web_pages_sample writes them. They are well-formed, their links lead somewhere, and they satisfy
the Content-Security-Policy. In light and dark mode, on a phone and on a wide screen, they fit, have
readable colours, and each control has a name. Pictures go to the test's current folder."""
import html.parser
import http.server
import pathlib
import re
import subprocess
import sys
import threading
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests"))
from browser import Browser, find_chromium  # noqa: E402
from histolab_program import PROGRAM, SOURCE, Checks, skip, temporary_folder  # noqa: E402

check = Checks()
SAMPLE = PROGRAM.parent.parent / "test-bin" / "web_pages_sample"
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
          "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
VOID = {"meta", "link", "br", "hr", "input"}

# Takes the place of the real scripts: shows what needs a script, and fills it as they do.
SCRIPT = r"""
for (const each of document.querySelectorAll('[data-needs-script]')) each.hidden = false;
const at = (id) => document.getElementById(id);
const add = (parent, name, text, values = {}) => {
  const element = parent.appendChild(document.createElement(name));
  element.textContent = text;
  for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
  return element;
};
if (document.body.dataset.page === 'lab') {
  at('state').textContent = 'Saved at 09:20.';
  at('verdict').dataset.status = 'failed';
  at('headline').textContent = 'no_findings failed (0 of 2 points)';
  const remark = add(at('remarks'), 'li', '');
  add(remark, 'p', 'case mixed-31: 31 bytes of mixed, block 4', {class: 'where'});
  add(remark, 'p', 'data_race: threads 0 and 2 of block 1 both update histo[3] without an atomic '
    + 'operation; one update is lost', {class: 'what'});
  add(remark, 'p', 'Reading, adding and writing are three steps.', {class: 'why'});
  add(remark, 'p', 'Make the update one step: atomicAdd(&histo[3], increment)', {class: 'next'});
  const places = add(remark, 'p', '', {class: 'places'});
  add(places, 'button', 'Line 9', {type: 'button'});
  add(places, 'button', 'Line 11', {type: 'button'});
  for (const [title, status, points] of [['every letter is counted once', 'passed', '7 of 7'],
    ['no race and no stray access', 'failed', '0 of 3'], ['fast enough', 'not_run', '0 of 2']]) {
    const row = add(at('checks').tBodies[0], 'tr', '', {'data-status': status});
    add(row, 'td', title), add(row, 'td', status.replace('_', ' '));
    add(row, 'td', points, {class: 'right'});
  }
  const hints = await (await fetch('/hints/' + document.querySelector('main').dataset.lab)).text();
  at('hint-list').innerHTML = '<article class="hint">' + hints + '</article>';
  at('solution-text').hidden = false;
  at('solution-text').textContent = '__global__ void histogram() {}\n';
  at('live-words').textContent = 'Counted 120 of 31 bytes.';
  const row = add(at('live-numbers').tBodies[0], 'tr', '');
  add(row, 'td', 'atomic operations'), add(row, 'td', '31', {class: 'right'});
  at('race-words').textContent = 'Step 3 of 6: T2 loads 0.';
  add(at('race-steps'), 'li', 'T1 loads 0');
  add(at('race-steps'), 'li', 'T2 loads 0', {'aria-current': 'step'});
  add(at('race-steps'), 'li', 'T2 stores 1; T1 has lost its update', {class: 'lost'});
  document.body.dataset.ready = 'yes';
}
"""

# The contrast of every visible text with its background (WCAG 2.2, 1.4.3), if below 4.5.
TOO_FAINT = r"""(() => {
  const channels = (color) => { const c = color.match(/[\d.]+/g).map(Number);
    return c.length < 4 ? [...c, 1] : c; };
  const luminance = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const c = channels(getComputedStyle(e).backgroundColor);
      if (c[3] === 1) return c;
    }
    return [128, 128, 128];
  };
  const found = new Map(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let texts = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest('script, noscript, option')
        || !element.checkVisibility()) continue;
    ++texts;
    const [a, b] = [luminance(channels(getComputedStyle(element).color)),
      luminance(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) found.set(element.tagName + '.' + element.className + ' in '
      + element.parentElement.tagName + '.' + element.parentElement.className,
      contrast.toFixed(2) + ' ' + node.data.trim().slice(0, 30));
  }
  return {texts, faint: [...found].map((each) => each.join(': '))};
})()"""

# Elements that stick out of the page on the right. The content of a box that scrolls may do so.
STICKS_OUT = r"""[...document.querySelectorAll('body *')].filter((e) => e.checkVisibility()
  && !e.closest('pre, .wide, .unseen, .skip, details:not([open]) ol')
  && e.getBoundingClientRect().right > innerWidth + 1)
  .map((e) => `${e.tagName}#${e.id}.${e.className}`).slice(0, 5)"""

# Buttons, links and fields that are too small to be hit with a finger (WCAG 2.2, 2.5.8: 24 px).
# Links within a sentence are exempt.
TOO_SMALL = r"""[...document.querySelectorAll(`button, select, textarea, input:not([type=hidden]),
  summary, nav a, h2 a`)].filter((e) => e.checkVisibility() && !e.matches('[type=radio]'))
  .filter((e) => { const r = e.getBoundingClientRect();
    return r.height > 0 && (r.height < 24 || r.width < 16); })
  .map((e) => `${e.tagName} ${e.textContent.trim().slice(0, 30)}: `
    + e.getBoundingClientRect().height)"""


class Page(html.parser.HTMLParser):
    """Checks that every element is closed where it should be, and keeps ids, links and headings."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.problems, self.ids, self.links, self.headings = [], [], [], [], []
        self.feed(text)
        self.close()
        if self.open:
            self.problems.append(f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        if len(names) != len(set(names)):
            self.problems.append(f"<{tag}> has an attribute twice")
        self.problems += [f"<{tag}> has {name}" for name in names
                          if name == "style" or name.startswith("on")]
        values = dict(attributes)
        if "id" in values:
            self.ids.append(values["id"])
        if tag == "a":
            self.links.append(values["href"])
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag in ("style", "iframe", "img", "object", "embed", "base"):
            self.problems.append(f"has <{tag}>")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> at {self.getpos()} closes nothing")


def file_of(folder, path):
    """The file of an address's path."""
    name = "index" if path == "/" else path.strip("/")
    return folder / (name if path.startswith("/site/") else name + ".html")


def server(folder):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            path = urllib.parse.urlsplit(self.path).path
            file = file_of(folder, path)
            found = file.is_file()
            body = file.read_bytes() if found else b"missing"
            self.send_response(200 if found or path == "/favicon.ico" else 404)
            kind = {".css": "text/css", ".js": "text/javascript"}.get(file.suffix, "text/html")
            self.send_header("Content-Type", kind + "; charset=utf-8")
            self.send_header("Content-Security-Policy", POLICY)
            self.send_header("X-Content-Type-Options", "nosniff")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    return made


def well_formed(folder):
    pages = {}
    for file in sorted(folder.rglob("*.html")):
        name = str(file.relative_to(folder))[:-len(".html")]
        if not name.startswith("hints/"):
            pages["/" if name == "index" else "/" + name] = Page(file.read_text(encoding="utf-8"))
    check(len(pages) > 50, f"{len(pages)} pages")
    for path, page in pages.items():
        check(not page.problems, f"{path} is well-formed", *page.problems[:5])
        check(len(page.ids) == len(set(page.ids)), f"{path}: ids are unique",
              *{each for each in page.ids if page.ids.count(each) > 1})
        check(page.headings[0] == 1 and page.headings.count(1) == 1, f"{path} has one h1",
              page.headings)
        check(all(b <= a + 1 for a, b in zip(page.headings, page.headings[1:])),
              f"{path}: headings go down one level at a time", page.headings)
        for link in page.links if not path.startswith("/hostile") else []:
            if link.startswith("https://"):
                continue
            where = urllib.parse.urlsplit(urllib.parse.urljoin("http://x" + path, link))
            leads = pages.get(where.path)
            check(leads and (not where.fragment or where.fragment in leads.ids),
                  f"{path}: the link {link} leads nowhere")
    for file in (folder / "hints").glob("*.html"):
        hints = Page(file.read_text(encoding="utf-8"))
        check(not hints.problems and hints.headings == [3, 3, 3], f"{file.name}: three hints",
              *hints.problems)


def names_of_controls(browser):
    """Controls of the accessibility tree without a name."""
    roles = {"button", "link", "textbox", "combobox", "slider", "radio", "checkbox", "spinbutton",
             "DisclosureTriangle", "group", "radiogroup", "navigation", "form", "region", "table"}
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    found = [(node["role"]["value"], node.get("name", {}).get("value", "").strip())
             for node in nodes if not node.get("ignored") and node["role"]["value"] in roles]
    return [role for role, name in found
            if not name and role not in ("group", "table")], len(found)


def visit(browser, address, path):
    browser.events = []
    browser.call("Page.navigate", url=address + path)
    browser.wait_for("Page.loadEventFired")
    if path.startswith("/lab/") and path.count("/") == 2:
        browser.becomes_true("document.body.dataset.ready === 'yes'")
    errors, requests = browser.complaints()
    check(not errors, f"{path}: the console is silent", *errors)
    elsewhere = [each for each in requests if not each.startswith(address)]
    check(not elsewhere, f"{path} fetches nothing from elsewhere", *elsewhere)


def looks(browser, address, path, width, dark):
    where = f"{path} at {width} px, {'dark' if dark else 'light'}"
    browser.media(dark=dark)
    browser.size(width, 900, phone=width < 500)
    visit(browser, address, path)
    check(browser.value("document.documentElement.scrollWidth <= innerWidth"),
          f"{where}: no horizontal scrolling",
          browser.value("document.documentElement.scrollWidth"))
    out = browser.value(STICKS_OUT)
    check(not out, f"{where}: nothing sticks out", *out)
    faint = browser.value(TOO_FAINT)
    check(faint["texts"] > 5 and not faint["faint"], f"{where}: readable", *faint["faint"])
    small = browser.value(TOO_SMALL)
    check(not small, f"{where}: controls are large enough", *small)
    nameless, count = names_of_controls(browser)
    check(count > 3 and not nameless, f"{where}: each control has a name", *nameless)
    browser.screenshot(f"{path.strip('/').replace('/', '-') or 'list'}-{width}-"
                       f"{'dark' if dark else 'light'}.png")


def menu(browser, address):
    browser.size(390, 900, phone=True)
    visit(browser, address, "/lab/02-atomic-add")
    browser.click(".labs summary")
    check(browser.value("document.querySelector('.labs').open"), "the menu of labs opens")
    box = browser.value("(() => { const r = document.querySelector('.labs ol')"
                        ".getBoundingClientRect(); return [r.left, r.right]; })()")
    check(box[0] >= 0 and box[1] <= 390, "the menu is within a phone's screen", *box)
    check(browser.value("document.querySelectorAll('.labs ol a').length") == 14, "with every lab")


def scrolls_apart(browser, address):
    browser.size(1280, 900)
    visit(browser, address, "/lab/02-atomic-add")
    tops = browser.value("""(() => {
      const lesson = document.getElementById('lesson'), bench = document.getElementById('bench');
      lesson.scrollTo({top: 300, behavior: 'instant'});
      return [lesson.scrollTop, bench.scrollTop, scrollY,
        document.documentElement.scrollHeight <= innerHeight,
        lesson.getBoundingClientRect().right <= bench.getBoundingClientRect().left + 1];
    })()""")
    check(tops == [300, 0, 0, True, True], "on a wide screen each side scrolls alone", *tops)
    browser.press("Tab")
    check(browser.value("document.activeElement.className") == "skip",
          "the first stop of Tab is a link to the lesson")
    left = browser.value("document.activeElement.getBoundingClientRect().left")
    check(left >= 0, "which is then visible", left)
    browser.press("Enter", text="\r")
    check(browser.becomes_true("document.activeElement.id === 'lesson'"),
          "and moves the focus to the lesson")
    browser.size(390, 900, phone=True)
    check(browser.value("document.getElementById('lesson').getBoundingClientRect().bottom <= "
                        "document.getElementById('bench').getBoundingClientRect().top + 1"),
          "on a phone the work is below the lesson")


def keyboard(browser, address, path, width):
    """Tab reaches every control, and each shows that it has the focus and is not covered."""
    browser.size(width, 900, phone=width < 500)
    visit(browser, address, path)
    stops = []
    for _ in range(200):
        browser.press("Tab")
        stop = browser.value("""(() => {
          const e = document.activeElement, r = e.getBoundingClientRect();
          if (e === document.body) return null;
          const x = Math.min(Math.max(r.left + 4, 1), innerWidth - 2);
          const y = Math.min(Math.max(r.top + 4, 1), innerHeight - 2);
          const top = document.elementFromPoint(x, y);
          const style = getComputedStyle(e);
          return {name: `${e.tagName}#${e.id} ${e.textContent.trim().slice(0, 30)}`,
            marked: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1,
            seen: r.bottom > 0 && r.top < innerHeight && (e.contains(top) || top?.contains(e))};
        })()""")
        if stop is None or stop["name"] in [each["name"] for each in stops[:1]]:
            break
        stops.append(stop)
    where = f"{path} at {width} px, by keyboard"
    check(5 < len(stops) < 200, f"{where}: {len(stops)} stops")
    unmarked = [each["name"] for each in stops if not each["marked"]]
    check(not unmarked, f"{where}: the focus is visible", *unmarked)
    covered = [each["name"] for each in stops if not each["seen"]]
    check(not covered, f"{where}: what has the focus is not covered", *covered)


def without_javascript(browser, address):
    browser.scripts(allowed=False)
    browser.events = []
    browser.call("Page.navigate", url=address + "/lab/02-atomic-add")
    browser.wait_for("Page.loadEventFired")
    shown = browser.call("Accessibility.getFullAXTree")["nodes"]
    names = [node.get("name", {}).get("value", "") for node in shown if not node.get("ignored")]
    check("Source of work/02-atomic-add.cu" in names, "without JavaScript the kernel is shown")
    check(any("needs JavaScript" in each for each in names), "with the way to go on without it")
    check("Save and grade" not in names and "Start" not in names,
          "and without the buttons that would do nothing")
    browser.scripts(allowed=True)


def printed(browser, address):
    visit(browser, address, "/lab/02-atomic-add")
    browser.media(dark=True, printed=True)
    check(browser.value("getComputedStyle(document.getElementById('bench')).display") == "none",
          "on paper there is only the lesson")
    check(browser.value("getComputedStyle(document.body).color") == "rgb(0, 0, 0)",
          "in black, also in dark mode")
    pages = len(re.findall(rb"/Type\s*/Page\b", browser.pdf()))
    check(2 <= pages <= 12, f"the whole lesson is printed, on {pages} pages")
    browser.media()


def hostile(browser, address):
    for name in ("list", "lab", "quiz", "document", "error"):
        browser.size(390, 900, phone=True)
        visit(browser, address, "/hostile/" + name)
        got = browser.value("[document.scripts.length, document.images.length, "
                            "document.querySelectorAll('[autofocus], [onfocus]').length, "
                            "document.body.textContent.includes('<script>alert(1)')]")
        check(got == [1, 0, 0, True], f"/hostile/{name}: markup is text", *got)
        check(browser.value("document.documentElement.scrollWidth <= innerWidth"),
              f"/hostile/{name} fits on a phone")


chromium = find_chromium()
with temporary_folder(prefix="histolab-pages-") as out:
    subprocess.run([SAMPLE, SOURCE, out], check=True)
    (out / "site" / "lab.js").write_text(SCRIPT)
    well_formed(out)
    if not chromium:
        check.finish()
        skip("there is no Chromium here (apt-get install chromium)")
    serving = server(out)
    root = f"http://127.0.0.1:{serving.server_address[1]}"
    with Browser(chromium) as chrome:
        chrome.call("Accessibility.enable")
        for shown in ("/", "/lab/02-atomic-add", "/lab/08-register-privatization",
                      "/lab/02-atomic-add/quiz", "/lab/01-race/quiz", "/glossary",
                      "/docs/counters.md", "/docs/measurements/README.md", "/error/404"):
            for pixels in (390, 1280):
                for is_dark in (False, True):
                    looks(chrome, root, shown, pixels, is_dark)
        chrome.media()
        menu(chrome, root)
        scrolls_apart(chrome, root)
        for pixels in (390, 1280):
            for shown in ("/", "/lab/02-atomic-add", "/lab/01-race/quiz"):
                keyboard(chrome, root, shown, pixels)
        without_javascript(chrome, root)
        printed(chrome, root)
        hostile(chrome, root)
    serving.shutdown()
check.finish()
