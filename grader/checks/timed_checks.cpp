#include "grader/checks/timed_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "grader/checks/rivals.h"
#include "grader/report/mismatch.h"
#include "grader/words/words.h"
#include "reference/time_model.h"

namespace histolab::grader {
namespace {

using kernels::Ending;

std::string described_time(const TimedCaseResult& result) {
  return fmt::format("{}case {} ({}, {}, {} {})",
                     result.kernel_name.empty() ? "" : result.kernel_name + ", ", result.id,
                     result.dataset, length_of(result),
                     result.measured ? "on the" : "modelled for the", result.device);
}

const TimedCaseResult::Rival* find_rival(const TimedCaseResult& result, const std::string& lab) {
  const auto found = std::find_if(result.rivals.begin(), result.rivals.end(),
                                  [&](const auto& each) { return each.lab == lab; });
  return found == result.rivals.end() ? nullptr : &*found;
}

std::uint64_t missing(const std::vector<Mismatch>& mismatches) {
  std::uint64_t sum = 0;
  for (const Mismatch& each : mismatches)
    // mutant > -> >=: the distance of equal values is 0 either way
    if (each.expected > each.got) sum += distance(each.expected, each.got);
  return sum;
}

std::string describe_first_mismatch(const LabSpec& lab, const TimedCaseResult& result) {
  const Mismatch& first = result.mismatches.front();
  std::string text = describe(first, result, lab.kernels.at(result.kernel).task);
  if (const std::uint64_t lost = missing(result.mismatches);
      lost > 0 && lab.kernels.at(result.kernel).task.is_by_bin())
    text += fmt::format("; {} lost in that launch", counted(lost, "update was", "updates were"));
  return text;
}

// Returns, for example, "1 of 2 launches with fewer elements were".
std::string right_launches(const TimedCaseResult& result) {
  const std::string_view fewer = result.measured ? "" : " with fewer elements";
  return fmt::format("{} of {}", result.right_rounds,
                     counted(result.rounds, fmt::format("launch{} was", fewer),
                             fmt::format("launches{} were", fewer)));
}

Outcome not_timed(const TimedCaseResult& result) {
  kernels::MessageParts parts =
      kernels::parts_of(result.skipped.empty() ? result.ending_detail : result.skipped);
  return failed(
      {.where = described_time(result),
       .what = fmt::format("{}: {}", result.skipped.empty() ? "did not complete" : "was not timed",
                           parts.what),
       .of_where = true,
       .next = std::move(parts.next)});
}

// Fails because of a finding.
Outcome failed_by(const TimedCaseResult& result, const kernels::Finding& finding,
                  std::string_view therefore) {
  kernels::MessageParts parts = kernels::parts_of(finding.message);
  Outcome outcome = failed({.where = described_time(result),
                            .what = fmt::format("{}{}", parts.what, therefore),
                            .next = std::move(parts.next)},
                           finding.line);
  outcome.kind = finding.kind;
  return outcome;
}

// Formats the ratio with enough digits to differ from the limit.
std::string format_ratio(double ratio, double limit, bool against_solution) {
  const auto with = [&](int more) {
    return against_solution ? fmt::format("{:.{}f}", ratio, 2 + more)
                            : fmt::format("{:.{}g}", ratio, 3 + more);
  };
  int more = 0;
  while (ratio != limit && more < 4 && std::strtod(with(more).c_str(), nullptr) == limit) ++more;
  return with(more);
}

std::string describe_ratio(const CheckSpec& check, const TimedCaseResult::Rival& rival,
                           double own_ms, double value) {
  const std::string own = duration(own_ms), other = duration(rival.ms());
  const std::string ratio =
      format_ratio(value, check.factor, check.kind == CheckKind::within_of_solution);
  if (check.kind == CheckKind::share_of_read_limit)
    return fmt::format("{}, reading alone takes {}: {} % of the read limit, {:g} required", own,
                       other, ratio, check.factor);
  if (check.kind == CheckKind::within_of_solution)
    return fmt::format("{}, the solution takes {}: {} times as long, {:g} allowed", own, other,
                       ratio, check.factor);
  if (value > 0 && value < 0.95 && check.factor >= 1)
    return fmt::format(
        "{}, the solution of {} takes {}: {:.2g} times as slow; it must be {:g} times as fast", own,
        rival.lab, other, 1 / value, check.factor);
  return fmt::format("{}, the solution of {} takes {}: {} times as fast, {:g} required", own,
                     rival.lab, other, ratio, check.factor);
}

// Returns the longest launch behind a modelled time, or an empty string if it is as long as the
// case.
std::string longest_run(const TimedCaseResult& result) {
  if (result.longest_launch == 0 || result.longest_launch >= result.length) return {};
  LaunchShape longest = result;
  longest.length = result.longest_launch;
  return fmt::format("; it ran on at most {}", length_of(longest));
}

}  // namespace

std::optional<Outcome> first_timed_failure(const LabSpec& lab, const CheckSpec& check,
                                           const std::vector<TimedCaseResult>& timed) {
  for (const TimedCaseResult& result : timed) {
    if (!result.skipped.empty()) continue;
    if (std::none_of(check.cases.begin(), check.cases.end(),
                     [&](std::size_t i) { return lab.cases[i].kernel == result.kernel; }))
      continue;
    const auto error =
        std::ranges::find(result.findings, kernels::Severity::error, &kernels::Finding::severity);
    if (!result.measured && error != result.findings.end()) return failed_by(result, *error, "");
    if (result.measured && result.ending != Ending::completed) return not_timed(result);
    if (!result.mismatches.empty())
      return failed({.where = described_time(result),
                     .what = fmt::format("{} right; {}", right_launches(result),
                                         describe_first_mismatch(lab, result))});
    if (result.measured && !result.findings.empty())
      return failed_by(result, result.findings.front(), "");
    if (!result.measured && result.completed() && !result.correct())
      return failed({.where = described_time(result),
                     .what = right_launches(result) + " right",
                     .next = "Count every letter, whatever the length of the data"});
  }
  return std::nullopt;
}

std::string gpu_evidence(const std::vector<TimedCaseResult>& timed) {
  std::uint64_t launches = 0, right = 0;
  std::string device;
  for (const TimedCaseResult& result : timed) {
    if (!result.measured || !result.skipped.empty() || result.rounds == 0) continue;
    launches += result.rounds;
    right += result.right_rounds;
    device = result.device;
  }
  if (launches == 0) return {};
  if (right == launches)
    return fmt::format("on the {} all {} right, by luck", device,
                       counted(launches, "launch was", "launches were"));
  return fmt::format("on the {} {} of {} wrong", device, launches - right,
                     counted(launches, "launch was", "launches were"));
}

Outcome judge_time(const LabSpec& lab, const CheckSpec& check,
                   const std::vector<TimedCaseResult>& timed) {
  const bool against_solution = check.kind == CheckKind::within_of_solution;
  std::optional<Seen> worst;
  double worst_ratio = 0;
  for (const std::size_t index : check.timed) {
    const auto found = std::find_if(timed.begin(), timed.end(), [&](const auto& each) {
      return each.id == lab.timed[index].id;
    });
    if (found == timed.end())
      return failed({.where = "case " + lab.timed[index].id,
                     .what = "was not timed: the time of a wrong result does not count",
                     .of_where = true});
    const TimedCaseResult& result = *found;
    if (!result.completed() || !result.timing) return not_timed(result);
    const auto error =
        std::ranges::find(result.findings, kernels::Severity::error, &kernels::Finding::severity);
    if (!result.measured && error != result.findings.end())
      return failed_by(result, *error, ", so its time does not count");
    if (!result.correct())
      return failed({.where = described_time(result),
                     .what = right_launches(result) + " right, so its time does not count"});
    const bool of_read_limit = check.kind == CheckKind::share_of_read_limit;
    const TimedCaseResult::Rival* rival = find_rival(result, rival_of(lab, check));
    if (rival == nullptr)
      return failed({.where = described_time(result), .what = "there is no time to compare with"});
    const double own_ms = result.timing->median_ms, rival_ms = rival->ms();
    const double ratio =
        against_solution ? own_ms / rival_ms : rival_ms / own_ms * (of_read_limit ? 100 : 1);
    Seen seen{.where = described_time(result),
              .what = describe_ratio(check, *rival, own_ms, ratio)};
    if (!result.measured)
      seen.aside = fmt::format(
          "a model: half of its times are within a factor of {:g}, nine of ten within {:g}{}",
          reference::typical_error, reference::error_of_nine_in_ten, longest_run(result));
    // The model may be wrong by this much, so the time may be short enough on a GPU.
    const double too_slow = against_solution ? ratio / check.factor : check.factor / ratio;
    if (!result.measured && too_slow > 1 && too_slow <= reference::typical_error)
      seen.what += fmt::format("; that is within the model's error of {:g} times, so it passes",
                               reference::typical_error);
    else if (too_slow > 1) {
      Outcome slow = failed(std::move(seen));
      slow.about = result.id;
      return slow;
    }
    if (!worst || (against_solution ? ratio > worst_ratio : ratio < worst_ratio)) {
      worst = std::move(seen);
      worst_ratio = ratio;
    }
  }
  return passed(worst.value_or(Seen{}));
}

}  // namespace histolab::grader
