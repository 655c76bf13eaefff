import zipfile


def make(folder, traps):
    with zipfile.ZipFile(folder / "eve.zip", "w") as archive:
        for name in ("../ada/02-atomic-add.cu", "a/../../ada/02-atomic-add.cu",
                     "../" * 12 + str(traps.outside / "new")[1:], str(traps.outside / "new"),
                     "..\\ada\\02-atomic-add.cu", "C:\\new", "./../grades.csv"):
            archive.writestr(name, "__global__ void histogram(const char*, unsigned int, unsigned "
                                   "int*) {}\n")
