// Measures the clocks of an SM per shared memory instruction of a warp whose lanes meet on a word
// or in a bank.
#include "kernels/cuda/calibration/probe.h"

namespace histolab::calibration {
namespace {

constexpr unsigned int words = 4096;  // 16 KiB per block

enum class Operation { load, store, increment, addition, addition_used, swap };

// Each thread accesses four words in turn, whose indices are in `pattern`. So the compiler cannot
// keep values in registers.
template <Operation What>
__global__ void __launch_bounds__(1024)
    access(const unsigned short* pattern, int times, unsigned int value, unsigned int* out) {
  __shared__ unsigned int memory[words];
  for (unsigned int i = threadIdx.x; i < words; i += blockDim.x) memory[i] = 0;
  __syncthreads();
  unsigned int sum = 0, index[4];
  for (int k = 0; k < 4; ++k) index[k] = pattern[k * 1024 + threadIdx.x];
  for (int i = 0; i < times; ++i)
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      unsigned int* word = memory + index[k];
      if constexpr (What == Operation::load) sum += *reinterpret_cast<volatile unsigned int*>(word);
      if constexpr (What == Operation::store) *reinterpret_cast<volatile unsigned int*>(word) = sum;
      if constexpr (What == Operation::increment) atomicAdd(word, 1u);
      if constexpr (What == Operation::addition) atomicAdd(word, value + k);
      if constexpr (What == Operation::addition_used) sum += atomicAdd(word, value + k);
      if constexpr (What == Operation::swap) sum += atomicCAS(word, value, value + 1);
    }
  if (sum == 0x12345678) *out = sum;
}

// The first `threads` threads of a block increment one word by compare-and-swap.
__global__ void swap_loop(unsigned int threads, int times, unsigned int* out) {
  __shared__ unsigned int word;
  if (threadIdx.x == 0) word = 0;
  __syncthreads();
  if (threadIdx.x < threads)
    for (int i = 0; i < times; ++i) {
      unsigned int seen = *const_cast<volatile unsigned int*>(&word), expected;
      do {
        expected = seen;
        seen = atomicCAS(&word, expected, expected + 1);
      } while (seen != expected);
    }
  __syncthreads();
  if (threadIdx.x == 0 && word == 0x12345678) *out = word;
}

}  // namespace

void probe_shared_memory(Bench& bench) {
  const unsigned int grid = bench.sms() * 2;
  constexpr int times = 1000;
  DeviceMemory pattern{4 * 1024 * 2}, out{64};
  std::vector<unsigned short> host(4 * 1024);
  const auto clocks = [&](auto kernel, auto word_of) {
    for (unsigned int k = 0; k < 4; ++k)
      for (unsigned int t = 0; t < 1024; ++t)
        host[k * 1024 + t] = static_cast<unsigned short>(word_of(k, t / 32, t % 32));
    check(cudaMemcpy(pattern.as(), host.data(), host.size() * 2, cudaMemcpyHostToDevice),
          "copy the pattern");
    const double ms = median_ms(
                          [&] {
                            kernel<<<grid, 1024>>>(pattern.as<unsigned short>(), times, 3,
                                                   out.as<unsigned int>());
                          },
                          {}, 5) -
                      bench.empty_ms;
    return bench.clocks(ms, 4.0 * times * grid * 32);
  };
  const auto all = [&](auto kernel, const std::string& name, const std::string& what) {
    Curve same{"shared_" + name + "_by_degree",
               "clocks of an SM per request",
               "lanes on one word",
               what + ", the other words in other banks",
               {}};
    Curve bank{"shared_" + name + "_by_bank",
               "clocks of an SM per request",
               "words of one bank",
               what + ", each lane a word of its own",
               {}};
    Curve random{"shared_" + name + "_random",
                 "clocks of an SM per request",
                 "words",
                 what + ", random words",
                 {}};
    for (const unsigned int d : {1u, 2u, 4u, 8u, 16u, 32u}) {
      same.points.emplace_back(d,
                               clocks(kernel, [=](unsigned int k, unsigned int, unsigned int lane) {
                                 return k * 32 + lane / d;
                               }));
      bank.points.emplace_back(d,
                               clocks(kernel, [=](unsigned int k, unsigned int, unsigned int lane) {
                                 return lane % d * 32 + lane / d + k * 1024;
                               }));
    }
    for (const unsigned int n : {2u, 7u, 32u, 256u, 1024u, 4096u})
      random.points.emplace_back(
          n, clocks(kernel, [=](unsigned int k, unsigned int warp, unsigned int lane) {
            return lowbias32((k * 32 + warp) * 32 + lane) % n;
          }));
    bench.curve(same);
    bench.curve(bank);
    bench.curve(random);
  };
  all(access<Operation::load>, "load", "loads");
  all(access<Operation::store>, "store", "stores");
  all(access<Operation::increment>, "increment", "atomicAdd(p, 1), result unused");
  all(access<Operation::addition>, "add", "atomicAdd(p, value), result unused");
  all(access<Operation::addition_used>, "add_used", "atomicAdd(p, value), result used");
  all(access<Operation::swap>, "cas", "atomicCAS that fails");
  Curve loop{"shared_cas_one_word",
             "clocks per success",
             "threads",
             "compare-and-swap loops of so many threads of a block of 256 on one word, the SMs "
             "full of such blocks",
             {}};
  for (const unsigned int threads : {1u, 8u, 32u, 64u, 128u, 256u}) {
    constexpr int rounds = 20;
    const double ms =
        median_ms(
            [&] { swap_loop<<<bench.sms() * 8, 256>>>(threads, rounds, out.as<unsigned int>()); },
            {}, 5) -
        bench.empty_ms;
    loop.points.emplace_back(threads, ms * 1e6 * bench.ghz / (threads * rounds));
  }
  bench.curve(loop);
}

}  // namespace histolab::calibration
