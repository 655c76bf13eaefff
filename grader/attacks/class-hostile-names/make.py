import os

NAMES = [b"=cmd|'C calc'!A0", b"@SUM(1)", b"<script>alert(1)<", b"--out", b"-j9", b"a\nb",
         b"tab\there", b"\x1b[2J\x1b]0;owned\x07", b"'; DROP TABLE student; --", b"\xff\xfe\x80",
         b"\xe2\x80\xaeada",
         b"...", b"~", b"$(touch new)", b"`id`", b"%s%n", b"CON", b"Ada", b"ada ", b"n" * 250,
         b"\x7f\x9b31m", b"{}", b"a'b\"c"]


def make(folder, traps):
    for name in NAMES:
        place = os.path.join(os.fsencode(folder), name)
        os.mkdir(place)
        with open(os.path.join(place, b"02-atomic-add.cu"), "wb") as file:
            file.write(b"__global__ void histogram(const char* data, unsigned int length, unsigned "
                       b"int* histo) {}\n")
