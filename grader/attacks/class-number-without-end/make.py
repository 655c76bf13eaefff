def make(folder, traps):
    for student, text in (("eve", "1'" * 520_000), ("mallory", "a'" * 520_000)):
        (folder / student).mkdir()
        (folder / student / "02-atomic-add.cu").write_text(
            "__global__ void histogram(const char*, unsigned int, unsigned int*) {}\n"
            "int i = " + text)
