#include "grader/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "grader/checks.h"
#include "grader/source_excerpt.h"
#include "grader/words.h"

namespace histolab::grader {
namespace {

using kernels::FindingKind;

// A finding's message: what happened, up to the first full stop, and what to do about it.
std::size_t end_of_what(const std::string& message) { return std::min(message.find(". "), message.size()); }
std::string what_of(const std::string& message) { return message.substr(0, end_of_what(message)); }
std::string advice_of(const std::string& message) {
  const std::size_t end = end_of_what(message);
  return end == message.size() ? std::string{} : message.substr(end + 2);
}

void add_errors(const LabResult& lab, Advice& advice) {
  constexpr std::size_t most = 3;
  for (const kernels::Diagnostic& each : lab.diagnostics) {
    if (each.severity != kernels::Severity::error) continue;
    if (advice.remarks.size() == most) {
      ++advice.more;
      continue;
    }
    advice.remarks.push_back({{}, each.message, {}, {}, {}});
    if (each.line > 0) advice.remarks.back().places.push_back({each.line, each.column});
  }
  if (advice.remarks.empty()) advice.remarks.push_back({{}, lab.message, {}, {}, {}});
}

// What the compiler warns of: often the cause of what was seen.
void add_warnings(const LabResult& lab, Advice& advice) {
  std::size_t left = 2;
  for (const kernels::Diagnostic& each : lab.diagnostics) {
    if (each.severity != kernels::Severity::note || each.line == 0 || left == 0) continue;
    --left;
    advice.remarks.push_back({{}, "the compiler warns: " + each.message, {}, {}, {{each.line, each.column}}});
  }
}

// "case one (constant, 1 byte, grid 1 x block 32), launch 1 of 2: what was seen": the case, and the rest.
std::pair<std::string, std::string> split_at_case(const LabResult& lab, const std::string& message) {
  for (const CaseResult& each : lab.cases) {
    const std::string of_case = described(each);
    if (!message.starts_with(of_case)) continue;
    std::size_t end = of_case.size();
    if (message.compare(end, 9, ", launch ") == 0) end = std::min(message.find(": ", end), message.size());
    return {message.substr(0, end), message.substr(std::min(message.find_first_not_of(": ", end), message.size()))};
  }
  return {{}, message};
}

// The check's own sentence, and the finding that explains it: if it is about the finding, in place of it.
Remark remark_on(const LabResult& lab, const CheckResult& check) {
  Remark remark;
  std::tie(remark.where, remark.what) = split_at_case(lab, check.message);
  remark.next = check.hint;
  if (check.line > 0) remark.places.push_back({check.line, 0});
  if (!check.cause) return remark;
  const kernels::Finding& finding = *check.cause;
  const std::string what = what_of(finding.message), advice = advice_of(finding.message);
  const std::string seen = finding.count > 1 ? fmt::format(" (seen {})", counted(finding.count, "time")) : "";
  const std::size_t at = remark.what.find(finding.message + seen);
  if (at == std::string::npos) {
    remark.what += fmt::format(". The cause: {}: {}", kernels::name(finding.kind), what);
  } else {
    remark.what.replace(at, finding.message.size() + seen.size(), what);
    if (!seen.empty() && !remark.where.empty()) remark.where += fmt::format(", {}", counted(finding.count, "time"));
  }
  if (remark.next.empty() || !check.hint_fits) remark.next = advice.empty() ? remark.next : advice;
  remark.why = why_it_matters(finding.kind);
  if (finding.other_line > 0 && finding.other_line != finding.line) remark.places.push_back({finding.other_line, 0});
  return remark;
}

}  // namespace

std::string_view why_it_matters(FindingKind kind) {
  switch (kind) {
    case FindingKind::data_race: return "who comes first changes from run to run, and with it the result";
    case FindingKind::out_of_bounds: return "a GPU takes or overwrites what lies there, or ends the launch";
    case FindingKind::write_to_input: return "other threads read this too, and no longer what they were given";
    case FindingKind::uninitialized_read: return "what lies there is left over from others: the result is chance";
    case FindingKind::barrier_divergence: return "on a GPU the block hangs, or goes on before all are there";
    case FindingKind::misaligned_access: return "a GPU ends the launch with an error, and with it the program";
    case FindingKind::step_limit: return "on a GPU this launch does not end";
    case FindingKind::shared_memory_limit:
    case FindingKind::invalid_launch: return "a GPU refuses the launch: no thread runs";
    case FindingKind::illegal_instruction: return "the thread ends here, and a GPU ends the launch with it";
    case FindingKind::deadlock: return "on a GPU this launch never ends";
    case FindingKind::invalid_mask: return "on a GPU the warp hangs, or exchanges what nobody meant";
    case FindingKind::unsupported: break;
  }
  return {};
}

std::optional<Advice> advice_for(const LabResult& lab) {
  Advice advice;
  const CheckResult* check = first_failing(lab);
  switch (lab.status) {
    case Verdict::passed:
    case Verdict::not_attempted:
    case Verdict::infrastructure_error: return std::nullopt;
    case Verdict::compile_error:
    case Verdict::refused:
      advice.headline = lab.status == Verdict::refused ? "the kernel was refused" : "does not compile";
      add_errors(lab, advice);
      return advice;
    case Verdict::failed:
    case Verdict::timeout:
    case Verdict::crashed: break;
  }
  if (check == nullptr) return std::nullopt;
  advice.headline = fmt::format("{} {} ({} of {} points)", check->id, check->status == CheckResult::Status::not_run ? "was not run" : "failed", check->score, check->max_score);
  advice.of_quiz = check->of_quiz;
  advice.remarks.push_back(remark_on(lab, *check));
  if (!check->of_quiz) add_warnings(lab, advice);
  return advice;
}

std::string to_text(const Remark& remark, std::size_t width) {
  constexpr std::size_t indent = 2;
  std::string text = remark.where.empty() ? std::string{} : paragraph("in " + remark.where, indent, width);
  text += paragraph(remark.what, indent, width);
  if (!remark.why.empty()) text += paragraph("why: " + remark.why, indent, width);
  if (!remark.next.empty()) text += paragraph("try: " + remark.next, indent, width);
  return text;
}

std::string to_text(const Advice& advice, const Submission& submission, std::size_t width) {
  std::string text;
  for (const Remark& remark : advice.remarks) {
    for (const Remark::Place& place : remark.places) text += source_excerpt(submission.path, submission.text, place.line, place.column, width);
    text += to_text(remark, width);
  }
  if (advice.more > 0) text += fmt::format("  and {}\n", counted(advice.more, "more error"));
  return text;
}

}  // namespace histolab::grader
