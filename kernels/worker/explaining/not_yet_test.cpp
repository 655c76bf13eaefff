// Tests that missing CUDA features are reported as missing, at their line. Other messages stay as
// they are.
#include "kernels/worker/explaining/not_yet.h"

#include <doctest/doctest.h>

#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::worker;

namespace {

const std::string shim = testing::emulator_paths().include_dir;

std::string explained(const std::string& message) {
  std::vector<Diagnostic> diagnostics{{Severity::error, 3, 4, message}};
  explain_not_yet(diagnostics);
  return diagnostics.at(0).message;
}

}  // namespace

TEST_CASE("names that CUDA has") {
  for (const std::string name :
       {"__pipeline_commit", "nvcuda", "cub", "tex2D", "surf2Dread", "cudaTextureObject_t",
        "texture", "__nv_bfloat16", "__cvta_generic_to_shared", "erfcinvf"})
    for (const std::string says :
         {" was not declared in this scope", " has not been declared", " does not name a type",
          " was not declared in this scope, and no declarations were found by argument-dependent "
          "lookup at the point of instantiation"}) {
      const std::string message = explained("'" + name + "'" + says);
      CHECK_MESSAGE(message.starts_with(
                        "`" + name + "` is CUDA, but this version of the emulator does not have "),
                    message);
    }
  CHECK(explained("'__pipeline_commit' was not declared in this scope")
            .find("that function yet. Your code may be correct") != std::string::npos);
  CHECK(explained("there are no arguments to '__pipeline_commit' that depend on a template "
                  "parameter, so a declaration of '__pipeline_commit' must be available")
            .starts_with("`__pipeline_commit` is CUDA"));
  CHECK(explained("'cooperative_groups' is not a namespace-name") ==
        "`cooperative_groups` is declared in a header. Write #include <cooperative_groups.h>");
  CHECK(explained("'tex1Dfetch' was not declared in this scope") ==
        "`tex1Dfetch` is CUDA, but this version of the emulator does not have textures and "
        "surfaces yet. Your code may be correct, but it cannot run here: the harness gives the "
        "kernel plain pointers, so read data[i] or __ldg(&data[i])");
  for (const std::string name : {"half",
                                 "__half2",
                                 "nv_half",
                                 "__half_raw",
                                 "__half2float",
                                 "__float2half_rn",
                                 "__floats2half2_rn",
                                 "__float22half2_rn",
                                 "__int2half_rz",
                                 "__half2ll_rd",
                                 "__half_as_ushort",
                                 "__ushort_as_half",
                                 "__hadd2",
                                 "__hmul_rn",
                                 "__hfma",
                                 "__hfma2_relu",
                                 "__hdiv",
                                 "__hneg2",
                                 "__hgtu2",
                                 "__hbeq2",
                                 "__hmax2",
                                 "__hisnan",
                                 "__low2float",
                                 "__lowhigh2highlow",
                                 "__halves2half2",
                                 "CUDART_INF_FP16",
                                 "h2sqrt",
                                 "hexp"})
    CHECK_MESSAGE(explained("'" + name + "' was not declared in this scope") ==
                      "`" + name + "` is declared in a header. Write #include <cuda_fp16.h>",
                  name);
  CHECK(explained("'__assume' was not declared in this scope; did you mean 'assert'?") ==
        "`__assume` belongs to another compiler. Write `__builtin_assume`");
  CHECK(explained("'cuda' has not been declared")
            .starts_with("`cuda` is declared in headers. Include the one that declares"));
  CHECK(explained("'span' is not a member of 'cuda::std'") ==
        "`cuda::std::span` needs #include <cuda/std/span>");
  CHECK(explained("'ceil_div' is not a member of 'cuda'") ==
        "`cuda::ceil_div` needs #include <cuda/cmath>");
  CHECK(explained("'is_same_v' is not a member of 'cuda::std'") ==
        "`cuda::std::is_same_v` needs #include <cuda/std/type_traits>");
  CHECK(explained("'vector' is not a member of 'cuda::std'")
            .starts_with("`cuda::std::vector` is CUDA, but"));
  CHECK(explained("'inclusive_scan' is not a member of 'cg'") ==
        "`cg::inclusive_scan` needs #include <cooperative_groups/scan.h>");
  CHECK(explained("'inclusive_scan_update' is not a member of 'cg'")
            .starts_with("`cg::inclusive_scan_update` is CUDA, but"));
  CHECK(
      explained("'barrier' is not a member of 'cuda'").starts_with("`cuda::barrier` is CUDA, but"));
  CHECK(explained("'plus' is not a member of 'cooperative_groups'") ==
        "`cooperative_groups::plus` needs #include <cooperative_groups/reduce.h>");
  CHECK(explained("'memcpy_async' is not a member of 'cooperative_groups'; did you mean 'memcpy'?")
            .starts_with("`cooperative_groups::memcpy_async` is CUDA, but"));
  CHECK(explained("call to 'f' declared with attribute error: this version of the emulator does "
                  "not have f yet.") == "this version of the emulator does not have f yet.");
  CHECK(explained("call to 'atomicAdd' declared with attribute error: atomicAdd on a vector type "
                  "is CUDA (sm_90), but not here")
            .starts_with("atomicAdd on a vector type is CUDA"));
  CHECK(explained("'__shfl_down' was not declared in this scope")
            .starts_with("`__shfl_down` is no longer in CUDA. Use __shfl_down_sync, with"));
  // misspelt, or one's own
  for (const char* message :
       {"'__syncthread' was not declared in this scope; did you mean '__syncthreads'?",
        "'bin' was not declared in this scope", "'__my_sync' was not declared in this scope",
        "'x' does not name a type", "cannot convert '__half' to 'int'",
        "'cudaMalloc' was not declared in this scope", "expected ';' before '}' token"})
    CHECK(explained(message) == message);
}

