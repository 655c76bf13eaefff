// Measures reading and writing of global memory: the limit, access patterns, the L1,
// stores that meet.
#include "kernels/cuda/calibration/probe.h"

namespace histolab::calibration {
namespace {

// The read limit: loads of 16 bytes, four in flight, one contiguous share per block.
__global__ void __launch_bounds__(512)
    read_all(const uint4* data, std::size_t quads, unsigned int* out) {
  const std::size_t share = quads / gridDim.x;
  const uint4* own = data + blockIdx.x * share;
  unsigned int x = 0;
  for (std::size_t i = threadIdx.x; i + 3 * blockDim.x < share; i += 4 * blockDim.x) {
    const uint4 a = own[i], b = own[i + blockDim.x], c = own[i + 2 * blockDim.x],
                d = own[i + 3 * blockDim.x];
    x ^= a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w ^ c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^ d.z ^
         d.w;
  }
  if (x == 0x12345678) *out = x;
}

// Reads the same bytes repeatedly, bypassing the L1. `quads` must be a power of two.
__global__ void read_again(const uint4* data, unsigned int quads, int times, unsigned int* out) {
  const unsigned int threads = gridDim.x * blockDim.x;
  unsigned int at = blockIdx.x * blockDim.x + threadIdx.x, x = 0;
  for (int i = 0; i < times; ++i)
#pragma unroll
    for (int k = 0; k < 4; ++k, at += threads) {
      const uint4 v = __ldcg(data + (at & (quads - 1)));
      x ^= v.x ^ v.y ^ v.z ^ v.w;
    }
  if (x == 0x12345678) *out = x;
}

// Lanes read bytes that are `stride` apart, with `Loads` independent requests in flight. A warp's
// requests are consecutive in memory, so with strides of 32 and more, a sector is read only once.
template <int Loads>
__global__ void read_strided(const unsigned char* data, std::size_t bytes, unsigned int stride,
                             int times, unsigned int* out) {
  const std::size_t step = std::size_t{32} * stride;  // bytes per request
  const std::size_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32,
                    warps = gridDim.x * blockDim.x / 32;
  unsigned int x = 0;
  for (int i = 0; i < times; ++i)
    for (std::size_t at = warp * Loads * step; at + Loads * step <= bytes;
         at += warps * Loads * step)
#pragma unroll
      for (int k = 0; k < Loads; ++k) x += __ldcg(data + at + threadIdx.x % 32 * stride + k * step);
  if (x == 0x12345678) *out = x;
}

// Reads 64 KiB of lines in the L1: each byte of a sector in turn, so that the compiler cannot reuse
// a loaded value.
__global__ void read_hits(const unsigned char* data, unsigned int stride, int times,
                          unsigned int* out) {
  unsigned int x = 0, at = (threadIdx.x / 32 * 4096 + threadIdx.x % 32 * stride);
  for (int i = 0; i < times; ++i, at = (at + 1024) & 0x7fff)
#pragma unroll
    for (int k = 0; k < 8; ++k) x += data[at + k];
  if (x == 0x12345678) *out = x;
}

// Every warp of the GPU stores to one line. Its lanes are spread over `words` words.
__global__ void store_hot(unsigned int* line, unsigned int words, int times) {
  for (int i = 0; i < times; ++i)
    *reinterpret_cast<volatile unsigned int*>(line + threadIdx.x % words) = i;
}
// A plain increment (load, add, store) of a random one of `words` bins.
__global__ void increment_hot(unsigned int* bins, unsigned int words, int times) {
  const unsigned int id = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < times; ++i) {
    unsigned int* bin = bins + __umulhi(lowbias32(id * 7919u + i), words);
    const unsigned int seen = *reinterpret_cast<unsigned int*>(bin);
    asm volatile("st.global.u32 [%0], %1;" ::"l"(bin), "r"(seen + 1) : "memory");
  }
}

// The same, once per thread, as in a kernel with one element per thread: through the L1 or
// bypassing it.
template <bool Volatile>
__global__ void increment_once(unsigned int* bins, unsigned int words) {
  unsigned int* bin = bins + __umulhi(lowbias32(blockIdx.x * blockDim.x + threadIdx.x), words);
  if constexpr (Volatile)
    *const_cast<volatile unsigned int*>(bin) = *const_cast<volatile unsigned int*>(bin) + 1;
  else
    *bin += 1;
}

}  // namespace

