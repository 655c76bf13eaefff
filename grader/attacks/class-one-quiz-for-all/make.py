from attack_quiz import default_words, hand_in, sheet


def make(folder, traps):
    for name in ("bo", "cleo", "dan"):
        hand_in(folder, name, sheet(default_words()))
