// Measures the waits of a thread that does one thing after the other, alone and on a full GPU.
#include <numeric>
#include <vector>

#include "kernels/cuda/calibration/probe.h"

namespace histolab::calibration {
namespace {

// Follows `steps` links. A link is the byte offset of the next link.
__global__ void chase(const unsigned long long* begin, int steps, long long* clocks,
                      unsigned long long* out) {
  const char* base = reinterpret_cast<const char*>(begin);
  unsigned long long at = 0;
  // Warms up the TLB, and the L1 if the data fits.
  for (int i = 0; i < 64; ++i) at = *reinterpret_cast<const unsigned long long*>(base + at);
  const long long started = clock64();
  for (int i = 0; i < steps; ++i) at = *reinterpret_cast<const unsigned long long*>(base + at);
  *clocks = clock64() - started;
  *out = at;
}
__global__ void chase_shared(int steps, long long* clocks, unsigned int* out) {
  __shared__ unsigned int next[64];
  for (unsigned int i = 0; i < 64; ++i) next[i] = (i + 1) % 64;
  unsigned int at = 0;
  const long long started = clock64();
  for (int i = 0; i < steps; ++i) at = next[at];
  *clocks = clock64() - started;
  *out = at;
}
__global__ void chase_shared_atomic(int steps, long long* clocks, unsigned int* out) {
  __shared__ unsigned int word;
  word = 0;
  unsigned int seen = 0;
  const long long started = clock64();
  for (int i = 0; i < steps; ++i) seen = atomicAdd(&word, seen % 2 + 1);
  *clocks = clock64() - started;
  *out = seen;
}
__global__ void chase_global_atomic(unsigned int* word, int steps, long long* clocks,
                                    unsigned int* out) {
  unsigned int seen = 0;
  const long long started = clock64();
  for (int i = 0; i < steps; ++i) seen = atomicAdd(word, seen % 2 + 1);
  *clocks = clock64() - started;
  *out = seen;
}

// A grid-stride loop with one load of one Word in flight per thread, like the loops of textbooks.
template <class Word>
__global__ void one_load_at_a_time(const Word* data, unsigned int words, unsigned int* out) {
  const unsigned int threads = gridDim.x * blockDim.x;
  unsigned int x = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < words;) {
    const Word v = data[i];
    const auto first = *reinterpret_cast<const unsigned char*>(&v);
    x += first;
    i += threads + (first == 77);  // the next address depends on this byte
  }
  if (x == 0x12345678) *out = x;
}

}  // namespace

void probe_latency(Bench& bench) {
  DeviceMemory out{64}, clocks{8};
  long long found = 0;
  const auto read = [&] {
    check(cudaMemcpy(&found, clocks.as(), 8, cudaMemcpyDeviceToHost), "read the clocks");
    return static_cast<double>(found);
  };
  constexpr int steps = 4096;
  const auto links = [&](std::size_t bytes, std::size_t stride) {
    const std::size_t count = bytes / stride;
    std::vector<unsigned long long> host(bytes / 8), order(count);
    std::iota(order.begin(), order.end(), 0ull);
    // Sattolo's algorithm: the links form one cycle.
    for (std::size_t i = count - 1; i > 0; --i)
      std::swap(order[i], order[(i * 0x9E3779B97F4A7C15ull >> 20) % i]);
    for (std::size_t i = 0; i < count; ++i)
      host[order[i] * stride / 8] = order[(i + 1) % count] * stride;
    // The walk begins at the first link in memory, which is any position of the cycle.
    DeviceMemory memory{bytes};
    check(cudaMemcpy(memory.as(), host.data(), bytes, cudaMemcpyHostToDevice), "copy the links");
    DeviceMemory other{2 * bench.gpu.l2_bytes};
    if (bytes > bench.gpu.l2_bytes) check(cudaMemset(other.as(), 1, other.bytes()), "flush the L2");
    const int turns = bytes > bench.gpu.l2_bytes ? 1 : 2;  // the second turn hits the cache
    for (int i = 0; i < turns; ++i)
      chase<<<1, 1>>>(memory.as<unsigned long long>(),
                      bytes > (1u << 20) && turns == 2 ? static_cast<int>(count) : steps,
                      clocks.as<long long>(), out.as<unsigned long long>());
    return read() / (bytes > (1u << 20) && turns == 2 ? static_cast<double>(count) : steps);
  };
  bench.figure("latency_l1", "clocks", links(16 << 10, 128), "a load that the L1 has");
  bench.figure("latency_l2", "clocks", links(4 << 20, 256), "a load that the L2 has");
  bench.figure("latency_dram", "clocks", links(std::size_t{512} << 20, 4096 + 128),
               "a load from DRAM");
  chase_shared<<<1, 1>>>(steps, clocks.as<long long>(), out.as<unsigned int>());
  bench.figure("latency_shared", "clocks", read() / steps, "a shared load");
  chase_shared_atomic<<<1, 1>>>(steps, clocks.as<long long>(), out.as<unsigned int>());
  bench.figure("latency_shared_atomic", "clocks", read() / steps,
               "a shared atomic addition whose result the next one needs");
  chase_global_atomic<<<1, 1>>>(out.as<unsigned int>() + 8, steps, clocks.as<long long>(),
                                out.as<unsigned int>());
  bench.figure("latency_global_atomic", "clocks", read() / steps,
               "a global atomic addition whose result the next one needs");

  constexpr std::size_t large = std::size_t{1} << 28;
  DeviceMemory data{large};
  check(cudaMemset(data.as(), 1, large), "fill memory");
  Curve loaded{"one_load_at_a_time",
               "ns per load",
               "warps of an SM",
               "a byte load from DRAM, one in flight per thread: time of one round",
               {}};
  for (const unsigned int blocks : {1u, 2u, 4u, 6u, 8u}) {
    const unsigned int grid = bench.sms() * blocks;
    const double ms = median_ms(
                          [&] {
                            one_load_at_a_time<<<grid, 256>>>(data.as<unsigned char>(),
                                                              static_cast<unsigned int>(large),
                                                              out.as<unsigned int>());
                          },
                          {}, 5) -
                      bench.empty_ms;
    loaded.points.emplace_back(blocks * 8, ms * 1e6 * grid * 256 / large);
  }
  bench.curve(loaded);
  Curve width{"one_load_by_width",
              "ns per load",
              "bytes of a load",
              "the same with the SMs full, by the width of the load",
              {}};
  const auto of_width = [&](auto word) {
    using Word = decltype(word);
    const double ms = median_ms(
                          [&] {
                            one_load_at_a_time<<<bench.sms() * 8, 256>>>(
                                data.as<Word>(), static_cast<unsigned int>(large / sizeof(Word)),
                                out.as<unsigned int>());
                          },
                          {}, 5) -
                      bench.empty_ms;
    width.points.emplace_back(
        sizeof(Word), ms * 1e6 * bench.sms() * 8 * 256 / static_cast<double>(large / sizeof(Word)));
  };
  of_width(static_cast<unsigned char>(0));
  of_width(0u);
  of_width(uint2{});
  of_width(uint4{});
  bench.curve(width);
}

}  // namespace histolab::calibration
