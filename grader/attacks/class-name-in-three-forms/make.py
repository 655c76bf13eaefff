EMPTY = "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {}\n"
SPELLINGS = ("Th\u1ec7", "The\u0302\u0323", "The\u0323\u0302")


def make(folder, traps):
    for number, name in enumerate(SPELLINGS):
        (folder / f"{name}_02-atomic-add.cu").write_text(f"// {number}\n{EMPTY}")
