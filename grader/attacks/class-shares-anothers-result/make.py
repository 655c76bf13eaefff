from histolab_program import SOURCE

SOLUTION = SOURCE / "labs" / "02-atomic-add" / "solution.cu"


def make(folder, traps):
    ada = SOLUTION.read_text() + "__device__ int ada;\n"
    comment = "// not ada's\rint ada = nothing;\n"
    variants = {
        "bo": ada + "/* this comment has no end",
        "cleo": ada + "/**/ /*",
        "dan": ada + comment,
        "eve": ada.replace("{\n", "{  " + comment, 1),
        "flo": ada + "/* ada's *\\\n/ nothing; /* */\n",
    }
    for name, text in variants.items():
        (folder / name).mkdir()
        (folder / name / "02-atomic-add.cu").write_bytes(text.encode())
