// Tests of vector types, dim3 and the built-in variables.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

TEST_CASE("vector types have CUDA's size, alignment, members and make functions") {
  struct Base {
    const char *name, *element;
    unsigned bytes, align2, align4;
  };
  constexpr Base bases[] = {
      {"char", "signed char", 1, 2, 4},
      {"uchar", "unsigned char", 1, 2, 4},
      {"short", "short", 2, 4, 8},
      {"ushort", "unsigned short", 2, 4, 8},
      {"int", "int", 4, 8, 16},
      {"uint", "unsigned int", 4, 8, 16},
      {"long", "long", 8, 16, 16},
      {"ulong", "unsigned long", 8, 16, 16},
      {"longlong", "long long", 8, 16, 16},
      {"ulonglong", "unsigned long long", 8, 16, 16},
      {"float", "float", 4, 8, 16},
      {"double", "double", 8, 16, 16},
  };
  std::vector<Expectation> expected;
  std::string prelude =
      "template <class A, class B> struct same { enum { value = 0 }; };\n"
      "template <class A> struct same<A, A> { enum { value = 1 }; };\n";
  for (const Base& b : bases) {
    const unsigned align[5] = {0, b.bytes, b.align2, b.bytes, b.align4};
    for (unsigned n = 1; n <= 4; ++n) {
      const std::string type = fmt::format("{}{}", b.name, n);
      expected.push_back({fmt::format("(int)sizeof({})", type), n * b.bytes});
      expected.push_back({fmt::format("(int)alignof({})", type), align[n]});
      expected.push_back(
          {fmt::format("(int)same<decltype({}::x), {}>::value", type, b.element), 1});
      const char* values[] = {"", "1", "1, 2", "1, 2, 3", "1, 2, 3, 4"};
      expected.push_back({fmt::format("(int)make_{}({}).{}", type, values[n], " xyzw"[n]), n});
    }
  }
  check_values(expected, prelude);
}

TEST_CASE("vectors are aggregates that copy, nest and convert by address") {
  check_values(
      {
          {"(int)u4.w", 4},
          {"(int)copy(u4).y", 2},
          {"(int)nested.at[1].x", 7},
          {"((unsigned int*)&u4)[2]", 3},
          {"(int)sizeof(nested)", 32},
          {"(int)((uchar4*)&word)->z", 0x22},
          {"(int)reinterpret_cast<uchar4&>(word).w", 0x11},
          {"(int)(int2{3, 4}).y", 4},
          {"(int)alignof(Wide)", 32},
      },
      R"(
__device__ uint4 u4 = {1, 2, 3, 4};
__device__ uint4 copy(uint4 v) { return v; }
struct __align__(16) Two { float4 at[2]; };
struct __align__(32) Wide { int x; };
__device__ Two nested = {{{0, 0, 0, 0}, {7, 0, 0, 0}}};
__device__ unsigned int word = 0x11223344;
)");
}

TEST_CASE("dim3") {
  check_values({
      {"dim3().x * 100 + dim3().y * 10 + dim3().z", 111},
      {"dim3(5).x * 100 + dim3(5).y * 10 + dim3(5).z", 511},
      {"dim3(5, 6).y", 6},
      {"dim3(5, 6).z", 1},
      {"dim3(5, 6, 7).z", 7},
      {"dim3(make_uint3(1, 2, 3)).y", 2},
      {"((uint3)dim3(1, 2, 3)).z", 3},
      {"(int)sizeof(dim3)", 12},
      {"warpSize", 32},
      {"dim3(gridDim).x + dim3(blockDim).x", 2},
  });
}

TEST_CASE("each thread sees its own place, in grids and blocks of one to three dimensions") {
  const std::string source = R"(
struct Place { unsigned int block[3], thread[3], grid[3], shape[3]; };
__global__ void k(Place* out) {
  const unsigned int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  Place p = {{blockIdx.x, blockIdx.y, blockIdx.z}, {threadIdx.x, threadIdx.y, threadIdx.z},
             {gridDim.x, gridDim.y, gridDim.z}, {blockDim.x, blockDim.y, blockDim.z}};
  __syncthreads();  // others ran in between
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = p;
  if (threadIdx.x != p.thread[0] || blockIdx.y != p.block[1]) __trap();
})";
  constexpr std::pair<Dim3, Dim3> shapes[] = {{{1, 1, 1}, {1, 1, 1}},  {{5, 1, 1}, {100, 1, 1}},
                                              {{2, 3, 1}, {8, 5, 1}},  {{2, 1, 3}, {3, 4, 5}},
                                              {{1, 1, 1}, {1, 1, 64}}, {{3, 2, 2}, {1, 33, 1}}};
  for (const Schedule schedule : all_schedules)
    for (const auto& [grid, block] : shapes) {
      const Outcome outcome =
          run(source, {.grid = grid,
                       .block = block,
                       .arguments = {out("out", 12 * grid.count() * block.count())},
                       .options = under(schedule)});
      REQUIRE(faults(outcome) == "");
      std::vector<std::uint32_t> expected;
      for (std::uint32_t b = 0; b < grid.count(); ++b)
        for (std::uint32_t t = 0; t < block.count(); ++t)
          for (const std::uint32_t value :
               {b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y, t % block.x,
                t / block.x % block.y, t / block.x / block.y, grid.x, grid.y, grid.z, block.x,
                block.y, block.z})
            expected.push_back(value);
      CHECK(outcome.output() == expected);
    }
}

TEST_CASE("the largest block, and many blocks") {
  const std::string source = R"(
__global__ void k(unsigned int* out) {
  if (__syncthreads_count(1) != blockDim.x) __trap();
  atomicAdd(out, 1u);
})";
  const Outcome wide = run(source, {.grid = {2}, .block = {1024}, .arguments = {out("out", 1)}});
  CHECK(faults(wide) == "");
  CHECK(wide.output()[0] == 2048);
  const Outcome many = run(source, {.grid = {20000}, .block = {1}, .arguments = {out("out", 1)}});
  CHECK(faults(many) == "");
  CHECK(many.output()[0] == 20000);
}
