"""Finds the commands of a page, in order, with their expected output."""
import re

# Lines with this beginning are commands.
BEGINS = (r"(?:[A-Z_]+=\S+ "
          r")*(?:\./histolab|histolab|tools/\S*|\.ci/run|cmake|ctest|python3|docker|ssh|srun|sudo|"
          r"ln|source <\(\S+|model-measure|viewer/tests/\S+|build/\S+)(?: .*)?")
# In a sentence: only a name, such as a program, a file, or a command without its arguments.
NAME = r"(?:\./)?histolab(?: [a-z]+)?(?: --?[a-zA-Z-]+)*|cmake --install|ctest|\S+/\S*"


class Command:
    """A command: its `text`, its `name` in the tables, its output; or the edit of the file
    `text`."""

    def __init__(self, page, line, text, typed=True, output=None, edit=None):
        self.where = f"{page}:{line}"
        self.text = re.sub(r"\s+", " ", text).strip() if output is None else text
        self.typed, self.output, self.edit = typed, output, edit
        self.name = re.sub(r"(^|[|(] ?)\./histolab (?!setup|test)", r"\1histolab ", self.text)


def blocks_of(text):
    """(line, its lines, the kind of fence) of each block; and the page without them."""
    blocks, prose, kind = [], [], None
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        fence = re.match(r"\s*```(\w*)", line)
        if fence and kind is None:
            kind = fence[1] or "text"
            blocks.append((number + 1, [], kind))
        elif fence:
            kind = None
        elif kind is not None:
            blocks[-1][1].append(line)
        elif line.startswith("    "):
            if (not blocks or blocks[-1][2] != "indented" or
                blocks[-1][0] + len(blocks[-1][1]) != number):
                blocks.append((number, [], "indented"))
            blocks[-1][1].append(line[4:])
        elif (not line and blocks and blocks[-1][2] == "indented" and
              blocks[-1][0] + len(blocks[-1][1]) == number and
              any(re.match(r"\$ ", said) for said in blocks[-1][1]) and
              number < len(lines) and lines[number].startswith("    ")):
            blocks[-1][1].append(line)  # a blank line of an output
        else:
            prose.append(line)
            continue
        prose.append("")
    return blocks, "\n".join(prose)


def commands_of(page, text):
    """Of the page of that name, in its order."""
    blocks, prose = blocks_of(text)
    found = []
    for first, lines, kind in blocks:
        if kind == "diff":
            found.append(Command(page, first, lines[0].removeprefix("--- "), edit=lines[1:]))
            continue
        session = any(line.startswith("$ ") for line in lines)
        at = 0
        while at < len(lines):
            line, number = lines[at].strip() if not session else lines[at], first + at
            at += 1
            if (session and not line.startswith("$ ") or
                not re.fullmatch(BEGINS, re.sub(r"^\$ ", "", line))):
                continue
            text = line.removeprefix("$ ")
            while text.endswith("\\"):
                text, at = text[:-1] + lines[at].strip(), at + 1
            output = None
            if session:
                output = []
                while at < len(lines) and not lines[at].startswith("$ "):
                    output.append(lines[at])
                    at += 1
            found.append(Command(page, number, re.sub(r"\s+# .*", "", text), output=output))
    for code in re.finditer(r"`([^`]+)`", prose):
        text = " ".join(code[1].replace("\\|", "|").split())
        if re.fullmatch(BEGINS, text):
            found.append(Command(page, prose.count("\n", 0, code.start()) + 1, text,
                                 typed=not re.fullmatch(NAME, text)))
    return sorted(found, key=lambda command: int(command.where.split(":")[1]))