TEST_CASE("headers that CUDA has") {
  for (const std::string name :
       {"cooperative_groups/memcpy_async.h", "cuda/barrier", "cuda/std/variant", "mma.h",
        "cuda_bf16.h", "texture_fetch_functions.h", "cub/cub.cuh", "thrust/device_vector.h",
        "curand_kernel.h", "cuComplex.h", "cuda_pipeline.h", "nv/target", "crt/mma.h",
        "sm_61_intrinsics.h", "cuda/std/optional"}) {
    for (const std::string& line :
         {"#include <" + name + ">", " # include \"" + name + "\"  // mine"}) {
      const auto told = refuse_not_yet("// first\n" + line + "\n", shim);
      REQUIRE_MESSAGE(told.size() == 1, line);
      CHECK(told[0].line == 2);
      CHECK(told[0].message.starts_with("this version of the emulator does not have <" + name +
                                        "> yet. Your code may be valid CUDA"));
    }
    CHECK(explained(name + ": No such file or directory")
              .starts_with("this version of the emulator does not have <" + name + "> yet"));
  }
  for (const std::string line :
       {"#include <cuda_runtime.h>", "#include <device_launch_parameters.h>",
        "#include <vector_types.h>", "#include <cstdio>", "#include <stdint.h>",
        "#include \"mine.h\"", "// #include <mma.h>", "/*\n#include <mma.h>\n*/",
        "#if 0\n#include <mma.h>\n#endif", "#ifdef __NVCC_ONLY__\n#include <mma.h>\n#endif",
        "#include", "#include <", "#include <../cuda/x>",
        "#if __has_include(<mma.h>)\n#include <mma.h>\n#endif"})
    CHECK_MESSAGE(refuse_not_yet(line + "\n__global__ void k() {}\n", shim).empty(), line);
  CHECK(explained("mine.h: No such file or directory") == "mine.h: No such file or directory");
}

TEST_CASE("names of libcu++ that the emulator lacks, whichever of its headers is there") {
  const auto first = [](const std::string& source) {
    const Compiled compiled = testing::compile(source, {testing::out("out", 1)});
    REQUIRE(!compiled.diagnostics.empty());
    return compiled.diagnostics.front();
  };
  const std::string lacking =
      "is CUDA, but this version of the emulator does not have that part of the library yet";
  for (const char* name :
       {"cuda::bit_reverse(5u)", "cuda::std::atomic_flag{}", "cuda::std::optional<int>{}",
        "cuda::bitmask(1, 2)", "cuda::barrier<>{}"}) {
    const Diagnostic told =
        first(std::string("#include <cuda/cmath>\n#include <cuda/atomic>\n#include "
                          "<cuda/std/span>\n__global__ void k(unsigned* out) {\n  auto x = ") +
              name + ";\n}\n");
    CHECK_MESSAGE(told.line == 5, name);
    CHECK_MESSAGE(told.message.find(lacking) != std::string::npos, name, ": ", told.message);
  }
  const Compiled small = testing::compile(
      "#include <cuda/atomic>\n__device__ cuda::atomic<short> s;\n__global__ void k(unsigned* out) "
      "{\n  "
      "s.fetch_add(1);\n}\n",
      {testing::out("out", 1)});
  REQUIRE(small.diagnostics.size() == 1);
  CHECK(small.diagnostics[0].message ==
        "this version of the emulator does not have atomics of 1, 2 and 16 bytes yet");
}

