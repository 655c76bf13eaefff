import json

from attack_quiz import hand_in, right_words, sheet


def make(folder, traps):
    answers = right_words(20251)
    hand_in(folder, "bo", sheet(answers, 20251))
    own = json.loads(sheet(answers, 20251))
    hand_in(folder, "cleo", json.dumps({"author": "Cleo", **own}, indent=8))
    hand_in(folder, "dan", sheet(dict(list(answers.items())[::2]), 20251))
