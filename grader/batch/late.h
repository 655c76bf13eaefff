// What lateness costs, as the rubric says. A pure function: nothing here asks for the time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace histolab::batch {

struct LatePolicy {
  std::optional<std::int64_t> deadline;            // seconds since 1970; none: nothing is late
  std::map<std::string, std::int64_t> deadlines;   // of single labs
  double percent_a_day = 0;                        // of what was reached, for each day that has begun
  std::int64_t grace_seconds = 0;                  // so much later is in time; beyond, the whole delay counts
  double most_percent = 100;
};

struct LateMark {
  double score = 0;  // what is left of it
  std::string note;  // why it is less; empty: it is not
};

// `at`: when it was handed in, if anybody knows. `marked_late`: the platform says so, and not by how much; that counts as one day.
[[nodiscard]] LateMark late_mark(const LatePolicy& policy, const std::string& lab, std::optional<std::int64_t> at, bool marked_late, double score);

}  // namespace histolab::batch
