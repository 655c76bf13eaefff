import io
import zipfile


def make(folder, traps):
    inner = io.BytesIO()
    with (zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
          archive.open("02-atomic-add.cu", "w", force_zip64=True) as file):
        for _ in range(600):
            file.write(b" " * (1 << 20))
    with zipfile.ZipFile(folder / "eve.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(4):
            archive.writestr(f"{number}.zip", inner.getvalue())
