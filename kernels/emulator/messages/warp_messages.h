// The messages of findings about warp-level functions: the event and advice.
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

}  // namespace histolab::kernels::emulator
