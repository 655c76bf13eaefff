#include "grader/batch/late.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/words/words.h"

namespace histolab::batch {
namespace {

constexpr std::int64_t day = 86400;

// "2 days 3 h", "5 min".
std::string delay(std::int64_t seconds) {
  const auto days = static_cast<std::uint64_t>(seconds / day);
  if (days > 0) return fmt::format("{} {} h", grader::counted(days, "day"), seconds % day / 3600);
  if (seconds >= 3600) return fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
  return fmt::format("{} min", (seconds + 59) / 60);
}

std::int64_t days_of(std::int64_t seconds) { return (seconds + day - 1) / day; }

struct Delay {
  std::optional<std::int64_t> deadline;  // the student's own
  std::int64_t seconds = 0;              // delay; 0 if on time
  bool is_known = true;                  // false if only the platform's mark is known
  bool is_extended = false;
};

Delay delay_of(const LatePolicy& policy, const Allowance& allowance, const LateWork& work) {
  Delay found;
  found.deadline = policy.deadline_of(work.lab);
  if (const Extension* const extension = allowance.of(work.lab)) {
    found.is_extended = true;
    // A deadline that is earlier by mistake must not cost points.
    if (extension->deadline)
      found.deadline =
          std::max(found.deadline.value_or(*extension->deadline), *extension->deadline);
    if (found.deadline) *found.deadline += extension->extra_seconds;
  }
  found.is_known = work.at && found.deadline;
  if (found.is_known)
    found.seconds =
        *work.at - *found.deadline > policy.grace_seconds ? *work.at - *found.deadline : 0;
  else if (work.marked_late)
    found.seconds = 1;
  return found;
}

}  // namespace

std::optional<std::int64_t> LatePolicy::deadline_of(const std::string& lab) const {
  const auto own = deadlines.find(lab);
  return own != deadlines.end() ? std::optional{own->second} : deadline;
}

const Extension* Allowance::of(const std::string& lab) const {
  const auto own = labs.find(lab);
  if (own != labs.end()) return &own->second;
  return other_labs ? &*other_labs : nullptr;
}

std::vector<LateMark> late_marks(const LatePolicy& policy, const Allowance& allowance,
                                 const std::vector<LateWork>& works) {
  std::vector<LateMark> marks;
  std::vector<Delay> delays;
  std::vector<std::size_t> order;
  for (const LateWork& work : works) {
    order.push_back(marks.size());
    marks.push_back({work.score, {}});
    delays.push_back(delay_of(policy, allowance, work));
  }
  if (policy.percent_a_day <= 0) return marks;
  const auto deadline = [&](std::size_t i) {
    return delays[i].deadline.value_or(std::numeric_limits<std::int64_t>::max());
  };
  std::ranges::stable_sort(order, {}, deadline);
  const std::int64_t all_free = allowance.late_days.value_or(policy.late_days);
  std::int64_t left = all_free;
  for (const std::size_t i : order) {
    const Delay& late = delays[i];
    const double score = works[i].score;
    if (late.seconds <= 0 || score <= 0) continue;
    if (!late.is_known && late.is_extended) {
      marks[i].note =
          "marked late by the platform, with an extension: no deduction, because the time is "
          "unknown";
      continue;
    }
    std::string why = late.is_known
                          ? fmt::format("{} late", delay(late.seconds))
                          : "marked late by the platform, without a time: counts as one day";
    const std::int64_t days = days_of(late.seconds), free = std::min(days, left);
    left -= free;
    if (free > 0)
      why += fmt::format(", {} of {} used", free,
                         grader::counted(static_cast<std::uint64_t>(all_free), "late day"));
    const double percent =
        std::min(policy.most_percent, policy.percent_a_day * static_cast<double>(days - free));
    marks[i].score = std::round(score * (100 - percent)) / 100;
    marks[i].note =
        days == free ? why
                     : fmt::format("{}: {} % less, {} instead of {}", why, grader::plain(percent),
                                   grader::plain(marks[i].score), grader::plain(score));
  }
  return marks;
}

}  // namespace histolab::batch
