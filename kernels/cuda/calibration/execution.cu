// Measures launches, blocks, barriers, instructions and the clock.
#include "kernels/cuda/calibration/probe.h"

namespace histolab::calibration {
namespace {

__global__ void nothing() {}

// Blocks like those of a privatizing kernel, without the work: zero, barrier, barrier.
__global__ void empty_private_histogram() {
  __shared__ unsigned int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  if (bins[threadIdx.x % 8] == 1) __nanosleep(1);  // never
  __syncthreads();
}

__global__ void barriers(int times) {
  for (int i = 0; i < times; ++i) __syncthreads();
}

// Eight independent chains of multiply-add per thread, so that only the issue rate limits them.
__global__ void issue(int times, int seed, int* out) {
  int a[8];
  for (int k = 0; k < 8; ++k) a[k] = seed + k;
  for (int i = 0; i < times; ++i)
#pragma unroll
    for (int k = 0; k < 8; ++k) asm volatile("mad.lo.s32 %0, %0, %0, %1;" : "+r"(a[k]) : "r"(seed));
  int sum = 0;
  for (int k = 0; k < 8; ++k) sum += a[k];
  if (sum == 12345) *out = sum;
}
// The same with logic operations, which two pipes can execute on recent devices.
__global__ void issue_logic(int times, unsigned int seed, unsigned int* out) {
  unsigned int a[8];
  for (unsigned int k = 0; k < 8; ++k) a[k] = seed + k;
  for (int i = 0; i < times; ++i)
#pragma unroll
    for (int k = 0; k < 8; ++k)
      asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(a[k]) : "r"(seed), "r"(i));
  unsigned int sum = 0;
  for (int k = 0; k < 8; ++k) sum += a[k];
  if (sum == 12345) *out = sum;
}

// Measures clocks and nanoseconds of the same interval, in the first block.
__global__ void clock_against_time(long long clocks, long long* out) {
  const long long begin = clock64();
  long long begin_ns, end_ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin_ns));
  unsigned int x = threadIdx.x;
  while (clock64() - begin < clocks)
    for (int i = 0; i < 64; ++i) x = lowbias32(x);
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end_ns));
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    out[0] = clock64() - begin;
    out[1] = end_ns - begin_ns;
  }
  if (x == 1) out[2] = x;
}

}  // namespace

void probe_execution(Bench& bench) {
  const unsigned int sms = bench.sms();
  DeviceMemory out{64};
  for (int i = 0; i < 2; ++i)
    clock_against_time<<<sms * 2, 1024>>>(100'000'000, out.as<long long>());
  long long found[2];
  check(cudaMemcpy(found, out.as(), sizeof found, cudaMemcpyDeviceToHost), "read the clock");
  bench.ghz = static_cast<double>(found[0]) / static_cast<double>(found[1]);
  bench.figure("sm_clock", "GHz", bench.ghz, "clock of the SMs, all of them busy");

  // Queued behind other work, as in a program, so that the host's work is hidden.
  DeviceMemory scratch{64 << 20};
  bench.empty_ms = median_ms(
      [] { nothing<<<1, 32>>>(); },
      [&] { check(cudaMemsetAsync(scratch.as(), 0, scratch.bytes()), "set memory"); }, 101);
  bench.figure("launch", "us", bench.empty_ms * 1e3,
               "between two events around an empty launch, behind other work");
  const double many = median_ms([] {
    for (int i = 0; i < 1000; ++i) nothing<<<1, 32>>>();
  });
  bench.figure("launch_back_to_back", "us", many, "an empty launch among a thousand");

  const auto per_block = [&](auto kernel, unsigned int threads) {
    constexpr unsigned int few = 1u << 18, lots = 1u << 20;
    const double less = median_ms([&] { kernel<<<few, threads>>>(); }),
                 more = median_ms([&] { kernel<<<lots, threads>>>(); });
    return (more - less) * 1e6 * sms / (lots - few);
  };
  Curve empty{
      "block", "ns of an SM", "threads", "starting and ending an empty block, by its threads", {}};
  Curve life{"block_with_barriers",
             "ns of an SM",
             "threads",
             "a block that zeroes seven shared words and meets two barriers",
             {}};
  for (const unsigned int threads : {32u, 64u, 128u, 256u, 512u, 1024u}) {
    empty.points.emplace_back(threads, per_block(nothing, threads));
    life.points.emplace_back(threads, per_block(empty_private_histogram, threads));
  }
  bench.curve(empty);
  bench.curve(life);

  Curve barrier{"barrier", "clocks", "threads of a block", "a __syncthreads of a lone block", {}};
  Curve busy{"barrier_busy",
             "clocks of an SM per arriving warp",
             "threads of a block",
             "barriers, the SMs full of such blocks",
             {}};
  constexpr int times = 4096;
  for (const unsigned int threads : {32u, 64u, 128u, 256u, 512u, 1024u}) {
    const double alone = median_ms([&] { barriers<<<1, threads>>>(times); }) - bench.empty_ms;
    barrier.points.emplace_back(threads, alone * 1e6 * bench.ghz / times);
    const unsigned int blocks = sms * std::min(2048 / threads, 32u);
    const double full = median_ms([&] { barriers<<<blocks, threads>>>(times); }) - bench.empty_ms;
    busy.points.emplace_back(
        threads, bench.clocks(full, static_cast<double>(blocks) * (threads / 32) * times));
  }
  bench.curve(barrier);
  bench.curve(busy);

  constexpr int rounds = 20000;
  const double multiply =
      median_ms([&] { issue<<<sms * 2, 1024>>>(rounds, 3, out.as<int>()); }) - bench.empty_ms;
  const double instructions = 8.0 * rounds * sms * 2 * 32;
  bench.figure("issue_multiply_add", "warp instructions per clock per SM",
               1 / bench.clocks(multiply, instructions), "integer multiply-add");
  const double logic =
      median_ms([&] { issue_logic<<<sms * 2, 1024>>>(rounds, 3, out.as<unsigned int>()); }) -
      bench.empty_ms;
  bench.figure("issue_logic", "warp instructions per clock per SM",
               1 / bench.clocks(logic, instructions), "three-input logic");
}

}  // namespace histolab::calibration
