#include <algorithm>
#include <functional>

#include "kernels/cuda/facts/facts.h"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda::facts {
namespace {

using gpu::check;

constexpr unsigned int not_active = ~0u, warps = 32, rounds = 64, unrolled = 32;

// Written in PTX, because the compiler must not merge or omit the accesses. `address` is an address
// in the block's shared memory. The stored values are in separate registers. Zeros would need no
// register, and a store that reads no register is faster.
template <unsigned int Width, bool Store>
__device__ void access_shared(unsigned int address, uint4 value) {
  unsigned int a = value.x, b = value.y, c = value.z, d = value.w;
  if (Width == 4 && Store)
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(address), "r"(a) : "memory");
  if (Width == 8 && Store)
    asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %2};" ::"r"(address), "r"(a), "r"(b)
                 : "memory");
  if (Width == 16 && Store)
    asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(a), "r"(b),
                 "r"(c), "r"(d)
                 : "memory");
  if (Width == 4 && !Store)
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(a) : "r"(address) : "memory");
  if (Width == 8 && !Store)
    asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];"
                 : "=r"(a), "=r"(b)
                 : "r"(address)
                 : "memory");
  if (Width == 16 && !Store)
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(address)
                 : "memory");
}

// One block per SM. `clocks` is the time from the first warp's start to the last warp's end.
template <unsigned int Width, bool Store>
__global__ void __launch_bounds__(1024)
    repeat(const unsigned int* element_of_lane, long long* clocks) {
  __shared__ uint4 memory[most_elements];
  const unsigned int element = element_of_lane[threadIdx.x % 32];
  const unsigned int address =
      static_cast<unsigned int>(__cvta_generic_to_shared(memory)) + element * Width;
  const uint4 value{element, element * 3, element * 5, element * 7};
  __syncthreads();
  const long long begin = clock64();
  if (element != not_active)
    for (unsigned int round = 0; round < rounds; ++round) {
#pragma unroll
      for (unsigned int i = 0; i < unrolled; ++i) access_shared<Width, Store>(address, value);
    }
  __syncthreads();
  if (threadIdx.x == 0) clocks[blockIdx.x] = clock64() - begin;
}

// Returns the smallest result of several launches; the result of a launch is the
// median over the SMs.
template <unsigned int Width, bool Store>
double clocks_per_instruction(const gpu::DeviceMemory& elements) {
  int device = 0, sms = 0;
  check(cudaGetDevice(&device), "ask for the GPU");
  check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device),
        "count the multiprocessors");
  const gpu::DeviceMemory clocks(static_cast<std::size_t>(sms) * sizeof(long long));
  std::vector<long long> host(static_cast<std::size_t>(sms));
  long long least = 0;
  for (int launch = 0; launch < 5; ++launch) {
    repeat<Width, Store><<<sms, warps * 32>>>(elements.as<unsigned int>(), clocks.as<long long>());
    check(cudaGetLastError(), "launch the accesses");
    check(cudaMemcpy(host.data(), clocks.as(), clocks.bytes(), cudaMemcpyDeviceToHost),
          "copy the clocks from the GPU");
    const auto middle = host.begin() + sms / 2;
    std::nth_element(host.begin(), middle, host.end());
    if (launch == 0 || *middle < least) least = *middle;
  }
  return static_cast<double>(least) / (1.0 * warps * rounds * unrolled);
}

using ElementOf = std::function<unsigned int(unsigned int)>;
using IsActive = std::function<bool(unsigned int)>;

Access made(
    std::string pattern, const ElementOf& element_of,
    const IsActive& active = [](unsigned int) { return true; }) {
  Access access{std::move(pattern), {}};
  for (unsigned int t = 0; t < 32; ++t)
    if (active(t)) access.element[t] = element_of(t);
  return access;
}

}  // namespace

