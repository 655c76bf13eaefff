import tarfile


def make(folder, traps):
    for student, kind in (("eve", tarfile.CHRTYPE), ("mallory", tarfile.BLKTYPE),
                          ("trudy", tarfile.FIFOTYPE)):
        with tarfile.open(folder / f"{student}.tar.gz", "w:gz") as archive:
            entry = tarfile.TarInfo("02-atomic-add.cu")
            entry.type, entry.devmajor, entry.devminor = kind, 1, 5
            archive.addfile(entry)
