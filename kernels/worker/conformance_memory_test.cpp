// Tests of memory spaces: static and dynamic shared memory, __device__ and __constant__ variables
// and their lifetimes, local memory, pointers between them. Also barriers and the data that they
// order.
#include <doctest/doctest.h>

#include <numeric>

#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

TEST_CASE("several shared arrays, one of them dynamic, keep apart") {
  const std::string source = R"(
__shared__ unsigned int of_file[40];
__device__ unsigned int* of_helper() { __shared__ unsigned int cells[64]; return cells; }
__global__ void k(unsigned int* out) {
  __shared__ unsigned char bytes[64];
  __shared__ unsigned int grid[8][9];
  __shared__ double one;
  extern __shared__ unsigned short dynamic[];
  const unsigned int t = threadIdx.x;
  if (t < 40) of_file[t] = 1000 + t;
  of_helper()[t] = 2000 + t;
  bytes[t] = t;
  grid[t / 8][t % 8] = 3000 + t;
  if (t == 0) one = 0.5;
  dynamic[t] = 4000 + t;
  __syncthreads();
  const unsigned int o = 63 - t;
  unsigned int sum = of_helper()[o] + bytes[o] + grid[o / 8][o % 8] + dynamic[o] +
                     (unsigned int)(one * 2);
  if (o < 40) sum += of_file[o];
  out[blockIdx.x * 64 + o] = sum;
})";
  for (const Schedule schedule : all_schedules) {
    const Outcome outcome = run(source, {.grid = {2},
                                         .block = {64},
                                         .arguments = {out("out", 128)},
                                         .dynamic_shared_bytes = 128,
                                         .options = under(schedule)});
    CHECK(faults(outcome) == "");
    for (std::uint32_t i = 0; i < 128; ++i) {
      const std::uint32_t t = i % 64;
      REQUIRE(outcome.output()[i] == 9000 + 4 * t + 1 + (t < 40 ? 1000 + t : 0));
    }
    CHECK(outcome.last().counters.dynamic_shared_bytes == 128);
  }
}

// g++ aligns large arrays to 32 bytes, and the gaps count: up to 31 bytes more per array than on a
// GPU.
TEST_CASE("static shared memory is the sum of the arrays, and of the gaps that g++ leaves") {
  const Outcome outcome = run(R"(
__shared__ unsigned int a[6001], b[6003];
__global__ void k(unsigned int* out) {
  a[0] = b[0] = 1;
  out[0] = a[0];
})",
                              {.grid = {1}, .block = {1}, .arguments = {out("out", 1)}});
  CHECK(faults(outcome) == "");
  CHECK(outcome.last().counters.static_shared_bytes >= 4 * 12004);
  CHECK(outcome.last().counters.static_shared_bytes <= 4 * 12004 + 31);
}

TEST_CASE(
    "a shared variable's type may be declared with it, or have arguments: only a value is "
    "refused") {
  const std::string types =
      "template <class A, class B> struct Pair { A first; B second; };\ntemplate <int N> struct "
      "Box { unsigned cells[N]; };\n";
  const auto compiles = [&](const std::string& declaration) {
    return compile(types + "__global__ void k(unsigned* out) {\n  __shared__ " + declaration +
                       ";\n  out[0] = sizeof s;\n}\n",
                   {out("out", 1)});
  };
  for (const char* declaration :
       {"union { unsigned whole[8]; float parts[8]; } s",
        "struct Named final { unsigned a; enum { few = 3 } b; } s[4]",
        "struct Derived : Pair<int, float> { int c; } s",
        "enum class Color : unsigned char { red = 1, green } s[3]", "Pair<int, float> s[32]",
        "Box<int{4}> s", "Box<sizeof(int) == 4 ? 8 : 4> s", "unsigned s[sizeof(int) >= 4 ? 8 : 4]",
        "Pair<Pair<int, float>, Box<3>> a, s", "Box<1 << 3> s", "Box<1<<3> s",
        "Box<sizeof(int) < 8 ? 8 : 4> s", "Box<sizeof(int)<8 ? 8 : 4> s"})
    CHECK_MESSAGE(compiles(declaration).ok, std::string(declaration));
  for (const char* declaration :
       {"int s = 3", "int s{}", "int s[2] = {1, 2}", "Pair<int, float> s = {}",
        "Pair<int, float> s{}", "Box<int{4}> s = {}", "Box<1 << 3> s = {}",
        "union { unsigned a; float b; } s = {1}", "struct Named { unsigned a; } s{}",
        "struct Pair<int, int> s{}", "int a[3], s = 4"}) {
    const Compiled compiled = compiles(declaration);
    CHECK_MESSAGE(!compiled.ok, std::string(declaration));
    REQUIRE_MESSAGE(!compiled.diagnostics.empty(), std::string(declaration));
    CHECK(compiled.diagnostics[0].line == 4);
    CHECK_MESSAGE(compiled.diagnostics[0].message.find("initial value") != std::string::npos,
                  compiled.diagnostics[0].message);
  }
  const Outcome outcome = run(types + R"(
__global__ void k(unsigned* out) {
  __shared__ union { unsigned whole[32]; unsigned char bytes[128]; } both;
  __shared__ Pair<unsigned, float> pairs[32];
  both.whole[threadIdx.x] = 0x01020304u * (threadIdx.x % 8);
  pairs[threadIdx.x].first = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = both.bytes[4 * (threadIdx.x ^ 1) + 2] + pairs[threadIdx.x ^ 2].first;
})",
                              {.grid = {1}, .block = {32}, .arguments = {out("out", 32)}});
  CHECK(faults(outcome) == "");
  for (unsigned t = 0; t < 32; ++t) CHECK(outcome.output()[t] == 2 * ((t ^ 1) % 8) + (t ^ 2));
}

