"""All mutants of a C++ file, each of which changes one line.

Mutants are a comparison that is off by one, `and` for `or`, a condition that is always true or
false, a number plus one, a removed statement, a removed word of a list, and an empty return value.

This module reads text, not C++, and relies on clang-format's spaces around operators. A mutant that
does not compile does not count.

A marker in the lines above accepts mutants that make no difference, with the reason:

    // mutant always, < -> <=: the loop's body does nothing then
    if (left < size) copy(left);

The changes are `never` and `always` (a condition), `gone` (a statement), `return {}`, `without X`
(a word, or !) and `X -> Y`; ` #2` names the second one of the same line. `//` lines without
`mutant` continue the reason. Nothing else may be between a marker and its line.
"""
import collections
import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str
    line: int      # counted from 1
    was: str       # the line, without its indentation
    becomes: str
    what: str
    change: str    # how a marker names it
    accepted: str = ""  # the reason in its marker


@dataclasses.dataclass(frozen=True)
class Marker:
    line: int      # of the code below it
    change: str
    why: str


INSTEAD = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||",
           "||": "&&", "+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "<<": ">>", ">>": "<<",
           "&": "|", "|": "&", "^": "|", "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=",
           "<<=": ">>=", ">>=": "<<="}
BINARY = re.compile(r"(?<= )(" +
                    "|".join(re.escape(each) for each in sorted(INSTEAD, key=len, reverse=True)) +
                    r")(?= |$)")
STEP = re.compile(r"\+\+|--")
NOT = re.compile(r"(?<![\w)])!(?=[\w(*:])")
NUMBER = re.compile(r"(?<![\w.'])(0[xb][0-9a-fA-F']+|\d[\d']*)(?=[uUlL]*(?![\w.']))")
WORD = re.compile(r"\b(true|false)\b")
RETURN = re.compile(r"\breturn ([^;]+);")
CONDITION = re.compile(r"\b(?:if|while)(?: constexpr)? \(")
SEVERAL = re.compile(r"[{(] ?(?:\"[^\"]*\", )+\"[^\"]*\"|^\s*(?:\"[^\"]*\", )+|(?:\b[A-Z]\w+ \| "
                     r")+[A-Z]\w+")
NO_CODE = re.compile(r"\s*(#|using |namespace |static_assert|template|assert\(|class |struct |enum "
                     r"|public:|private:|extern )")
DECLARATION = re.compile(r"\s*\[\[nodiscard\]\][^{]*;\s*$")  # the linker finds missing functions
KEPT = re.compile(r"(using|namespace|const|constexpr|static|static_assert|assert|return|if|for|"
                  r"while|switch|case|default|else|do|goto)\b")


def without_text(text):
    """Returns the text with comments and quoted text replaced by blanks."""
    def blank(match):
        found = match.group(0)
        if found.startswith("/"):
            return re.sub(r"[^\n]", " ", found)
        return found[0] + re.sub(r"[^\n]", " ", found[1:-1]) + found[-1]
    return re.sub(r'R"\(.*?\)"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'
                  r'(?<!\d)\'(?:\\.|[^\'\\\n])+\'', blank, text, flags=re.DOTALL)


def closing(text, opening):
    """Returns the position of the bracket that closes the one at `opening`, or None."""
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return at
    return None


def conditions(code):
    """Yields the ranges of the conditions of this line's ifs, without declarations in them."""
    for match in CONDITION.finditer(code):
        end = closing(code, match.end() - 1)
        if end is None:
            continue
        begin = code.rfind(";", match.end(), end) + 1 or match.end()
        begin += len(code[begin:end]) - len(code[begin:end].lstrip())
        if not re.search(r"(?<![=!<>])=(?!=)", code[begin:end]):
            yield begin, end, match.group(0).startswith("while")


