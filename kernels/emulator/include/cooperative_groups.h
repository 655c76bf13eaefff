// <cooperative_groups.h> for the emulator: thread_block, tiles of a warp, coalesced groups, and the parts of grid_group
// that need no cooperative launch. Everything is inlined, so that a call is told at the student's own line.
#pragma once

#include "histolab/not_yet.h"

namespace cooperative_groups {

namespace details {

static __forceinline__ unsigned int rank_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
static __forceinline__ unsigned int threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
static __forceinline__ unsigned int lane() { return rank_in_block() % 32; }

// The lane with the given rank among those of the mask.
static __forceinline__ unsigned int lane_with_rank(unsigned int mask, unsigned int rank) {
  for (; rank > 0; --rank) mask &= mask - 1;
  return (unsigned int)__ffs((int)mask) - 1;
}
// The lanes of `mask` that are in `lanes`, by their ranks in the mask.
static __forceinline__ unsigned int ranks_of(unsigned int lanes, unsigned int mask) {
  unsigned int ranks = 0;
  for (unsigned int rank = 0; mask != 0; ++rank, mask &= mask - 1)
    if (lanes & mask & (0u - mask)) ranks |= 1u << rank;
  return ranks;
}

// Moves a value of any trivially copyable type by `move`, which can do so for 4 and for 8 bytes.
template <class T, class Move>
static __forceinline__ T move_bits(T value, Move move) {
  if constexpr (sizeof(T) == 8) {
    return __builtin_bit_cast(T, move(__builtin_bit_cast(unsigned long long, value)));
  } else if constexpr (sizeof(T) % 4 == 0) {
    struct Words { unsigned int word[sizeof(T) / 4]; } words = __builtin_bit_cast(Words, value);
    for (unsigned int i = 0; i < sizeof(T) / 4; ++i) words.word[i] = move(words.word[i]);
    return __builtin_bit_cast(T, words);
  } else {
    struct Bytes { unsigned char byte[sizeof(T)]; } bytes = __builtin_bit_cast(Bytes, value);
    for (unsigned int i = 0; i < sizeof(T); ++i) bytes.byte[i] = (unsigned char)move((unsigned int)bytes.byte[i]);
    return __builtin_bit_cast(T, bytes);
  }
}

}  // namespace details

// ---- the block and the grid -----------------------------------------------------------------------------------------

/// All threads of this thread's block.
class thread_block {
 public:
  /// Waits until all threads of the block have reached it, as __syncthreads() does.
  __forceinline__ void sync() const { __syncthreads(); }
  /// The number of this thread in the block, from 0; x counts fastest.
  static __forceinline__ unsigned int thread_rank() { return details::rank_in_block(); }
  /// The number of threads in the block.
  static __forceinline__ unsigned int size() { return details::threads_of_block(); }
  static __forceinline__ unsigned int num_threads() { return size(); }
  /// blockIdx.
  static __forceinline__ dim3 group_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  /// threadIdx.
  static __forceinline__ dim3 thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
  /// blockDim.
  static __forceinline__ dim3 group_dim() { return {blockDim.x, blockDim.y, blockDim.z}; }
  static __forceinline__ dim3 dim_threads() { return group_dim(); }
  struct arrival_token {};
  arrival_token barrier_arrive() const HISTOLAB_NOT_YET("thread_block::barrier_arrive()");
  void barrier_wait(arrival_token&&) const HISTOLAB_NOT_YET("thread_block::barrier_wait()");
};
/// The group of all threads of this thread's block.
static __forceinline__ thread_block this_thread_block() { return {}; }

/// All threads of the grid. It cannot wait for them: that needs a cooperative launch.
class grid_group {
 public:
  void sync() const HISTOLAB_NOT_YET("grid_group::sync(), which needs a cooperative launch,");
  static __forceinline__ bool is_valid() { return false; }  // it was no cooperative launch
  /// The number of blocks in the grid.
  static __forceinline__ unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  /// The number of this block in the grid, from 0; x counts fastest.
  static __forceinline__ unsigned long long block_rank() { return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
  /// The number of threads in the grid.
  static __forceinline__ unsigned long long size() { return num_blocks() * details::threads_of_block(); }
  static __forceinline__ unsigned long long num_threads() { return size(); }
  /// The number of this thread in the grid, from 0: block by block.
  static __forceinline__ unsigned long long thread_rank() { return block_rank() * details::threads_of_block() + details::rank_in_block(); }
  static __forceinline__ dim3 group_dim() { return {gridDim.x, gridDim.y, gridDim.z}; }
  static __forceinline__ dim3 dim_blocks() { return group_dim(); }
  static __forceinline__ dim3 block_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
};
/// The group of all threads of the grid.
static __forceinline__ grid_group this_grid() { return {}; }

// ---- groups within a warp -------------------------------------------------------------------------------------------

/// Neighbouring threads of a block, as many as Size says: 1, 2, 4, 8, 16 or 32.
template <unsigned int Size, class Parent = void>
class thread_block_tile {
  static_assert(Size <= 32, "this version of the emulator does not have tiles of more than 32 threads yet");
  static_assert(Size != 0 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  __forceinline__ thread_block_tile(unsigned int rank, unsigned int groups) : meta_rank_(rank), meta_size_(groups) {}
  template <class Other>
  __forceinline__ thread_block_tile(const thread_block_tile<Size, Other>& other) : meta_rank_(other.meta_group_rank()), meta_size_(other.meta_group_size()) {}
  /// The number of threads in the tile.
  static constexpr unsigned int size() { return Size; }
  static constexpr unsigned int num_threads() { return Size; }
  /// The number of this thread in the tile, from 0.
  static __forceinline__ unsigned int thread_rank() { return details::lane() % Size; }
  /// The number of this group among those of the partition, from 0.
  __forceinline__ unsigned int meta_group_rank() const { return meta_rank_; }
  /// The number of groups in the partition.
  __forceinline__ unsigned int meta_group_size() const { return meta_size_; }
  /// Waits until all threads of the group have reached it.
  __forceinline__ void sync() const { __syncwarp(histolab_mask()); }
  /// The value of the thread of the given rank.
  template <class T>
  __forceinline__ T shfl(T value, int rank) const {
    return details::move_bits(value, [&](auto bits) { return __shfl_sync(histolab_mask(), bits, rank, Size); });
  }
  /// The value of the thread whose rank is lower by delta; this thread's own where there is none.
  template <class T>
  __forceinline__ T shfl_up(T value, unsigned int delta) const {
    return details::move_bits(value, [&](auto bits) { return __shfl_up_sync(histolab_mask(), bits, delta, Size); });
  }
  /// The value of the thread whose rank is higher by delta; this thread's own where there is none.
  template <class T>
  __forceinline__ T shfl_down(T value, unsigned int delta) const {
    return details::move_bits(value, [&](auto bits) { return __shfl_down_sync(histolab_mask(), bits, delta, Size); });
  }
  /// The value of the thread whose rank is this thread's ^ mask.
  template <class T>
  __forceinline__ T shfl_xor(T value, unsigned int mask) const {
    return details::move_bits(value, [&](auto bits) { return __shfl_xor_sync(histolab_mask(), bits, (int)mask, Size); });
  }
  /// Non-zero if and only if the predicate is non-zero for any thread of the group.
  __forceinline__ int any(int predicate) const { return __any_sync(histolab_mask(), predicate); }
  /// Non-zero if and only if the predicate is non-zero for all threads of the group.
  __forceinline__ int all(int predicate) const { return __all_sync(histolab_mask(), predicate); }
  /// Bit r of the result is set when the thread of rank r has a predicate that is not 0.
  __forceinline__ unsigned int ballot(int predicate) const { return __ballot_sync(histolab_mask(), predicate) >> first_lane(); }
  /// The ranks of the threads that have the same value as this one, as bits.
  template <class T>
  __forceinline__ unsigned int match_any(T value) const { return __match_any_sync(histolab_mask(), value) >> first_lane(); }
  /// The ranks of all threads, with all_match = 1, when all have the same value; else 0, with all_match = 0.
  template <class T>
  __forceinline__ unsigned int match_all(T value, int& all_match) const { return __match_all_sync(histolab_mask(), value, &all_match) >> first_lane(); }
  static __forceinline__ unsigned int histolab_mask() { return (Size == 32 ? 0xffffffffu : (1u << Size % 32) - 1) << first_lane(); }

 private:
  static __forceinline__ unsigned int first_lane() { return details::lane() / Size * Size; }
  unsigned int meta_rank_, meta_size_;
};

/// Some threads of a warp, ranked by lane.
class coalesced_group {
 public:
  explicit __forceinline__ coalesced_group(unsigned int mask, unsigned int rank = 0, unsigned int groups = 1) : mask_(mask), meta_rank_(rank), meta_size_(groups) {}
  template <unsigned int Size, class Parent>
  __forceinline__ coalesced_group(const thread_block_tile<Size, Parent>& tile)
      : mask_(tile.histolab_mask()), meta_rank_(tile.meta_group_rank()), meta_size_(tile.meta_group_size()) {}
  /// The number of threads in the group.
  __forceinline__ unsigned int size() const { return (unsigned int)__popc(mask_); }
  __forceinline__ unsigned int num_threads() const { return size(); }
  /// The number of this thread in the group, from 0, by lane.
  __forceinline__ unsigned int thread_rank() const { return (unsigned int)__popc(mask_ & ((1u << details::lane()) - 1)); }
  /// The number of this group among those of the partition, from 0.
  __forceinline__ unsigned int meta_group_rank() const { return meta_rank_; }
  /// The number of groups in the partition.
  __forceinline__ unsigned int meta_group_size() const { return meta_size_; }
  /// Waits until all threads of the group have reached it.
  __forceinline__ void sync() const { __syncwarp(mask_); }
  /// The value of the thread of the given rank.
  template <class T>
  __forceinline__ T shfl(T value, unsigned int rank) const { return from_rank(value, rank); }
  /// The value of the thread whose rank is lower by delta; this thread's own where there is none.
  template <class T>
  __forceinline__ T shfl_up(T value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return from_rank(value, rank < delta ? rank : rank - delta);
  }
  /// The value of the thread whose rank is higher by delta; this thread's own where there is none.
  template <class T>
  __forceinline__ T shfl_down(T value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return from_rank(value, rank + delta >= size() ? rank : rank + delta);
  }
  /// Non-zero if and only if the predicate is non-zero for any thread of the group.
  __forceinline__ int any(int predicate) const { return __any_sync(mask_, predicate); }
  /// Non-zero if and only if the predicate is non-zero for all threads of the group.
  __forceinline__ int all(int predicate) const { return __all_sync(mask_, predicate); }
  /// Bit r of the result is set when the thread of rank r has a predicate that is not 0.
  __forceinline__ unsigned int ballot(int predicate) const { return details::ranks_of(__ballot_sync(mask_, predicate), mask_); }
  /// The ranks of the threads that have the same value as this one, as bits.
  template <class T>
  __forceinline__ unsigned int match_any(T value) const { return details::ranks_of(__match_any_sync(mask_, value), mask_); }
  /// The ranks of all threads, with all_match = 1, when all have the same value; else 0, with all_match = 0.
  template <class T>
  __forceinline__ unsigned int match_all(T value, int& all_match) const { return details::ranks_of(__match_all_sync(mask_, value, &all_match), mask_); }
  __forceinline__ unsigned int histolab_mask() const { return mask_; }

