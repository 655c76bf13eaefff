// Tables of kernels with expected findings, one row per cause.
//
// Each kernel is launched as k(data, n, out) under every schedule: 256 bytes of input (0 to 255),
// their number, 16 words of zeroed output. By default there are two blocks of 64 threads.
#pragma once

#include <string>
#include <vector>

#include "kernels/worker/testing/kernel_fixture.h"

namespace histolab::kernels::testing {

struct Row {
  const char* title;
  const char* body;  // of the kernel; a whole source if it contains __global__
  // Expected findings in the format of told(). Empty for a correct kernel; nullptr if several
  // answers are correct.
  const char* told;
  Dim3 grid = {2, 1, 1};
  Dim3 block = {64, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
};

// Compares a result of told() with a row under a schedule. The schedule decides which element is
// reported first, so elements only count under lockstep.
[[nodiscard]] bool reports_alike(const std::string& got, const std::string& wanted,
                                 Schedule schedule);
[[nodiscard]] Launch launch_of(const Row& row, Schedule schedule);
[[nodiscard]] std::string source_of(const Row& row);
void check_rows(const std::vector<Row>& rows);

}  // namespace histolab::kernels::testing
