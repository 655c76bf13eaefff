"""Answers to lab 12's quiz for the attacks that hand them in: right ones in words, for a drawn quiz or for the default one."""
import json
import pathlib
import re
import tempfile

from histolab_program import SOURCE, histolab

LAB = "12-bug-hunt"
QUESTIONS = json.loads((SOURCE / "labs" / LAB / "quiz.json").read_text(encoding="utf-8"))["questions"]
CHOICES = [question for question in QUESTIONS if question["kind"] == "choice"]


def right_texts(question):
    """The right option of each variant, with its placeholders."""
    return [option["text"] for variant in question.get("variants", [question]) for option in variant["options"] if option.get("right")]


def default_words():
    """{id: answer} of the quiz for practice."""
    answers = {"bins-rounded-up": "7", "bins-that-nobody-zeroes": "156"}
    for question in CHOICES:
        names = {name: drawn[0] for name, drawn in question.get("draw", {}).items()}
        answers[question["id"]] = re.sub(r"\{(\w+)\}", lambda found: names[found[1]], right_texts(question)[0])
    return answers


def right_words(seed):
    """{id: answer} of the quiz that is drawn from the seed. Of the choices: its numbers are easily computed, too."""
    with tempfile.TemporaryDirectory() as folder:
        shown = json.loads(histolab("quiz", LAB, "--seed", seed, "--json", cwd=pathlib.Path(folder)).stdout)["labs"][0]["questions"]
    patterns = {question["id"]: [re.sub(r"\\\{\w+\\\}", r"\\w+", re.escape(text)) for text in right_texts(question)] for question in CHOICES}
    return {question["id"]: option["text"] for question in shown for option in question["options"]
            if any(re.fullmatch(pattern, option["text"]) for pattern in patterns[question["id"]])}


def sheet(answers, seed=0, student=""):
    return json.dumps({"schema": "histolab/answers/1", "lab": LAB, "student": student, "seed": seed, "answers": {key: {"answer": text} for key, text in answers.items()}})


def hand_in(folder, name, text):
    (folder / name).mkdir()
    (folder / name / f"{LAB}.quiz.json").write_text(text, encoding="utf-8")
