// Tests of <cuda/atomic> and of the built-in functions __nv_atomic_*: each operation against its
// definition in libcu++ and in the CUDA C++ Programming Guide, and the memory order that it
// establishes.
#include <doctest/doctest.h>

#include <bit>

#include "kernels/worker/testing/finding_table.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

const std::string prelude = R"(
#include <cuda/atomic>
__device__ int i = 5;
__device__ unsigned u = 5;
__device__ long long l = 5;
__device__ unsigned long long ul = 5;
__device__ float f = 5;
__device__ double d = 5;
__device__ cuda::atomic<int, cuda::thread_scope_device> counter{7};
template <class T> using block_ref = cuda::atomic_ref<T, cuda::thread_scope_block>;
template <class T> using device_ref = cuda::atomic_ref<T, cuda::thread_scope_device>;
__device__ int seen;
__device__ bool swapped(int expected, int value) {
  const bool done = device_ref<int>(i).compare_exchange_strong(
      expected, value, cuda::std::memory_order_acq_rel, cuda::std::memory_order_acquire);
  seen = expected;
  return done;
}
__device__ bool swapped_float(float expected, float value) {
  return device_ref<float>(f).compare_exchange_weak(expected, value);
}
)";

}  // namespace

TEST_CASE("atomic_ref: every operation, old values and new ones") {
  check_values(
      {
          {"device_ref<int>(i).fetch_add(3)", 5},
          {"device_ref<int>(i).load()", 8},
          {"block_ref<int>(i).fetch_sub(10, cuda::memory_order_relaxed)", 8},
          {"i", i32(-2)},
          {"device_ref<int>(i).fetch_min(-7)", i32(-2)},
          {"device_ref<int>(i).fetch_max(4)", i32(-7)},
          {"device_ref<int>(i).fetch_and(6)", 4},
          {"device_ref<int>(i).fetch_or(9)", 4},
          {"device_ref<int>(i).fetch_xor(1)", 13},
          {"i", 12},
          {"device_ref<int>(i).exchange(3, cuda::memory_order_acquire)", 12},
          {"(device_ref<int>(i).store(9, cuda::memory_order_release), i)", 9},
          {"(char)swapped(8, 1)", 0},
          {"seen", 9},
          {"(char)swapped(9, 1)", 1},
          {"seen", 9},
          {"i", 1},
          {"++device_ref<int>(i)", 2},
          {"device_ref<int>(i)++", 2},
          {"--device_ref<int>(i)", 2},
          {"device_ref<int>(i)--", 2},
          {"device_ref<int>(i) += 7", 8},
          {"device_ref<int>(i) -= 2", 6},
          {"device_ref<int>(i) |= 9", 15},
          {"device_ref<int>(i) &= 12", 12},
          {"device_ref<int>(i) ^= 4", 8},
          {"device_ref<int>(i) = 11", 11},
          {"(int)device_ref<int>(i)", 11},
          {"device_ref<unsigned>(u).fetch_sub(6)", 5},
          {"device_ref<unsigned>(u).fetch_min(7)", 0xffffffff},
          {"u", 7},
          {"cuda::atomic_ref<long long>(l).fetch_add(-6)", 5},
          {"cuda::atomic_ref<long long>(l).fetch_max(-3)", static_cast<std::uint64_t>(-1)},
          {"l", static_cast<std::uint64_t>(-1)},
          {"cuda::atomic_ref<unsigned long long>(ul).fetch_max(1ull << 40)", 5},
          {"cuda::std::atomic_ref<unsigned long long>(ul).load(cuda::memory_order_acquire)",
           1ull << 40},
          {"device_ref<float>(f).fetch_add(0.5f)", std::bit_cast<std::uint32_t>(5.0f)},
          {"device_ref<float>(f).fetch_sub(2.0f)", std::bit_cast<std::uint32_t>(5.5f)},
          {"(char)swapped_float(3.5f, 1.0f)", 1},
          {"f", std::bit_cast<std::uint32_t>(1.0f)},
          {"device_ref<float>(f).fetch_min(2.5f)", std::bit_cast<std::uint32_t>(1.0f)},
          {"device_ref<float>(f).fetch_max(2.5f)", std::bit_cast<std::uint32_t>(1.0f)},
          {"device_ref<float>(f).fetch_min(-1.5f)", std::bit_cast<std::uint32_t>(2.5f)},
          {"f", std::bit_cast<std::uint32_t>(-1.5f)},
          {"device_ref<double>(d).fetch_add(0.25)", std::bit_cast<std::uint64_t>(5.0)},
          {"device_ref<double>(d).load()", std::bit_cast<std::uint64_t>(5.25)},
          {"counter.fetch_add(2)", 7},
          {"counter.load()", 9},
          {"(counter = 3, ++counter)", 4},
          {"(cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device), "
           "cuda::std::atomic_thread_fence(cuda::std::memory_order_release), 1)",
           1},
      },
      prelude);
}

