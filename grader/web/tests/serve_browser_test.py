#!/usr/bin/env python3
"""A student's way through `histolab serve` in a real browser: lesson, a wrong kernel, the mistake
in the margin, a hint, the right kernel, the solution, a live run, a race, the quiz. No page writes
to the console, asks another server, or breaks a rule of the content security policy."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from serving import Server  # noqa: E402
from browser import Browser, find_chromium  # noqa: E402
from histolab_program import SOURCE, Checks, skip, temporary_folder  # noqa: E402

check = Checks()
LAB = "02-atomic-add"
WATCH = """window.violations = [];
document.addEventListener('securitypolicyviolation',
  (e) => violations.push(`${e.violatedDirective} ${e.blockedURI} ${e.sourceFile}:${e.lineNumber} ` +
    `${e.sample}`));"""


class Student:
    """What a student does and sees on the pages of a server."""

    def __init__(self, browser, server):
        self.browser, self.server = browser, server
        browser.on_each_page(WATCH)

    def open(self, path):
        self.leave()
        self.path = path
        self.browser.open_url(f"http://{self.server.host}{path}")

    def leave(self):
        """Checks the page that is left."""
        if not hasattr(self, "path"):
            return
        said = [str(data) for name, data in self.browser.events
                if name in ("Log.entryAdded", "Runtime.consoleAPICalled",
                            "Runtime.exceptionThrown")]
        check(not said, f"{self.path}: the console has", *said)
        asked = [data["request"]["url"] for name, data in self.browser.events
                 if name == "Network.requestWillBeSent"]
        check(asked, f"{self.path}: no request was seen")
        strange = [url for url in asked if not url.startswith(f"http://{self.server.host}/")]
        check(not strange, f"{self.path}: asks elsewhere", *strange)
        violations = self.browser.value("window.violations")
        check(violations == [], f"{self.path}: against the policy", violations)

    def expect(self, expression, what):
        check(self.browser.becomes_true(f"Boolean({expression})"), what)

    def says(self, selector, words):
        self.expect(f"document.querySelector({json.dumps(selector)})?.textContent"
                    f".includes({json.dumps(words)})", f"{selector} says {words!r}")

    def write(self, text):
        """Replaces the text in the editor, and saves it with Ctrl-S."""
        self.browser.value("document.querySelector('label[for=text]').click()")
        self.browser.press("a", "KeyA", control=True)
        self.browser.type(text)
        self.browser.press("s", "KeyS", control=True)

    def is_graded(self, words, quick):
        self.says("#headline", words)
        self.expect(f"document.querySelector('#verdict').dataset.quick === '{quick}' && "
                    f"!document.querySelector('#verdict').ariaBusy", f"graded: {words}")


def walk(student, folder):
    student.open(student.server.link)
    student.says("main", "You have passed 0 of 14 labs")
    student.open(f"/lab/{LAB}")
    student.says("#lesson", "atomic operation")
    student.expect("document.body.dataset.ready", "the scripts are ready")

    # A race, saved in the page: the line and its mark.
    solution = (SOURCE / "labs" / LAB / "solution.cu").read_text()
    # One line: an editor would indent the others.
    wrong = " ".join(line for line in solution.splitlines() if not line.startswith("//"))
    wrong = wrong.replace("atomicAdd(&histo[letter / 4], 1u)", "histo[letter / 4] += 1")
    check("+= 1" in wrong, "the solution of the lab has changed", wrong)
    student.write(wrong)
    student.says("#state", "saved")
    student.is_graded("no_findings failed", "true")
    student.says("#remarks", "data_race")
    student.expect("""[document, document.querySelector('#editor').shadowRoot]
      .some((root) => root?.querySelector('.mark.error'))""", "the line has a mark")
    file = folder / "work" / f"{LAB}.cu"
    check(file.read_text() == wrong, "the file has the text of the page", file.read_text())
    student.browser.click("#next-hint")
    student.says("#hint-list", "Hint 1 of 3")

    # The right kernel, saved by an editor: the page has it, too.
    file.write_text(solution)
    student.is_graded("passed", "false")
    student.says("#checks", "passed")
    student.browser.click("#show-solution")
    student.says("#solution-text", "atomicAdd")

    student.browser.click("#live-start")
    student.says("#live-words", "The launch has ended")
    student.expect("document.querySelectorAll('#live-chart svg rect').length >= 7", "bars")
    student.browser.click("#race-next")
    student.says("#race-words", "Step 1 of 6")
    student.expect("""document.querySelector('#race-scenario').value = [...document.querySelectorAll(
      '#race-scenario option')].at(-1).value""", "the kernel itself can be chosen")
    student.browser.value("""document.querySelector('#race-scenario').dispatchEvent(
      new Event('change', {bubbles: true}))""")
    student.says("#race-steps", "atomic")

    student.open("/")
    student.says("main", "You have passed 1 of 14 labs")
    student.open("/lab/07-global-privatization/quiz")
    student.browser.value("""(() => { const form = document.querySelector('form');
      (form.querySelector('input[type=radio]') ?? form.querySelector('input[type=text]')).click();
      const text = form.querySelector('input[type=text]'); if (text) text.value = '1';
      form.querySelector('button').click(); })()""")
    student.expect("location.hash.length > 1 && window.violations", "the answer was taken")
    student.open("/glossary")
    student.says("h1", "Glossary")
    student.open("/lab/14-whole-program")
    student.expect("document.body.dataset.ready", "the lab of a whole program is ready")
    student.leave()


def main():
    program = find_chromium()
    if not program:
        skip("there is no Chromium")
    with temporary_folder() as folder, Server(folder) as server, Browser(program) as browser:
        walk(Student(browser, server), folder)
    check.finish()


if __name__ == "__main__":
    main()
