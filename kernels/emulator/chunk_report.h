// ChunkReport: what a process that ran some of a launch's blocks hands back, besides memory (chunk_effects.h).
//
// The kernel ran in that process, so what comes from there is a stranger's: parsing never reads beyond the bytes, and takes
// nothing that is not exactly of this shape. What the numbers say is for the reader to judge.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/emulator/launch_context.h"

namespace histolab::kernels::emulator {

struct ChunkReport {
  // A site at which something was accessed: what the site table says of it now that it did not say before.
  struct UsedSite {
    SiteNumber site = 0;
    std::uint8_t bytes = 0;
    std::uint32_t region = 0;  // id of where it last went
  };
  std::uint64_t rows = 0;
  reference::BusiestWarps busiest;
  std::vector<reference::LineCounters> lines;  // lowest line first
  std::vector<RegionPressure> pressure;        // names left out: the region knows them
  std::vector<UsedSite> sites;
};

// Returns how many bytes it took; nullopt: there is no room.
[[nodiscard]] std::optional<std::uint64_t> write_report(const ChunkReport& report, std::span<std::uint8_t> to);
// nullopt: these bytes are no report.
[[nodiscard]] std::optional<ChunkReport> read_report(std::span<const std::uint8_t> from);

}  // namespace histolab::kernels::emulator
