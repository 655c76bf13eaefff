#include "kernels/gpu/nvrtc.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "kernels/gpu/cubin.h"
#include "kernels/gpu/harness.h"

using namespace histolab::kernels;
using namespace histolab::kernels::gpu;

namespace {

constexpr int sm = 90;

Compilation compiled(const std::string& text) {
  auto result = compile_with_nvrtc(text, sm);
  REQUIRE_MESSAGE(result.ok(), result.error().message);
  return std::move(*result);
}

}  // namespace

TEST_CASE("a kernel becomes a cubin whose kernels and exports can be read") {
  const Compilation compilation = compiled(
      "extern \"C\" __device__ const unsigned int coarsening_factor = 16;\n"
      "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {\n"
      "  __shared__ unsigned int s[7];\n"
      "  s[threadIdx.x % 7] = data[0];\n"
      "  __syncthreads();\n"
      "  if (threadIdx.x < length) atomicAdd(&histo[threadIdx.x], s[threadIdx.x % 7] * "
      "coarsening_factor);\n"
      "}\n");
  REQUIRE_FALSE(compilation.cubin.empty());
  const auto cubin = read_cubin(compilation.cubin);
  REQUIRE(cubin.ok());
  CHECK(cubin->kernels == std::vector<std::string>{"_Z9histogramPKcjPj"});
  CHECK(cubin->words.at("coarsening_factor") == 16);
  REQUIRE(compilation.resources.size() == 1);
  CHECK(compilation.resources[0].shared_bytes == 28);
  CHECK(compilation.resources[0].registers > 0);
}

TEST_CASE("a kernel that prints or allocates memory calls the driver") {
  CHECK_FALSE(read_cubin(compiled("__global__ void k(unsigned int* p) { *p = 1; }\n").cubin)
                  ->calls_the_driver);
  CHECK(read_cubin(compiled("__global__ void k(unsigned int* p) { printf(\"%u\", *p); }\n").cubin)
            ->calls_the_driver);
  CHECK(read_cubin(
            compiled("__global__ void k(unsigned int** p) { *p = (unsigned int*)malloc(4); }\n")
                .cubin)
            ->calls_the_driver);
}

TEST_CASE("diagnostics have the student's lines and columns") {
  const Compilation compilation = compiled(
      "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {\n"
      "  int i = blockIdx;\n"
      "  foo();\n"
      "  int unused;\n"
      "}\n");
  CHECK(compilation.cubin.empty());
  REQUIRE(compilation.diagnostics.size() == 3);
  CHECK(compilation.diagnostics[0].line == 2);
  CHECK(compilation.diagnostics[0].column == 11);
  CHECK(compilation.diagnostics[0].severity == Severity::error);
  CHECK(compilation.diagnostics[1].line == 3);
  CHECK(compilation.diagnostics[1].column == 3);
  CHECK(compilation.diagnostics[1].message == "identifier \"foo\" is undefined");
  CHECK(compilation.diagnostics[2].severity == Severity::note);
}

TEST_CASE("headers that kernels include") {
  for (const char* header : {"assert.h", "cstdint", "climits", "cstdio", "cooperative_groups.h",
                             "cuda/atomic", "cuda_runtime.h"}) {
    CAPTURE(header);
    const Compilation compilation = compiled(std::string("#include <") + header +
                                             ">\n__global__ void k(unsigned int* p) { *p = 1; }\n");
    CHECK_MESSAGE(!compilation.cubin.empty(),
                  (compilation.diagnostics.empty() ? "" : compilation.diagnostics[0].message));
  }
  CHECK_FALSE(
      compiled("#include <cassert>\n__global__ void k(unsigned int* p) { assert(*p == 1); }\n")
          .cubin.empty());
}

TEST_CASE("a kernel that calls grid.sync() is cooperative") {
  const auto is_cooperative = [](const std::string& body) {
    const Compilation compilation = compiled(
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void "
        "k(unsigned* p) {\n"
        "  cg::grid_group grid = cg::this_grid();\n  p[grid.thread_rank()] = 1;\n  " +
        body + "\n  p[0] = 2;\n}\n");
    REQUIRE_FALSE(compilation.cubin.empty());
    return compilation.is_cooperative;
  };
  CHECK(is_cooperative("grid.sync();"));
  CHECK(is_cooperative("if (p[7] == 3) cg::sync(grid);"));
  CHECK_FALSE(is_cooperative("cg::this_thread_block().sync();"));
  CHECK_FALSE(is_cooperative(""));
}

TEST_CASE("the harness compiles for every architecture that the toolkit knows") {
  const auto known = nvrtc_architectures();
  REQUIRE(known.ok());
  CHECK(std::find(known->begin(), known->end(), 90) != known->end());
  for (const int capability : *known) {
    const auto made = compile_with_nvrtc(harness_source(), capability);
    REQUIRE(made.ok());
    CHECK_FALSE(made->cubin.empty());
  }
}

TEST_CASE("an unknown architecture is an error") { CHECK_FALSE(compile_with_nvrtc("", 12).ok()); }

TEST_CASE("reading bytes that are not a cubin is an error") {
  const std::vector<std::uint8_t> text = {'n', 'o'};
  CHECK_FALSE(read_cubin(text).ok());
  CHECK_FALSE(read_cubin({}).ok());
}
