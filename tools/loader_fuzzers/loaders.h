// Loaders: whatever reads a file or a pipe that a stranger may have written, each as a function that takes any bytes.
//
// It has to come back, with a value or an Error: no crash, no exception, no memory without an end. What is accepted and can be
// written is written, and read again to the same text; a difference aborts, which a fuzzer takes for a crash.
#pragma once

#include <string_view>
#include <vector>

namespace histolab::fuzzing {

struct Loader {
  std::string_view name;
  void (*take)(std::string_view bytes);
  std::vector<std::string_view> seeds;  // files below the source tree that it accepts; "*" stands for any name
};
[[nodiscard]] const std::vector<Loader>& loaders();
// nullptr: there is none of that name.
[[nodiscard]] const Loader* find_loader(std::string_view name);

}  // namespace histolab::fuzzing
