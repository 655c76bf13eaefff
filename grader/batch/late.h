// Deductions for late submissions, as defined by the rubric. Pure functions that read no clock.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace histolab::batch {

struct LatePolicy {
  std::optional<std::int64_t> deadline;           // seconds since 1970; missing: nothing is late
  std::map<std::string, std::int64_t> deadlines;  // per lab
  double percent_a_day = 0;                       // deduction from the score, for each day begun
  std::int64_t grace_seconds = 0;                 // a longer delay counts from the deadline
  double most_percent = 100;
  std::int64_t late_days = 0;  // free late days per student, for all labs together

  [[nodiscard]] std::optional<std::int64_t> deadline_of(const std::string& lab) const;
};

// Extra time for one student.
struct Extension {
  std::optional<std::int64_t> deadline;  // instead of the lab's, in seconds since 1970
  std::int64_t extra_seconds = 0;        // added to the deadline
};
struct Allowance {
  std::map<std::string, Extension> labs;
  std::optional<Extension> other_labs;
  std::optional<std::int64_t> late_days;  // instead of the policy's

  [[nodiscard]] const Extension* of(const std::string& lab) const;
};

// One lab of one student. `at` is the submission time in seconds since 1970, if known.
// `marked_late`: the platform marked it as late without a delay, which counts as one day.
struct LateWork {
  std::string lab;
  std::optional<std::int64_t> at;
  bool marked_late = false;
  double score = 0;
};
struct LateMark {
  double score = 0;  // after the deduction
  std::string note;  // the reason; empty if the submission was on time
};

// Returns one mark per work, in the same order. Late days are used in the order of the labs'
// deadlines, and only for works with a score.
[[nodiscard]] std::vector<LateMark> late_marks(const LatePolicy& policy, const Allowance& allowance,
                                               const std::vector<LateWork>& works);

}  // namespace histolab::batch
