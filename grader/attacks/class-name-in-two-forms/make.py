import unicodedata

COUNTS = """__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
"""


def make(folder, traps):
    for form, kernel in (("NFC", COUNTS), ("NFD", COUNTS.replace("1u", "2u"))):
        student = folder / unicodedata.normalize(form, "Zoë Müller")
        student.mkdir()
        (student / "02-atomic-add.cu").write_text(kernel)
