"""A user who has never seen histolab goes from the list of labs to lab 06 passed, at a terminal.

The user relies only on the screen: the next command, the file, the line to fix, the key that
continues. On the way the user makes five common mistakes. Every screen fits the terminal, names a
next step, and has at most six lines of words.
"""
import json
import re
import shlex
import shutil

from histolab_program import PROGRAM, SOURCE, Checks, histolab, skip_part, temporary_folder
from pseudo_terminal import PseudoTerminal, WatchTerminal

check = Checks()
COLUMNS = 80
LABS = [json.loads(file.read_text()) for file in (SOURCE / "labs").glob("*/lab.json")]
NAMES = [file.parent.name for file in (SOURCE / "labs").glob("*/lab.json")]
POINTS = sum(lab["max_score"] for lab in LABS)


def solution_of(lab):
    return (SOURCE / "labs" / lab / "solution.cu").read_text()


class Newcomer:
    def __init__(self, folder, command):
        self.folder = folder
        self.terminal = WatchTerminal([PROGRAM, *command], folder, columns=COLUMNS)
        self.seen = []

    def screen_with(self, pattern):
        screen = self.terminal.settled(pattern)
        self.look_at(screen)
        return screen

    def look_at(self, screen):
        for line in screen.split("\n"):
            check(len(line) <= COLUMNS, "a line is wider than the terminal", line)
        if re.search(r"(failed|was not run) \(|does not compile", screen):
            check("next: " in screen, "what is wrong has a next step", screen)
            block = re.split(r"\n\n",
                             screen.split("(" if "points)" not in screen else "points)\n",
                                          1)[-1])[0]
            words = [line for line in block.split("\n")
                     if line.startswith("  ") and
                     not re.match(r"\s+(\d+ )?\| |\s+work/\S+:\d+$", line)]
            check(len(words) <= 6, "a message takes six lines at most", screen)
        if self.seen[-1:] != [screen]:
            self.seen.append(screen)

    def file_on_screen(self):
        name = re.search(r"work/\S+?\.cu", self.terminal.screen())
        assert name, f"no file is named:\n{self.terminal.screen()}"
        return self.folder / name.group(0)

    def save(self, text, verdict):
        """Saves like an editor. Returns the screen with the verdict on all cases."""
        path = self.file_on_screen()
        self.terminal.forget()
        fresh = path.with_suffix(".cu.new")
        fresh.write_text(text)
        fresh.rename(path)
        return self.screen_with(verdict)

    def press(self, key, pattern):
        self.terminal.forget()
        self.terminal.press(key)
        return self.screen_with(pattern)

    def read_the_lesson(self):
        # the lesson is then on `watch`'s screen, and q would end `watch`
        if shutil.which("less") is None:
            return skip_part("there is no less here: the lesson is not read in a pager")
        self.terminal.forget()
        self.terminal.press("l")
        self.terminal.wait_for("q goes back")
        self.terminal.press("q")
        self.screen_with(FAILED)

    def solution(self):
        """The output of `s` when pressed twice: source lines, of any length."""
        self.press("s", r"s again shows its solution")
        self.terminal.resize(COLUMNS, 200)  # all on one screen
        self.terminal.forget()
        self.terminal.press("s")
        screen = self.terminal.wait_for(r"// .*solution\.cu(?s:.)*\n}\n")
        shown = screen[screen.index("// "):]
        return shown[shown.index("\n") + 1:shown.rindex("\n}\n") + 3]


FAILED = r"next: fix"
PASSED = r"next: n continues with"


def line_named(screen):
    place = re.search(r"work/\S+?\.cu:(\d+)", screen)
    assert place, f"no line is named:\n{screen}"
    return int(place.group(1))


def line_of(text, fragment):
    return next(number for number, line in enumerate(text.split("\n"), 1) if fragment in line)


def mistake(newcomer, wrong, fragment, told, mended):
    """Saves a mistake, gets a message with the line, fixes it."""
    screen = newcomer.save(wrong, FAILED)
    check(line_named(screen) == line_of(wrong, fragment), f"the line with {fragment!r} is named",
          screen)
    flat = " ".join(screen.split())
    for words in told:
        check(words in flat, f"the screen says {words!r}", screen)
    return newcomer.save(mended, PASSED)