TEST_CASE("several extern shared arrays are one piece of memory") {
  const Outcome outcome =
      run(R"(
extern __shared__ unsigned int words[];
__global__ void k(unsigned int* out) {
  extern __shared__ unsigned char bytes[];
  if (threadIdx.x == 0) words[0] = 0x04030201;
  __syncthreads();
  out[threadIdx.x] = bytes[threadIdx.x];
})",
          {.grid = {1}, .block = {4}, .arguments = {out("out", 4)}, .dynamic_shared_bytes = 16});
  CHECK(faults(outcome) == "");
  CHECK(outcome.output() == std::vector<std::uint32_t>{1, 2, 3, 4});
}

TEST_CASE("dynamic shared memory can be cut into parts") {
  const Outcome outcome = run(R"(
__global__ void k(unsigned int* out, int n) {
  extern __shared__ char raw[];
  float* weights = (float*)raw;
  unsigned int* counts = (unsigned int*)(weights + n);
  weights[threadIdx.x] = threadIdx.x;
  counts[threadIdx.x] = 2 * threadIdx.x;
  __syncthreads();
  const int other = n - 1 - (int)threadIdx.x;
  out[threadIdx.x] = (unsigned int)weights[other] + counts[other];
})",
                              {.grid = {1},
                               .block = {32},
                               .arguments = {out("out", 32), word(32)},
                               .dynamic_shared_bytes = 256});
  CHECK(faults(outcome) == "");
  CHECK(outcome.output()[0] == 93);
}

TEST_CASE("__device__ variables live from one launch to the next; shared memory does not") {
  const Outcome outcome =
      run(R"(
__device__ unsigned int launches = 40;
__device__ unsigned long long wide[3];
static __device__ int hidden = -1;
__constant__ unsigned int table[4] = {10, 20, 30, 40};
__constant__ float scale = 0.5f;
namespace mine { __device__ unsigned int inner = 5; }
__global__ void k(unsigned int* out) {
  if (threadIdx.x == 0) {
    launches += 1;
    wide[2] += 7;
    hidden -= 1;
    mine::inner *= 2;
  }
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = table[threadIdx.x];
  if (threadIdx.x == 4) out[4] = launches;
  if (threadIdx.x == 5) out[5] = (unsigned int)wide[2];
  if (threadIdx.x == 6) out[6] = (unsigned int)-hidden;
  if (threadIdx.x == 7) out[7] = mine::inner + (unsigned int)(scale * 2);
  atomicAdd(out + 8, 1u);
})",
          {.grid = {1}, .block = {32}, .arguments = {out("out", 9)}, .times = 3});
  CHECK(faults(outcome) == "");
  CHECK(outcome.launches.size() == 3);
  CHECK(outcome.output() == std::vector<std::uint32_t>{10, 20, 30, 40, 43, 21, 4, 41, 96});
}

TEST_CASE("each process starts with the variables' initial values") {
  const std::string source = R"(
__device__ unsigned int count = 1;
__global__ void k(unsigned int* out) { out[0] = count++; })";
  for (int i = 0; i < 2; ++i)
    CHECK(run(source, {.grid = {1}, .block = {1}, .arguments = {out("out", 1)}}).output()[0] == 1);
}

