import io
import struct
import zipfile


def make(folder, traps):
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("02-atomic-add.cu", b"x" * 1_000_000)
    whole = memory.getvalue()
    (folder / "eve.zip").write_bytes(whole.replace(struct.pack("<I", 1_000_000),
                                                   struct.pack("<I", 0xfffffff0)))
    (folder / "mallory.zip").write_bytes(whole.replace(struct.pack("<I", 1_000_000),
                                                       struct.pack("<I", 1)))
    (folder / "trudy.zip").write_bytes(whole[:len(whole) // 2])
    (folder / "oscar.zip").write_bytes(b"PK\x03\x04" + b"\xff" * 1000)
    locked = bytearray(whole)
    locked[6] |= 1
    locked[whole.index(b"PK\x01\x02") + 8] |= 1
    (folder / "peggy.zip").write_bytes(bytes(locked))
    (folder / "sybil.tar.gz").write_bytes(b"\x1f\x8b" + bytes(100))
