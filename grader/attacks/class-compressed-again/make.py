import gzip


def make(folder, traps):
    bytes_ = gzip.compress(b"")
    for times in (50_000, 1000, 2000):
        bytes_ = gzip.compress(bytes_ * times)
    (folder / "eve.tar.gz").write_bytes(bytes_)
