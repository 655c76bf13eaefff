// Lab 01: the race. Count the letters a-z of data in seven bins: a-d, e-h, i-l,
// m-p, q-t, u-x, y-z.
//
//   data    length bytes of any value; everything but the letters a-z is
//           ignored
//   histo   seven counters, already zero when the kernel starts
//   launch  one thread per byte, ceil(length / blockDim.x) blocks and at least
//           one: the last block may have threads without a byte, and length may
//           be 0
//
// This time the update is meant to be wrong: a plain ++, so that you can watch
// two threads spoil each other's work.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  // TODO 1: the global index of this thread, from blockIdx.x, blockDim.x and
  // threadIdx.x.

  // TODO 2: read data[i], but only if this thread has a byte.

  // TODO 3: letter = byte - 'a'. Is it a letter? Check both ends, then do
  // histo[letter / 4]++.
}
