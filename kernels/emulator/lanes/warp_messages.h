// The messages of findings about warp-level functions, and about threads that wait forever. Each
// has the event and advice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/finding.h"

namespace histolab::kernels::emulator {

// The thread that makes a call, and the facts about the call.
struct Caller {
  ThreadId thread;
  std::string_view function;
  std::uint32_t lane = 0, mask = 0;
};

// Returns "lane 5", or "lanes 3, 5 and 16-31". `lanes`: as bits.
[[nodiscard]] std::string describe_lanes(std::uint32_t lanes);

[[nodiscard]] std::string own_lane_message(const Caller& caller);
[[nodiscard]] std::string width_message(const Caller& caller, std::uint32_t width);
[[nodiscard]] std::string source_message(const Caller& caller, std::uint32_t source,
                                         bool source_exists);
// `missing`: the lanes that the caller waits for. `one`: one of them. `where`: its action, such as
// "waits at the barrier (line 9)".
[[nodiscard]] std::string in_vain_message(const Caller& caller, std::uint32_t missing,
                                          const ThreadId& one, std::string_view where);
[[nodiscard]] std::string ended_message(const Caller& caller, std::uint32_t ended);
[[nodiscard]] std::string no_such_lane_message(const Caller& caller, std::uint32_t missing);

// For a thread that polls memory that no thread will change. `others`: describes the states of the
// block's other threads.
[[nodiscard]] std::string deadlock_message(const Finding& finding, std::string_view others);
// For a thread that polls a word that another thread would change, in a block that has not run.
[[nodiscard]] std::string waits_for_block_message(const Finding& finding);

}  // namespace histolab::kernels::emulator
