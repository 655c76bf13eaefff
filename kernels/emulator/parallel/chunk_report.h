// ChunkReport: the report of a process that ran some of a launch's blocks. Their effects on memory
// are separate (chunk_effects.h).
//
// The kernel ran in that process, so the report is untrusted. Parsing never reads beyond the bytes,
// and accepts only exactly this shape. The caller must check the numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/emulator/launch/launch_context.h"

namespace histolab::kernels::emulator {

struct ChunkReport {
  // A site that was used, with the new facts in the site table.
  struct UsedSite {
    SiteNumber site = 0;
    std::uint8_t bytes = 0;    // width of an access.
    std::uint32_t region = 0;  // id of the region that it accessed last
  };
  std::uint64_t rows = 0;
  reference::BusiestWarps busiest;
  std::vector<reference::LineCounters> lines;  // lowest line first
  std::vector<RegionPressure> pressure;        // without names, which are in the region
  std::vector<UsedSite> sites;
};

// Returns the size of the report in bytes, or nullopt if it does not fit.
[[nodiscard]] std::optional<std::uint64_t> write_report(const ChunkReport& report,
                                                        std::span<std::uint8_t> to);
// Returns nullopt if these bytes are not a report.
[[nodiscard]] std::optional<ChunkReport> read_report(std::span<const std::uint8_t> from);

}  // namespace histolab::kernels::emulator
