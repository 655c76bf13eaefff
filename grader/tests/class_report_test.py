"""The class report in a browser. It loads without errors and without network requests, hostile
input appears as text, and sorting and filtering work by mouse and keyboard. It is readable
without JavaScript, in dark mode, on a phone and on paper. Pictures go to the test's current
folder."""
import html
import os
import pathlib
import re
import shutil
import subprocess
import time

from browser import Browser, find_chromium
from histolab_program import PROGRAM, SOURCE, Checks, histolab, skip

check = Checks()
SAMPLE = PROGRAM.parent.parent / "test-bin" / "class_report_sample"

# The contrast of every visible text with its background (WCAG 2.2, 1.4.3), if below 4.5.
TOO_FAINT = r"""(() => {
  const channels = (color) => { const c = color.match(/[\d.]+/g).map(Number); return c.length < 4 ? [...c, 1] : c; };
  const luminance = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => { for (let e = element; e; e = e.parentElement) { const c = channels(getComputedStyle(e).backgroundColor); if (c[3] === 1) return c; } return matchMedia('(prefers-color-scheme: dark)').matches ? [0, 0, 0] : [255, 255, 255]; };
  const found = new Map(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let texts = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest('script, title, option') || !element.checkVisibility()) continue;
    ++texts;
    const style = getComputedStyle(element), svg = element.namespaceURI.endsWith('svg');
    const [a, b] = [luminance(channels(svg ? style.fill : style.color)), luminance(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) found.set(element.tagName + '.' + (element.getAttribute('class') ?? '') + ' in ' + element.parentElement.tagName + '.' + (element.parentElement.getAttribute('class') ?? ''), contrast.toFixed(2) + ' ' + node.data.trim().slice(0, 30));
  }
  return {texts, faint: [...found].map((each) => each.join(': '))};
})()"""


# Every box whose content is wider or higher than the box, so that it is cut off or must be
# scrolled.
CUT = r"""[...document.querySelectorAll('body *')].filter((e) => e.checkVisibility() && !e.closest('.unseen, .skip, svg, select, input')
  && getComputedStyle(e).display !== 'inline' && getComputedStyle(e).overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1)
  .map((e) => `${e.tagName}.${e.className}: ${e.scrollWidth} > ${e.clientWidth}: ${e.textContent.trim().slice(0, 60)}`)"""


# Every word of a table's headings that is broken across lines.
BROKEN = r"""(() => {
  const found = [], range = document.createRange();
  for (const heading of document.querySelectorAll('thead th:not(:has(.unseen))')) {
    const walker = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const word of node.data.matchAll(/[^\s-]+/g)) {
        range.setStart(node, word.index), range.setEnd(node, word.index + word[0].length);
        if (heading.checkVisibility() && range.getClientRects().length > 1) found.push(word[0]);
      }
  }
  return found;
})()"""


def page(*arguments):
    """A page of a generated class, as a file."""
    path = pathlib.Path("-".join(map(str, arguments)) + ".html")
    with open(path, "wb") as out:
        subprocess.run([SAMPLE, *map(str, arguments)], stdout=out, check=True)
    return path


def quiet(browser, when):
    errors, requests = browser.complaints()
    check(not errors, f"the browser complains {when}", *errors)
    check(not requests, f"the page fetches something {when}", *requests)


def shown(browser):
    return browser.value("[...document.querySelectorAll('table.class tbody tr')].filter((row) => "
                         "row.checkVisibility()).map((row) => row.cells[0].textContent)")


def column(browser, title):
    return browser.value("(() => { const table = document.querySelector('table.class'); const at = "
                         "[...table.tHead.rows[0].cells].findIndex((c) => "
                         "c.textContent.includes('%s'));"
                         " return [...table.tBodies[0].rows].map((row) => "
                         "parseFloat(row.cells[at].textContent)); })()" % title)


