// Lab 10: many bins. Two kernels: bytes in up to 256 bins, and 16-bit samples
// in up to 65 536.
//
//   data      length bytes, or length unsigned shorts, at an address that 256
//             divides; any value
//   histo     num_bins counters, all zero when the kernel starts: histo[v] is
//             for the value v; larger values are not counted
//   num_bins  told at run time: 1 to 256 in histogram_bytes, 1 to 65 536 in
//             histogram_samples
//   launch    any grid, of one block or more, of 4 to 1024 threads, also one
//             with more threads than data; length may be 0
// Dynamic: as many bytes as the launch says.
extern __shared__ unsigned int counts[];

// 1. The lecture's kernel. The launch has num_bins counters of dynamic shared
//    memory for each block.
__global__ void histogram_bytes(const unsigned char* data, unsigned int length, unsigned int* histo, unsigned int num_bins) {
  // TODO 1: zero, barrier, count, barrier, commit, with fewer threads than bins
  // and bins that nobody knew when this was compiled.
}

// 2. How much dynamic shared memory does histogram_samples want for each block?
//    At most 232448 bytes: 58 112 counters of four bytes, and then only one
//    block runs on a multiprocessor at a time.
extern "C" __device__ const unsigned int shared_bytes = 0;

__global__ void histogram_samples(const unsigned short* data, unsigned int length, unsigned int* histo, unsigned int num_bins) {
  // TODO 2: this counts in global memory. Keep it for those launches in which
  // it is the best that one can do...
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    if (data[i] < num_bins) {
      atomicAdd(&histo[data[i]], 1u);
    }
  }
  // TODO 3: ... and for the others: a private copy where it fits, and where it
  // does not, blocks that count a part of the bins.
}
