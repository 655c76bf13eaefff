struct Row { unsigned int count[7]; };
struct Three { unsigned char of[3]; };
__device__ Three idle;
__device__ __attribute__((noipa)) void look(Three) {}
__device__ __attribute__((noipa)) Row row_of(Row row, int add) { if (add >= 0) row.count[add] += 1; return row; }
__device__ __attribute__((noipa)) Row zeros() { return {}; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter < 0 || letter >= 26) return;
  Row* const all = reinterpret_cast<Row*>(histo);
  all->count[letter / 4] += 0;
  const Row next = row_of(*all, letter / 4);
  *all = zeros();
  const Three t = idle;
  *all = row_of(next, -1);
  look(t);
}
