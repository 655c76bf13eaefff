// The price of lateness, by the rubric. Pure functions: nothing here asks for the time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace histolab::batch {

struct LatePolicy {
  std::optional<std::int64_t> deadline;           // seconds since 1970; none: nothing is late
  std::map<std::string, std::int64_t> deadlines;  // of single labs
  double percent_a_day = 0;        // of what was reached, for each day that has begun
  std::int64_t grace_seconds = 0;  // so much later is in time; beyond, the whole delay counts
  double most_percent = 100;
  std::int64_t late_days = 0;  // that each student has for all labs together, at no cost

  [[nodiscard]] std::optional<std::int64_t> deadline_of(const std::string& lab) const;
};

// More time for one student.
struct Extension {
  std::optional<std::int64_t> deadline;  // instead of the lab's, in seconds since 1970
  std::int64_t extra_seconds = 0;        // after it
};
struct Allowance {
  std::map<std::string, Extension> labs;
  std::optional<Extension> other_labs;
  std::optional<std::int64_t> late_days;  // instead of the policy's

  [[nodiscard]] const Extension* of(const std::string& lab) const;
};

// One lab of one student. `at`: when it was handed in, if that is known, in seconds since 1970.
// `marked_late`: the platform says so, and not by how much; that counts as one day.
struct LateWork {
  std::string lab;
  std::optional<std::int64_t> at;
  bool marked_late = false;
  double score = 0;
};
struct LateMark {
  double score = 0;  // after the deduction
  std::string note;  // why; empty if it was in time
};

// One mark per work, in their order. Late days are used up in the order of the labs' deadlines, and
// only by works with a score.
[[nodiscard]] std::vector<LateMark> late_marks(const LatePolicy& policy, const Allowance& allowance,
                                               const std::vector<LateWork>& works);

}  // namespace histolab::batch
