"""Texts made from the commands' own help: --help of each, completion in the installed shells,
and the manual page."""
import re
import shlex
import shutil
import subprocess

from histolab_program import (PROGRAM, SOURCE, Checks, histolab, run_program, skip_part,
                              temporary_folder)

check = Checks()
LABS = sorted(path.parent.name for path in (SOURCE / "labs").glob("*/lab.json"))


def said(*arguments):
    done = histolab(*arguments)
    check(done.returncode == 0 and not done.stderr, f"histolab {arguments}", done.stderr)
    return done.stdout


def entries(text, title):
    """The words of a list in the help: those indented by two spaces."""
    part = text.split(f"\n{title}:\n")[1].split("\n\n")[0] if f"\n{title}:\n" in text else ""
    return [re.split(r" {2,}", line.strip())[0] for line in part.splitlines()
            if re.match(r"  \S", line)]


COMMANDS = [command for title in re.findall(r"^(Commands for .*):$", said("--help"), re.MULTILINE)
            for command in entries(said("--help"), title)]
REFERENCE, CLUSTER = ((SOURCE / "docs" / page).read_text(encoding="utf-8")
                      for page in ("command-line.md", "cluster.md"))
PROGRAM_OPTIONS = {"--labs", "--version", "--help"}


def helps():
    check(len(COMMANDS) >= 22, "--help lists too few commands: was its form changed?", *COMMANDS)
    for line in said("--help").splitlines():
        check(len(line) <= 80, "--help is wider than 80 columns", line)
    for command in COMMANDS:
        if command == "view":
            continue  # the viewer prints its help
        text = said(command, "--help")
        wide = [line for line in text.splitlines() if len(line) > 80]
        check(not wide, f"{command} --help is wider than 80 columns", *wide)
        examples = (re.findall(r"^  (.*histolab.*)$", text.split("Example:\n")[-1], re.MULTILINE)
                    if "Example:\n" in text else [])
        check(examples, f"{command} --help has no example")
        flags = set(re.findall(r"(?:^|[ ,])(--?[a-z][a-z-]*)", "\n".join(entries(text, "Options")),
                               re.MULTILINE)) | PROGRAM_OPTIONS
        takes = {name for entry in entries(text, "Options")
                 for name in re.findall(r"--?[a-z][a-z-]*",
                                        entry.split(" Needs:")[0].split(" Excludes:")[0])
                 if re.match(r"[A-Z]", re.sub(r"^\S+ ?", "", entry))}
        positionals = entries(text, "Positionals")
        documented = REFERENCE + (CLUSTER if command == "batch" else "")
        unsaid = sorted(flag for flag in flags - PROGRAM_OPTIONS - {"-h", "-j"}
                        if f"`{flag}" not in documented)
        check(not unsaid, f"docs/command-line.md has not all options of {command}", *unsaid)
        check(any(f"histolab {command}" in example for example in examples),
              f"no example of {command} is of that command", *examples)
        check(re.search(rf"^\| `{command}[` ]", REFERENCE, re.MULTILINE),
              f"docs/command-line.md: the table of commands lacks {command}")
        for example in examples:
            for words in commands_in(example):
                parses(command, words, flags, takes, positionals)


def commands_in(example):
    """The words after each `histolab` in a shell line."""
    found = []
    for part in re.split(r"\||&&|>|<\(|\)", example):
        words = shlex.split(part.strip())
        if words and words[0] == "histolab":
            found.append(words[1:])
    return found


def parses(command, words, flags, takes, positionals):
    check(words[0] in COMMANDS, f"an example of {command} has no command that there is: {words}")
    if words[0] != command:
        return
    arguments, rest = 0, words[1:]
    while rest:
        word, *rest = rest
        if word == "--":  # arguments of a program follow
            break
        if word.startswith("-") and len(word) > 1:
            check(word in flags,
                  f"an example of {command} has an option that its help does not: {word}")
            if word in takes and rest and not rest[0].startswith("--"):
                rest = rest[1:]
        else:
            arguments += 1
    check(arguments == 0 or positionals,
          f"an example of {command} has an argument that its help does not: {words}")


