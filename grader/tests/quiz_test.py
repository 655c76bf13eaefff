"""`histolab quiz` for students and scripts: lists, answers, a terminal, nonsense input, and
grading."""
import json
import shutil
import subprocess
import time

from histolab_program import PROGRAM, SOURCE, Checks, histolab, temporary_folder
from pseudo_terminal import PseudoTerminal

check = Checks()
LAB = "02-atomic-add"


def expect(arguments, code, *fragments, cwd):
    done = histolab("quiz", *arguments, cwd=cwd)
    check(done.returncode == code, f"quiz {arguments} ended with {done.returncode}, not {code}",
          done.stdout[:600], done.stderr)
    for fragment in fragments:
        check(fragment in done.stdout + done.stderr, f"quiz {arguments} does not say {fragment!r}",
              done.stdout[:600], done.stderr)
    if code == 2:
        check(done.stdout == "" and done.stderr.count("\n") == 1,
              f"quiz {arguments}: one message on the standard error", done.stdout[:300],
              done.stderr)
    return done


def state(folder, *arguments, lab=LAB):
    done = histolab("quiz", lab, "--json", *arguments, cwd=folder)
    check(done.returncode in (0, 1), f"quiz --json {arguments} ended with {done.returncode}",
          done.stderr)
    read = json.loads(done.stdout)
    check(read["schema"] == "histolab/quiz-state/1" and len(read["labs"]) == 1, "the JSON of quiz",
          read)
    return {question["id"]: question for question in read["labs"][0]["questions"]}


def without_a_terminal(folder):
    kept = folder / "work" / f"{LAB}.quiz.json"
    listed = expect([LAB], 0, "one-address (unanswered)", "in atomics/s", cwd=folder).stdout
    drawn = json.loads(kept.read_text())
    check(drawn["student"] == "" and drawn["seed"] > 0 and drawn["answers"] == {},
          "the first look draws a seed and keeps it", drawn)
    check(listed == expect([LAB, "--list"], 0, cwd=folder).stdout,
          "a pipe gets the list, of the same questions")
    check(max(map(len, listed.splitlines())) <= 80 and "\033" not in listed,
          "the list fits 80 columns, without colour", listed)
    before = kept.read_bytes()
    expect([LAB, "--new"], 0, "02-atomic-add.quiz.json.~1~", cwd=folder)
    check(kept.with_name(kept.name + ".~1~").read_bytes() == before, "--new keeps the old answers")
    check(json.loads(kept.read_text())["seed"] not in (0, drawn["seed"]),
          "--new draws another seed", kept.read_text())
    expect(["--new"], 2, "which lab", cwd=folder)
    kept.unlink()
    expect([LAB, "--seed", "0"], 0, cwd=folder)
    check(not kept.exists(), "with a seed looking writes nothing")
    for lab in json.loads(histolab("quiz", "--json", cwd=folder).stdout)["labs"]:
        check(len(lab["questions"]) >= 6 and
              all(each["status"] == "unanswered" and each["why"] is None
                  for each in lab["questions"]), "a fresh quiz", lab["lab"])

    kept.unlink()
    expect([LAB, "--seed", "0", "--answer", "one-address=10 G/s"], 1, "wrong.",
           "a nanosecond is 10^-9 s", cwd=folder)
    check("10 M atomics" not in expect([LAB, "--answer", "one-address=11 G/s"], 1, "wrong.",
                                       cwd=folder).stdout, "a wrong try shows the answer")
    check(json.loads(kept.read_text())["answers"]["one-address"]["wrong_tries"] == 2,
          "tries are counted", kept.read_text())
    before = kept.read_bytes()
    for nonsense in ("", "ten", "10 GHz", "10 ns", "\x1b[31m", "1" * 100000, "--", "{}", "nan"):
        done = expect([LAB, "--answer", f"six-operations={nonsense}"], 1,
                      "understood" if nonsense else "unanswered", cwd=folder)
        check("\x1b" not in done.stdout, "what was typed reaches the terminal", done.stdout)
    check(kept.read_bytes() == before, "nonsense is not kept", kept.read_text())
    expect([LAB, "--answer", "one-address=0.01 G/s", "--answer", "sum-of-lanes=496"], 0, "right.",
           cwd=folder)
    check(state(folder)["one-address"]["status"] == "right" and
          "10 M atomics/s" in state(folder)["one-address"]["why"], "a right answer has its reason")
    check(state(folder, "--answer", "one-address=")["one-address"]["status"] == "unanswered",
          "an empty answer takes one back")
    expect([LAB, "--answer", "one-adress=1"], 2, "did you mean one-address?", cwd=folder)
    expect([LAB, "--answer", "one-address"], 2, "ID=VALUE", cwd=folder)
    expect(["--answer", "one-address=1"], 2, "which lab", cwd=folder)
    expect(["77"], 2, 'there is no lab "77"', cwd=folder)
    expect([LAB, "--seed", "-1"], 2, "--seed", cwd=folder)
    expect([LAB, "--student", "a\nb"], 2, "control characters", cwd=folder)

    expect([LAB, "--student", "Ada"], 2, "holds answers of a student without a name, seed 0",
           cwd=folder)
    kept.unlink()
    texts = {who: state(folder, "--student", who)["cache-hits"]["text"]
             for who in ("Ada", "Bob", "Cleo", "Dan", "Eve")}
    check(len(set(texts.values())) >= 3, "students have different numbers", texts)
    expect([LAB, "--student", "Ada", "--answer", "sum-of-lanes=1"], 1, cwd=folder)
    check(json.loads(kept.read_text())["student"] == "Ada" and
          state(folder)["cache-hits"]["text"] == texts["Ada"], "the name is kept with the answers")
    expect([LAB, "--student", "Bob"], 2, 'holds answers of "Ada"', cwd=folder)

    for broken in ("", "x", "[]", "{}", '{"schema": "histolab/answers/1"}',
                   before.decode().replace(LAB, "03-interleaved"),
                   before.decode().replace('"wrong_tries": 2', '"wrong_tries": "2"'), "[" * 100000):
        kept.write_text(broken)
        expect([LAB, "--answer", "sum-of-lanes=496"], 2,
               "`histolab quiz 02-atomic-add --new` keeps it under another name", cwd=folder)
        check(kept.read_text() == broken, "a file that cannot be read is written over", broken[:60])
    kept.unlink()
    kept.mkdir()
    expect([LAB, "--answer", "sum-of-lanes=496"], 2, "is a folder", cwd=folder)
    kept.rmdir()