void probe_memory(Bench& bench) {
  const unsigned int sms = bench.sms();
  constexpr std::size_t large = std::size_t{1} << 30;
  DeviceMemory data{large}, out{64};
  check(cudaMemset(data.as(), 1, large), "fill memory");

  const double read =
      median_ms([&] {
        read_all<<<sms * 4, 512>>>(data.as<const uint4>(), large / 16, out.as<unsigned int>());
      }) -
      bench.empty_ms;
  bench.figure("read_limit", "GB/s", large / read / 1e6, "reading 1 GiB of DRAM, 16 bytes a load");

  Curve footprint{
      "read_by_footprint", "GB/s", "bytes", "reading the same bytes again, 16 bytes a load", {}};
  for (std::size_t bytes = std::size_t{1} << 22; bytes <= std::size_t{1} << 28; bytes *= 2) {
    constexpr int times = 64;
    const unsigned int threads = sms * 8 * 256;
    const double ms = median_ms(
                          [&] {
                            read_again<<<sms * 8, 256>>>(data.as<const uint4>(),
                                                         static_cast<unsigned int>(bytes / 16),
                                                         times, out.as<unsigned int>());
                          },
                          {}, 5) -
                      bench.empty_ms;
    footprint.points.emplace_back(static_cast<double>(bytes),
                                  16.0 * threads * 4 * times / (ms * 1e6));
  }
  bench.curve(footprint);

  Curve dram{"dram_sectors",
             "sectors per ns",
             "sectors per request",
             "byte loads from DRAM, eight in flight",
             {}};
  Curve l2{"l2_sectors",
           "sectors per ns",
           "sectors per request",
           "the same from 16 MiB that the L2 holds",
           {}};
  for (const unsigned int stride : {1u, 4u, 8u, 16u, 32u}) {
    const double sectors = stride;  // of a request: 32 lanes that are `stride` bytes apart
    const std::size_t requests = large / (std::size_t{32} * stride);
    const double far = median_ms(
                           [&] {
                             read_strided<8><<<sms * 8, 256>>>(data.as(), large, stride, 1,
                                                               out.as<unsigned int>());
                           },
                           {}, 5) -
                       bench.empty_ms;
    dram.points.emplace_back(sectors, static_cast<double>(requests) * sectors / (far * 1e6));
    constexpr std::size_t small = std::size_t{1} << 24;
    constexpr int times = 40;
    const double near = median_ms(
                            [&] {
                              read_strided<8><<<sms * 4, 256>>>(data.as(), small, stride, times,
                                                                out.as<unsigned int>());
                            },
                            {}, 5) -
                        bench.empty_ms;
    const std::size_t group = std::size_t{32} * stride * 8;  // bytes that a warp reads in one turn
    l2.points.emplace_back(sectors,
                           times * static_cast<double>(small / group * 8) * sectors / (near * 1e6));
  }
  bench.curve(dram);
  bench.curve(l2);

  Curve l1{"l1_hit_request",
           "clocks of an SM",
           "bytes from lane to lane",
           "a byte load whose lines are in the L1",
           {}};
  constexpr int rounds = 512;
  for (const unsigned int stride : {0u, 1u, 4u, 8u, 16u, 32u, 64u, 66u, 128u, 132u, 256u, 994u}) {
    const double ms =
        median_ms([&] {
          read_hits<<<sms * 8, 256>>>(data.as(), stride, rounds, out.as<unsigned int>());
        }) -
        bench.empty_ms;
    l1.points.emplace_back(stride, bench.clocks(ms, 8.0 * rounds * sms * 8 * 8));
  }
  bench.curve(l1);

  Curve store{"store_hot_line",
              "ns per request",
              "words of the line",
              "plain stores of all warps to one line",
              {}};
  for (const unsigned int words : {1u, 2u, 8u, 32u}) {
    const double ms =
        median_ms([&] { store_hot<<<sms * 8, 256>>>(data.as<unsigned int>(), words, 200); }) -
        bench.empty_ms;
    store.points.emplace_back(words, ms * 1e6 / (200.0 * sms * 8 * 8));
  }
  bench.curve(store);
  Curve increment{"increment_hot",
                  "ns per request",
                  "bins",
                  "plain increments (a load and a store) of random bins by all warps",
                  {}};
  for (const unsigned int words : {1u, 2u, 4u, 7u, 8u, 9u, 16u, 32u, 256u, 65536u}) {
    const double ms =
        median_ms([&] { increment_hot<<<sms * 8, 256>>>(data.as<unsigned int>(), words, 100); }) -
        bench.empty_ms;
    increment.points.emplace_back(words, ms * 1e6 / (100.0 * sms * 8 * 8));
  }
  bench.curve(increment);
  const auto once = [&](auto kernel, const char* id, const char* title) {
    Curve curve{id, "ns per request", "bins", title, {}};
    constexpr unsigned int blocks = 1u << 15;
    for (const unsigned int words : {1u, 2u, 7u, 32u, 256u}) {
      const double ms =
          median_ms([&] { kernel<<<blocks, 256>>>(data.as<unsigned int>(), words); }, {}, 5) -
          bench.empty_ms;
      curve.points.emplace_back(words, ms * 1e6 / (blocks * 8.0));
    }
    bench.curve(curve);
  };
  once(increment_once<false>, "increment_once",
       "a plain increment of a random bin by each thread of a large grid");
  once(increment_once<true>, "increment_once_volatile", "the same through a volatile pointer");
}

}  // namespace histolab::calibration
