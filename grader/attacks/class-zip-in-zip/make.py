import io
import zipfile


def make(folder, traps):
    bytes_ = b""
    for depth in range(40):
        memory = io.BytesIO()
        with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(f"{depth}.zip" if depth else "02-atomic-add.cu",
                             bytes_ or b"__global__ void histogram() {}")
        bytes_ = memory.getvalue()
    (folder / "eve.zip").write_bytes(bytes_)