def main():
    with temporary_folder() as folder:
        # A wrong guess: the error is wrapped at words to the terminal's width.
        terminal = PseudoTerminal([PROGRAM, "grade", "histogram"], folder, columns=60)
        told = terminal.wait_for(r"13-\S+\n")
        check(terminal.wait() == 2, "a lab that there is not is wrong usage")
        check(all(len(line) <= 60 for line in told.split("\n")) and
              all(lab in told for lab in NAMES), "the labs that there are, each whole", told)

        listed = histolab("list", cwd=folder)
        following = re.search(r"^next: (histolab .*)$", listed.stdout, re.M)
        check(following is not None, "list says what to do next", listed.stdout)
        newcomer = Newcomer(folder, shlex.split(following.group(1))[1:])

        # Lab 01. A semicolon is missing, and then `blockIdx` is used for `blockIdx.x`.
        screen = newcomer.screen_with(FAILED)
        check("01-race" in screen and "is new: open it" in screen,
              "the first lab is there, and its file", screen)
        right = solution_of("01-race")
        newcomer.read_the_lesson()
        wrong = right.replace("threadIdx.x;", "threadIdx.x")
        screen = newcomer.save(wrong, FAILED)
        check(line_named(screen) == line_of(wrong, "threadIdx.x"),
              "the line without its semicolon is named", screen)
        check(";" in screen.split("does not compile")[-1].split("next:")[0],
              "the semicolon is told", screen)
        mistake(newcomer, right.replace("blockIdx.x *", "blockIdx *"), "blockIdx *",
                ["Write blockIdx.x"], right)

        # Lab 02. The update is not atomic.
        newcomer.press("n", r"02-atomic-add.*(?s:.)*" + FAILED)
        right = solution_of("02-atomic-add")
        mistake(newcomer,
                right.replace("atomicAdd(&histo[letter / 4], 1u);", "histo[letter / 4] += 1;"),
                "histo[letter / 4] += 1", ["data_race", "atomicAdd("], right)

        # Lab 03. Every thread takes one byte and stops; a hint helps.
        newcomer.press("n", r"03-interleaved.*(?s:.)*" + FAILED)
        right = solution_of("03-interleaved")
        screen = newcomer.save(right.replace("for (unsigned int i = blockIdx.x * blockDim.x + "
                                             "threadIdx.x; i < length; i += threads) {",
                                             "unsigned int i = blockIdx.x * blockDim.x + "
                                             "threadIdx.x;\n  if (i < length) {"), FAILED)
        check(re.search(r"expected [\d ]+ in bin \d", " ".join(screen.split())),
              "the counts that are wrong are told", screen)
        screen = newcomer.press("h", r"Hint 1 of 3")
        check("press h again for the next one" in screen, "a hint says that there are more", screen)
        newcomer.save(right, PASSED)

        # Lab 04. The second barrier is missing.
        newcomer.press("n", r"04-privatization.*(?s:.)*" + FAILED)
        right = solution_of("04-privatization")
        first, second, third = right.split("  __syncthreads();\n")
        screen = newcomer.save(first + "  __syncthreads();\n" + second + third, FAILED)
        check("data_race" in screen and re.search("barrier|__syncthreads", screen),
              "the missing barrier is told", screen)
        newcomer.save(right, PASSED)

        # Lab 05 from a wrong guess about the end of the data, lab 06 by its solution, which `s`
        # shows when pressed twice.
        newcomer.press("n", r"05-coarsening.*(?s:.)*" + FAILED)
        right = solution_of("05-coarsening")
        mistake(newcomer, right.replace("if (i < length) {", "if (begin < length) {"),
                "data[i] - 'a'", ["out_of_bounds", "length"], right)
        newcomer.press("n", r"06-aggregation.*(?s:.)*" + FAILED)
        screen = newcomer.save(newcomer.solution(), PASSED)
        check(f"6 of {len(LABS)} labs passed" in screen and f"60 of {POINTS} points" in screen,
              "the progress stands in the head", screen)
        newcomer.terminal.press("q")
        check(newcomer.terminal.wait() == 0, "q ends it")

        listed = histolab("list", cwd=folder).stdout
        check(len(re.findall(r"10/10 .* passed$", listed, re.M)) == 6,
              "list shows six labs that are passed", listed)
        check("next: histolab watch 07" in listed, "and where to go on", listed)
        graded = histolab("grade", "01", "02", "03", "04", "05", "06", "--device", "emulator",
                          cwd=folder)
        check(graded.returncode == 0 and "60/60" in graded.stdout, "grade says the same",
              graded.stdout)
    check.finish()


main()
