import io
import tarfile


def make(folder, traps):
    with tarfile.open(folder / "eve.tar", "w") as archive:
        for name, kind, target in (("02-atomic-add.cu", tarfile.SYMTYPE,
                                    str(traps.outside / "ada.cu")),
                                   ("out", tarfile.SYMTYPE, str(traps.outside)),
                                   ("hard/02-atomic-add.cu", tarfile.LNKTYPE,
                                    str(traps.outside / "ada.cu")),
                                   ("near/02-atomic-add.cu", tarfile.LNKTYPE,
                                    "../ada/02-atomic-add.cu")):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, target
            archive.addfile(entry)
        for name in ("out/new", "out/grades.csv"):
            entry = tarfile.TarInfo(name)
            entry.size = 4
            archive.addfile(entry, io.BytesIO(b"evil"))