std::vector<Access> accesses() {
  const ElementOf same = [](unsigned int t) { return t; };
  std::vector<Access> all{made("0", [](unsigned int) { return 0u; })};
  for (const unsigned int stride :
       {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 12u, 15u, 16u, 17u, 24u, 31u, 32u, 33u, 64u})
    all.push_back(made(stride == 1 ? "t" : std::to_string(stride) + " t",
                       [=](unsigned int t) { return stride * t; }));
  for (const unsigned int n : {2u, 4u, 8u, 16u}) {
    const std::string number = std::to_string(n);
    all.push_back(made("t / " + number, [=](unsigned int t) { return t / n; }));
    all.push_back(made("t % " + number, [=](unsigned int t) { return t % n; }));
    all.push_back(made(number + " (t % 2)", [=](unsigned int t) { return n * (t % 2); }));
    all.push_back(made(number + " (t / 2)", [=](unsigned int t) { return n * (t / 2); }));
    all.push_back(made("t xor " + number, [=](unsigned int t) { return t ^ n; }));
  }
  all.push_back(made("31 - t", [](unsigned int t) { return 31 - t; }));
  all.push_back(made("t / 2 + 16 (t % 2)", [](unsigned int t) { return t / 2 + 16 * (t % 2); }));
  all.push_back(made("t / 4 + 8 (t % 4)", [](unsigned int t) { return t / 4 + 8 * (t % 4); }));
  all.push_back(made("t / 2, lane 31 at 40", [](unsigned int t) { return t == 31 ? 40 : t / 2; }));
  all.push_back(made("t / 4 2 + t % 2", [](unsigned int t) { return t / 4 * 2 + t % 2; }));
  for (const unsigned int seed : {1u, 2u, 3u, 4u})
    for (const unsigned int range : {8u, 64u, 2048u})
      all.push_back(made("random below " + std::to_string(range) + ", " + std::to_string(seed),
                         [state = seed, range](unsigned int) mutable {
                           return (next_random(state) >> 16) % range;
                         }));
  all.push_back(
      made("t, the first half of the lanes only", same, [](unsigned int t) { return t < 16; }));
  all.push_back(
      made("t, the last half of the lanes only", same, [](unsigned int t) { return t >= 16; }));
  all.push_back(made("t, even lanes only", same, [](unsigned int t) { return t % 2 == 0; }));
  all.push_back(made(
      "16 t, even lanes only", [](unsigned int t) { return 16 * t; },
      [](unsigned int t) { return t % 2 == 0; }));
  all.push_back(made(
      "16 t, lanes 0 to 7 only", [](unsigned int t) { return 16 * t; },
      [](unsigned int t) { return t < 8; }));
  all.push_back(made(
      "16 t, the first half of the lanes only", [](unsigned int t) { return 16 * t; },
      [](unsigned int t) { return t < 16; }));
  all.push_back(made(
      "2 t, lanes 0 to 7 only", [](unsigned int t) { return 2 * t; },
      [](unsigned int t) { return t < 8; }));
  all.push_back(made(
      "2 t, the last half of the lanes only", [](unsigned int t) { return 2 * t; },
      [](unsigned int t) { return t >= 16; }));
  all.push_back(made(
      "4 t, lanes 8 to 15 only", [](unsigned int t) { return 4 * t; },
      [](unsigned int t) { return t / 8 == 1; }));
  all.push_back(made(
      "16 t, lanes 0, 1 and 31 only", [](unsigned int t) { return 16 * t; },
      [](unsigned int t) { return t < 2 || t == 31; }));
  all.push_back(made(
      "32 t, lanes 0 to 2 and 16 only", [](unsigned int t) { return 32 * t; },
      [](unsigned int t) { return t < 3 || t == 16; }));
  all.push_back(made(
      "16 (t / 2), the first half of the lanes only", [](unsigned int t) { return 16 * (t / 2); },
      [](unsigned int t) { return t < 16; }));
  all.push_back(made(
      "t / 2, odd lanes only", [](unsigned int t) { return t / 2; },
      [](unsigned int t) { return t % 2 == 1; }));
  all.push_back(
      made("t, lanes 0 and 1 of each four only", same, [](unsigned int t) { return t % 4 < 2; }));
  all.push_back(made("t, lane 0 only", same, [](unsigned int t) { return t == 0; }));
  return all;
}

Clocks clocks_of(const Access& access) {
  std::array<unsigned int, 32> host{};
  for (unsigned int t = 0; t < 32; ++t) host[t] = access.element[t].value_or(not_active);
  const gpu::DeviceMemory elements(sizeof host);
  check(cudaMemcpy(elements.as(), host.data(), sizeof host, cudaMemcpyHostToDevice),
        "copy the pattern to the GPU");
  return {{clocks_per_instruction<4, false>(elements), clocks_per_instruction<8, false>(elements),
           clocks_per_instruction<16, false>(elements)},
          {clocks_per_instruction<4, true>(elements), clocks_per_instruction<8, true>(elements),
           clocks_per_instruction<16, true>(elements)}};
}

}  // namespace histolab::kernels::cuda::facts