def sorts_and_filters(browser, small):
    browser.open(small)
    total = "table.class thead th:last-child"
    check(browser.value("document.querySelectorAll('table.class thead th > button').length") == 6,
          "each heading of the class is a button")
    browser.click(total + " button")
    scores = column(browser, "Total")
    check(scores == sorted(scores) and len(scores) == 8, "a click on Total sorts", scores)
    check(browser.value(f"document.querySelector('{total}').ariaSort") == "ascending",
          "the heading says that it is sorted")
    browser.click(total + " button")
    check(column(browser, "Total") == sorted(scores, reverse=True),
          "a second click reverses the order")
    check(browser.value("[...document.querySelectorAll('table.class thead th')].filter((c) => "
                        "c.ariaSort).length") == 1, "only one heading is marked as sorted")
    browser.value("document.querySelector('table.class thead button').focus()")
    browser.press("Enter", text="\r")
    names = shown(browser)
    check(names == sorted(names, key=str.lower), "Enter on a heading sorts by it", *names)
    check(browser.value("document.querySelector('table.class thead th').ariaSort") == "ascending",
          "Enter on Student sorts by it")

    browser.click("#words")
    browser.type("gray")
    check(shown(browser) == ["Gray, Gus (gray-1)", "Gray, Gus (gray-2)"],
          "the filter keeps the rows that contain the words", *shown(browser))
    check(browser.value("document.getElementById('count').textContent") == "2 of 8 students",
          "the count is the number of visible students")
    check(browser.value("document.getElementById('count').ariaLive") == "polite",
          "a screen reader announces the count")
    browser.value("document.getElementById('words').select()")
    browser.type("<img")
    check(len(shown(browser)) == 1, "the filter treats markup as text")
    browser.value("(() => { const w = document.getElementById('words'); w.value = ''; "
                  "w.dispatchEvent(new Event('input')); })()")
    browser.value("(() => { const k = document.getElementById('kind'); k.value = 'review'; "
                  "k.dispatchEvent(new Event('change')); })()")
    check(len(shown(browser)) == 4, "the filter shows only the students to look at first",
          *shown(browser))
    quiet(browser, "after sorting and filtering")


def works_by_keyboard(browser, small):
    browser.open(small)
    browser.press("Tab")
    check(browser.value("document.activeElement.textContent") ==
          "Skip to the table of all students", "the first Tab stop is the skip link")
    check(browser.value("document.activeElement.getBoundingClientRect().x >= 0"),
          "the skip link is visible while it has the focus")
    browser.press("Enter", text="\r")
    check(browser.value("location.hash") == "#class", "the skip link leads to the class")
    stops = []
    for _ in range(12):
        browser.press("Tab")
        stops.append(browser.value("document.activeElement.tagName + ' ' + "
                                   "(document.activeElement.id || "
                                   "document.activeElement.textContent)"))
    check(stops[0] == "INPUT words" and stops[1] == "SELECT kind" and
          any(stop.startswith("BUTTON Student") for stop in stops),
          "Tab continues from the filter to the table", *stops)


