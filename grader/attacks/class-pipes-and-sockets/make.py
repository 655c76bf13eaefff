import os
import socket


def make(folder, traps):
    for student in ("eve", "mallory", "trudy", "oscar"):
        (folder / student).mkdir()
    os.mkfifo(folder / "eve" / "02-atomic-add.cu")
    place = socket.socket(socket.AF_UNIX)
    here = os.open(folder / "mallory", os.O_RDONLY)
    place.bind(f"/proc/self/fd/{here}/02-atomic-add.cu")
    os.close(here)
    place.close()
    (folder / "trudy" / "02-atomic-add.cu").mkdir()
    with open(folder / "oscar" / "02-atomic-add.cu", "wb") as file:
        file.truncate(1 << 30)
