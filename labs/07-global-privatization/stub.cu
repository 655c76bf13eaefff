// Lab 07: privatization in global memory. Each block counts in a copy of the
// histogram, and adds it to the first one at the end.
//
//   data             length bytes of any value; everything but the letters a-z
//                    is ignored
//   histo            copies * num_bins counters, all zero when the kernel
//                    starts: copy c begins at histo[c * num_bins]. Copy 0 is
//                    the result.
//   num_bins         bins: 1 to 26
//   letters_per_bin  letter number l ('a' is 0) is counted in bin l /
//                    letters_per_bin
//   launch           one thread per byte, ceil(length / blockDim.x) blocks and
//                    at least one; length may be 0. There may be more blocks
//                    than copies, and fewer threads in a block than bins.

// How many copies the buffer holds: 1 to 8192. The harness reads it from the
// compiled kernel.
extern "C" __device__ const unsigned int copies = 1;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins,
                          unsigned int letters_per_bin) {
  // TODO 1: which copy does this block count in? It has to exist for every
  // value of blockIdx.x.
  unsigned int* own = histo;

  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      atomicAdd(&own[letter / letters_per_bin], 1u);
    }
  }

  // TODO 2: what must have happened before the block's copy is complete?

  // TODO 3: add the block's copy to copy 0, in a loop over the bins. Which
  //         blocks must not do that? And if other blocks count in the same
  //         copy: what if they add letters after you have read it?
}
