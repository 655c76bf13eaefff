// Lab 06: aggregation. A thread that meets the same bin again and again counts
// in a register and adds once.
//
//   data    length bytes of any value; everything but the letters a-z is
//           ignored
//   histo   seven counters (a-d, e-h, i-l, m-p, q-t, u-x, y-z), already zero
//           when the kernel starts
//   launch  a grid whose size does not depend on length: 3 to 300 bytes for
//           each thread, or none at all when length is 0 or 1. The launch also
//           provides 28 bytes of dynamic shared memory, for extern __shared__.
constexpr unsigned int bins = 7;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int private_histo[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    private_histo[bin] = 0;
  }
  __syncthreads();

  unsigned int accumulator = 0;  // letters seen of the current run
  int previous_bin = -1;         // the bin of that run; -1: no letter seen yet
  const unsigned int threads = gridDim.x * blockDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads) {
    // TODO 1: the bin of data[i], if it is a letter.

    // TODO 2: the same bin as before: one more in the accumulator. Another one:
    //         add the accumulator to the old bin, if there is one, and start a
    //         new run.
  }
  // TODO 3: the loop has ended, but the last run is still in the register.

  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    atomicAdd(&histo[bin], private_histo[bin]);
  }
}
