// Runs the race observers on race programs, on hand-made programs, and on single rows and lanes.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/emulator/observers/lane_races.h"
#include "kernels/emulator/observers/races.h"
#include "kernels/emulator/testing/launch_fixture.h"
#include "kernels/emulator/testing/race_program.h"

namespace histolab::kernels::emulator::testing {

// The reported findings. A race is (variable, line, other line), the lower line first. An
// uninitialized read is (variable, line, 0).
using Told = Races;

struct Judgement {
  Told told, notes;
};

// Runs RaceObserver, which judges rows. The program must have no fences.
[[nodiscard]] Told observed(const Program& program);
// Runs LaneRaces, which sees each lane's access when it is made.
[[nodiscard]] Judgement observed_in_order(const Program& program);

// An access of a single thread. A program has one per line: 1, 2, ...
struct Act {
  static constexpr std::uint32_t next_block = ~0u;
  std::uint32_t thread;
  AccessKind kind;
  std::uint8_t bytes;
  std::uint32_t region, offset;
};
[[nodiscard]] Program by_hand(const std::vector<Act>& acts, bool warp_sync = false);

// Makes the regions' memory readable and writable.
void make_writable(const std::vector<const Region*>& regions);

// Makes rows of accesses to one word each. Reports name the threads and counts.
struct Rows {
  LaunchFixture launch{{threads, 1, 1}, {2, 1, 1}};
  const Region& out =
      launch.add({.role = Region::Role::output, .name = "out", .size = 64, .element_bytes = 4});
  RaceObserver observer{launch.context, true, true};
  Rows() {
    launch.site(1, AccessKind::store, 4, 1);
    launch.site(2, AccessKind::store, 4, 2);
    launch.site(3, AccessKind::load, 4, 3);
    launch.site(4, AccessKind::load, 4, 4);
    launch.begin_block(0);
  }
  void act(SiteNumber site, std::uint32_t warp, std::uint32_t lanes, std::uint32_t word) {
    std::array<std::uint32_t, 32> offsets;
    offsets.fill(4 * word);
    observer.on_access(access(launch, site, out, warp, lanes, offsets));
  }
  // Returns "line/other line: block.thread, block.other thread xcount" per race.
  [[nodiscard]] std::string told() const {
    std::string all;
    for (const Finding& f : launch.findings.findings())
      all += fmt::format("{}{}/{}: {}.{}, {}.{} x{}", all.empty() ? "" : "\n", f.line, f.other_line,
                         f.thread->block.x, f.thread->thread.x, f.other_thread->block.x,
                         f.other_thread->thread.x, f.count);
    return all;
  }
};

// Single threads of a very large grid, for which LaneRaces keeps the releases of few words only.
struct Places {
  static constexpr std::uint32_t most = 1024;
  LaunchFixture launch{{32, 1, 1}, {1 << 20, 1, 1}};
  const Region& out = launch.add(
      {.role = Region::Role::output, .name = "out", .size = 1 << 16, .element_bytes = 4});
  const Region& s = launch.add(
      {.role = Region::Role::shared_static, .space = Space::shared, .name = "s", .size = 1 << 15});
  LaneRaces observer{launch.context, true, false};
  Places() {
    make_writable({&out, &s});
    launch.site(1, AccessKind::store, 4, 1);
    launch.site(2, AccessKind::atomic, 4, 2);
    launch.site(3, AccessKind::load, 4, 3);
    launch.context.has_fence = true;
    launch.context.observers = {&observer};
    launch.begin_block(0);
  }
  ~Places() { launch.context.observers = {}; }
  void act(SiteNumber site, std::uint32_t lane, std::uint32_t offset) {
    act(site, lane, out, offset);
  }
  void act(SiteNumber site, std::uint32_t lane, const Region& region, std::uint32_t offset) {
    observer.on_lane_access({.site = site,
                             .kind = (*launch.sites)[site].kind,
                             .bytes = 4,
                             .lane = lane,
                             .region = &region,
                             .offset = offset});
  }
  void release(std::uint32_t lane, const Region& region, std::uint32_t places) {
    for (std::uint32_t place = 1; place <= places; ++place) act(2, lane, region, 4 * place);
  }
  void next_block() {
    launch.end_block();
    launch.begin_block(launch.context.block + 1);
  }
  // Returns "kind line/other line xcount" per finding.
  [[nodiscard]] std::string told() const {
    std::string all;
    for (const Finding& f : launch.findings.findings())
      all += fmt::format("{}{} {}/{} x{}", all.empty() ? "" : "\n", name(f.kind), f.line,
                         f.other_line, f.count);
    return all;
  }
};

// Returns the number of bytes that are allocated and not freed.
[[nodiscard]] std::size_t memory_in_use();

}  // namespace histolab::kernels::emulator::testing
