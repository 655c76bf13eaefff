// From what a race observer saw to a finding.
#pragma once

#include <optional>

#include "kernels/emulator/launch_context.h"

namespace histolab::kernels::emulator {

struct RaceSide {
  AccessKind kind;
  SiteNumber site;
  std::uint16_t thread;
  std::uint32_t block;
};

// Adds it to the log. `later` touched `bytes` at `offset`. `own_read`: where the one that writes has read the place before, if that is known.
// Returns the finding's number.
std::size_t add_race(const LaunchContext& context, const Region& region, std::uint32_t offset, std::uint32_t bytes, const RaceSide& later,
                     const RaceSide& earlier, std::optional<SiteNumber> own_read);

// `byte`: the offset of the first one that nobody has written.
[[nodiscard]] Finding uninitialized_finding(const LaunchContext& context, const Region& region, std::uint32_t offset, std::uint32_t bytes,
                                            std::uint32_t byte, AccessKind access, SiteNumber site, std::uint32_t thread);

}  // namespace histolab::kernels::emulator
