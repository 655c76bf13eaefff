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
    return fmt::format(
        "{}, which names no lane. The mask must contain every lane that makes the call. {}",
        calls(caller), make_the_mask_first);
  return fmt::format(
      "{}, in which its own lane {} is missing. The mask must contain every lane that makes the "
      "call. {}",
      calls(caller), caller.lane, make_the_mask_first);
}

std::string width_message(const Caller& caller, std::uint32_t width) {
  return fmt::format(
      "{} calls {} with the width {}, so its result is undefined. Use 1, 2, 4, 8, 16 or 32",
      describe(caller.thread), caller.function, static_cast<std::int32_t>(width));
}

std::string source_message(const Caller& caller, std::uint32_t source, bool source_exists) {
  const char* why =
      !source_exists ? "the block has no such thread" : "that lane does not take part in the call";
  return fmt::format(
      "{} (lane {}) reads the value of lane {} with {}, but {}. Read only from lanes in the mask "
      "{:#010x}: pass the width if fewer than 32 lanes exchange values, and let the whole warp "
      "make the call",
      describe(caller.thread), caller.lane, source, caller.function, why, caller.mask);
}

std::string in_vain_message(const Caller& caller, std::uint32_t missing, const ThreadId& one,
                            std::string_view where) {
  return fmt::format(
      "{} and waits for {}, but {} {}. All lanes in a mask must make the same call. {}",
      calls(caller), describe_lanes(missing), describe(one), where, make_the_mask_first);
}

std::string ended_message(const Caller& caller, std::uint32_t ended) {
  return fmt::format(
      "{}, but {} exited without making the call. All lanes in a mask must make the same call. {}",
      calls(caller), describe_lanes(ended), make_the_mask_first);
}

std::string no_such_lane_message(const Caller& caller, std::uint32_t missing) {
  return fmt::format(
      "{}, but the block has no threads for {} of this warp, and CUDA does not wait for them. Use "
      "a mask of lanes that exist: (1u << n) - 1 for the first n",
      calls(caller), describe_lanes(missing));
}

}  // namespace histolab::kernels::emulator
