"""The right answers to a letter lab's cases under a seed. Anyone who knows the seed can compute
them."""
import json

from histolab_program import SOURCE, histolab


def answers(lab, seed, folder):
    """(length, block, launch, bins) of each launch of each case. The report is written into
    `folder`."""
    report = folder / "answers.json"
    solution = SOURCE / "labs" / lab / "solution.cu"
    histolab("grade", lab, "--submission", solution, "--seed", seed, "--json", report)
    for case in json.loads(report.read_text())["labs"][0]["cases"]:
        for launch in range(case["launches"]):
            asked = histolab("data", case["dataset"], "--length", case["length"], "--seed",
                             case["seed"] + launch, "--json")
            histogram = json.loads(asked.stdout)["histogram"]
            bins = [sum(histogram[letter : min(letter + 4, ord("z") + 1)])
                    for letter in range(ord("a"), ord("z") + 1, 4)]
            yield case["length"], case["block"], launch, bins
