#include "grader/report/mismatch.h"

#include <fmt/format.h>

#include <cmath>

#include "grader/words/words.h"

namespace histolab::grader {

std::string describe(const Mismatch& wrong, const LaunchShape& shape, const reference::Task& task) {
  const std::string label = task.label(shape.binning, wrong.bin);
  const std::string where =
      task.is_by_bin() ? fmt::format("in bin {} ({})", wrong.bin, label) : "for " + label;
  return fmt::format("expected {} {}, got {}", grouped_value(wrong.expected), where,
                     grouped_value(wrong.got));
}

std::string consequence(const Mismatch& wrong, const reference::Task& task, bool race) {
  if (task.quantity != reference::Quantity::count) return {};
  if (wrong.got > wrong.expected && wrong.expected == 0)
    return {};  // the message already has the number
  if (wrong.got > wrong.expected)
    return fmt::format(": {} too many", grouped_value(wrong.got - wrong.expected));
  if (wrong.got == 0) return ": nothing was counted in this bin";
  if (!(wrong.got > 0)) return {};  // a negative value or NaN in an output of floats
  const std::uint64_t lost = distance(wrong.expected, wrong.got);
  const std::string share = percent(lost, static_cast<std::uint64_t>(wrong.expected));
  return race ? fmt::format(": {} of the updates are lost", share)
              : fmt::format(": {} are missing", share);
}

std::uint64_t distance(double expected, double got) {
  constexpr double exact = 9007199254740992.0;  // 2^53
  const double apart = std::abs(expected - got);
  return static_cast<std::uint64_t>(apart < exact ? std::ceil(apart) : std::abs(expected) + 1);
}

}  // namespace histolab::grader
