#include "kernels/worker/compiling/precompiled_shim.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include "kernels/worker/compiling/call_graph.h"
#include "kernels/worker/compiling/compiler.h"
#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab;
using namespace histolab::kernels;
using namespace histolab::kernels::worker;

namespace {

namespace fs = std::filesystem;

// Replaces the name of the compilation's folder, which differs each time.
std::string object_of(const std::string& text, const EmulatorPaths& paths) {
  const Result<CompilerOutput> output = compile_for_emulator(text, paths);
  REQUIRE(output);
  if (!output->object) return {};
  const auto bytes = output->object->bytes();
  return std::regex_replace(std::string(bytes.begin(), bytes.end()),
                            std::regex("histolab-[A-Za-z0-9]{6}"), "folder");
}

EmulatorPaths with_shim(EmulatorPaths paths) {
  paths.shim = std::make_shared<PrecompiledShim>(paths);
  REQUIRE(paths.shim->wait() != "");
  return paths;
}

const char* const kernel =
    "__device__ int twice(int x) { return 2 * x; }\n__global__ void histogram(unsigned int* out) { "
    "atomicAdd(out, twice(threadIdx.x)); }\n";

}  // namespace

TEST_CASE("objects and messages are identical with and without a precompiled shim") {
  const EmulatorPaths plain = testing::emulator_paths(), paths = with_shim(plain);
  for (const char* text :
       {kernel,
        "#include <cuda_runtime.h>\n#include <cstdio>\n__global__ void histogram(int* out) { if "
        "(threadIdx.x == 0) printf(\"%d\", out[1]); }\n",
        // Has an additional flag.
        "__global__ void histogram(int* out) { out[0] = __activemask(); }\n"})
    CHECK(object_of(text, plain) == object_of(text, paths));
  const char* const wrong = "__global__ void histogram(int* out) { atomicAd(out, 1); }\n";
  const Result<CompilerOutput> one = compile_for_emulator(wrong, plain),
                               other = compile_for_emulator(wrong, paths);
  REQUIRE(one);
  REQUIRE(other);
  REQUIRE_EQ(one->diagnostics.size(), 1);
  REQUIRE_EQ(other->diagnostics.size(), 1);
  CHECK_EQ(one->diagnostics[0].message, other->diagnostics[0].message);
}

TEST_CASE("the call graph is also available with a precompiled shim") {
  const Result<CompilerOutput> output =
      compile_for_emulator(kernel, with_shim(testing::emulator_paths()));
  REQUIRE(output);
  const std::vector<Call> calls = calls_below(output->call_graph, "histogram");
  CHECK(std::find(calls.begin(), calls.end(), Call{"histogram", "twice"}) != calls.end());
}

TEST_CASE("the compiler reads the precompiled shim, not its text") {
  EmulatorPaths paths = with_shim(testing::emulator_paths());
  paths.include_dir = fs::temp_directory_path().string();
  CHECK(!object_of(kernel, paths).empty());
  paths.shim = nullptr;
  CHECK_FALSE(compile_for_emulator(kernel, paths).ok());
}

TEST_CASE("a source sees the same with its macros expanded as when it is compiled") {
  const EmulatorPaths paths = with_shim(testing::emulator_paths());
  const std::string asks = "#if __has_include(<histolab/cuda_shim.h.gch>)\nint there;\n#endif\n";
  const Result<Preprocessed> expanded = preprocess_for_emulator(asks, paths);
  REQUIRE(expanded);
  CHECK(expanded->text.find("int there;") != std::string::npos);
  const auto device = make_emulator(paths);
  const Result<Compiled> compiled = device->compile(
      {"kernel.cu",
       "#define PASTE(a, b) a##b\n#if __has_include(<histolab/cuda_shim.h.gch>)\nPASTE(a, "
       "sm)(\"nop\");\n#endif\n" +
           std::string(kernel)},
      {});
  REQUIRE(compiled);
  CHECK(compiled->refused);
}

TEST_CASE("kernels compile without a precompiled shim if it cannot be built") {
  EmulatorPaths paths = testing::emulator_paths();
  EmulatorPaths without = paths;
  without.include_dir += "/nowhere";
  paths.shim = std::make_shared<PrecompiledShim>(without);
  CHECK_EQ(paths.shim->wait(), "");
  CHECK(!object_of(kernel, paths).empty());
}

TEST_CASE("a shim that is damaged later is dropped, without a compile error") {
  for (const std::uintmax_t size : {100, 1'000'000}) {
    const EmulatorPaths paths = with_shim(testing::emulator_paths());
    fs::resize_file(paths.shim->wait() + "/histolab/cuda_shim.h.gch", size);
    CHECK(!object_of(kernel, paths).empty());
    CHECK_EQ(paths.shim->wait(), "");
    CHECK(!object_of(kernel, paths).empty());
    const EmulatorPaths other = with_shim(testing::emulator_paths());
    fs::resize_file(other.shim->wait() + "/histolab/cuda_shim.h.gch", size);
    const Result<bool> is_integer =
        is_integer_variable("__device__ const unsigned n = 1;", "n", other);
    REQUIRE(is_integer);
    CHECK(*is_integer);
  }
}

TEST_CASE("a missing shim header is a failure of the machine, and the error says so") {
  EmulatorPaths paths = testing::emulator_paths();
  paths.include_dir += "/nowhere";
  const Result<CompilerOutput> output = compile_for_emulator(kernel, paths);
  REQUIRE_FALSE(output.ok());
  CHECK(output.error().message.find("cuda_shim.h: No such file") != std::string::npos);
}

TEST_CASE("the shim's folder is removed with it") {
  std::string folder;
  {
    const PrecompiledShim shim(testing::emulator_paths());
    folder = shim.wait();
    CHECK(fs::is_directory(folder));
  }
  CHECK(!fs::exists(folder));
}
