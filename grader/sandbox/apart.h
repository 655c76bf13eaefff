// Processes a stranger's bytes in a separate process, for libraries that give no guarantees on
// hostile input.
//
// The process is a fork. Its only descriptors are a pipe for its answer and /dev/null. It may make
// few system calls: for memory, the time and little else (`Filter::reading`; without a filter on
// systems that lack them). Its memory and time are limited, and it dies with the caller. The caller
// must treat its answer as a stranger's input too.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "reference/result.h"

namespace histolab::sandbox {

struct ApartLimits {
  std::uint64_t memory_bytes = 768ull << 20;  // in addition to the caller's memory
  std::uint64_t cpu_seconds = 30;
  std::uint64_t answer_bytes = 128ull << 20;
};

// Returns the result of `work`. Returns an Error if `work` exceeds a limit or dies.
[[nodiscard]] Result<std::string> done_apart(const std::function<std::string()>& work,
                                             const ApartLimits& limits = {});

}  // namespace histolab::sandbox
