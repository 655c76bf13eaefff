#include "grader/batch/late.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

}  // namespace

LateMark late_mark(const LatePolicy& policy, const std::string& lab, std::optional<std::int64_t> at, bool marked_late, double score) {
  const auto own = policy.deadlines.find(lab);
  const std::optional<std::int64_t> deadline = own != policy.deadlines.end() ? std::optional{own->second} : policy.deadline;
  if (policy.percent_a_day <= 0) return {score, {}};
  std::int64_t late = 0;
  if (at && deadline) late = *at - *deadline > policy.grace_seconds ? *at - *deadline : 0;
  else if (marked_late) late = 1;
  if (late <= 0) return {score, {}};
  const double percent = std::min(policy.most_percent, policy.percent_a_day * static_cast<double>((late + day - 1) / day));
  const std::string why = at && deadline ? fmt::format("{} late", delay(late)) : "late, as the platform has it, which does not say by how much: one day counts";
  const double left = std::round(score * (100 - percent)) / 100;
  return {left, fmt::format("{}: {} % less, {} instead of {}", why, grader::plain(percent), grader::plain(left), grader::plain(score))};
}

}  // namespace histolab::batch
