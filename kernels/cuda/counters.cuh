// A block's counters in shared memory, behind one interface: clear(), add(bin), flush(histogram).
//
// Where neighbouring bins are neighbouring words, a stride of 32 bins is one bank; data that has such a stride (two bins 32 apart, images
// quantized to multiples) would be served one lane at a time. `hashed` spreads them: the low five bits of a word's index are the
// bin's, XORed with five bits of a multiplicative hash of the others. The multiplier is the launch's own, so that no data can be
// made for it. It is a permutation inside each 32 words, so the flush stays coalesced.
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

// 2^log_copies copies of each bin's counter side by side; a lane uses copy lane % copies. With 32 copies each lane owns a bank and nothing
// can collide; with C copies at most 32 / C lanes can.
template <bool hashed>
struct Copies {
  unsigned* words;
  unsigned bins, log_copies, multiplier;
  unsigned lane_copy;

  // Whole groups of 32 bins, for the hash permutes them.
  __host__ __device__ unsigned total() const { return ((bins + 31) / 32 * 32) << log_copies; }

  __device__ __forceinline__ void prepare() {
    lane_copy = threadIdx.x & ((1u << log_copies) - 1);
    clear_words(words, total());
  }
  __device__ __forceinline__ void add(unsigned bin) {
    atomicAdd(words + ((place_of<hashed>(bin, multiplier) << log_copies) | lane_copy), 1u);
  }
  __device__ __forceinline__ void finish() { __syncthreads(); }

  // Blocks begin at different places, so that they do not all want one address at once.
  __device__ void flush(Count* histogram) const {
    const unsigned all = total(), chunks = (all + blockDim.x - 1) / blockDim.x;
    unsigned chunk = static_cast<unsigned>(static_cast<unsigned long long>(chunks) * blockIdx.x / gridDim.x);
    for (unsigned i = 0; i < chunks; ++i, chunk = chunk + 1 == chunks ? 0 : chunk + 1) {
      const unsigned word = chunk * blockDim.x + threadIdx.x;
      unsigned sum = word < all ? words[word] : 0;
      for (unsigned step = (1u << log_copies) / 2; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
      const unsigned bin = place_of<hashed>(word >> log_copies, multiplier);
      if (lane_copy == 0 && sum > 0 && bin < bins) atomicAdd(&histogram[bin], Count{sum});
    }
  }
};

// Two 16-bit counters in a word: bins b and b + half of one copy, for more bins than a multiprocessor has words.
//
// Who makes a counter reach 0x8000 (exactly one addition sees 0x7fff) takes 0x8000 out again and gives them to the result. In between
// others may add; who sees 0xc000 waits until that has happened, and as each of a block's 1024 threads adds one at a time,
// none gets to 0xffff, so nothing carries into the other half.
template <bool hashed>
struct PackedCounters {
  unsigned* words;
  unsigned bins, half, multiplier;  // half: a multiple of 32, at least bins / 2
  Count* histogram;

  __host__ __device__ unsigned total() const { return half; }
  __device__ __forceinline__ void prepare() { clear_words(words, half); }
  __device__ __forceinline__ void finish() { __syncthreads(); }

  __device__ __forceinline__ void add(unsigned bin) {
    const bool upper = bin >= half;
    const unsigned place = place_of<hashed>(upper ? bin - half : bin, multiplier);
    const unsigned old = atomicAdd(words + place, upper ? 0x10000u : 1u);
    const unsigned mine = upper ? old >> 16 : old & 0xffff;
    if (mine == 0x7fff || mine >= 0xc000) spill(place, upper, bin, mine);
  }
  __device__ __noinline__ void spill(unsigned place, bool upper, unsigned bin, unsigned mine) {
    if (mine == 0x7fff) {
      atomicSub(words + place, upper ? 0x80000000u : 0x8000u);
      spilled(bin);
    }
    const unsigned shift = upper ? 16 : 0;
    while (mine >= 0xc000) mine = *static_cast<volatile unsigned*>(words + place) >> shift & 0xffff;
  }
  __device__ __forceinline__ void spilled(unsigned bin) {
    wait_for_zeros();
    atomicAdd(&histogram[bin], Count{0x8000});
  }
  __device__ void flush(Count*) const {
    const unsigned chunks = (half + blockDim.x - 1) / blockDim.x;
    unsigned chunk = static_cast<unsigned>(static_cast<unsigned long long>(chunks) * blockIdx.x / gridDim.x);
    for (unsigned i = 0; i < chunks; ++i, chunk = chunk + 1 == chunks ? 0 : chunk + 1) {
      const unsigned word = chunk * blockDim.x + threadIdx.x;
      if (word >= half) continue;
      const unsigned two = words[word], bin = place_of<hashed>(word, multiplier);
      if (bin < bins && (two & 0xffff) > 0) atomicAdd(&histogram[bin], Count{two & 0xffff});
      if (bin + half < bins && two >> 16 > 0) atomicAdd(&histogram[bin + half], Count{two >> 16});
    }
  }
};

// The table of a cluster of two blocks: each holds half of the bins, and a warp adds to either.
template <bool hashed>
struct ClusterCounters {
  unsigned* words;
  unsigned bins, half, multiplier;
  unsigned base[2];  // of each block's half, in the cluster's shared memory

  __host__ __device__ unsigned total() const { return half; }
  static __device__ __forceinline__ void cluster_barrier() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
#endif
  }
  __device__ __forceinline__ void prepare() {
    clear_words(words, half);
#if __CUDA_ARCH__ >= 900
    const unsigned mine = static_cast<unsigned>(__cvta_generic_to_shared(words));
    asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(base[0]) : "r"(mine));
    asm("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(base[1]) : "r"(mine));
#endif
    cluster_barrier();
  }
  __device__ __forceinline__ void add(unsigned bin) {
#if __CUDA_ARCH__ >= 900
    const bool upper = bin >= half;
    const unsigned place = place_of<hashed>(upper ? bin - half : bin, multiplier);
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"((upper ? base[1] : base[0]) + place * 4) : "memory");
#endif
  }
  __device__ __forceinline__ void finish() { cluster_barrier(); }
  __device__ void flush(Count* histogram) const {
    const unsigned first_bin = blockIdx.x % 2 * half;
    const unsigned chunks = (half + blockDim.x - 1) / blockDim.x;
    unsigned chunk = static_cast<unsigned>(static_cast<unsigned long long>(chunks) * blockIdx.x / gridDim.x);
    for (unsigned i = 0; i < chunks; ++i, chunk = chunk + 1 == chunks ? 0 : chunk + 1) {
      const unsigned word = chunk * blockDim.x + threadIdx.x;
      if (word >= half) continue;
      const unsigned bin = first_bin + place_of<hashed>(word, multiplier);
      if (bin < bins && words[word] > 0) atomicAdd(&histogram[bin], Count{words[word]});
    }
  }
};

// No table: every sample is an addition to the result.
struct GlobalCounters {
  unsigned* words;
  Count* histogram;
  __host__ __device__ unsigned total() const { return 0; }
  __device__ __forceinline__ void prepare() { wait_for_zeros(); }
  __device__ __forceinline__ void add(unsigned bin) { atomicAdd(&histogram[bin], Count{1}); }
  __device__ __forceinline__ void finish() {}
  __device__ void flush(Count*) const {}
};

}  // namespace histolab::kernels::cuda
