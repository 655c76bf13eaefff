// Lab 04: privatization. Each block counts into a histogram of its own and adds
// it to histo at the end.
//
//   data    length bytes of any value; everything but the letters a-z is
//           ignored
//   histo   seven counters (a-d, e-h, i-l, m-p, q-t, u-x, y-z), already zero
//           when the kernel starts
//   launch  one thread per byte, ceil(length / blockDim.x) blocks and at least
//           one; length may be 0. Blocks may have as few as 3 threads: fewer
//           than bins. The launch also provides 28 bytes of dynamic shared
//           memory, in case you prefer extern __shared__.
constexpr unsigned int bins = 7;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int private_histo[bins];  // not zeroed yet

  // TODO 1: zero private_histo, all threads together, in a loop that also works
  // with 3 threads.

  // TODO 2: what must have happened before the first thread may count?

  // TODO 3: count this thread's byte, in private_histo.

  // TODO 4: what must have happened before the counts are final?

  // TODO 5: commit: add each private counter to histo, in the same kind of
  // loop.
}
