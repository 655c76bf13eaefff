// The sentences of findings about warp-level functions and about threads that wait for ever: the
// event, and advice.
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

// "lane 5", "lanes 3, 5 and 16-31"
[[nodiscard]] std::string describe_lanes(std::uint32_t lanes);

[[nodiscard]] std::string own_lane_message(const Caller& caller);
[[nodiscard]] std::string width_message(const Caller& caller, std::uint32_t width);
[[nodiscard]] std::string source_message(const Caller& caller, std::uint32_t source, bool source_exists);
// `missing`: lanes that are waited for. `where`: the action of one of them instead, "waits at the
// barrier (line 9)".
[[nodiscard]] std::string in_vain_message(const Caller& caller, std::uint32_t missing, const ThreadId& one, std::string_view where);
[[nodiscard]] std::string ended_message(const Caller& caller, std::uint32_t ended);
[[nodiscard]] std::string no_such_lane_message(const Caller& caller, std::uint32_t missing);

// A thread that polls memory that no thread changes. `others`: the actions of the live ones.
[[nodiscard]] std::string deadlock_message(const Finding& finding, std::string_view others);
// A thread that polls what the other thread, of a block that has not run, would change.
[[nodiscard]] std::string waits_for_block_message(const Finding& finding);

}  // namespace histolab::kernels::emulator