def at_terminal(folder, lines, columns, **environment):
    """Types the lines on a terminal of that width, each at its own prompt. Returns the output
    and the exit code."""
    terminal = PseudoTerminal([PROGRAM, "quiz", LAB, "--seed", "0"], folder, columns=columns,
                              rows=40, term="xterm", env=environment)
    seen = 0
    for line in lines:
        terminal.wait_until(lambda: terminal.output[seen:].endswith("> "), "a prompt")
        seen = len(terminal.output)
        terminal.press(line + "\n")
    code = terminal.wait()
    return terminal.output, code


def in_a_terminal(folder):
    kept = folder / "work" / f"{LAB}.quiz.json"
    said, code = at_terminal(folder, ["10 G/s", "0.01 G/s", "", "q"], 80, NO_COLOR="1")
    check(code == 1 and "1 of 10: one-address" in said and
          "wrong. 1000 times too large" in said and "right. 1 / 100 ns" in said,
          "a dialogue", said)
    check("\033" not in said, "colour in spite of NO_COLOR", said)
    check(json.loads(kept.read_text())["answers"]["one-address"]["answer"] == "0.01 G/s",
          "what was answered is kept")
    said, code = at_terminal(folder, ["give up", "1", "give up", "q"], 40)
    check("of 10: one-address" not in said, "what is right is asked again", said)
    check("The answer is 0.05 GFLOPS" in said.replace("\n ", ""), "giving up shows the answer",
          said)
    plain = "".join(part.partition("m")[2] if i else part
                    for i, part in enumerate(said.split("\033[")))
    check("\033[" in said and max(map(len, plain.splitlines())) <= 40, "40 columns", plain)
    check(state(folder)["flops-with-atomics"]["status"] == "gave_up", "given up is kept")


def killed(folder):
    """A kill at any moment leaves a complete file."""
    kept = folder / "work" / f"{LAB}.quiz.json"
    for moment in range(12):
        process = subprocess.Popen([PROGRAM, "quiz", LAB, "--seed", "0", "--answer",
                                    f"sum-of-lanes={moment}", "--answer", "one-address=10 M"],
                                   cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.003 * moment)
        process.kill()
        process.wait()
        if kept.exists():
            check(json.loads(kept.read_text())["lab"] == LAB, "a kill left half a file",
                  kept.read_text())


