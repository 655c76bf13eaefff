// ChunkReport: the report of a process that ran some of a launch's blocks. Their effects on memory
// are separate (chunk_effects.h).
//
// The kernel ran in that process, so the report is untrusted: parsing never reads beyond the bytes,
// and takes nothing that is not exactly of this shape. The reader must judge the numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/emulator/launch/launch_context.h"

namespace histolab::kernels::emulator {

struct ChunkReport {
  // A site at which something was accessed: the new facts that the site table has about it.
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

// Returns how many bytes it took, or nullopt if there is no room.
[[nodiscard]] std::optional<std::uint64_t> write_report(const ChunkReport& report, std::span<std::uint8_t> to);
// Returns nullopt if these bytes are not a report.
[[nodiscard]] std::optional<ChunkReport> read_report(std::span<const std::uint8_t> from);

}  // namespace histolab::kernels::emulator
