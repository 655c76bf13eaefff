"""Results of calibration: profiles/*.json, written by histolab-calibrate."""
from . import svg
from .text import chart, table


class Section:
    def __init__(self, profiles):
        self.profiles = profiles  # {name: profile}
        self.charts = {}

    def curves(self, name, wanted):
        of = self.profiles[name]["curves"]
        return [(label, [(int(x), y) for x, y in of[key]["points"]]) for key, label in wanted
                if key in of]

    def markdown(self):
        ids = dict.fromkeys(i for profile in self.profiles.values() for i in profile["figures"])
        lines = []
        for i in ids:
            any_of = next(p["figures"][i] for p in self.profiles.values() if i in p["figures"])
            lines.append([any_of["title"], any_of["unit"],
                          *(f"{p['figures'][i]['value']:g}" if i in p["figures"] else "-"
                            for p in self.profiles.values())])
        text = [table(["figure", "unit", *self.profiles], lines, 2)]
        name = "h200" if "h200" in self.profiles else next(iter(self.profiles))
        shared = self.curves(name,
                             [("shared_increment_by_degree", "atomicAdd(p, 1)"),
                              ("shared_add_by_degree", "atomicAdd(p, value)"),
                              ("shared_cas_by_degree", "atomicCAS that fails")])
        if shared:
            self.charts["profile-shared.svg"] = svg.lines(f"Shared atomics of a warp on one word "
                                                          f"({name})", "lanes on one word",
                                                          "clocks of an SM per request", shared)
            text.append(chart("profile-shared.svg",
                              "clocks of a shared atomic by the number of lanes on one word"))
        hits = self.curves(name, [("l1_hit_request", "byte load that hits the L1")])
        if hits:
            points = sorted((x, y) for x, y in hits[0][1] if x > 0)
            text.append("A byte load whose lines are in the L1, by the bytes from lane to lane:\n"
                        "\n" +
                        table(["bytes from lane to lane", *(x for x, _ in points)],
                              [["clocks of an SM", *(f"{y:.1f}" for _, y in points)]]))
        words = self.curves(name,
                            [("global_red_random_words", "result not used"),
                             ("global_atom_random_words", "result used")])
        if words:
            self.charts["profile-global.svg"] = svg.lines(f"Global atomics on random words "
                                                          f"({name})", "words", "10^9 updates per "
                                                                                "second", words)
            text.append(chart("profile-global.svg",
                              "global atomics per second by the number of words"))
        return "\n".join(text)
