// Work on a stranger's bytes in a process of its own, for what is done by a library that promises
// nothing about hostile ones.
//
// The process is a fork that has no descriptor but a pipe for its answer and /dev/null, may ask the
// system for little but memory and the time
// (`Filter::reading`; where the system has no filters it goes without), has little of both, and
// dies with the caller. What it answers is a stranger's, too.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "reference/result.h"

namespace histolab::sandbox {

struct ApartLimits {
  std::uint64_t memory_bytes = 768ull << 20;  // beside what the caller has
  std::uint64_t cpu_seconds = 30;
  std::uint64_t answer_bytes = 128ull << 20;
};

// What `work` returns there. Error: it takes more than that, or did not survive.
[[nodiscard]] Result<std::string> done_apart(const std::function<std::string()>& work,
                                             const ApartLimits& limits = {});

}  // namespace histolab::sandbox
