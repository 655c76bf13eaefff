"""Every way in which a document can be wrong in one place: what schemas_agree_test.py asks a loader and a schema about.

A place is a path into the document. Places that mean the same (`length` of the first and of the tenth case) are tried once, in the
first document that has them.
"""
import copy
import dataclasses
import json
import math

# What may stand there by mistake instead.
STRANGERS = {str: (None, 7, "", "%%%"), int: (None, True, 1.5, "7"), float: (None, True, "7"), bool: (None, 1, "true"), list: (None, "%%%", {}, []), dict: (None, "%%%", [], {})}


@dataclasses.dataclass(frozen=True)
class Sorts:
    """What tells places apart that are not the same."""
    maps: tuple = ()   # keys whose objects have names for keys
    words: tuple = ()  # keys that say in one word what an object is
    alike: tuple = ()  # keys that mean the same whatever it is

    def of(self, document, place):
        """Its keys and what kind of value it is, without the numbers of a list and the names in a map. A model
        within a model is a model, and so is a measurement."""
        sort, value, parent = [], document, None
        for step in (None, *place):
            if step is not None:
                nameless = isinstance(step, int) or parent in self.maps or ("model" in value and step != "model")
                sort.append("*" if nameless else step)
                value, parent = value[step], None if nameless else step
            if isinstance(value, dict):
                if "model" in value or "field" in value:
                    sort = []
                told = [] if place and place[-1] in self.alike else [word for word in self.words if isinstance(value.get(word), str)]
                sort.append(" ".join(["", *(f"{word}={value[word]}" for word in told)]))
        return f"{'/'.join(sort)}: {'number' if type(value) in (int, float) else type(value).__name__}"

    def in_all(self, documents):
        return {self.of(document, place) for document in documents for place in places_of(document)}


@dataclasses.dataclass(frozen=True)
class Mutation:
    place: tuple
    what: str
    document: object
    value: object = None  # what stands there instead

    def is_whole_with_a_point(self):
        """8.0, which is a whole number to JSON Schema."""
        return isinstance(self.value, float) and self.value.is_integer()

    def __str__(self):
        return f"/{'/'.join(map(str, self.place))}: {self.what}"


def at(document, place):
    for step in place:
        document = document[step]
    return document


def replaced(document, place, value):
    if not place:
        return value
    changed = copy.deepcopy(document)
    at(changed, place[:-1])[place[-1]] = value
    return changed


def without(document, place):
    changed = copy.deepcopy(document)
    del at(changed, place[:-1])[place[-1]]
    return changed


def places_of(value, place=()):
    yield place
    if isinstance(value, dict):
        for key, each in value.items():
            yield from places_of(each, (*place, key))
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from places_of(each, (*place, index))


def shown(value):
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def flips(accepts, ladder, between):
    """The ends of a ladder of values and, of neighbours in it whose verdicts differ, the two values between which the verdict changes."""
    found, verdicts = [ladder[0], ladder[-1]], [accepts(value) for value in ladder]
    for low, high, one, other in zip(ladder, ladder[1:], verdicts, verdicts[1:]):
        while one != other and (middle := between(low, high)) is not None:
            low, high = (middle, high) if accepts(middle) == one else (low, middle)
        if one != other:
            found += [low, high]
    return found


def whole_between(low, high):
    return (low + high) // 2 if high - low > 1 else None


def real_between(low, high):
    return (low + high) / 2 if high - low > 1e-6 * max(1, abs(low)) else None


def sizes_of(value, accepts):
    """Values of another size around which the schema changes its mind: its own limits, found by asking it."""
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield float(value)  # a whole number with a point in it
        yield from flips(accepts, [-(1 << 62), -1, 0, 1, 2, *(1 << n for n in range(5, 40, 5)), 1 << 62], whole_between)
    elif isinstance(value, float):
        yield from flips(accepts, [-1e9, -1.0, 0.0, *(10.0 ** n for n in range(-3, 4)), 1e9], real_between)
    elif isinstance(value, str):
        yield from map(lambda n: "a" * n, flips(lambda n: accepts("a" * n), [0, 1, 50, 2000], whole_between))
    elif isinstance(value, list) and value:
        def of(n):
            return (value * math.ceil(n / len(value)))[:n]
        yield from map(of, flips(lambda n: accepts(of(n)), [0, 1, 2, 12, 120], whole_between))


def mutations_of(document, place, is_valid):
    """One place of a document that is right, in all the ways of being wrong: another value, another size, a key more."""
    value = at(document, place)

    def with_value(other):
        return replaced(document, place, other)
    others = [*STRANGERS[type(value)], *sizes_of(value, lambda other: is_valid(with_value(other)))]
    for other in others:
        if type(other) is not type(value) or other != value:
            yield Mutation(place, f"is {shown(other)}", with_value(other), other)
    if isinstance(value, dict):
        yield Mutation(place, "has a key more", with_value({**value, "unheard_of": 1}))
    if isinstance(value, list) and len(value) > 1:
        yield Mutation(place, "has its first item twice", with_value([*value, value[0]]))


def mutations(documents, is_valid, sorts):
    siblings, seen, left_out = {}, set(), set()
    wordless = dataclasses.replace(sorts, words=())
    everywhere = [(document, place, at(document, place)) for document in documents for place in places_of(document)]
    for document, place, value in everywhere:
        if isinstance(value, dict):
            siblings.setdefault(wordless.of(document, place), {}).update(value)
    for document, place, value in everywhere:
        sort = sorts.of(document, place)
        if sort not in seen:
            seen.add(sort)
            yield from mutations_of(document, place, is_valid)
            for key, other in (siblings[wordless.of(document, place)] if isinstance(value, dict) else {}).items():
                if key not in value:
                    yield Mutation(place, f"has its sibling's {key}", replaced(document, place, {**value, key: other}))
        key = (sort, *("*" if isinstance(step, int) else step for step in place))
        if key not in left_out and place and isinstance(place[-1], str):  # of a map, too: some of its names may be needed
            left_out.add(key)
            yield Mutation(place, "is missing", without(document, place))
