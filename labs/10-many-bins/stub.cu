// Lab 10: many bins. Two kernels: bytes in up to 256 bins, and 16-bit samples
// in up to 65 536.
//
//   data      length bytes, or length unsigned shorts, at an address that 256
//             divides; any value
//   histo     num_bins counters, all zero when the kernel starts: histo[v] is
//             for the value v; larger values are not counted
//   num_bins  known at run time: 1 to 256 in histogram_bytes, 1 to 65 536 in
//             histogram_samples
//   launch    any grid, of one block or more, of 4 to 1024 threads, also one
//             with more threads than data; length may be 0
// Dynamic: the launch sets the number of bytes.
extern __shared__ unsigned int counts[];

// 1. The lecture's kernel. The launch provides num_bins counters of dynamic
//    shared memory for each block.
__global__ void histogram_bytes(const unsigned char* data, unsigned int length, unsigned int* histo, unsigned int num_bins) {
  // TODO 1: zero, barrier, count, barrier, commit. There may be fewer threads
  // than bins, and the number of bins is unknown at compile time.
}

// 2. How much dynamic shared memory does histogram_samples need for each block?
//    At most 232448 bytes: 58 112 counters of four bytes. Then only one block
//    runs on a multiprocessor at a time.
extern "C" __device__ const unsigned int shared_bytes = 0;

__global__ void histogram_samples(const unsigned short* data, unsigned int length, unsigned int* histo, unsigned int num_bins) {
  // TODO 2: this loop counts in global memory. Keep it for the launches for
  // which it is the best method...
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    if (data[i] < num_bins) {
      atomicAdd(&histo[data[i]], 1u);
    }
  }
  // TODO 3: ... and for the others use a private copy if it fits. If it does
  // not fit, let each block count a part of the bins.
}