TEST_CASE("atomic_ref: findings and counters treat it as an atomic, at the student's line") {
  const auto row = [](const char* title, const std::string& body, const char* told) {
    static std::vector<std::string> kept;
    kept.reserve(100);
    kept.push_back(
        "#include <cuda/atomic>\n__global__ void k(const unsigned char* data, unsigned int n, "
        "unsigned int* out) {\n  const unsigned int t = threadIdx.x, b = blockIdx.x, i = b * "
        "blockDim.x + t;\n" +
        body + "}\n");
    return Row{title, kept.back().c_str(), told};
  };
  check_rows({
      row("an update by all",
          "  cuda::atomic_ref<unsigned, cuda::thread_scope_device> bin(out[data[i] % 16]);\n  "
          "bin.fetch_add(1, cuda::memory_order_relaxed);\n",
          ""),
      row("++", "  ++cuda::atomic_ref<unsigned, cuda::thread_scope_device>(out[0]);\n", ""),
      row("a swap loop",
          "  cuda::atomic_ref<unsigned, cuda::thread_scope_device> bin(out[0]);\n  unsigned old = "
          "bin.load(cuda::memory_order_relaxed);\n  while (!bin.compare_exchange_weak(old, old + "
          "1)) {}\n",
          ""),
      row("atomic against plain",
          "  if (i == 0) out[0] = 1;  //@plain\n  else cuda::atomic_ref<unsigned, "
          "cuda::thread_scope_device>(out[0]).fetch_add(1);  //@atomic\n",
          "data_race out[0] @plain/@atomic"),
      row("of one thread's scope: an ordinary update",
          "  cuda::atomic_ref<unsigned, cuda::thread_scope_thread>(out[0]).fetch_add(1);  "
          "//@update\n",
          "data_race out[0] @update/@update"),
      row("out of bounds",
          "  cuda::atomic_ref<unsigned, cuda::thread_scope_device>(out[16 + t % 1]).fetch_add(1);  "
          "//@here\n",
          "out_of_bounds out[16] @here"),
      row("a flag that nobody sets",
          "  while (cuda::atomic_ref<unsigned, "
          "cuda::thread_scope_device>(out[0]).load(cuda::memory_order_acquire) == 0) {}  //@loop\n",
          "deadlock out[0] @loop"),
  });
  const Row update =
      row("", "  cuda::atomic_ref<unsigned, cuda::thread_scope_device>(out[t % 4]).fetch_add(1);\n",
          "");
  const Outcome outcome = run(source_of(update), launch_of(update, Schedule::lockstep));
  CHECK(outcome.output()[3] == 32);
  CHECK(outcome.last().counters.global_atomic.requests == 4);  // one per warp
}

TEST_CASE("missing features of <cuda/atomic> are named") {
  const auto first = [](const std::string& body) {
    const Compiled compiled =
        compile("#include <cuda/atomic>\n__global__ void k(unsigned* out) {\n  " + body + "\n}\n",
                {out("out", 1)});
    CHECK(!compiled.ok);
    REQUIRE(!compiled.diagnostics.empty());
    return compiled.diagnostics.front();
  };
  const Diagnostic wait = first("cuda::atomic_ref<unsigned>(out[0]).wait(0);");
  CHECK(wait.line == 3);
  CHECK(wait.message.starts_with(
      "this version of the emulator does not have wait() of an atomic yet"));
  CHECK(first("cuda::atomic_ref<char>(((char*)out)[0]).load();").message ==
        "this version of the emulator does not have atomics of 1, 2 and 16 bytes yet");
  CHECK(first("cuda::barrier<cuda::thread_scope_block> b;")
            .message.starts_with("`cuda::barrier` is CUDA, but"));
}

