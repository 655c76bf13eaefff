// `histolab run --stream`: launches as they happen, one JSON object a line
// (docs/stream.schema.json).
#pragma once

#include <cstdint>
#include <string>

#include "grader/cli/launch.h"

namespace histolab::cli {

struct StreamFlags {
  std::uint32_t accesses = 0;  // of each launch
  std::uint64_t repeat = 1;    // launches; 0: until it is stopped
  bool control = false;
};

// The exit code. What keeps it from running is told in the stream and on the standard error.
[[nodiscard]] int stream(const Context& context, const LaunchFlags& flags, const std::string& lab,
                         const StreamFlags& how);

}  // namespace histolab::cli
