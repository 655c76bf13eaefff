import zipfile


def make(folder, traps):
    with zipfile.ZipFile(folder / "eve.zip", "w") as archive:
        for number in range(100_000):
            archive.writestr(f"{number}/02-atomic-add.cu", b"")
