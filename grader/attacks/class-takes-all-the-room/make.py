import io
import zipfile


def zipped(entries):
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in entries:
            archive.writestr(name, text)
    return memory.getvalue()


def make(folder, traps):
    many = zipped((f"{number}", b"") for number in range(19_990))
    (folder / "aaa.zip").write_bytes(zipped((f"{number}.zip", many) for number in range(101)))
    large = zipped((f"{number}.cu", b" " * (1 << 20)) for number in range(250))
    (folder / "aab.zip").write_bytes(zipped((f"{number}.zip", large) for number in range(17)))
