// A block's counters in shared memory. All additions are atomicAdd(word, 1u) without a result: one
// instruction (ATOMS.POPC.INC), which also combines equal addresses of a warp. Other additions, and
// those with a used result, are not combined: they fell to 11 % of the read limit on constant
// 16-bit data. So 16-bit counters are not packed into words here.
#pragma once

#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/plan.h"

namespace histolab::kernels::cuda {

// Returns the index of a bin's word. Without the hash, neighbouring bins are neighbouring words,
// and bins 32 apart share a bank. Data with such a stride (two bins 32 apart, an image quantized to
// multiples of 32) is then served one lane at a time: 11 % of the read limit again. With the hash,
// the low five bits of the index are the bin's, XORed with five bits of a multiplicative hash of
// the bin's other bits. Each launch has its own multiplier, so data cannot be designed against it.
// The hash permutes each group of 32 words, so the flush is still coalesced.
template <bool hashed>
__device__ __forceinline__ unsigned place_of(unsigned bin, unsigned multiplier) {
  return hashed ? bin ^ (((bin >> 5) * multiplier) >> 27) : bin;
}

// 2^log_copies copies of each bin's counter, next to each other. A lane uses copy lane % copies.
// With 32 copies, each lane has its own bank and lanes cannot collide. With C copies, at most 32 /
// C lanes can collide, and from 16 copies on no hash is needed.
//
// If one block does not have enough words for all bins, they are divided into parts: blocks p, p +
// parts, ... have the `part_bins` bins from p * part_bins on. The blocks of a range read the same
// samples at about the same time. So memory is read once, and the L2 serves the other reads.
template <bool hashed>
struct Copies {
  unsigned bins, part_bins, log_copies, multiplier;
  unsigned words;  // counter_words(part_bins, log_copies)
  unsigned* table;
  unsigned first_bin;  // first bin of the block's part
  unsigned lane_address, copy_bytes;

  __device__ __forceinline__ void prepare(unsigned threads) {
    lane_address = static_cast<unsigned>(
        __cvta_generic_to_shared(table + (threadIdx.x & ((1u << log_copies) - 1))));
    copy_bytes = 4u << log_copies;
    for (unsigned i = threadIdx.x * 4; i < words; i += threads * 4)
      *reinterpret_cast<uint4*>(table + i) = uint4{0, 0, 0, 0};
  }

  // Adds 1 to `bin`, numbered from first_bin. Samples without a bin in this part use bin part_bins.
  // They are counted there because ATOMS.POPC.INC has no predicate: a condition would be a branch
  // with a barrier around every sample, with 76 instead of 97 % of the read limit (1000 bins,
  // 16-bit samples). A product is used instead of a shift, because IMAD has its own pipe, and the
  // other pipe limits 16-bit samples. PTX is used because a generic address needs another addition:
  // 142 instead of 174 instructions per round.
  __device__ __forceinline__ void add(unsigned bin) const {
    const unsigned address = place_of<hashed>(bin, multiplier) * copy_bytes + lane_address;
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address));
  }

  // Adds the block's counts to the histogram. A warp adds up the copies of 32 neighbouring bins,
  // one bin per lane. So a request to the L2 has many bins; the L2 handles requests to a line one
  // after the other. Lanes of one bank start with different copies. Each block starts at a
  // different position, so that blocks that end together do not all add to the same addresses.
  // `alone` means that no other block has these bins, so the counts are assigned.
  __device__ __forceinline__ void flush(unsigned threads, Count* histogram, bool alone) const {
    const unsigned lane = threadIdx.x % 32, copies = 1u << log_copies,
                   groups = words >> (5 + log_copies), first_copy = lane >> (5 - log_copies);
    const unsigned first =
        static_cast<unsigned>(static_cast<unsigned long long>(groups) * blockIdx.x / gridDim.x);
    for (unsigned i = threadIdx.x / 32; i < groups; i += threads / 32) {
      const unsigned group = first + i < groups ? first + i : first + i - groups,
                     place = group * 32 + lane;
      const unsigned* const own = table + (place << log_copies);
      unsigned sum = 0;
      if (log_copies == 0) {  // many bins: a loop with one iteration would cost more than the rest
        sum = *own;
      } else {
#pragma unroll 4
        for (unsigned copy = 0; copy < copies; ++copy)
          sum += own[(first_copy + copy) & (copies - 1)];
      }
      const unsigned bin = place_of<hashed>(place, multiplier);
      if (bin >= part_bins || first_bin + bin >= bins) continue;
      if (alone)
        histogram[first_bin + bin] = sum;
      else if (sum > 0)
        atomicAdd(&histogram[first_bin + bin], Count{sum});
    }
  }
};

}  // namespace histolab::kernels::cuda
