"""Every way in which a document can be wrong in one place, for schemas_agree_test.py, which
compares a loader with its schema.

A place is a path into the document. Equivalent places (`length` of the first and of the tenth case)
are tried once, in the first document that has them.
"""
import copy
import dataclasses
import json
import math

# Values that may be there by mistake.
STRANGERS = {str: (None, 7, "", "%%%"), int: (None, True, 1.5, "7"), float: (None, True, "7"),
             bool: (None, 1, "true"), list: (None, "%%%", {}, []), dict: (None, "%%%", [], {})}


@dataclasses.dataclass(frozen=True)
class Sorts:
    """The facts that distinguish places."""
    maps: tuple = ()   # keys of maps: their objects have arbitrary names as keys
    words: tuple = ()  # keys whose one-word value gives the object's kind
    alike: tuple = ()  # keys with the same meaning everywhere

    def of(self, document, place):
        """Its keys and the kind of its value, without list indices and names in maps. A model
        within a model is a model, and so is a measurement."""
        sort, value, parent = [], document, None
        for step in (None, *place):
            if step is not None:
                nameless = (isinstance(step, int) or parent in self.maps or
                            ("model" in value and step != "model"))
                sort.append("*" if nameless else step)
                value, parent = value[step], None if nameless else step
            if isinstance(value, dict):
                if "model" in value or "field" in value:
                    sort = []
                told = ([] if place and place[-1] in self.alike
                        else [word for word in self.words if isinstance(value.get(word), str)])
                sort.append(" ".join(["", *(f"{word}={value[word]}" for word in told)]))
        return (f"{'/'.join(sort)}: "
                f"{'number' if type(value) in (int, float) else type(value).__name__}")

    def in_all(self, documents):
        return {self.of(document, place) for document in documents for place in places_of(document)}


@dataclasses.dataclass(frozen=True)
class Mutation:
    place: tuple
    what: str
    document: object
    value: object = None  # the replacement

    def is_whole_with_a_point(self):
        """8.0, which is an integer to JSON Schema."""
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
    """The ends of a ladder of values and, for neighbours with different verdicts, the two values
    between which the verdict changes."""
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
    """Values of another size at which the schema's verdict changes: the schema's limits, found
    by trying."""
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield float(value)  # an integer with a decimal point
        yield from flips(accepts,
                         [-(1 << 62), -1, 0, 1, 2, *(1 << n for n in range(5, 40, 5)), 1 << 62],
                         whole_between)
    elif isinstance(value, float):
        yield from flips(accepts, [-1e9, -1.0, 0.0, *(10.0 ** n for n in range(-3, 4)), 1e9],
                         real_between)
    elif isinstance(value, str):
        yield from map(lambda n: "a" * n,
                       flips(lambda n: accepts("a" * n), [0, 1, 50, 2000], whole_between))
    elif isinstance(value, list) and value:
        def of(n):
            return (value * math.ceil(n / len(value)))[:n]
        yield from map(of, flips(lambda n: accepts(of(n)), [0, 1, 2, 12, 120], whole_between))


def mutations_of(document, place, is_valid):
    """One place of a valid document in all the ways of being wrong: another value, another size,
    an extra key."""
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
    everywhere = [(document, place, at(document, place)) for document in documents
                  for place in places_of(document)]
    for document, place, value in everywhere:
        if isinstance(value, dict):
            siblings.setdefault(wordless.of(document, place), {}).update(value)
    for document, place, value in everywhere:
        sort = sorts.of(document, place)
        if sort not in seen:
            seen.add(sort)
            yield from mutations_of(document, place, is_valid)
            for key, other in (siblings[wordless.of(document, place)] if isinstance(value, dict)
                               else {}).items():
                if key not in value:
                    yield Mutation(place, f"has its sibling's {key}",
                                   replaced(document, place, {**value, key: other}))
        key = (sort, *("*" if isinstance(step, int) else step for step in place))
        # in maps too: some of their names may be required
        if key not in left_out and place and isinstance(place[-1], str):
            left_out.add(key)
            yield Mutation(place, "is missing", without(document, place))
