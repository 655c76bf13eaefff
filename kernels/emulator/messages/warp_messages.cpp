#include "kernels/emulator/messages/warp_messages.h"

#include <fmt/format.h>

#include "kernels/emulator/messages/names.h"

namespace histolab::kernels::emulator {
namespace {

std::string calls(const Caller& caller) {
  return fmt::format("{} calls {} with the mask {:#010x}", describe(caller.thread), caller.function,
                     caller.mask);
}

constexpr const char* make_the_mask_first =
    "Let the whole warp vote before the branch: unsigned mask = __ballot_sync(0xffffffff, "
    "condition)";

}  // namespace

std::string own_lane_message(const Caller& caller) {
  if (caller.mask == 0)
    return fmt::format("{}, which names nobody. Who calls must be in the mask. {}", calls(caller),
                       make_the_mask_first);
  return fmt::format("{}, in which its own lane {} is missing. Who calls must be in the mask. {}",
                     calls(caller), caller.lane, make_the_mask_first);
}

std::string width_message(const Caller& caller, std::uint32_t width) {
  return fmt::format(
      "{} calls {} with the width {}, so what it gets is undefined. Give 1, 2, 4, 8, 16 or 32",
      describe(caller.thread), caller.function, static_cast<std::int32_t>(width));
}

std::string source_message(const Caller& caller, std::uint32_t source, bool source_exists) {
  const char* why =
      !source_exists ? "the block has no such thread" : "that lane takes no part in the call";
  return fmt::format(
      "{} (lane {}) reads the value of lane {} by {}, but {}. Read from lanes of the mask {:#010x} "
      "only: give the width when fewer than 32 lanes share, and let the whole warp make the call",
      describe(caller.thread), caller.lane, source, caller.function, why, caller.mask);
}

std::string in_vain_message(const Caller& caller, std::uint32_t missing, const ThreadId& one,
                            std::string_view where) {
  return fmt::format("{} and waits for {}, but {} {}. All that a mask names make the same call. {}",
                     calls(caller), describe_lanes(missing), describe(one), where,
                     make_the_mask_first);
}

std::string ended_message(const Caller& caller, std::uint32_t ended) {
  return fmt::format(
      "{}, but {} ended without making the call. All that a mask names make the same call. {}",
      calls(caller), describe_lanes(ended), make_the_mask_first);
}

std::string no_such_lane_message(const Caller& caller, std::uint32_t missing) {
  return fmt::format(
      "{}, but the block has no threads for {} of this warp. CUDA does not wait for them: name "
      "those that are there: "
      "(1u << n) - 1 are the first n",
      calls(caller), describe_lanes(missing));
}

}  // namespace histolab::kernels::emulator
