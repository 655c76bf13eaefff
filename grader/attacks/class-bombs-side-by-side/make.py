from histolab_program import SOURCE

NAMES = ("takes-all-memory", "loops-without-memory", "recurses-without-end", "prints-without-end")


def make(folder, traps):
    for name in NAMES:
        (folder / name).mkdir()
        kernel = SOURCE / "grader" / "attacks" / name / "kernel.cu"
        (folder / name / "02-atomic-add.cu").write_text(kernel.read_text())
