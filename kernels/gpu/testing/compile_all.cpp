// compile_all ARCHITECTURE,... FILE...: compiles each file with NVRTC, like the GPU device, for
// each given architecture (90 is sm_90) that the toolkit supports. Prints a tab-separated line per
// kernel: FILE ARCHITECTURE KERNEL REGISTERS SPILLED SHARED (the last two in bytes). Also prints
// the compiler's messages for files that do not compile. Needs no GPU. Exit status 1 if a file did
// not compile.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/gpu/nvrtc.h"

namespace {

using namespace histolab::kernels::gpu;

bool compile(const char* file, const std::string& text, int architecture) {
  const auto compilation = compile_with_nvrtc(text, architecture);
  if (!compilation) {
    fmt::print("FAILED: {} for sm_{}: {}\n", file, architecture, compilation.error().message);
    return false;
  }
  for (const KernelResources& kernel : compilation->resources)
    fmt::print("{}\t{}\t{}\t{}\t{}\t{}\n", file, architecture, kernel.symbol, kernel.registers,
               kernel.spill_store_bytes + kernel.spill_load_bytes, kernel.shared_bytes);
  if (!compilation->cubin.empty()) return true;
  fmt::print("FAILED: {} for sm_{}\n", file, architecture);
  for (const auto& diagnostic : compilation->diagnostics)
    fmt::print("  {}:{}: {}\n", file, diagnostic.line, diagnostic.message);
  return false;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    fmt::print(stderr, "usage: compile_all 75,90 FILE...\n");
    return 2;
  }
  const auto known = nvrtc_architectures();
  if (!known) {
    fmt::print(stderr, "{}\n", known.error().message);
    return 2;
  }
  std::vector<int> architectures;
  for (const auto part : std::views::split(std::string_view{words[1]}, ',')) {
    const int number = std::atoi(std::string{part.begin(), part.end()}.c_str());
    if (std::ranges::find(*known, number) != known->end()) architectures.push_back(number);
  }
  bool all = true;
  for (const char* file : std::vector<const char*>(words + 2, words + count)) {
    std::ifstream in{file};
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    for (const int architecture : architectures) all = compile(file, text, architecture) && all;
  }
  return all ? 0 : 1;
}
