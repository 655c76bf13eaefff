import re

from attack_quiz import CHOICES, filled_in, hand_in, pattern_of, right_texts, right_words, sheet


def others(seed, step):
    own, answers = right_words(seed), {}
    for question in CHOICES:
        texts = right_texts(question)
        drawn = next(i for i, text in enumerate(texts)
                     if re.fullmatch(pattern_of(text), own[question["id"]]))
        names = {name: known[seed % len(known)] for name, known in question.get("draw", {}).items()}
        answers[question["id"]] = filled_in(texts[(drawn + step) % len(texts)], names)
    return answers


def make(folder, traps):
    for step, name in enumerate(("bo", "cleo", "dan"), 1):
        hand_in(folder, name, sheet(others(40 + step, step), 40 + step))
