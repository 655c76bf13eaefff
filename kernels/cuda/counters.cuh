// A block's counters in shared memory, behind one interface: words(), prepare(), add(bin), after_round(), flush(histogram).
//
// Where neighbouring bins are neighbouring words, bins 32 apart share a bank, and data with such a stride (two bins 32 apart, an image
// quantized to multiples of 32) is served one lane at a time. So bins are placed by a hash: the low five bits of the index of a bin's
// word are the bin's, XORed with five bits of a multiplicative hash of its other bits. The multiplier is the launch's own: no data can
// be made for it. It is a permutation of each 32 words, so that the flush stays coalesced.
#pragma once

#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/warp.cuh"

namespace histolab::kernels::cuda {

template <bool hashed>
__device__ __forceinline__ unsigned place_of(unsigned bin, unsigned multiplier) {
  return hashed ? bin ^ (((bin >> 5) * multiplier) >> 27) : bin;
}

__device__ __forceinline__ void clear_words(unsigned* words, unsigned count) {
  for (unsigned i = threadIdx.x * 4; i < count; i += blockDim.x * 4) *reinterpret_cast<uint4*>(words + i) = uint4{0, 0, 0, 0};
}

// f(i) for i = threadIdx.x, + blockDim.x, ... below `count`, from a place of the block's own on: blocks that end together do not all add to
// the same addresses. Every lane of a warp calls it equally often; i may be `count` or more.
template <class F>
__device__ __forceinline__ void each_from_own_place(unsigned count, F f) {
  const unsigned chunks = (count + blockDim.x - 1) / blockDim.x;
  unsigned chunk = static_cast<unsigned>(static_cast<unsigned long long>(chunks) * blockIdx.x / gridDim.x);
  for (unsigned i = 0; i < chunks; ++i, chunk = chunk + 1 == chunks ? 0 : chunk + 1) f(chunk * blockDim.x + threadIdx.x);
}

// 2^log_copies copies of each bin's counter side by side; a lane uses copy lane % copies. With 32 copies a lane owns a bank and nothing
// can collide; with C copies at most 32 / C lanes can.
template <bool hashed>
struct Copies {
  unsigned bins, log_copies, multiplier;
  unsigned* table;
  unsigned lane_offset, copy_bytes;

  // Whole groups of 32 bins, which the hash permutes.
  __host__ __device__ unsigned words() const { return ((bins + 31) / 32 * 32) << log_copies; }

  __device__ __forceinline__ void prepare() {
    lane_offset = (threadIdx.x & ((1u << log_copies) - 1)) * 4;
    copy_bytes = 4u << log_copies;
    clear_words(table, words());
  }
  // A product, not a shift: IMAD has a pipe of its own, and the other one is what bounds 16-bit samples.
  __device__ __forceinline__ void add(unsigned bin) {
    char* const base = reinterpret_cast<char*>(table);
    atomicAdd(reinterpret_cast<unsigned*>(base + (place_of<hashed>(bin, multiplier) * copy_bytes + lane_offset)), 1u);
  }
  __device__ __forceinline__ void after_round() {}

  __device__ __forceinline__ void flush(Count* histogram) const {
    each_from_own_place(words(), [&](unsigned word) {
      unsigned sum = word < words() ? table[word] : 0;
      for (unsigned step = (1u << log_copies) / 2; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
      const unsigned bin = place_of<hashed>(word >> log_copies, multiplier);
      if (lane_offset == 0 && sum > 0 && bin < bins) atomicAdd(&histogram[bin], Count{sum});
    });
  }
};

// More bins than words: bins from `size` on share the words of the bins `overlap` = bins - size before them, and of those words each
// half is a counter of 16 bits. Additions ask for no result (which would cost the combining of a warp's equal addresses: 11
// instead of 74 % of the read limit on constant data); instead, after each round of at most 2^15 samples, the block looks through the
// shared words and moves 2^15 out of every half that has as many, so none can overflow in the next round.
template <bool hashed>
struct PairedCounters {
  unsigned bins, size, multiplier;  // size is a multiple of 32, at least bins / 2
  Count* histogram;
  unsigned* table;
  unsigned first_shared, overlap;

  __host__ __device__ unsigned words() const { return size; }

  __device__ __forceinline__ void prepare() {
    overlap = (bins - size + 31) / 32 * 32;
    first_shared = size - overlap;
    clear_words(table, size);
  }
  __device__ __forceinline__ void add(unsigned bin) {
    const bool upper = bin >= size;
    const unsigned place = place_of<hashed>(upper ? bin - overlap : bin, multiplier);
    atomicAdd(table + place, upper ? 0x10000u : 1u);
  }
  __device__ __forceinline__ void after_round() {
    __syncthreads();
    for (unsigned i = first_shared + threadIdx.x * 4; i < size; i += blockDim.x * 4) {
      const uint4 v = *reinterpret_cast<const uint4*>(table + i);
      if (((v.x | v.y | v.z | v.w) & 0x80008000u) != 0) move_out(table, i, multiplier, overlap, histogram);
    }
    __syncthreads();
  }
  // Rare; takes values, so that no counter of the caller must live in memory.
  static __device__ __noinline__ void move_out(unsigned* table, unsigned first, unsigned multiplier, unsigned overlap, Count* histogram) {
    wait_for_zeros();
    for (unsigned word = first; word < first + 4; ++word) {
      const unsigned full = table[word] & 0x80008000u, bin = place_of<hashed>(word, multiplier);
      table[word] -= full;
      if ((full & 0x8000u) != 0) atomicAdd(&histogram[bin], Count{0x8000});
      if ((full & 0x80000000u) != 0) atomicAdd(&histogram[bin + overlap], Count{0x8000});
    }
  }
  __device__ __forceinline__ void flush(Count*) const {
    each_from_own_place(size, [&](unsigned word) {
      if (word >= size) return;
      const unsigned value = table[word], bin = place_of<hashed>(word, multiplier);
      const bool shared = bin >= first_shared;
      const unsigned low = shared ? value & 0xffff : value, high = shared ? value >> 16 : 0;
      if (low > 0) atomicAdd(&histogram[bin], Count{low});
      if (high > 0) atomicAdd(&histogram[bin + overlap], Count{high});
    });
  }
};

// No table: every sample is an addition to the result. For inputs too short to be worth one.
struct GlobalCounters {
  Count* histogram;
  unsigned* table;
  __host__ __device__ unsigned words() const { return 0; }
  __device__ __forceinline__ void prepare() { wait_for_zeros(); }
  __device__ __forceinline__ void add(unsigned bin) { atomicAdd(&histogram[bin], Count{1}); }
  __device__ __forceinline__ void after_round() {}
  __device__ __forceinline__ void flush(Count*) const {}
};

}  // namespace histolab::kernels::cuda
