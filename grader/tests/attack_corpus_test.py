#!/usr/bin/env python3
"""The corpus of attacks is read strictly, and every trap works: a program that misbehaves
triggers each of them once."""
import json
import os

import attack_corpus
from attack_corpus import Malformed, read_attack, read_corpus
from attack_traps import Traps, Watched
from histolab_program import Checks, temporary_folder

check = Checks()
GOOD = {"schema": "histolab/attack/1", "tries": "Tries.", "aim": "marks", "way": "kernel",
        "lab": "01-race", "layer": "words", "expect": {"status": ["refused"]}}
# The changed key, a word of the error message.
BAD = [({"schema": "histolab/attack/2"}, "is no histolab/attack/1"), ({"tries": ""}, "tries"),
       ({"tries": "No sentence"}, "sentence"), ({"aim": "fame"}, "fame"),
       ({"way": "letter"}, "letter"), ({"lab": "99-none"}, "99-none"), ({"layer": "luck"}, "luck"),
       ({"expect": {}}, "status"), ({"expect": {"status": []}}, "empty"),
       ({"expect": {"status": ["won"]}}, "won"),
       ({"expect": {"status": ["failed"], "score": "10"}}, "score"),
       ({"expect": {"status": ["failed"], "points": 1}}, "points"), ({"cases": "some"}, "some"),
       ({"more": 1}, "more"), ({"way": "class"}, "class-")]
# A new process has its parent's name until it executes `sleep`; on a busy machine the trap may look
# before that.
UNTIL_IT_SLEEPS = (' until [ "$(for each in PROCESSES; do [ $each/cwd -ef . ] && grep -sx sleep '
                   '$each/comm; done)" ]; do :; done')
# trap: the shell line that triggers it
SPRING = {"the secret is in stdout": "cat {outside}/ada.cu",
          "the TCP port was connected to": "exec 3<>/dev/tcp/127.0.0.1/{port}",
          "was made or removed": "touch {outside}/new",
          "grades.csv was changed": "echo x >> {outside}/grades.csv",
          "was left in the temporary folder": "touch {tmp}/x",
          "processes run on: sleep": "sleep 5 > /dev/null 2>&1 &" +
          UNTIL_IT_SLEEPS.replace("PROCESSES", "/proc/$!"),
          "run on: sleep": "setsid -f sleep 5 > /dev/null 2>&1;" +
          UNTIL_IT_SLEEPS.replace("PROCESSES", "/proc/[0-9]*"),
          "has the character U+001B": "printf '\\033[2J'",
          "has the character U+202E": "printf '\\342\\200\\256'",
          "bytes long": "head -c 300000 /dev/zero | tr '\\0' x", "ended by signal 9": "kill -9 $$"}


def put(folder, document):
    (folder / "attack.json").write_text(json.dumps(document))
    (folder / "kernel.cu").write_text("// nothing\n")


def complaint(folder):
    try:
        read_attack(folder)
    except Malformed as error:
        return str(error)
    return ""


with temporary_folder() as root:
    folder = root / "an-attack"
    folder.mkdir()
    put(folder, GOOD)
    check(complaint(folder) == "", "a good one is read", complaint(folder))
    for change, words in BAD:
        put(folder, {**GOOD, **change})
        check(words in complaint(folder), f"{change} is complained about", complaint(folder))
    put(folder, GOOD)
    (folder / "notes.txt").write_text("")
    check("notes.txt" in complaint(folder), "what does not belong there is complained about",
          complaint(folder))

corpus = read_corpus()
check(len(corpus) >= 60, "there are 60 attacks at least", len(corpus))
check({attack.aim for attack in corpus} == set(attack_corpus.AIMS), "each aim has one")
check({attack.layer for attack in corpus} == set(attack_corpus.LAYERS), "each layer has one",
      set(attack_corpus.LAYERS) - {attack.layer for attack in corpus})

for words, line in SPRING.items():
    with Traps() as traps:
        line = line.format(outside=traps.outside, tmp=traps.tmp, port=traps.port)
        run = Watched(["/bin/bash", "-c", line], traps.cwd, {"PATH": os.environ["PATH"]})
        found = traps.sprung(run)
        check(any(words in each for each in found), f"sprung by {line}", words, found)
with Traps() as traps:
    check(traps.sprung(Watched(["/bin/true"], traps.cwd, {})) == [], "none is sprung by nothing")
check.finish()