def has_valid_structure(browser, small):
    browser.open(small)
    levels = browser.value("[...document.querySelectorAll('h1, h2, h3, h4')].map((h) => "
                           "+h.tagName[1])")
    check(levels[0] == 1 and levels.count(1) == 1,
          "one heading of the first level, and it is the first")
    check(all(b <= a + 1 for a, b in zip(levels, levels[1:])), "no level of headings is skipped",
          levels)
    check(browser.value("[...document.querySelectorAll('svg')].every((s) => s.ariaHidden === "
                        "'true' || (s.role === 'img' && s.ariaLabel))"),
          "each picture says what it shows")
    check(browser.value("[...document.querySelectorAll('input, select')].every((i) => "
                        "i.labels.length === 1)"), "each field has a label")
    check(browser.value("[...document.querySelectorAll('th')].every((t) => t.scope)"),
          "each table heading has a scope")
    ids = browser.value("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    check(len(ids) == len(set(ids)), "each id is unique")
    check(browser.value("[...document.querySelectorAll('a[href]')].every((a) => "
                        "a.getAttribute('href')[0] === '#' && "
                        "document.getElementById(a.hash.slice(1)))"),
          "each link leads to a place on the page")


def contrast(browser, small):
    for dark in (False, True):
        browser.media(dark=dark)
        browser.open(small)
        browser.value("document.querySelectorAll('details').forEach((each) => { each.open = true; "
                      "})")
        got = browser.value(TOO_FAINT)
        check(got["texts"] > 300, "many texts were checked", got["texts"])
        check(not got["faint"], f"texts with a contrast below 4.5, {'dark' if dark else 'light'}",
              *got["faint"])
        quiet(browser, "in dark mode" if dark else "in light mode")
        browser.value(f"document.documentElement.style.setProperty('--quiet', "
                      f"'{'#666' if dark else '#999'}')")
        check(browser.value(TOO_FAINT)["faint"], "the check finds grey on grey")
    browser.media()


def hostile(browser, small):
    browser.open(small)
    browser.value("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    browser.value("new Promise((done) => setTimeout(done, 300))")
    quiet(browser, "with hostile input")
    tags = set(browser.value("[...document.body.querySelectorAll('*')].map((e) => "
                             "e.tagName.toLowerCase())"))
    check("img" not in tags and "iframe" not in tags, "no text became markup", *tags)
    check(browser.value("document.querySelectorAll('script').length") == 1,
          "the page's script is the only one")
    check(browser.value("[...document.querySelectorAll('*')].every((e) => "
                        "e.getAttributeNames().every((name) => !name.startsWith('on') && name !== "
                        "'style'))"), "no element has a handler or a style")
    check(browser.value("document.body.textContent.includes('<script>alert(1)</script>')"),
          "the hostile text is there, as text")
    check(not browser.value("/[\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.textContent)"),
          "no character changes the writing direction")
    browser.value("document.body.append(Object.assign(document.createElement('script'), "
                  "{textContent: 'window.ran = 1'}))")
    check(browser.value("window.ran ?? 0") == 0, "the page's policy blocks other scripts")


def opens_students(browser, small):
    browser.open(small)
    browser.click("table.class a[href='#s2']")
    check(browser.becomes_true("document.getElementById('s2').checkVisibility()"),
          "a name opens the student's section")
    check(browser.becomes_true("(() => { const y = "
                               "document.getElementById('s2').getBoundingClientRect().y; return y "
                               ">= 0 && y < innerHeight; })()"), "the student's section is visible")
    numbers = browser.value("(() => { const line = document.querySelector('#s2 pre.e'); return "
                            "[getComputedStyle(line).getPropertyValue('--f'), line.textContent]; "
                            "})()")
    check(numbers[0].strip() == "7" and "histo[letter / 4] += 1;" in numbers[1],
          "the line of the finding is marked, with its number", *numbers)
    browser.screenshot("student.png")
    browser.click("#openers button:last-child")
    check(browser.value("[...document.querySelectorAll('details')].every((each) => !each.open)"),
          "one button closes all sections")
    browser.click("#openers button:first-child")
    check(browser.value("[...document.querySelectorAll('details')].every((each) => each.open)"),
          "one button opens all sections")


def compares_side_by_side(browser, small):
    for scripts in (True, False):
        browser.scripts(scripts)
        browser.open(small)
        browser.value("document.querySelector('#d3').closest('details')"
                      ".querySelector('summary').focus()")
        browser.press("Enter", text="\r")
        check(browser.value("document.getElementById('d3').checkVisibility()"),
              f"Enter opens a comparison, {'with' if scripts else 'without'} a script")
        columns = browser.value("[...document.querySelectorAll('#d3 tbody "
                                "tr')[1].cells].map((cell) => cell.getBoundingClientRect().width)")
        check(abs(columns[1] - columns[3]) < 3 and min(columns[1], columns[3]) > 480 and
              max(columns[0], columns[2]) < 60, "both sources have half of the page", *columns)
        rows = browser.value("[...document.querySelectorAll('#d3 tbody tr')].map((row) => "
                             "[...row.cells].map((cell) => cell.textContent.trimEnd()))")
        check(all(row[0] == row[2] and row[1] == row[3] for row in rows[:9]) and len(rows) == 10,
              "equal lines face each other", *rows)
        check(browser.value("[...document.querySelectorAll('#d3 mark')].map((word) => "
                            "word.textContent)") == ["// c"], "the differing words are marked")
    browser.scripts(True)
    browser.open(small)
    browser.click("a[href='#d3']")
    check(browser.becomes_true("document.getElementById('d3').checkVisibility()"),
          "the list opens a comparison")
    browser.screenshot("comparison.png")


def without_script(browser, small):
    browser.scripts(False)
    browser.open(small)
    quiet(browser, "without JavaScript")
    # The protocol's own questions still run.
    check(not browser.value("document.getElementById('tools').checkVisibility() || "
                            "document.getElementById('openers').checkVisibility()"),
          "controls that need a script are hidden without one")
    check(len(shown(browser)) == 8, "the class is shown without a script")
    browser.value("document.querySelector('#students ~ details.student summary').focus()")
    browser.press("Enter", text="\r")
    check(browser.value("document.getElementById('s1').checkVisibility()"),
          "a student opens without a script")
    browser.scripts(True)


def on_paper(browser, small):
    browser.open(small)
    browser.media(printed=True)
    check(not browser.value("document.querySelector('nav').checkVisibility() || "
                            "document.getElementById('tools').checkVisibility()"),
          "buttons and links are not printed")
    browser.media()
    pdf = browser.pdf()
    check(pdf.startswith(b"%PDF-") and len(pdf) > 20000, "the page prints", len(pdf))
    closed = pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ")
    browser.value("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    opened = browser.pdf()
    check(len(opened) > len(pdf), "open sections are printed in full", closed)
    pathlib.Path("class.pdf").write_bytes(opened)


def on_a_phone(browser, small):
    browser.size(390, 844, phone=True)
    browser.open(small)
    browser.value("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    check(browser.value("document.documentElement.scrollWidth") <= 390,
          "on a phone only tables and code scroll sideways",
          browser.value("document.documentElement.scrollWidth"))
    browser.screenshot("phone.png")
    browser.size(1280, 900)


def nothing_is_cut_off(browser, real):
    for path in (page("small"), page("wide"), page("large", 40, 60), page("anonymous"), real):
        browser.open(path)
        browser.value("document.querySelectorAll('details').forEach((each) => { each.open = true; "
                      "})")
        browser.value("document.querySelectorAll('.student').forEach((each) => { "
                      "each.style.contentVisibility = 'visible'; })")
        check(browser.value("innerWidth") == 1280 and
              browser.value("document.documentElement.scrollWidth") <= 1280,
              f"{path} is not wider than 1280 pixels")
        cut = browser.value(CUT)
        check(not cut, f"{path}: nothing is cut off at 1280 pixels", *cut)
        broken = browser.value(BROKEN)
        check(not broken, f"no word in a heading of {path} is broken", *broken)
        narrow = browser.value("[...document.querySelectorAll('td, th')].filter((e) => "
                               "e.checkVisibility() && e.textContent.trim().length > 3 && "
                               "e.clientWidth < 40).map((e) => e.textContent)")
        check(not narrow, f"no cell of {path} is too narrow for a word", *narrow)
    browser.open(page("wide"))
    browser.value("(() => { const s = document.querySelector('table.class tbody th').style; "
                  "s.overflow = 'hidden'; s.whiteSpace = 'nowrap'; s.maxWidth = '8rem'; })()")
    check(browser.value(CUT), "the check finds a name that is cut off")


def large_class(browser):
    path = page("large", 300, 60)
    size = path.stat().st_size
    check(size < 5_000_000, "300 students with six kernels of 60 lines take less than 5 MB", size)
    started = time.monotonic()
    browser.open(path)
    took = time.monotonic() - started
    times = browser.value("(() => { const n = performance.getEntriesByType('navigation')[0]; "
                          "return "
                          "[performance.getEntriesByName('first-contentful-paint')[0]?.startTime "
                          "?? 0, n.domContentLoadedEventEnd, n.loadEventEnd]; })()")
    print(f"300 students x 6 labs x 60 lines: {size / 1e6:.2f} MB; opened in {took:.2f} s (first "
          f"paint {times[0] / 1000:.2f} s, script done {times[1] / 1000:.2f} s, loaded "
          f"{times[2] / 1000:.2f} s)")
    quiet(browser, "with a large class")
    check(len(shown(browser)) == 300, "all students are in the table")
    browser.click("table.class thead th:last-child button")
    scores = column(browser, "Total")
    check(scores == sorted(scores), "sorting works for a large class")
    browser.value("scrollTo(0, 0)")
    browser.screenshot("large.png")


def anonymous(browser):
    browser.open(page("anonymous"))
    quiet(browser, "without names")
    text = browser.value("document.documentElement.textContent")
    check(not any(word in text for word in ("Adams", "Gray", "Fox", "alert(1)", "Jane")),
          "an anonymous page has no names")
    check(shown(browser)[0] == "Student 1", "students have numbers", *shown(browser))
    browser.click("table.class thead button")
    quiet(browser, "without names")


def check_advice(name, kernel, page):
    """The advice on a student's page equals the terminal's word for word, except source lines."""
    printed = histolab("grade", "02", "--submission", kernel, "--seed", "1", "--json",
                       "report.json").stdout
    advice = printed.split("\n02-atomic-add: ", 1)[1].split("\n\n")[0].splitlines()
    advice = [line for line in advice if not re.match(r"  \S.*\.cu:\d+(:\d+)?$|\s+\d* \| ", line)]
    section = page[page.index(f"<h3>{html.escape(name, quote=False)}</h3>"):]
    shown_advice = re.search(r"<div class=advice>(.*?)</div>", section, re.DOTALL)
    words = (" ".join(html.unescape(re.sub(r"<[^>]*>", " ", shown_advice[1])).split())
             if shown_advice else "no advice")
    check(words == " ".join(" ".join(advice).split()), f"the page of {name} says what grade says",
          words, *advice)


def grade_real_batch():
    """Grades a class with hostile names and kernels from the labs. Returns its page."""
    names = {"<img src=x onerror=alert(1)>":
                 "labs/02-atomic-add/attempts/plain-increment/kernel.cu",
             "Roe, Jane \u202eenaJ": "labs/02-atomic-add/solution.cu",
             "a'\"&amp;\n=1+1": "labs/02-atomic-add/attempts/no-bound-check/kernel.cu",
             "the stub": "labs/02-atomic-add/stub.cu",
             "Racer": "labs/02-atomic-add/attempts/plain-increment/kernel.cu",
             "Parenthesis": "grader/messages/missing-paren.cu"}
    for name, kernel in names.items():
        folder = pathlib.Path("handed-in", name)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "02-atomic-add.cu").write_bytes((SOURCE / kernel).read_bytes())
    shutil.rmtree("results", ignore_errors=True)
    graded = histolab("batch", "handed-in", "02", "--out", "results", "--seed", "1")
    check(graded.returncode == 1, "a class is graded", graded.returncode, graded.stdout,
          graded.stderr)
    done = histolab("report", "results", "--html", "real.html")
    check(done.returncode == 0 and done.stdout == "" and "real.html, 6 students" in done.stderr,
          "the class gets a page", done.stdout, done.stderr)
    text = pathlib.Path("real.html").read_text()
    check("data race on histo: updated without an atomic operation" in text,
          "the first mistake has its name")
    check("access out of bounds on data: the index is not tested against the length" in text,
          "the other mistake has its name, too")
    for name, kernel in names.items():
        if name in ("the stub", "Racer", "Parenthesis"):
            check_advice(name, SOURCE / kernel, text)
    check("The source is the lab's stub, unchanged." in text, "a stub is called a stub")
    check("<img" not in text and "\u202e" not in text, "names appear as text")
    again = histolab("report", "results", "--html", "-")
    check(again.returncode == 0 and again.stdout == text,
          "the same journal gives the same page, also on the standard output", again.stderr)
    check("Roe" not in histolab("report", "results", "--html", "-", "--anonymous").stdout,
          "--anonymous omits names")
    missing = histolab("report", "nowhere", "--html", "x.html")
    check(missing.returncode == 2 and "nowhere" in missing.stderr and
          not pathlib.Path("x.html").exists(), "no results, no page", missing.stderr)
    nowhere = histolab("report", "results", "--html", "no/such/folder.html")
    check(nowhere.returncode == 2 and "no/such" in nowhere.stderr,
          "the error names the path that cannot be written", nowhere.stderr)
    return pathlib.Path("real.html")


def real_page(browser, path):
    browser.open(path)
    browser.value("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    quiet(browser, "with a real class")
    check(len(shown(browser)) == 6, "all submitters are listed", *shown(browser))
    marked = browser.value("[...document.querySelectorAll('.student pre.e')].map((line) => "
                           "line.textContent)")
    check(any("+=" in line for line in marked), "the racing line is marked", *marked)
    check(browser.value("document.querySelectorAll('.figures tbody tr').length") > 0,
          "counters are shown next to those of the solution")


real = grade_real_batch()
program = find_chromium()
if not program:
    if os.environ.get("HISTOLAB_REQUIRE_CHROMIUM"):
        check(False, "there is no Chromium here, and this run must have one")
        check.finish()
    if check.failed:
        check.finish()
    skip("there is no Chromium here (Debian: apt-get install chromium)")
with Browser(program) as chromium:
    sample = page("small")
    for part in (sorts_and_filters, works_by_keyboard, has_valid_structure, contrast, hostile,
                 opens_students, compares_side_by_side, without_script, on_paper, on_a_phone):
        part(chromium, sample)
    nothing_is_cut_off(chromium, real)
    large_class(chromium)
    anonymous(chromium)
    real_page(chromium, real)
check.finish()
