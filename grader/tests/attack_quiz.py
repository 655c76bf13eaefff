"""Right answers to lab 12's quiz, in words, for the attacks that hand them in."""
import json
import re

from histolab_program import SOURCE, histolab, temporary_folder

LAB = "12-bug-hunt"
QUIZ = json.loads((SOURCE / "labs" / LAB / "quiz.json").read_text(encoding="utf-8"))
QUESTIONS = QUIZ["questions"]
CHOICES = [question for question in QUESTIONS if question["kind"] == "choice"]


def filled_in(text, names):
    return re.sub(r"\{(\w+)\}", lambda found: names[found[1]], text)


def pattern_of(text):
    """A regular expression for the text with any names filled in."""
    return re.sub(r"\\\{\w+\\\}", r"\\w+", re.escape(text))


def right_texts(question):
    """The right option of each variant, with its placeholders."""
    variants = question.get("variants", [question])
    return [option["text"] for variant in variants for option in variant["options"]
            if option.get("right")]


def default_words():
    """{id: answer} of the practice quiz."""
    answers = {"bins-rounded-up": "7", "bins-that-nobody-zeroes": "156"}
    for question in CHOICES:
        names = {name: drawn[0] for name, drawn in question.get("draw", {}).items()}
        answers[question["id"]] = filled_in(right_texts(question)[0], names)
    return answers


def right_words(seed):
    """{id: answer} of the choices in the quiz that is drawn from the seed."""
    with temporary_folder() as folder:
        done = histolab("quiz", LAB, "--seed", seed, "--json", cwd=folder)
    shown = {each["id"]: each for each in json.loads(done.stdout)["labs"][0]["questions"]}
    answers = {}
    for question in CHOICES:
        patterns = [pattern_of(text) for text in right_texts(question)]
        for option in shown[question["id"]]["options"]:
            if any(re.fullmatch(pattern, option["text"]) for pattern in patterns):
                answers[question["id"]] = option["text"]
    return answers


def sheet(answers, seed=0, student=""):
    return json.dumps({"schema": "histolab/answers/1", "lab": LAB, "student": student, "seed": seed,
                       "answers": {key: {"answer": text} for key, text in answers.items()}})


def hand_in(folder, name, text):
    (folder / name).mkdir()
    (folder / name / f"{LAB}.quiz.json").write_text(text, encoding="utf-8")
