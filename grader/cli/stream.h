// `histolab run --stream`: reports launches while they run, one JSON object per line
// (docs/stream.schema.json).
#pragma once

#include <cstdint>
#include <string>

#include "grader/cli/launch.h"

namespace histolab::cli {

struct StreamFlags {
  std::uint32_t accesses = 0;  // per launch
  std::uint64_t repeat = 1;    // launches; 0 repeats until stopped
  bool control = false;
};

// Returns the exit code. Failures are reported in the stream and on the standard error.
[[nodiscard]] int stream(const Context& context, const LaunchFlags& flags, const std::string& lab,
                         const StreamFlags& how);

}  // namespace histolab::cli
