// expect: failed data_race state 14/16 first
// Of the two races on the flag, many stores of one value are harmless. The test that may come too early is not.
struct State {
  int ready, unused;
};
__device__ State state[4096];

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= length) return;
  const char c = data[at];
  if (c < 'a' || c > 'z') return;
  State* own = &state[blockIdx.x % 4096];
  own->ready = 7;
  __threadfence_block();
  if (threadIdx.x % 2 == 0 || own->ready == 7) atomicAdd(&histo[(c - 'a') / 4], 1u);
}
