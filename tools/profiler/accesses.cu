// profiler-accesses: launches of one warp with one memory access, for a profiler
// (tools/profiler/record). Each lane accesses its own element. The first output line names the GPU;
// each further line describes one launch, in order.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "kernels/gpu/runtime.h"

namespace {

using namespace histolab;
using kernels::gpu::check;

constexpr unsigned int lanes = 32, idle = ~0u;
constexpr std::size_t memory_bytes = 32 * 1024;

struct alignas(8) Eight {
  unsigned int a, b;
};
struct alignas(16) Sixteen {
  unsigned int a, b, c, d;
};

__device__ unsigned int all_of(unsigned int value) { return value; }
__device__ unsigned int all_of(Eight value) { return value.a + value.b; }
__device__ unsigned int all_of(Sixteen value) { return value.a + value.b + value.c + value.d; }

// The access of a lane to `*at`; `value` is not a constant. A result is stored, so that it is used.
struct Load {
  template <class T>
  __device__ static void act(T* at, unsigned int, unsigned int* result) { *result = all_of(*at); }
};
struct Store {
  __device__ static void act(unsigned char* at, unsigned int value, unsigned int*) { *at = static_cast<unsigned char>(value); }
  __device__ static void act(unsigned short* at, unsigned int value, unsigned int*) { *at = static_cast<unsigned short>(value); }
  __device__ static void act(unsigned int* at, unsigned int value, unsigned int*) { *at = value; }
  __device__ static void act(Eight* at, unsigned int value, unsigned int*) { *at = {value, value}; }
  __device__ static void act(Sixteen* at, unsigned int value, unsigned int*) { *at = {value, value, value, value}; }
};
#define ATOMIC(NAME, CALL)                                                                                       \
  struct NAME {                                                                                                  \
    template <class T>                                                                                           \
    __device__ static void act(T* at, unsigned int value, unsigned int*) { static_cast<void>(value), CALL; }     \
  };                                                                                                             \
  struct NAME##Returned {                                                                                        \
    template <class T>                                                                                           \
    __device__ static void act(T* at, unsigned int value, unsigned int* result) { static_cast<void>(value), *result = static_cast<unsigned int>(CALL); } \
  };
ATOMIC(AddOne, atomicAdd(at, T{1}))
ATOMIC(Add, atomicAdd(at, static_cast<T>(value)))
ATOMIC(Minimum, atomicMin(at, static_cast<T>(value)))
ATOMIC(Or, atomicOr(at, static_cast<T>(value)))
ATOMIC(Exchange, atomicExch(at, static_cast<T>(value)))
ATOMIC(Increment, atomicInc(at, value))
ATOMIC(CompareAndSwap, atomicCAS(at, T{0}, static_cast<T>(value)))

template <class Operation, class T>
__global__ void in_global(const unsigned int* element, const unsigned int* value, T* memory, unsigned int* result) {
  const unsigned int at = element[threadIdx.x];
  if (at != idle) Operation::act(memory + at, value[threadIdx.x], result + threadIdx.x);
}

template <class Operation, class T>
__global__ void in_shared(const unsigned int* element, const unsigned int* value, T* memory, unsigned int* result) {
  __shared__ T own[memory_bytes / sizeof(T)];
  const unsigned int at = element[threadIdx.x];
  if (at != idle) Operation::act(own + at, value[threadIdx.x], result + threadIdx.x);
  if (value[lanes] != 0) memory[threadIdx.x] = own[threadIdx.x];  // never; it keeps the stores
}

using Kernel = void (*)(const unsigned int*, const unsigned int*, void*, unsigned int*);
struct Access {
  std::string space, operation;
  unsigned int bytes;
  Kernel kernel;
};

template <class Operation, class T>
void add(std::vector<Access>& accesses, const std::string& operation) {
  accesses.push_back({"global", operation, sizeof(T), reinterpret_cast<Kernel>(&in_global<Operation, T>)});
  accesses.push_back({"shared", operation, sizeof(T), reinterpret_cast<Kernel>(&in_shared<Operation, T>)});
}

