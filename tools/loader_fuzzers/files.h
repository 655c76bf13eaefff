// The inputs that are kept for a loader: its seeds, what is written for it, and its corpus,
// tools/loader_fuzzers/corpus/NAME.
#pragma once

#include <string>
#include <vector>

#include "tools/loader_fuzzers/loaders.h"

namespace histolab::fuzzing {

// The same order each time. Each pattern of a seed has to fit at least one file: the program ends
// where one does not.
[[nodiscard]] std::vector<std::string> inputs_of(const Loader& loader);

}  // namespace histolab::fuzzing