def in_bash(script, folder, *words):
    """bash's completions for the last word. compopt works only during a key press."""
    driver = f"""source {shlex.quote(str(script))}
        compopt() {{ :; }}
        COMP_WORDS=({" ".join(map(shlex.quote, words))}); COMP_CWORD={len(words) - 1}; COMPREPLY=()
        _histolab; printf '%s\\n' "${{COMPREPLY[@]}}" """
    done = run_program(["bash", "--norc", "-c", driver], cwd=folder)
    check(done.returncode == 0 and not done.stderr, f"bash completion of {words}", done.stderr)
    return [line for line in done.stdout.splitlines() if line]


def bash(folder):
    script = folder / "histolab.bash"
    script.write_text(said("completion", "bash"))
    (folder / "mine.cu").write_text("")
    (folder / "a folder").mkdir()

    def offered(*words):
        return in_bash(script, folder, "histolab", *words)

    check(set(offered("")) == set(COMMANDS) | {"test", "setup"}, "bash does not offer the commands",
          *offered(""))
    check(offered("gra") == ["grade"], "gra", *offered("gra"))
    check(offered("nothing") == [], "nothing")
    check(offered("grade", "") == LABS, "grade offers the labs", *offered("grade", ""))
    check(offered("grade", "0", "04") == ["04-privatization"] and
          offered("--labs", "x", "grade", "04") == ["04-privatization"],
          "the command behind other words")
    check("--submission" in offered("grade", "--s") and "--dataset" not in offered("grade", "--"),
          "options are those of the command", *offered("grade", "--s"))
    check(offered("--v") == ["--version"], "--v", *offered("--v"))
    check(set(offered("run", "01", "--schedule", "")) == {"lockstep", "run_to_barrier", "random",
                                                          "adversarial"}, "--schedule",
          *offered("run", "01", "--schedule", ""))
    check(set(offered("run", "01", "--block-order", "")) == {"ascending", "descending", "random",
                                                             "interleaved"}, "--block-order",
          *offered("run", "01", "--block-order", ""))
    check(offered("run", "01", "--schedule", "=", "ran") == ["random"] and
          "lockstep" in offered("run", "01", "--schedule", "="), "--schedule=ran")
    check(offered("run", "01", "--kernel", "mi") == ["mine.cu"], "--kernel takes files")
    check(offered("run", "--dataset", "uni") == ["uniform-letters"] and
          offered("run", "--dataset", "ho") == ["hot:"] and
          "mine.cu" in offered("run", "--dataset", ""), "--dataset")
    check(offered("--labs", "a") == ["a folder"], "--labs takes folders", *offered("--labs", "a"))
    check({"csv", "canvas", "junit"} <= set(offered("export", "out", "--format", "")) and
          "gcc" not in offered("export", "out", "--format", ""), "export --format",
          *offered("export", "out", "--format", ""))
    check({"text", "gcc", "gradescope"} <= set(offered("grade", "--format", "")) and
          set(offered("watch", "--format", "")) == {"text", "gcc"}, "grade --format",
          *offered("grade", "--format", ""), *offered("watch", "--format", ""))
    check(offered("bench", "--device", "") == ["gpu"] and
          offered("run", "--device", "e") == ["emulator"], "--device")
    check(offered("race", "--kernel", "01") == ["01-race"] and
          offered("race", "--kernel", "mi") == ["mine.cu"], "race --kernel takes files and labs")
    check(offered("setup", "") == ["all", "packages", "viewer", "cuda"] and
          offered("test", "--") == ["--all"], "the wrapper's words")
    check(offered("doctor", "") == [], "doctor takes nothing", *offered("doctor", ""))