TEST_CASE("__nv_atomic_*: every operation, old values and new ones") {
  const std::string functions = R"(
#define RELAXED __NV_ATOMIC_RELAXED
#define BLOCK __NV_THREAD_SCOPE_BLOCK
__device__ int seen, given;
__device__ int stored(int value) {
  given = value;
  __nv_atomic_store(&i, &given, __NV_ATOMIC_RELEASE);
  __nv_atomic_load(&i, &seen, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  return seen;
}
__device__ int exchanged(int value) {
  given = value;
  __nv_atomic_exchange(&i, &given, &seen, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_CLUSTER);
  return seen;
}
__device__ bool swapped(int expected, int value) {
  const bool done = __nv_atomic_compare_exchange_n(&i, &expected, value, false, RELAXED, RELAXED);
  seen = expected;
  return done;
}
__device__ bool swapped_float(float expected, float value) {
  return __nv_atomic_compare_exchange(&f, &expected, &value, true, __NV_ATOMIC_SEQ_CST, RELAXED);
}
__device__ bool swapped_alone(int expected, int value) {
  const bool done = __nv_atomic_compare_exchange_n(&i, &expected, value, false, RELAXED, RELAXED,
                                                   __NV_THREAD_SCOPE_THREAD);
  seen = expected;
  return done;
}
__device__ int added(int value) {
  __nv_atomic_add(&i, value, RELAXED);
  __nv_atomic_sub(&i, 1, RELAXED);
  return i;
}
)";
  check_values(
      {
          {"__nv_atomic_fetch_add(&i, 3, RELAXED)", 5},
          {"__nv_atomic_load_n(&i, __NV_ATOMIC_SEQ_CST)", 8},
          {"__nv_atomic_fetch_sub(&i, 10, RELAXED, BLOCK)", 8},
          {"i", i32(-2)},
          {"__nv_atomic_fetch_min(&i, -7, RELAXED)", i32(-2)},
          {"__nv_atomic_fetch_max(&i, 4, RELAXED)", i32(-7)},
          {"__nv_atomic_fetch_and(&i, 6, RELAXED)", 4},
          {"__nv_atomic_fetch_or(&i, 9, RELAXED)", 4},
          {"__nv_atomic_fetch_xor(&i, 1, RELAXED)", 13},
          {"__nv_atomic_exchange_n(&i, 3, __NV_ATOMIC_ACQUIRE)", 12},
          {"stored(9)", 9},
          {"exchanged(8)", 9},
          {"(char)swapped(9, 1)", 0},
          {"seen", 8},
          {"(char)swapped(8, 1)", 1},
          {"i", 1},
          {"added(5)", 5},
          {"__nv_atomic_fetch_add(&i, 2, RELAXED, __NV_THREAD_SCOPE_THREAD)", 5},
          {"__nv_atomic_load_n(&i, RELAXED, __NV_THREAD_SCOPE_THREAD)", 7},
          {"(char)swapped_alone(6, 1)", 0},
          {"(char)swapped_alone(7, 1)", 1},
          {"__nv_atomic_exchange_n(&i, 6, RELAXED, __NV_THREAD_SCOPE_THREAD)", 1},
          {"__nv_atomic_load_n((const int*)&i, RELAXED)", 6},
          {"__nv_atomic_fetch_sub(&u, 6, RELAXED)", 5},
          {"__nv_atomic_fetch_min(&u, 7, RELAXED)", 0xffffffff},
          {"u", 7},
          {"__nv_atomic_fetch_add(&l, -6, RELAXED)", 5},
          {"__nv_atomic_fetch_max(&l, -3, RELAXED)", static_cast<std::uint64_t>(-1)},
          {"l", static_cast<std::uint64_t>(-1)},
          {"__nv_atomic_fetch_max(&ul, 1ull << 40, RELAXED)", 5},
          {"__nv_atomic_load_n(&ul, __NV_ATOMIC_CONSUME)", 1ull << 40},
          {"__nv_atomic_fetch_add(&f, 0.5f, RELAXED)", std::bit_cast<std::uint32_t>(5.0f)},
          {"(char)swapped_float(5.5f, 1.0f)", 1},
          {"f", std::bit_cast<std::uint32_t>(1.0f)},
          {"__nv_atomic_fetch_sub(&d, 0.25, RELAXED)", std::bit_cast<std::uint64_t>(5.0)},
          {"__nv_atomic_load_n(&d, RELAXED)", std::bit_cast<std::uint64_t>(4.75)},
          {"(__nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST), 1)", 1},
      },
      prelude.substr(0, prelude.find("__device__ int seen")) + functions);
}

TEST_CASE("__nv_atomic_*: findings treat them as atomics, at the student's line") {
  check_rows({
      {"an update by all",
       R"(__global__ void k(const unsigned char* data, unsigned n, unsigned* out) {
  __nv_atomic_add(out + threadIdx.x % 4, 1u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}
)",
       ""},
      {"of one thread's scope: an ordinary update",
       R"(__global__ void k(const unsigned char* data, unsigned n, unsigned* out) {
  __nv_atomic_fetch_add(out, 1u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_THREAD);  //@update
}
)",
       "data_race out[0] @update/@update"},
  });
}
