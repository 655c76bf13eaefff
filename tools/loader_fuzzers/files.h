// The stored inputs of a loader: its seeds, its generated inputs, and its corpus in
// tools/loader_fuzzers/corpus/NAME.
#pragma once

#include <string>
#include <vector>

#include "tools/loader_fuzzers/loaders.h"

namespace histolab::fuzzing {

// Returns the inputs in a fixed order. Each seed pattern must match at least one file; else the
// program ends.
[[nodiscard]] std::vector<std::string> inputs_of(const Loader& loader);

}  // namespace histolab::fuzzing