TEST_CASE("local arrays, structures, addresses of locals and recursion are each thread's own") {
  const std::string source = R"(
struct Node { int value; Node* next; };
__device__ int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
__device__ __noinline__ void fill(int* cells, int n, int with) {
  for (int i = 0; i < n; ++i) cells[i] = with + i;
}
__device__ void swap_values(int& a, int& b) { int c = a; a = b; b = c; }
__global__ void k(unsigned int* out) {
  const int t = threadIdx.x;
  int cells[50];
  fill(cells, 50, t);
  Node last = {t, nullptr}, first = {1, &last};
  int a = t, b = 2 * t;
  swap_values(a, b);
  __syncthreads();
  int sum = 0;
  for (const Node* n = &first; n != nullptr; n = n->next) sum += n->value;
  out[t] = cells[49] + sum + depth(t % 60) + a - b;
})";
  for (const Schedule schedule : all_schedules) {
    const Outcome outcome = run(
        source,
        {.grid = {1}, .block = {256}, .arguments = {out("out", 256)}, .options = under(schedule)});
    CHECK(faults(outcome) == "");
    for (std::uint32_t t = 0; t < 256; ++t)
      REQUIRE(outcome.output()[t] == (t + 49) + (t + 1) + t % 60 + t);
  }
}

TEST_CASE("barriers carry what was written before them, and count, and, or") {
  const std::string source = R"(
__global__ void k(unsigned int* out) {
  __shared__ unsigned int sum[128];
  const int t = threadIdx.x, n = blockDim.x;
  sum[t] = t;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {  // tree
    if (t < half && t + half < n) sum[t] += sum[t + half];
    __syncthreads();
  }
  const int count = __syncthreads_count(t % 3 == 0);
  const int all = __syncthreads_and(t < n), not_all = __syncthreads_and(t != 5);
  const int any = __syncthreads_or(t == n - 1), none = __syncthreads_or(0);
  const int odd = __syncthreads_count(t & 4);  // any value but 0 is true
  if (t == n - 1) {
    out[0] = sum[0]; out[1] = count; out[2] = all != 0; out[3] = not_all;
    out[4] = any != 0; out[5] = none; out[6] = odd;
  }
})";
  for (const Schedule schedule : all_schedules)
    for (const std::uint32_t n : {128u, 100u, 32u, 7u}) {
      const Outcome outcome = run(
          source,
          {.grid = {1}, .block = {n}, .arguments = {out("out", 7)}, .options = under(schedule)});
      CHECK(faults(outcome) == "");
      std::uint32_t odd = 0;
      for (std::uint32_t t = 0; t < n; ++t) odd += (t & 4) != 0;
      CHECK(outcome.output() ==
            std::vector<std::uint32_t>{n * (n - 1) / 2, (n + 2) / 3, 1, 0, 1, 0, odd});
    }
}

TEST_CASE("__syncwarp joins the lanes of its mask") {
  const std::string source = R"(
__global__ void k(unsigned int* out) {
  __shared__ volatile unsigned int sum[64];
  const int t = threadIdx.x, lane = t % 32;
  sum[t] = 1;
  __syncwarp();
  for (int half = 16; half > 0; half /= 2) {
    unsigned int other = lane < half ? sum[t + half] : 0;
    __syncwarp();
    sum[t] = sum[t] + other;
    __syncwarp();
  }
  if (lane < 8) {
    sum[t] = lane == 0 ? sum[t] : 0;
    __syncwarp(0xff);
    if (lane == 7) out[t / 32] = sum[t - 7];
  } else {
    __syncwarp(0xffffff00u);
  }
})";
  for (const Schedule schedule : all_schedules) {
    const Outcome outcome =
        run(source,
            {.grid = {1}, .block = {64}, .arguments = {out("out", 2)}, .options = under(schedule)});
    CHECK(faults(outcome) == "");
    CHECK(outcome.output() == std::vector<std::uint32_t>{32, 32});
  }
}

TEST_CASE("a thread that polls another thread's atomic eventually sees it") {
  const std::string source = R"(
__global__ void k(unsigned int* out) {
  __shared__ unsigned int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 40) {  // of another warp
    atomicExch(&flag, 1u);
  } else if (threadIdx.x == 0) {
    while (atomicAdd(&flag, 0u) == 0) {}
    __threadfence();
    out[0] = 7;
  }
})";
  for (const Schedule schedule : all_schedules) {
    const Outcome outcome =
        run(source,
            {.grid = {1}, .block = {64}, .arguments = {out("out", 1)}, .options = under(schedule)});
    CHECK(faults(outcome) == "");
    CHECK(outcome.output()[0] == 7);
  }
}
