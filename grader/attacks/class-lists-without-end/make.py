import gzip
import struct
import tarfile
import zlib

HOLES, FILES = 250_000_000, 80_000_000


def header(name, size, kind):
    entry = tarfile.TarInfo(name)
    entry.size, entry.type = size, kind
    return entry.tobuf(tarfile.GNU_FORMAT)


def make(folder, traps):
    words = b"".join(b"%d %s\n" % (len(word) + 4, word)
                     for word in (b"GNU.sparse.major=1", b"GNU.sparse.minor=0",
                                  b"GNU.sparse.realsize=1000"))
    begin = b"%d\n" % HOLES
    with gzip.GzipFile(folder / "eve.tar.gz", "wb", 6) as file:
        file.write(header("x", len(words), b"x") + words + bytes(-len(words) % 512) +
                   header("02-atomic-add.cu", len(begin) + 4 * HOLES, b"0") + begin)
        for _ in range(HOLES // 250_000):
            file.write(b"0\n0\n" * 250_000)
    number = b"\xff" + struct.pack("<Q", FILES)
    all_empty = b"\x0e\xff" + struct.pack("<Q", FILES // 8) + b"\xff" * (FILES // 8)
    listed = b"\1\5" + number + all_empty + b"\0\0"
    where = struct.pack("<QQI", 0, len(listed), zlib.crc32(listed))
    (folder / "mallory.7z").write_bytes(b"7z\xbc\xaf\x27\x1c\0\4" +
                                        struct.pack("<I", zlib.crc32(where)) + where + listed)
