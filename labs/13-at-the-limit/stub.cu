// Lab 13: at the limit. As fast as you can: the points are for the share of the
// read limit that you reach.
//
//   data    length bytes of any value, at an address that 256 divides;
//           everything but the letters a-z is ignored
//   histo   seven counters (a-d, e-h, i-l, m-p, q-t, u-x, y-z), already zero
//           when the kernel starts
//   launch  timed: as the two constants below say, on 2^28 bytes of text.
//           Otherwise any number of blocks, of whole warps; length may be 0,
//           or smaller than a warp's share.
// Threads: 32 to 1024, a multiple of 32. Blocks: 1 to 32.
extern "C" __device__ const unsigned int threads_per_block = 256;
extern "C" __device__ const unsigned int blocks_per_multiprocessor = 8;

constexpr unsigned int bins = 7;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  // Lab 04 and lab 03 together. TODO: make it faster.
  __shared__ unsigned int counts[bins];
  if (threadIdx.x < bins) {
    counts[threadIdx.x] = 0;
  }
  __syncthreads();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      atomicAdd(&counts[letter / 4], 1u);
    }
  }
  __syncthreads();
  if (threadIdx.x < bins) {
    atomicAdd(&histo[threadIdx.x], counts[threadIdx.x]);
  }
}
