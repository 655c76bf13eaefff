// ChunkSums: the reports of a launch's chunks put together, to what one process would have counted.
//
// Reports come in the order of their chunks. They are a stranger's (chunk_report.h): a region or a width that cannot be is a
// reason to run the launch in this process.
#pragma once

#include <vector>

#include "kernels/emulator/parallel/chunk_report.h"
#include "kernels/emulator/memory/window.h"

namespace histolab::kernels::emulator {

// The site table as it is after all chunks. False: one width was taken for another.
[[nodiscard]] bool add_up_sites(const std::vector<ChunkReport>& reports, const Window& window, SiteTable& sites);

// Traffic by line, and their totals.
void add_up_lines(const std::vector<ChunkReport>& reports, Observation& observation);

// In the order in which blocks came to the variables. False: of one that is not there, or one chunk
// saw narrower elements in it than another.
[[nodiscard]] bool add_up_pressure(const std::vector<ChunkReport>& reports, const Window& window, Observation& observation);

}  // namespace histolab::kernels::emulator
