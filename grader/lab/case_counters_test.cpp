#include "grader/lab/case_counters.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

namespace histolab::grader {
namespace {

struct Row {
  std::string name, title, unit, definition, source;
};

std::string trimmed(const std::string& cell) {
  const auto first = cell.find_first_not_of(" `"), last = cell.find_last_not_of(" `");
  return first == std::string::npos ? "" : cell.substr(first, last - first + 1);
}

// Returns the rows of the only table in docs/counters.md.
std::vector<Row> documented() {
  std::ifstream file(HISTOLAB_SOURCE_DIR "/docs/counters.md");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("| `", 0) != 0) continue;
    std::istringstream cells(line.substr(1));
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, '|');) row.push_back(trimmed(cell));
    REQUIRE_MESSAGE(row.size() == 5, line);
    rows.push_back({row[0], row[1], row[2], row[3], row[4]});
  }
  return rows;
}

TEST_CASE("docs/counters.md lists every counter in order, with its title and unit") {
  const auto rows = documented();
  auto counters = counters_of({});
  counters.push_back(updates_lost_to_races(0));
  add_program_facts({}, counters);
  REQUIRE(rows.size() == counters.size());
  for (std::size_t i = 0; i < counters.size(); ++i) {
    CAPTURE(counters[i].name);
    CHECK(rows[i].name == counters[i].name);
    CHECK(rows[i].title == counters[i].title);
    CHECK(rows[i].unit == counters[i].unit);
    CHECK_FALSE(rows[i].definition.empty());
    CHECK(rows[i].source == (rows[i].name.rfind("histolab__", 0) == 0 ? "ours" : "Nsight Compute"));
  }
}

TEST_CASE("the printed time of a program differs from that of its kernels by a share of it") {
  const auto difference = [](double printed, double kernels) {
    std::vector<reference::CounterValue> counters;
    add_program_facts({.printed_ms = printed, .kernels_ms = kernels}, counters);
    REQUIRE(counters.size() == 2);
    CHECK(counters[1].value == 0);
    return counters[0].value;
  };
  CHECK(difference(0.02, 0.02) == 0);
  CHECK(difference(0.02005, 0.02) == 0);  // few digits
  CHECK(difference(0.03, 0.02) == doctest::Approx(50));
  CHECK(difference(0, 0.02) == doctest::Approx(100));
  CHECK(difference(0.9, 0.02) == 100);  // such as a clock of the host, which varies
  CHECK(difference(1, 0) == 0);         // the model is unknown
}

}  // namespace
}  // namespace histolab::grader
