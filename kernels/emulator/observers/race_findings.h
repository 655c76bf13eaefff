// Makes a finding of a race observer's facts.
#pragma once

#include <optional>

#include "kernels/emulator/launch_context.h"
#include "kernels/emulator/messages.h"

namespace histolab::kernels::emulator {

struct RaceSide {
  AccessKind kind;
  SiteNumber site;
  std::uint16_t thread;
  std::uint32_t block;
};

struct ReportedRace {
  std::size_t number = 0;      // in the log
  bool may_be_update = false;  // a later access may show that it is a lost update
};

// Earlier accesses to the element of a race between a read and a write, as the observer knows them.
struct ElementHistory {
  std::optional<SiteNumber> own_read;    // an earlier read by the thread that writes
  std::optional<RaceSide> other_writer;  // another thread's write at the same site
};

// Adds it to the log. `later` touched `bytes` at `offset`. Returns the finding's number.
std::size_t add_race(const LaunchContext& context, const Region& region, std::uint32_t offset, std::uint32_t bytes,
                     const RaceSide& later, const RaceSide& earlier, const ElementHistory& history);

// Is this race between the two halves of an update, a read and a write that depends on it? Then one
// update is lost. If the code has a way from the read past the write, it takes a second writer.
[[nodiscard]] bool is_lost_update(const LaunchContext& context, const RaceSide& later, const RaceSide& earlier,
                                  const ElementHistory& history);

// Counts the elements of `region` of which `is_written(byte)` holds for each byte. `bytes`: of one access.
template <class F>
[[nodiscard]] SetElements count_set_elements(const Region& region, std::uint32_t bytes,
                                             F&& is_written) {
  const std::uint64_t size = region.element_bytes != 0 ? region.element_bytes : bytes;
  SetElements elements{.set = 0, .all = region.size / size};
  for (std::uint64_t begin = 0; begin + size <= region.size; begin += size) {
    bool is_set = true;
    for (std::uint64_t byte = begin; byte < begin + size && is_set; ++byte)
      is_set = is_written(byte);
    elements.set += is_set ? 1 : 0;
  }
  return elements;
}

// Adds it to the log, and returns its number. `byte`: the offset of the first byte that no thread
// has written.
std::size_t add_uninitialized(const LaunchContext& context, const Region& region,
                              std::uint32_t offset, std::uint32_t bytes, std::uint32_t byte,
                              AccessKind access, SiteNumber site, std::uint32_t thread,
                              SetElements elements);

}  // namespace histolab::kernels::emulator
