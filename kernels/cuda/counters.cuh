// A block's counters in shared memory.
//
// All additions are atomicAdd(word, 1u) without a result, which is one instruction (ATOMS.POPC.INC) that also combines
// the equal addresses of a warp. Neither an addition of anything else nor one whose result is used combines them: both
// fell to 11 % of the read limit on constant 16-bit data, which is why no 16-bit counters are packed into words here.
//
// Where neighbouring bins are neighbouring words, bins 32 apart share a bank, and data with such a stride (two bins 32
// apart, an image quantized to multiples of 32) is served one lane at a time, 11 % again. So bins are placed by a hash:
// the low five bits of the index of a bin's word are the bin's, XORed with five bits of a multiplicative hash of its
// other bits. The multiplier is the launch's own: no data can be made for it. It is a permutation of each 32 words, so
// that the flush stays coalesced.
#pragma once

#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/plan.h"

namespace histolab::kernels::cuda {

template <bool hashed>
__device__ __forceinline__ unsigned place_of(unsigned bin, unsigned multiplier) {
  return hashed ? bin ^ (((bin >> 5) * multiplier) >> 27) : bin;
}

// 2^log_copies copies of each bin's counter side by side; a lane uses copy lane % copies. With 32 copies a lane owns a
// bank and nothing can collide; with C copies at most 32 / C lanes can, and from 16 on no hash is needed.
//
// Bins in parts: of more bins than one block has words for, blocks p, p + parts, ... of a range hold `part_bins` from p
// * part_bins on. All of them read the same samples, at about the same time, so that memory is read once and the L2
// serves the rest.
template <bool hashed>
struct Copies {
  unsigned bins, part_bins, log_copies, multiplier;
  unsigned words;  // counter_words(part_bins, log_copies)
  unsigned* table;
  unsigned first_bin;  // of the block's part
  unsigned lane_address, copy_bytes;

  __device__ __forceinline__ void prepare(unsigned threads) {
    lane_address = static_cast<unsigned>(__cvta_generic_to_shared(table + (threadIdx.x & ((1u << log_copies) - 1))));
    copy_bytes = 4u << log_copies;
    for (unsigned i = threadIdx.x * 4; i < words; i += threads * 4)
      *reinterpret_cast<uint4*>(table + i) = uint4{0, 0, 0, 0};
  }

  // One more in `bin`, counted from first_bin; part_bins is the word of samples that have no bin here. They are counted
  // there, because a condition would be a branch with its barrier around every sample (ATOMS.POPC.INC takes no
  // predicate): 76 against 97 % of the read limit for 1000 bins of 16-bit samples. A product, not a shift, because IMAD
  // has a pipe of its own and the other one is what bounds 16-bit samples; PTX, because a generic address costs another
  // addition: 142 instead of 174 instructions a round.
  __device__ __forceinline__ void add(unsigned bin) const {
    const unsigned address = place_of<hashed>(bin, multiplier) * copy_bytes + lane_address;
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address));
  }

  // A warp adds up the copies of 32 neighbouring bins, a lane those of one, so that a request to the L2 has many: the L2
  // takes one request of a line after the other. Lanes of a bank begin with different copies. Each block begins at a
  // place of its own, because blocks that end together should not all add to the same addresses. `alone`: no other block
  // has these bins, so the counts are the result.
  __device__ __forceinline__ void flush(unsigned threads, Count* histogram, bool alone) const {
    const unsigned lane = threadIdx.x % 32, copies = 1u << log_copies, groups = words >> (5 + log_copies),
                   first_copy = lane >> (5 - log_copies);
    const unsigned first = static_cast<unsigned>(static_cast<unsigned long long>(groups) * blockIdx.x / gridDim.x);
    for (unsigned i = threadIdx.x / 32; i < groups; i += threads / 32) {
      const unsigned group = first + i < groups ? first + i : first + i - groups, place = group * 32 + lane;
      const unsigned* const own = table + (place << log_copies);
      unsigned sum = 0;
      if (log_copies == 0) {  // many bins: a loop of one turn would cost more than the rest
        sum = *own;
      } else {
#pragma unroll 4
        for (unsigned copy = 0; copy < copies; ++copy) sum += own[(first_copy + copy) & (copies - 1)];
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
