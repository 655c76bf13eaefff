// The same loaders led by libFuzzer (clang's -fsanitize=fuzzer): HISTOLAB_LOADER names the one that is tried.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tools/loader_fuzzers/loaders.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const histolab::fuzzing::Loader* const loader = [] {
    const char* name = std::getenv("HISTOLAB_LOADER");
    const auto* found = name == nullptr ? nullptr : histolab::fuzzing::find_loader(name);
    if (found == nullptr) {
      std::fprintf(stderr, "HISTOLAB_LOADER names no loader\n");
      std::exit(2);
    }
    return found;
  }();
  loader->take({reinterpret_cast<const char*>(data), size});
  return 0;
}