def statements(code):
    """Yields the complete statements of a line, as (begin, end), that do not look like
    declarations."""
    begin = len(code) - len(code.lstrip())
    depth = 0
    for at in range(begin, len(code)):
        depth += (code[at] in "([{") - (code[at] in ")]}")
        if depth < 0:
            return
        if code[at] != ";" or depth != 0:
            continue
        part = code[begin:at]
        start = begin + len(part) - len(part.lstrip())
        while match := re.match(r"else (?!if\b)|(?:for|while) (?=\()|(?:case [\w:]+|default): ",
                                code[start:at]):
            start += match.end()
            if code[start] == "(" and (end := closing(code, start)) is not None:
                start = end + 1
                start += len(code[start:at]) - len(code[start:at].lstrip())
            elif code[start] == "(":
                break
        if (start < at and not KEPT.match(code[start:at]) and
            not re.match(r"[\w:<>,*& ]+ [&*]?\w+(\{.*\}|\[.*\])?$", code[start:at])):
            yield start, at
        begin = at + 1


def value_of(number):
    digits = number.replace("'", "")
    return int(digits, 8 if digits.startswith("0") and digits.isdigit() else 0)


def of_line(line, code):
    """Yields (kind, mutated line, change) from a line and the same line without quoted text."""
    def put(begin, end, text, change=None):
        change = change or f"{line[begin:end]} -> {text}"
        return line[:begin] + text + line[end:], change

    if "assert(" in code:
        return
    for begin, end, loop in conditions(code):
        yield "never", *put(begin, end, f"false && ({line[begin:end]})", "never")
        if not loop:
            yield "always", *put(begin, end, f"true || ({line[begin:end]})", "always")
    for begin, end in statements(code):
        yield "gone", *put(begin, end, "", "gone")
    for match in BINARY.finditer(code):
        yield "operator", *put(*match.span(), INSTEAD[match.group(0)])
    for match in STEP.finditer(code):
        yield "operator", *put(*match.span(), "--" if match.group(0) == "++" else "++")
    for match in NOT.finditer(code):
        yield "operator", *put(*match.span(), "", "without !")
    for match in NUMBER.finditer(code):
        yield "number", *put(*match.span(), str(value_of(match.group(0)) + 1))
    for match in WORD.finditer(code):
        yield "number", *put(*match.span(), "false" if match.group(0) == "true" else "true")
    for match in RETURN.finditer(code):
        if match.group(1) not in ("true", "false", "{}", "0", "1"):
            yield "answer", *put(*match.span(1), "{}", "return {}")
    for several in SEVERAL.finditer(line):
        for one in (r'"[^"]*", |\b[A-Z]\w+ \| ', r'(, "[^"]*"| \| [A-Z]\w+)$'):
            for match in re.finditer(one, several.group(0)):
                begin = several.start() + match.start()
                word = match.group(0).strip(", |")
                yield "word", *put(begin, begin + len(match.group(0)), "", f"without {word}")


def markers_of(text):
    found, above = [], []  # the markers above the next line of code
    for number, line in enumerate([*text.splitlines(), ""], 1):
        is_comment = line.lstrip().startswith("//")
        comment = line.strip().removeprefix("//").strip() if is_comment else ""
        if comment.startswith("mutant "):
            above.append(comment.removeprefix("mutant "))
        elif comment and above:
            above[-1] += " " + comment
        else:
            for marker in above:
                changes, _, why = marker.partition(": ")
                found += [Marker(number, change, why) for change in changes.split(", ")]
            above = []
    return found


def mutants_of(file, text):
    accepted = {(each.line, each.change): each.why for each in markers_of(text)}
    found, seen = [], set()
    for number, (line, code) in enumerate(zip(text.splitlines(), without_text(text).splitlines()),
                                          1):
        if not code.strip() or NO_CODE.match(code) or DECLARATION.match(code):
            continue
        names = collections.Counter()
        for what, becomes, change in of_line(line, code):
            if becomes == line or (number, becomes.strip()) in seen:
                continue
            seen.add((number, becomes.strip()))
            names[change] += 1
            if names[change] > 1:
                change += f" #{names[change]}"
            found.append(Mutant(file, number, line.strip(), becomes.strip(), what, change,
                                accepted.get((number, change), "")))
    return found