def graded(folder):
    """A lab with a quiz check, in a separate folder of labs."""
    labs = folder / "labs"
    shutil.copytree(SOURCE / "labs" / LAB, labs / LAB)
    (folder / "docs").symlink_to(SOURCE / "docs")  # its pages link there
    lab = json.loads((labs / LAB / "lab.json").read_text())
    lab["checks"].append({"id": "questions", "kind": "quiz", "points": 5, "title": "the quiz"})
    lab["max_score"] += 5
    (labs / LAB / "lab.json").write_text(json.dumps(lab))

    def grade(*arguments):
        done = histolab("--labs", labs, "grade", LAB, "--quick", "--json", "-", *arguments,
                        cwd=folder)
        check(done.returncode in (0, 1), f"grade {arguments} ended with {done.returncode}",
              done.stderr)
        return json.loads(done.stdout)["labs"][0]

    solution = grade("--solutions")
    check(solution["status"] == "passed" and solution["score"] == 15 and
          solution["quiz"]["path"] is None, "the solution has the quiz's points", solution["quiz"])
    done = histolab("--labs", labs, "check", LAB, cwd=folder)
    check(done.returncode == 0 and "10 questions" in done.stdout, "check with a quiz", done.stdout,
          done.stderr)
    histolab("quiz", LAB, "--seed", "0", "--answer", "one-address=10 M", "--answer",
             "sum-of-lanes=496", "--answer", "six-operations=1", cwd=folder)
    answers = folder / "work" / f"{LAB}.quiz.json"
    practice = grade()
    check(practice["checks"][-1]["score"] == 0 and practice["quiz"]["right"] == 2 and
          "--new" in practice["quiz"]["problem"], "practice earns no points", practice["quiz"])
    noted = histolab("--labs", labs, "quiz", LAB, cwd=folder)
    check(noted.returncode == 0 and "practice quiz" in noted.stderr, "practice is said to be that",
          noted.stderr)
    # A seed that draws the default numbers makes the same answers count.
    sheet = json.loads(answers.read_text())
    for seed in range(1, 200):
        answers.write_text(json.dumps({**sheet, "seed": seed}))
        if {each: state(folder)[each]["status"]
            for each in ("one-address", "sum-of-lanes",
                         "six-operations")} == {"one-address": "right", "sum-of-lanes": "right",
                                                "six-operations": "wrong"}:
            break
    (folder / "work" / f"{LAB}.cu").write_text("this does not compile\n")
    mine = grade()
    check(mine["status"] == "compile_error" and mine["score"] == 1 and mine["quiz"]["right"] == 2,
          "2 of 10 right, of 5 points", mine["score"], mine["quiz"])
    check({each["id"]: each["status"] for each in mine["quiz"]["questions"]}["six-operations"] ==
          "wrong", "a wrong one", mine["quiz"])

    done = histolab("grade", LAB, "--quick", "--json", "-", cwd=folder)
    as_it_came = json.loads(done.stdout)["labs"][0]
    check(as_it_came["quiz"]["right"] == 2 and as_it_came["max_score"] == 10,
          "where the quiz earns nothing the report tells of the answers all the same",
          as_it_came["quiz"])
    plain = json.loads(histolab("grade", LAB, "--quick", "--solutions", "--json", "-",
                                cwd=folder).stdout)["labs"][0]
    check(plain["quiz"] is None, "nobody has answered", plain["quiz"])

    nested = folder / "nested" / LAB
    nested.mkdir(parents=True)
    shutil.copy(SOURCE / "labs" / LAB / "solution.cu", nested / "stub.cu")
    shutil.copy(answers, nested / "quiz.json")
    check(grade("--submission", folder / "nested")["score"] == 11, "answers in <LAB>/quiz.json")
    shutil.copy(nested / "stub.cu", folder / "ada.cu")
    alone = grade("--submission", folder / "ada.cu")
    check(alone["score"] == 10 and "there is no" in alone["quiz"]["problem"],
          "a file without answers beside it", alone["quiz"])
    shutil.copy(answers, folder / "ada.quiz.json")
    check(grade("--submission", folder / "ada.cu")["score"] == 11, "answers beside the file")
    for junk in (b"", b"\xff\xfe", b"[" * 200000, b'{"schema": "histolab/answers/1", "lab": 7}',
                 b"{\"a\": 1e999}"):
        (folder / "ada.quiz.json").write_bytes(junk)
        report = grade("--submission", folder / "ada.cu")
        check(report["score"] == 10 and report["quiz"]["problem"] and
              all(each["status"] == "unanswered" for each in report["quiz"]["questions"]),
              "junk is unanswered, with a reason", report["quiz"])
    key = json.loads((labs / LAB / "quiz.json").read_text())
    key["questions"][0]["example"] = "0.02 G/s"
    (labs / LAB / "quiz.json").write_text(json.dumps(key))
    done = histolab("--labs", labs, "check", LAB, cwd=folder)
    check(done.returncode == 1 and "/questions/0/example" in done.stdout.replace("\n  ", ""),
          "a wrong key passes check", done.stdout)


for part in (without_a_terminal, in_a_terminal, killed, graded):
    with temporary_folder() as folder:
        part(folder)
check.finish()
