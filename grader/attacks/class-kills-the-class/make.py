KERNEL = '''__device__ __attribute__((noipa)) unsigned long code() { return 0xc3050f0000003eb8; }  // mov eax, 62 (kill); syscall; ret
using Call = long (*)(unsigned long, unsigned long, unsigned long, unsigned long, unsigned long);
__device__ __attribute__((noipa)) long system_call(unsigned long a = 0, unsigned long b = 0, unsigned long c = 0, unsigned long d = 0, unsigned long e = 0) {
  return reinterpret_cast<Call>(reinterpret_cast<unsigned long>(&code) + 2)(a, b, c, d, e);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  for (int k = 0; k < 1000; ++k) system_call(-1ul, 18);  // SIGCONT: harmless where it comes through
}
'''


def make(folder, traps):
    for number, student in enumerate(("eve", "mallory", "trudy", "oscar")):
        (folder / student).mkdir()
        (folder / student / "02-atomic-add.cu").write_text(
            KERNEL + f"__device__ int number = {number};\n")
