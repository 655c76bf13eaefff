typedef unsigned int Two __attribute__((vector_size(8)));
struct Lane { Two of; };
struct Count { unsigned int one : 31, flag : 1; };
struct Three { unsigned char of[3]; };
__device__ Three idle;
__device__ __attribute__((noipa)) void look(Three) {}
__device__ __attribute__((noipa)) Lane next(Count c, unsigned int n) { return {Two{c.one, 0} + Two{n, 0}}; }
__device__ __attribute__((noipa)) Count lower(Lane l) { Count c; c.flag = 0, c.one = l.of[0]; return c; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter < 0 || letter >= 26) return;
  Count* const mine = reinterpret_cast<Count*>(&histo[letter / 4]);
  mine->flag = 0;
  const Lane sum = next(*mine, 1);
  *mine = lower(Lane{Two{0, 0}});
  const Three t = idle;
  *mine = lower(sum);
  look(t);
}
