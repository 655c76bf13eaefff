// The inputs that are kept for a loader: its seeds and its corpus, tools/loader_fuzzers/corpus/NAME.
#pragma once

#include <filesystem>
#include <vector>

#include "tools/loader_fuzzers/loaders.h"

namespace histolab::fuzzing {

// Sorted. Each pattern of a seed has to fit at least one file: the program ends where one does not.
[[nodiscard]] std::vector<std::filesystem::path> inputs_of(const Loader& loader);

}  // namespace histolab::fuzzing
