import zipfile


def make(folder, traps):
    with zipfile.ZipFile(folder / "eve.zip", "w") as archive:
        for name in ("02-atomic-add.cu\n", "a\nada,10\n/02-atomic-add.cu", "\x1b[2J.cu",
                     "<img src=x onerror=alert(1)>/02-atomic-add.cu", "b" * 5000 + ".cu",
                     "\u202euc.dda", " /02-atomic-add.cu", "con/02-atomic-add.cu."):
            archive.writestr(name, "__global__ void histogram(const char*, unsigned int, unsigned "
                                   "int*) {}\n")
