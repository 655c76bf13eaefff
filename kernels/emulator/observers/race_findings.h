// Makes findings from the facts of a race observer.
#pragma once

#include <optional>

#include "kernels/emulator/launch/launch_context.h"
#include "kernels/emulator/messages/memory_messages.h"

namespace histolab::kernels::emulator {

struct RaceSide {
  AccessKind kind;
  SiteNumber site;
  std::uint16_t thread;
  std::uint32_t block;
};

struct ReportedRace {
  std::size_t number = 0;      // number in the log
  bool may_be_update = false;  // a later access may show that it is a lost update.
};

// Earlier accesses to the element of a race between a read and a write, as far as known.
struct ElementHistory {
  std::optional<SiteNumber> own_read;    // an earlier read by the thread that writes
  std::optional<RaceSide> other_writer;  // another thread's write at the same site
};

// Adds a race to the log. `later` accessed `bytes` bytes at `offset`. Returns the finding's number.
std::size_t add_race(const LaunchContext& context, const Region& region, std::uint32_t offset,
                     std::uint32_t bytes, const RaceSide& later, const RaceSide& earlier,
                     const ElementHistory& history);

// Returns true if the race is between the read and the write of an update, and the write depends on
// the read. Then one update is lost. If the code has a path from the read that avoids the write, a
// second writer is needed.
[[nodiscard]] bool is_lost_update(const LaunchContext& context, const RaceSide& later,
                                  const RaceSide& earlier, const ElementHistory& history);

// Counts the elements of `region` whose bytes are all written: `is_written(byte)` returns true.
// `bytes`: size of an access, for regions whose element size is unknown.
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

// Adds an uninitialized read to the log, and returns its number. `byte`: offset of the first byte
// that no thread has written.
std::size_t add_uninitialized(const LaunchContext& context, const Region& region,
                              std::uint32_t offset, std::uint32_t bytes, std::uint32_t byte,
                              AccessKind access, SiteNumber site, std::uint32_t thread,
                              SetElements elements);

}  // namespace histolab::kernels::emulator