TEST_CASE("inline assembly, which a machine's compiler takes for its own") {
  for (const std::string line :
       {"asm(\"trap;\");", "asm volatile(\"\" \"mov.u32 %0, %%laneid;\" : \"=r\"(lane));",
        "__asm__ __volatile__ (\"nop\");", "asm volatile(R\"(nop)\");"}) {
    const auto told = refuse_not_yet("__global__ void k() {\n" + line + "\n}", shim);
    REQUIRE_MESSAGE(told.size() == 1, line);
    CHECK(told[0].line == 2);
    CHECK(told[0].message.find("inline PTX") != std::string::npos);
  }
  for (const std::string line : {"asm volatile(\"\" ::: \"memory\");", "asm(\"\");",
                                 "// asm(\"nop\");", "int asm_count = f(\"x\");"})
    CHECK_MESSAGE(refuse_not_yet("__global__ void k() {\n" + line + "\n}", shim).empty(), line);
}

TEST_CASE("through the compiler: the same on every machine, CUDA toolkit or not") {
  const auto first = [](const std::string& source) {
    const Compiled compiled = testing::compile(source, {testing::out("out", 1)});
    CHECK(!compiled.ok);
    REQUIRE(!compiled.diagnostics.empty());
    return compiled.diagnostics.front();
  };
  const Diagnostic library =
      first("#include <cub/cub.cuh>\n__global__ void k(unsigned* out) { out[0] = 1; }\n");
  CHECK(library.line == 1);
  CHECK(library.message.find("<cub/cub.cuh>") != std::string::npos);
  const Diagnostic pipeline =
      first("__global__ void k(unsigned* out) {\n  __pipeline_commit();\n}\n");
  CHECK(pipeline.line == 2);
  CHECK(pipeline.message.find("`__pipeline_commit` is CUDA") != std::string::npos);
  const Diagnostic old = first("__global__ void k(unsigned* out) {\n  out[0] = __ballot(1);\n}\n");
  CHECK(old.line == 2);
  CHECK(old.message.starts_with("`__ballot` is no longer in CUDA. Use __ballot_sync, with"));
  // Reported at the line of the template, before the errors that follow from it.
  const Diagnostic in_template = first(
      "template <class T> __device__ T f(T x) {\n  __pipeline_wait_prior(x);\n  return "
      "x;\n}\n__global__ void k(unsigned* out) {\n  out[0] = f(1u) + nothing;\n}\n");
  CHECK(in_template.line == 2);
  for (const std::string assembly :
       {"\"mov.u32 %0, %%laneid;\" : \"=r\"(lane)", "\"mov.u32 %0, %laneid;\" : \"=r\"(lane)",
        "\"red.global.add.u32 [%0], %1;\" :: \"l\"(out), \"r\"(1)"}) {
    const Diagnostic ptx =
        first("__global__ void k(unsigned* out) {\n  unsigned lane = 0;\n  asm volatile(" +
              assembly + ");\n  out[0] = lane;\n}\n");
    CHECK_MESSAGE(ptx.line == 3, assembly);
    CHECK_MESSAGE(ptx.message.find("inline PTX") != std::string::npos, ptx.message);
  }
}

TEST_CASE("a misspelt function of a whole program is not called unsupported") {
  const auto says = [](const std::string& name, const std::string& near) {
    std::vector<Diagnostic> diagnostics{
        {Severity::error, 3, 4,
         "'" + name + "' was not declared in this scope; did you mean '" + near + "'?"}};
    explain_unsupported(diagnostics);
    return diagnostics.at(0).message;
  };
  CHECK(says("cudaMaloc", "cudaMalloc").ends_with("; did you mean 'cudaMalloc'?"));
  CHECK(says("cudaDeviceSyncronise", "cudaDeviceSynchronize").starts_with("'cudaDevice"));
  CHECK(says("cudaMallocArray", "cudaMallocAsync").starts_with("not supported yet: "));
  CHECK(says("cudaMemcpy3DPeer", "cudaMemcpyPeer").starts_with("not supported yet: "));
}
