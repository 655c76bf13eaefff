// ChunkSums: adds up the reports of a launch's chunks to the counts of one process.
//
// Reports are in the order of their chunks. They are untrusted (chunk_report.h): if a region or a
// width is invalid, the launch must run in this process.
#pragma once

#include <vector>

#include "kernels/emulator/memory/window.h"
#include "kernels/emulator/parallel/chunk_report.h"

namespace histolab::kernels::emulator {

// Updates the site table to its state after all chunks. Returns false if a report is invalid, or
// two chunks chose different widths for a site.
[[nodiscard]] bool add_up_sites(const std::vector<ChunkReport>& reports, const Window& window,
                                SiteTable& sites);

// Adds up the traffic by line, and the totals.
void add_up_lines(const std::vector<ChunkReport>& reports, Observation& observation);

// Adds up the atomic pressure, in the order in which blocks first updated the variables. Returns
// false if a region is invalid, or two chunks saw different element widths in it.
[[nodiscard]] bool add_up_pressure(const std::vector<ChunkReport>& reports, const Window& window,
                                   Observation& observation);

}  // namespace histolab::kernels::emulator
