// A warp whose lanes log the records of a test, and a recorder of the accesses that the log passes
// on.
#pragma once

#include <string>
#include <vector>

#include "kernels/emulator/lanes/warp_log.h"
#include "kernels/emulator/testing/launch_fixture.h"

namespace histolab::kernels::emulator::testing {

using LaneBits = std::uint32_t;  // as bits

// The parts of a warp-level access that most tests compare.
struct LoggedRow {
  SiteNumber site;
  LaneBits lanes;
  friend bool operator==(const LoggedRow&, const LoggedRow&) = default;
};
using LoggedRows = std::vector<LoggedRow>;
[[nodiscard]] std::string text(const LoggedRows& rows);

class Recorder final : public Observer {
 public:
  void on_access(const WarpAccess& access) override {
    // Like other observers. The groups of one access must not be kept for the next one.
    (void)access.words();
    accesses.push_back(access);
  }
  void on_stray_access(const StrayAccess& access) override { strays.push_back(access); }
  [[nodiscard]] LoggedRows rows() const;
  std::vector<WarpAccess> accesses;
  std::vector<StrayAccess> strays;
};

// A kernel whose sites 1 to `last` follow each other, with branches over any of them. Each loop
// goes from its last site back to its first one.
struct LoopOfSites {
  SiteNumber last, first;
};
[[nodiscard]] ControlFlow flow_of(SiteNumber last, const std::vector<LoopOfSites>& loops);

// The warp is number 3 of its block. Sites 1 to 999 load 4 bytes, unless a test changes them.
struct LoggedWarp {
  explicit LoggedWarp(const std::vector<LoopOfSites>& loops = {});
  // A lane accesses `address`.
  void put(std::uint32_t l, SiteNumber site, std::uint64_t address) {
    *cursors[l] = std::uint64_t{site} << 48 | address;
    cursors[l] += WarpLog::lanes;
  }
  // These lanes make these accesses, one after the other, each to its own element of `buffer`.
  void put(LaneBits lanes, const std::vector<SiteNumber>& sites) {
    for_each_lane(lanes, [&](std::uint32_t l) {
      for (const SiteNumber site : sites) put(l, site, buffer.address() + 4 * l);
    });
  }
  // Returns true if the lane's log is full. Call it only after put() for that lane.
  [[nodiscard]] bool full(std::uint32_t l) const { return WarpLog::full(cursors[l]); }
  WarpLog::Judged judge(LaneBits running = 0) {
    return log.judge(launch.context, cursors, running);
  }
  // Returns the rows passed on since the last call, as text.
  std::string passed_on();

  LaunchFixture launch;
  const Region& buffer = launch.add(
      {.role = Region::Role::output, .name = "buffer", .size = 1 << 20, .element_bytes = 4});
  const Region& other =
      launch.add({.role = Region::Role::output, .name = "other", .size = 64, .element_bytes = 4});
  Recorder recorder;
  ControlFlow flow;
  WarpLog log;
  std::vector<WarpLog::Memory> idle;
  std::array<std::uint64_t*, 32> cursors{};
};

}  // namespace histolab::kernels::emulator::testing
