"""Generated, since an editor or Git could change the line ends."""


def assembly(number):
    return (rf'asm("\n.globl escape{number}\n.section .text.escape{number},\"ax\"\nescape{number}: '
            r'mov $231, %eax; xor %edi, %edi; syscall\n.text\n");')


def kernel(traps):
    return "\ufeff" + assembly(0) + "\n// a\r" + assembly(1) + "\n// b \\\r\r\n" + assembly(2) + """
extern "C" __device__ void escape0();
extern "C" __device__ void escape1();
extern "C" __device__ void escape2();
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  escape0(), escape1(), escape2();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) histo[letter / 4] += 1;
}
"""
