from attack_quiz import default_words, hand_in, right_words, sheet


def make(folder, traps):
    answers = right_words(777)
    for number, name in enumerate(("bo", "cleo", "dan", "eli", "fay", "gus")):
        hand_in(folder, name, sheet(answers, 778 + number, "" if number % 2 else name))
    for number, name in enumerate(("hal", "ida", "jo")):
        hand_in(folder, name, sheet(default_words(), 5 * number, name))
