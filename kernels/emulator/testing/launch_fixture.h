// A launch without a kernel, for tests of observers: a window with made-up regions, sites, and the
// results of the launch.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator::testing {

[[nodiscard]] Window reserved_window();
// Adds a region at `offset` bytes in the window, with the name and size of `region`. Maps no
// memory.
const Region& add_region(Window& window, Region region, std::uint64_t offset);

struct LaunchFixture {
  explicit LaunchFixture(Dim3 block = {32, 1, 1}, Dim3 grid = {1, 1, 1});
  LaunchFixture(const LaunchFixture&) = delete;
  LaunchFixture& operator=(const LaunchFixture&) = delete;

  // Adds a region. Regions are 1 GiB apart. Call it before observers are made.
  const Region& add(Region region);
  void site(SiteNumber number, AccessKind kind, std::uint8_t bytes, int line = 0) {
    (*sites)[number] = {.kind = kind, .bytes = bytes, .line = line};
  }
  void begin_block(std::uint32_t number);
  void barrier();
  void end_block();
  // The running block waits at a grid barrier. Block `number` continues after one.
  void suspend_block();
  void resume_block(std::uint32_t number);

  Window window;
  std::unique_ptr<SiteTable> sites = std::make_unique<SiteTable>();
  FindingLog findings;
  reference::Counters counters;
  std::vector<reference::LineCounters> lines;
  std::vector<reference::AtomicPressure> pressure;
  LaunchContext context;

 private:
  std::uint64_t next_ = 8ull << 30;
};

// Makes an access of the `active` lanes of `warp`, as the warp's log would pass it on. `offsets`:
// per lane, in bytes.
[[nodiscard]] WarpAccess access(const LaunchFixture& launch, SiteNumber site, const Region& region,
                                std::uint32_t warp, std::uint32_t active,
                                const std::array<std::uint32_t, 32>& offsets);

}  // namespace histolab::kernels::emulator::testing