def zsh(folder):
    script = folder / "_histolab"
    script.write_text(said("completion", "zsh"))
    if shutil.which("zsh") is None:
        return skip_part("there is no zsh here: its completion does not run")
    done = run_program(["zsh", "-n", script])
    check(done.returncode == 0 and not done.stderr, "zsh refuses its script", done.stderr)
    # A terminal inside zsh with a line editor in which Tab is pressed. Its list is between two
    # marks.
    driver = folder / "driver.zsh"
    driver.write_text("""
zmodload zsh/zpty
zpty shell 'zsh -f -i'
zpty -w shell "PS1=; autoload -Uz compinit; compinit -D -u; source $1; histolab() {{ :; }}; stty -echo columns 200; zstyle ':completion:*' list-prompt ''"
zpty -w shell 'LISTMAX=0; finished() { print -r -- "<"$BUFFER">"; zle kill-whole-line }; zle -N finished; bindkey "^X" finished; print READY'
while zpty -r shell line; do [[ $line == *READY* ]] && break; done
shift
for words; do
  zpty -n -w shell $words$'\\t\\C-X'
  while zpty -r shell line; do [[ $line == *'<'*'>'* ]] && break; done
  print -r -- "${${line#*<}%%>*}"
done
zpty -d shell
""")
    asked = {"histolab gra": "histolab grade ",
             "histolab grade --quick 04": "histolab grade --quick 04-privatization ",
             "histolab run 01 --schedule adv": "histolab run 01 --schedule adversarial ",
             "histolab setup vie": "histolab setup viewer "}
    try:
        done = run_program(["zsh", "-f", driver, script, *asked], cwd=folder)
    except subprocess.TimeoutExpired as late:
        return check(False, "zsh did not complete in a minute", late.stdout, late.stderr)
    for got, wanted in zip(done.stdout.splitlines(), asked.values()):
        check(got == wanted, f"zsh completes to {got!r}, not to {wanted!r}")
    check(len(done.stdout.splitlines()) == len(asked), "zsh completes too few", done.stdout,
          done.stderr)


def fish(folder):
    script = folder / "histolab.fish"
    script.write_text(said("completion", "fish"))
    if shutil.which("fish") is None:
        return skip_part("there is no fish here: its completion does not run")
    done = run_program(["fish", "-n", script])
    check(done.returncode == 0 and not done.stderr, "fish refuses its script", done.stderr)

    def offered(line):
        done = run_program(["fish", "--no-config", "-c",
                            f"source {script}; complete -C {shlex.quote(line)}"], cwd=folder)
        check(done.returncode == 0, "fish", done.stderr)
        return [entry.split("\t")[0] for entry in done.stdout.splitlines()]

    check(set(offered("histolab ")) == set(COMMANDS) | {"test", "setup"},
          "fish does not offer the commands", *offered("histolab "))
    check(offered("histolab gra") == ["grade"], "gra", *offered("histolab gra"))
    check(offered("histolab grade 04") == ["04-privatization"], "grade 04",
          *offered("histolab grade 04"))
    check(offered("histolab run 01 --schedule adv") == ["adversarial"], "--schedule adv",
          *offered("histolab run 01 --schedule adv"))
    check("mine.cu" in offered("histolab run 01 --kernel mi"), "--kernel takes files",
          *offered("histolab run 01 --kernel mi"))


def manual():
    page = said("man")
    check(page == said("man"), "the page differs from one time to the next")
    for command in [*COMMANDS, "test", "setup"]:
        check(f"\n.SS {command}\n" in page, f"the manual does not tell of {command}")
    for title in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT STATUS",
                  "ENVIRONMENT", "FILES", "SEE ALSO"):
        check(f"\n.SH {title}\n" in page, f"the manual has no section {title}")
    if shutil.which("groff") is None:
        return skip_part("there is no groff here: the manual page is not set")
    done = run_program(["groff", "-man", "-Tutf8", "-ww", "-rLL=80n"], input=page)
    check(done.returncode == 0 and not done.stderr, "groff warns of the manual page", done.stderr)
    plain = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout)
    check("histolab - many threads update one histogram" in plain and
          "--submission FILE|DIR" in plain and "hot:P" in plain and
          "histolab run 02 --dataset book" in plain, "the page as it is read", plain[:2000])
    wide = [line for line in plain.splitlines() if len(line) > 80]
    check(not wide, "the page is wider than 80 columns", *wide)


def installed():
    for made in ("histolab.1", "histolab", "_histolab", "histolab.fish"):
        check(any(PROGRAM.parent.parent.glob(f"grader/cli/words/{made}")),
              f"the build made no {made}")


helps()
with temporary_folder() as folder:
    bash(folder)
    zsh(folder)
    fish(folder)
manual()
installed()
done = histolab("completion", "tcsh")
check(done.returncode == 2 and
      'there is no completion for "tcsh"; bash, zsh and fish have one' in done.stderr,
      "another shell", done.stderr)
check.finish()
