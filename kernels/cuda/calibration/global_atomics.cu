// Measures atomic additions in global memory: the passes of a request whose lanes meet, the rate of
// a hot line, and the growth of the rate with the number of addresses. The result is unused (a
// reduction, RED) or used (ATOM).
#include "kernels/cuda/calibration/probe.h"

namespace histolab::calibration {
namespace {

template <bool Used>
__device__ __forceinline__ void add(unsigned int* word, unsigned int value, unsigned int& sum) {
  if constexpr (Used)
    sum += atomicAdd(word, value);
  else
    atomicAdd(word, value);
}

// All warps of the GPU update `lines` lines; each request of a warp takes a random line. The first
// `lanes` lanes of a request are active, and `degree` neighbours update one word. The value depends
// on the lane, so that the compiler cannot merge lanes.
template <bool Used>
__global__ void on_lines(unsigned int* words, unsigned int lines, unsigned int degree,
                         unsigned int lanes, int times, unsigned int* out) {
  const unsigned int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  unsigned int sum = 0;
  if (lane < lanes)
    for (int i = 0; i < times; ++i) {
      const unsigned int line = lines == 1 ? 0 : __umulhi(lowbias32(warp * 7919u + i), lines);
      add<Used>(words + line * 32 + lane / degree, lane, sum);
    }
  if (sum == 0x12345678) *out = sum;
}

// Each lane updates a random one of `count` words.
template <bool Used>
__global__ void on_random_words(unsigned int* words, unsigned int count, int times,
                                unsigned int* out) {
  const unsigned int id = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int sum = 0;
  for (int i = 0; i < times; ++i)
    add<Used>(words + __umulhi(lowbias32(id * 7919u + i), count), id, sum);
  if (sum == 0x12345678) *out = sum;
}

// All threads increment one word by compare-and-swap, repeated until it succeeds.
__global__ void compare_and_swap(unsigned int* word, int times) {
  for (int i = 0; i < times; ++i) {
    unsigned int seen = *reinterpret_cast<volatile unsigned int*>(word), expected;
    do {
      expected = seen;
      seen = atomicCAS(word, expected, expected + 1);
    } while (seen != expected);
  }
}

}  // namespace

void probe_global_atomics(Bench& bench) {
  const unsigned int grid = bench.sms() * 8;
  constexpr unsigned int block = 256;
  const double warps = grid * block / 32.0;
  constexpr std::size_t count = std::size_t{1} << 24;
  DeviceMemory words{count * 4}, out{64};
  check(cudaMemset(words.as(), 0, words.bytes()), "zero memory");
  auto* at = words.as<unsigned int>();
  auto* sink = out.as<unsigned int>();

  const auto requests = [&](auto kernel, unsigned int lines, unsigned int degree,
                            unsigned int lanes) {
    const int times = lines == 1 ? 20 : 100;
    return (median_ms([&] { kernel<<<grid, block>>>(at, lines, degree, lanes, times, sink); }, {},
                      5) -
            bench.empty_ms) *
           1e6 / (warps * times);
  };
  const auto by_degree = [&](auto kernel, const char* id, const char* title, unsigned int lines) {
    Curve curve{id, "ns per request", "lanes on one word", title, {}};
    for (const unsigned int degree : {1u, 2u, 4u, 8u, 16u, 32u})
      curve.points.emplace_back(degree, requests(kernel, lines, degree, 32));
    bench.curve(curve);
  };
  by_degree(on_lines<false>, "global_red_hot_line", "reductions of all warps on one line, 32 lanes",
            1);
  by_degree(on_lines<true>, "global_atom_hot_line", "atomics with a result on one line, 32 lanes",
            1);
  by_degree(on_lines<false>, "global_red_spread_lines",
            "reductions, each request on a random line of 65536", 65536);
  by_degree(on_lines<true>, "global_atom_spread_lines",
            "atomics with a result, each request on a random line of 65536", 65536);
  const auto by_lanes = [&](auto kernel, const char* id, const char* title) {
    Curve curve{id, "ns per request", "active lanes", title, {}};
    for (const unsigned int lanes : {1u, 2u, 4u, 7u, 8u, 16u, 32u})
      curve.points.emplace_back(lanes, requests(kernel, 1, 1, lanes));
    bench.curve(curve);
  };
  by_lanes(on_lines<false>, "global_red_hot_line_by_lanes",
           "reductions on one line, each lane a word of its own");
  by_lanes(on_lines<true>, "global_atom_hot_line_by_lanes",
           "atomics with a result on one line, each lane a word of its own");
  const auto by_lines = [&](auto kernel, const char* id, unsigned int degree, const char* title) {
    Curve curve{id, "ns per request", "lines", title, {}};
    for (unsigned int lines = 1; lines <= 65536; lines *= 4)
      curve.points.emplace_back(lines, requests(kernel, lines, degree, 32));
    bench.curve(curve);
  };
  by_lines(on_lines<false>, "global_red_by_lines_degree_32", 32,
           "reductions, 32 lanes on one word of a random line");
  by_lines(on_lines<false>, "global_red_by_lines_degree_1", 1,
           "reductions, 32 lanes on 32 words of a random line");

  const auto random = [&](auto kernel, const char* id, const char* title) {
    Curve curve{id, "updates per ns", "words", title, {}};
    for (const unsigned int n : {1u, 2u, 4u, 7u, 8u, 16u, 32u, 64u, 256u, 1024u, 4096u, 16384u,
                                 65536u, 1u << 20, 1u << 24}) {
      const int times = n < 64 ? 20 : n < 4096 ? 100 : 400;
      const double ms =
          median_ms([&] { kernel<<<grid, block>>>(at, n, times, sink); }, {}, 5) - bench.empty_ms;
      curve.points.emplace_back(n, 32 * warps * times / (ms * 1e6));
    }
    bench.curve(curve);
  };
  random(on_random_words<false>, "global_red_random_words", "reductions on random words");
  random(on_random_words<true>, "global_atom_random_words",
         "atomics with a result on random words");

  Curve swap{"global_cas_one_word",
             "ns per success",
             "threads",
             "compare-and-swap loops of all threads on one word",
             {}};
  for (const unsigned int threads : {1u, 32u, 1024u, 16384u, 131072u}) {
    const unsigned int per_block = std::min(threads, 256u), blocks = threads / per_block;
    const int times = threads == 1 ? 1000 : threads <= 1024 ? 50 : 1;
    const double ms =
        median_ms([&] { compare_and_swap<<<blocks, per_block>>>(at, times); }, {}, 3) -
        bench.empty_ms;
    swap.points.emplace_back(threads, ms * 1e6 / (static_cast<double>(threads) * times));
  }
  bench.curve(swap);
}

}  // namespace histolab::calibration
