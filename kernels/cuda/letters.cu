// Seven bins of letters: works on bit planes, and uses atomic operations only at the end.
//
// A thread takes 32 bytes as eight words and converts them to eight bit planes; each word then has
// one bit of each byte. This takes three stages of exchanges (a transposition of 8 x 8 bits, four
// at a time). The letter group of a byte is then a Boolean function of the planes. It is evaluated
// for 32 bytes at once and counted with popc.
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/stride.cuh"
#include "kernels/cuda/sweep.cuh"
#include "kernels/cuda/warp.cuh"

namespace histolab::kernels::cuda {
namespace {

// From 2^28 bytes on, one block per multiprocessor is 0.1 to 0.7 % faster than two of 512
// threads (H100).
using Long = Sweeping<1024, 4, 1>;
using Short = Striding<512, 2, 2>;
using Shorter = Striding<256, 2, 2>;  // if shares are short

// Exchanges bits between a and b: each byte of a keeps the bits in `mask` and gets the others from
// b, shifted left. b gets the bits that a lost, shifted right.
template <unsigned mask, unsigned shift>
__device__ __forceinline__ void exchange(unsigned& a, unsigned& b) {
  const unsigned low = select_bits(mask, a, b << shift), high = select_bits(mask, a >> shift, b);
  a = low;
  b = high;
}

struct Groups {
  unsigned count[letter_bins] = {};

  // Counts 32 bytes in eight words. After the exchanges, w[p] has bit p of every byte; the order of
  // the bytes does not matter.
  __device__ __forceinline__ void add(unsigned (&w)[8]) {
    exchange<0x0f0f0f0f, 4>(w[0], w[4]);
    exchange<0x0f0f0f0f, 4>(w[1], w[5]);
    exchange<0x0f0f0f0f, 4>(w[2], w[6]);
    exchange<0x0f0f0f0f, 4>(w[3], w[7]);
    exchange<0x33333333, 2>(w[0], w[2]);
    exchange<0x33333333, 2>(w[1], w[3]);
    exchange<0x33333333, 2>(w[4], w[6]);
    exchange<0x33333333, 2>(w[5], w[7]);
    exchange<0x55555555, 1>(w[0], w[1]);
    exchange<0x55555555, 1>(w[2], w[3]);
    exchange<0x55555555, 1>(w[4], w[5]);
    exchange<0x55555555, 1>(w[6], w[7]);

    // A letter is 011x xxxx; its low five bits, l, are 1 to 26. The top three bits of l + 3 (modulo
    // 32) are its group, from 1: 'a' is 1 + 3 = 001 00, 'z' is 26 + 3 = 111 01. The values 0 and
    // 29-31 become 000 .., which is not a group; 27 and 28 become 111 1..
    const unsigned l0 = w[0], l1 = w[1], l2 = w[2], l3 = w[3], l4 = w[4];
    const unsigned column = ~w[7] & w[6] & w[5];
    const unsigned carry2 = l0 | l1;  // l + 3 carries out of the low two bits unless both are 0
    const unsigned s2 = l2 ^ carry2;
    const unsigned carry3 = l2 & carry2;
    const unsigned s3 = l3 ^ carry3;
    const unsigned s4 = l4 ^ (l3 & carry3);
    const unsigned s1 = ~(l0 ^ l1);
    const unsigned low_half = column & ~s4, high_half = column & s4;
    count[0] += __popc(low_half & ~s3 & s2);
    count[1] += __popc(low_half & s3 & ~s2);
    count[2] += __popc(low_half & s3 & s2);
    count[3] += __popc(high_half & ~s3 & ~s2);
    count[4] += __popc(high_half & ~s3 & s2);
    count[5] += __popc(high_half & s3 & ~s2);
    count[6] += __popc(high_half & s3 & s2 & ~s1);
  }
};

__device__ __forceinline__ int group_of(std::uint8_t byte) {
  return byte >= 'a' && byte <= 'z' ? (byte - 'a') / 4 : -1;
}

template <class Shape>
__global__ __launch_bounds__(Shape::block_threads,
                             Shape::bound) void letters(const __grid_constant__ Partition p,
                                                        Count* histogram) {
  constexpr unsigned loads = Shape::loads;
  __shared__ unsigned block_count[letter_bins];
  Groups groups;
  const auto prepare = [&] {
    if (threadIdx.x < letter_bins) block_count[threadIdx.x] = 0;
  };
  // Words that were not loaded are zero, and zero bytes are not letters.
  const auto count = [&](const auto& v, auto) {
#pragma unroll
    for (unsigned i = 0; i < loads; i += 2) {
      unsigned w[8] = {v[i].x,     v[i].y,     v[i].z,     v[i].w,
                       v[i + 1].x, v[i + 1].y, v[i + 1].z, v[i + 1].w};
      groups.add(w);
    }
  };
  const auto edge = [&](std::uint8_t byte) {
    if (const int group = group_of(byte); group >= 0) atomicAdd(&block_count[group], 1u);
  };
  Shape::template walk<std::uint8_t>(p, histogram, letter_bins, prepare, edge, count);
  if (threadIdx.x >= Shape::threads) return;

  unsigned mine = 0;
#pragma unroll
  for (unsigned group = 0; group < letter_bins; ++group) {
    const unsigned sum = warp_sum(groups.count[group]);
    if (threadIdx.x % 32 == group) mine = sum;
  }
  if (mine > 0) atomicAdd(&block_count[threadIdx.x % 32], mine);
  Shape::meet();
  if (threadIdx.x >= letter_bins) return;
  if (p.ranges == 1)
    histogram[threadIdx.x] = block_count[threadIdx.x];
  else
    atomicAdd(&histogram[threadIdx.x], Count{block_count[threadIdx.x]});
}

template <class Shape>
void launch_letters(const std::uint8_t* text, std::size_t length, Count* histogram,
                    const Workspace& workspace, cudaStream_t stream) {
  const Partition p = deal<Shape>(
      text, length, 1, Shape::kind == Walk::stride ? stride_bytes : ticket_bytes, workspace);
  launch_counting(p, histogram, letter_bins, p.ranges == 1, letters<Shape>, Shape::block_threads, 0,
                  stream, histogram);
}

}  // namespace

void count_letters(const std::uint8_t* text, std::size_t length, Walk walk, Count* histogram,
                   const Workspace& workspace, cudaStream_t stream) {
  const bool shorter = has_short_shares(length, stride_bytes, current_chip());
  const auto launch = walk == Walk::sweep ? launch_letters<Long>
                      : shorter           ? launch_letters<Shorter>
                                          : launch_letters<Short>;
  launch(text, length, histogram, workspace, stream);
}

void count_letters(const std::uint8_t* text, std::size_t length, Count* histogram,
                   const Workspace& workspace, cudaStream_t stream) {
  count_letters(text, length, choose_walk(length, current_chip()), histogram, workspace, stream);
}

}  // namespace histolab::kernels::cuda
