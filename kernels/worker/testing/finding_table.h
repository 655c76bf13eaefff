// Tables of kernels and what is to be told about them: one row a cause.
//
// Each kernel is launched as k(data, n, out): 256 bytes of input (0 to 255), their number, 16 words of zeroed output; two
// blocks of 64 threads unless the row says otherwise; under every schedule. `told` is as in told(), compared by told_alike().
#pragma once

#include <string>
#include <vector>

#include "kernels/worker/testing/kernel_fixture.h"

namespace histolab::kernels::testing {

struct Row {
  const char* title;
  const char* body;  // of the kernel, or a whole source when it contains __global__
  const char* told;  // "": nothing is wrong; nullptr: more than one answer is right
  Dim3 grid = {2, 1, 1};
  Dim3 block = {64, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
};

// What told() says, and a row wants, under a schedule: which element was seen first is the schedule's choice.
[[nodiscard]] bool told_alike(const std::string& got, const std::string& wanted, Schedule schedule);
[[nodiscard]] Launch launch_of(const Row& row, Schedule schedule);
[[nodiscard]] std::string source_of(const Row& row);
void check_rows(const std::vector<Row>& rows);

}  // namespace histolab::kernels::testing
