// Lab 03: interleaved partitioning. There are far more bytes than threads.
//
//   data    length bytes of any value; everything but the letters a-z is
//           ignored
//   histo   seven counters (a-d, e-h, i-l, m-p, q-t, u-x, y-z), already zero
//           when the kernel starts
//   launch  a grid whose size does not depend on length: 3 to 2100 bytes for
//           each thread, or none at all when length is 0 or 1
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  // TODO 1: where does this thread start, so that the 32 threads of a warp read
  // 32 neighbouring bytes?

  // TODO 2: how far is it to its next byte? Count all the threads of the grid,
  // not only those of the block.

  // TODO 3: loop while there is a byte, and add each letter to its bin with
  // atomicAdd.
}