std::vector<Access> all_accesses() {
  std::vector<Access> all;
  add<Load, unsigned char>(all, "load"), add<Load, unsigned short>(all, "load"), add<Load, unsigned int>(all, "load"), add<Load, Eight>(all, "load"), add<Load, Sixteen>(all, "load");
  add<Store, unsigned char>(all, "store"), add<Store, unsigned short>(all, "store"), add<Store, unsigned int>(all, "store"), add<Store, Eight>(all, "store"), add<Store, Sixteen>(all, "store");
  add<AddOne, unsigned int>(all, "add_one"), add<AddOneReturned, unsigned int>(all, "add_one_returned");
  add<Add, unsigned int>(all, "add"), add<AddReturned, unsigned int>(all, "add_returned");
  add<Add, float>(all, "add_float"), add<AddReturned, float>(all, "add_float_returned");
  add<Minimum, unsigned int>(all, "minimum"), add<MinimumReturned, unsigned int>(all, "minimum_returned");
  add<Or, unsigned int>(all, "or"), add<OrReturned, unsigned int>(all, "or_returned");
  add<Exchange, unsigned int>(all, "exchange"), add<ExchangeReturned, unsigned int>(all, "exchange_returned");
  add<Increment, unsigned int>(all, "increment");
  add<CompareAndSwapReturned, unsigned int>(all, "compare_and_swap");
  add<Add, unsigned long long>(all, "add"), add<AddReturned, unsigned long long>(all, "add_returned");
  return all;
}

struct Pattern {
  std::string name;
  std::vector<unsigned int> elements;  // per lane; `idle` if the lane does nothing
};

std::vector<Pattern> all_patterns() {
  std::vector<Pattern> all;
  const auto add = [&](const std::string& name, const std::function<unsigned int(unsigned int)>& element_of) {
    std::vector<unsigned int> elements(lanes);
    for (unsigned int t = 0; t < lanes; ++t) elements[t] = element_of(t);
    all.push_back({name, std::move(elements)});
  };
  add("t", [](unsigned int t) { return t; });
  add("0", [](unsigned int) { return 0u; });
  add("t / 2", [](unsigned int t) { return t / 2; });
  add("t / 8", [](unsigned int t) { return t / 8; });
  add("t % 2", [](unsigned int t) { return t % 2; });
  add("t % 7", [](unsigned int t) { return t % 7; });
  add("2 t", [](unsigned int t) { return 2 * t; });
  add("8 t", [](unsigned int t) { return 8 * t; });
  add("32 t", [](unsigned int t) { return 32 * t; });
  add("32 (t % 4)", [](unsigned int t) { return 32 * (t % 4); });
  add("16 (t % 4)", [](unsigned int t) { return 16 * (t % 4); });
  add("t (t + 1) / 2 % 13", [](unsigned int t) { return t * (t + 1) / 2 % 13; });
  add("t t % 61", [](unsigned int t) { return t * t % 61; });
  add("32 (t % 3) + t % 5", [](unsigned int t) { return 32 * (t % 3) + t % 5; });
  add("0, the first half of the lanes only", [](unsigned int t) { return t < 16 ? 0u : idle; });
  add("t, odd lanes only", [](unsigned int t) { return t % 2 == 1 ? t : idle; });
  add("0, lane 0 only", [](unsigned int t) { return t == 0 ? 0u : idle; });
  return all;
}

void say(const nlohmann::json& line) { std::printf("%s\n", line.dump().c_str()); }

}  // namespace

int main() try {
  const kernels::gpu::GpuFacts gpu = kernels::gpu::use_gpu(0);
  say({{"device", gpu.name}, {"driver", gpu.driver}, {"date", kernels::gpu::today()}});
  const kernels::gpu::DeviceMemory memory{memory_bytes}, element{lanes * sizeof(unsigned int)}, value{(lanes + 1) * sizeof(unsigned int)}, result{lanes * sizeof(unsigned int)};
  std::vector<unsigned int> values(lanes + 1, 0);
  for (unsigned int t = 0; t < lanes; ++t) values[t] = t + 2;
  check(cudaMemcpy(value.as(), values.data(), value.bytes(), cudaMemcpyHostToDevice), "copy the values");
  for (const Access& access : all_accesses())
    for (const Pattern& pattern : all_patterns()) {
      check(cudaMemcpy(element.as(), pattern.elements.data(), element.bytes(), cudaMemcpyHostToDevice), "copy the pattern");
      check(cudaMemset(memory.as(), 0, memory.bytes()), "zero the memory");
      const void* arguments_of[] = {element.as(), value.as(), memory.as(), result.as()};
      void* arguments[] = {&arguments_of[0], &arguments_of[1], &arguments_of[2], &arguments_of[3]};
      check(cudaLaunchKernel(reinterpret_cast<const void*>(access.kernel), dim3(1), dim3(lanes), arguments, 0, nullptr), "launch");
      check(cudaDeviceSynchronize(), "run");
      nlohmann::json elements = nlohmann::json::array();
      for (const unsigned int each : pattern.elements) elements.push_back(each == idle ? nlohmann::json() : nlohmann::json(each));
      say({{"space", access.space}, {"operation", access.operation}, {"bytes", access.bytes}, {"pattern", pattern.name}, {"element_of_lane", elements}, {"grid", 1}, {"block", lanes}});
    }
} catch (const std::exception& error) {
  std::fprintf(stderr, "profiler-accesses: %s\n", error.what());
  return 1;
}
