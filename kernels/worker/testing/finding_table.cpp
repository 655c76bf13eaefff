#include "kernels/worker/testing/finding_table.h"

#include <doctest/doctest.h>

#include <numeric>
#include <regex>

namespace histolab::kernels::testing {
namespace {

std::string without_elements(const std::string& text) {
  static const std::regex element(R"(\[-?\d+\])");
  return std::regex_replace(text, element, "[]");
}

}  // namespace

bool reports_alike(const std::string& got, const std::string& wanted, Schedule schedule) {
  return schedule == Schedule::lockstep ? got == wanted
                                        : without_elements(got) == without_elements(wanted);
}

std::string source_of(const Row& row) {
  const std::string body = row.body;
  if (body.find("__global__") != std::string::npos) return body;
  return "__global__ void k(const unsigned char* data, unsigned int n, unsigned int* out) {\n"
         "  const unsigned int t = threadIdx.x, b = blockIdx.x, i = b * blockDim.x + t;\n" +
         body + "}\n";
}

Launch launch_of(const Row& row, Schedule schedule) {
  std::vector<std::uint8_t> bytes(256);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  Launch launch{row.grid,
                row.block,
                {in("data", bytes), word(256), out("out", 16)},
                row.dynamic_shared_bytes,
                under(schedule),
                1};
  launch.options.steps_per_thread = 1u << 16;
  return launch;
}

void check_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows)
    for (const Schedule schedule : all_schedules) {
      const Outcome outcome = run(source_of(row), launch_of(row, schedule));
      const std::string got = told(outcome);
      if (row.told == nullptr) {
        CHECK_MESSAGE(!got.empty(), row.title);
        continue;
      }
      const std::string where = std::string(row.title) + " (" + std::string(name(schedule)) + ")";
      CHECK_MESSAGE(reports_alike(got, row.told, schedule), where, ":\nexpected ",
                    std::string(row.told), "\ngot      ", faults(outcome));
      if (*row.told == 0)
        CHECK_MESSAGE(outcome.last().ending == Ending::completed, where, ": ",
                      outcome.last().ending_detail);
    }
}

}  // namespace histolab::kernels::testing
