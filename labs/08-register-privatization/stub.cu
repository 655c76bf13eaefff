// Lab 08: privatization in registers. Each thread has seven counters of its
// own; nothing is shared before the end.
//
//   data    length bytes of any value; everything but the letters a-z is
//           ignored
//   histo   seven counters (a-d, e-h, i-l, m-p, q-t, u-x, y-z), already zero
//           when the kernel starts
//   launch  any grid, also one with more threads than data: a thread handles
//           many letters or none; length may be 0. Blocks may have 4 threads,
//           or 100, which is not a whole number of warps. The launch also
//           provides 28 bytes of dynamic shared memory.
constexpr unsigned int bins = 7;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  // These are registers as long as the compiler knows every index.
  unsigned int counts[bins] = {};

  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    // TODO 1: count the letter, without counts[letter / 4]: this index is known
    // only after the letter has been read.
  }

  // TODO 2: add the counters of all threads to histo, with few global atomics:
  //         through shared memory, as in lab 04, or warp by warp with
  //         __shfl_down_sync or __reduce_add_sync. Which lanes are there in a
  //         block of 100?
}
