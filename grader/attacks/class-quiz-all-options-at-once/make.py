from attack_quiz import CHOICES, QUESTIONS, hand_in, right_texts, sheet


def make(folder, traps):
    for number, text in enumerate(("abcd", "a, b, c, d", "a b c d", "(a) or (b) or (c)", "*",
                                   "[abcd]", "true", "a\nb\nc\nd")):
        hand_in(folder, f"letters{number}",
                sheet({question["id"]: text for question in QUESTIONS}, 60 + number))
    together = {question["id"]: " ".join(right_texts(question)) for question in CHOICES}
    hand_in(folder, "bo", sheet({key: text.encode()[:400].decode(errors="ignore")
                                 for key, text in together.items()}, 91))
    hand_in(folder, "cleo", sheet({key: f"`( {text} )`. `( {text} )`."[:400]
                                   for key, text in together.items()}, 92))
