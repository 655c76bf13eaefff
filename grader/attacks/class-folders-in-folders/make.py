import zipfile


def make(folder, traps):
    with zipfile.ZipFile(folder / "eve.zip", "w") as archive:
        for i in range(200):
            archive.writestr(f"{i}/" + "a/" * 30000 + "02-atomic-add.cu",
                             "__global__ void histogram(const char*, unsigned int, unsigned int*) "
                             "{}\n")