 private:
  template <class T>
  __forceinline__ T from_rank(T value, unsigned int rank) const {
    const unsigned int lane = details::lane_with_rank(mask_, rank);
    return details::move_bits(value, [&](auto bits) { return __shfl_sync(mask_, bits, (int)lane); });
  }
  unsigned int mask_, meta_rank_, meta_size_;
};
/// The group of the warp's threads that are at this call now.
static __forceinline__ coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// ---- partitions -----------------------------------------------------------------------------------------------------

template <unsigned int Size>
  requires(Size > 32)
thread_block_tile<32, thread_block> tiled_partition(const thread_block& block) HISTOLAB_NOT_YET("tiles of more than 32 threads");
/// Divides the block into tiles of Size neighbouring threads, and gives this thread's one.
template <unsigned int Size>
  requires(Size <= 32)
static __forceinline__ thread_block_tile<Size, thread_block> tiled_partition(const thread_block& block) {
  return {block.thread_rank() / Size, (block.size() + Size - 1) / Size};
}
/// Divides the tile into smaller ones, and gives this thread's one.
template <unsigned int Size, unsigned int Of, class Parent>
static __forceinline__ thread_block_tile<Size, thread_block_tile<Of, Parent>> tiled_partition(const thread_block_tile<Of, Parent>& tile) {
  static_assert(Size <= Of, "a tile is partitioned into smaller ones");
  return {tile.thread_rank() / Size, Of / Size};
}
/// The group of the threads that have the same label as this one.
template <class Group, class Label>
static __forceinline__ coalesced_group labeled_partition(const Group& group, Label label) {
  const unsigned int same = __match_any_sync(group.histolab_mask(), label);
  const unsigned int first_of_each = __ballot_sync(group.histolab_mask(), details::lane() + 1 == (unsigned int)__ffs((int)same));
  const unsigned int before = first_of_each & ((1u << ((unsigned int)__ffs((int)same) - 1)) - 1);
  return coalesced_group(same, (unsigned int)__popc(before), (unsigned int)__popc(first_of_each));
}
/// The group of the threads whose predicate is true, or of the others.
template <class Group>
static __forceinline__ coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned int yes = __ballot_sync(group.histolab_mask(), predicate);
  return coalesced_group(predicate ? yes : group.histolab_mask() & ~yes, predicate, 2);
}

/// Any of the groups above, where a function is written for all of them.
class thread_group {
 public:
  __forceinline__ thread_group(const thread_block&) : mask_(0) {}
  template <unsigned int Size, class Parent>
  __forceinline__ thread_group(const thread_block_tile<Size, Parent>& tile) : mask_(tile.histolab_mask()) {}
  __forceinline__ thread_group(const coalesced_group& group) : mask_(group.histolab_mask()) {}
  __forceinline__ unsigned int size() const { return mask_ == 0 ? details::threads_of_block() : (unsigned int)__popc(mask_); }
  __forceinline__ unsigned int num_threads() const { return size(); }
  __forceinline__ unsigned int thread_rank() const {
    return mask_ == 0 ? details::rank_in_block() : (unsigned int)__popc(mask_ & ((1u << details::lane()) - 1));
  }
  __forceinline__ void sync() const {
    if (mask_ == 0) __syncthreads();
    else __syncwarp(mask_);
  }

 private:
  unsigned int mask_;  // 0: the block
};
// Tiles whose size is known when the kernel runs: at most 32.
static __forceinline__ thread_group tiled_partition(const thread_group&, unsigned int size) {
  const unsigned int first = details::lane() / size * size;
  return coalesced_group((size >= 32 ? 0xffffffffu : (1u << size) - 1) << first);
}

template <class Group>
static __forceinline__ void sync(const Group& group) { group.sync(); }
template <class Group>
static __forceinline__ auto thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group>
static __forceinline__ auto group_size(const Group& group) { return group.size(); }

}  // namespace cooperative_groups
