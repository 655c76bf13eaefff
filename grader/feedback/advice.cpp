#include "grader/feedback/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "grader/checks/checks.h"
#include "grader/words/source_excerpt.h"
#include "grader/words/words.h"

namespace histolab::grader {
namespace {

using kernels::FindingKind;

// A message: what happened, up to the first full stop, and what to do about it.
std::pair<std::string, std::string> what_and_advice(const std::string& message) {
  const std::size_t end = message.find(". ");
  if (end == std::string::npos) return {message, {}};
  return {message.substr(0, end), message.substr(end + 2)};
}

std::size_t lines_of_text(const Remark& remark) {
  const std::string text = to_text(remark);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// What a name, a type or a hint of any length makes longer than a remark may be: without its reason, then cut.
bool shorten(Remark& remark) {
  if (lines_of_text(remark) <= most_advice_lines) return false;
  remark.why.clear();
  for (std::string* part : {&remark.what, &remark.next})
    for (std::size_t length = part->size(); lines_of_text(remark) > most_advice_lines && length > 80;) *part = shortened(*part, length -= 40);
  return true;
}

void shorten(Advice& advice) {
  for (Remark& remark : advice.remarks) advice.shortened |= shorten(remark);
}

Remark told(const kernels::Diagnostic& diagnostic) {
  Remark remark;
  std::tie(remark.what, remark.next) = what_and_advice(diagnostic.message);
  if (remark.next.empty()) remark.next = "Look at this line, and at the end of the one above it";
  if (diagnostic.line > 0) remark.places.push_back({diagnostic.line, diagnostic.column});
  return remark;
}

void add_errors(const LabResult& lab, Advice& advice) {
  constexpr std::size_t most = 3;
  for (const kernels::Diagnostic& each : lab.diagnostics) {
    if (each.severity != kernels::Severity::error) continue;
    if (advice.remarks.size() == most) {
      ++advice.more;
      continue;
    }
    advice.remarks.push_back(told(each));
  }
  if (advice.remarks.empty()) advice.remarks.push_back(told({kernels::Severity::error, 0, 0, lab.message}));
}

// What the compiler warns of: often the cause of what was seen.
void add_warnings(const LabResult& lab, Advice& advice) {
  std::size_t left = 2;
  for (const kernels::Diagnostic& each : lab.diagnostics) {
    if (each.severity != kernels::Severity::note || each.line == 0 || left == 0) continue;
    --left;
    advice.remarks.push_back(told(each));
    advice.remarks.back().what.insert(0, "the compiler warns: ");
  }
}

// A case in one line, without its dataset where its id names that already.
std::string in_short(const CaseResult& result, bool with_dataset) {
  CaseResult named = result;
  const bool once = with_dataset && result.id.find(result.dataset) == std::string::npos;
  named.dataset = once ? shortened(result.dataset, 27) : std::string{};
  std::string text = described(named);
  if (const std::size_t at = text.find("(, "); !once && at != std::string::npos) text.erase(at + 1, 2);
  return text;
}

// "case one (constant, 1 byte, grid 1 x block 32), launch 1 of 2: what was seen (1 of 4 cases differ)", taken apart.
struct Seen {
  std::string where, what, how_often;
  std::string where_in_short;  // without the dataset
  std::string note;            // of the export that the kernel does not have: beside a cause it is of no interest
  bool ended = false;  // it has no result: what was seen is how the launch ended
};
Seen seen_in(const LabResult& lab, const std::string& message) {
  for (const CaseResult& each : lab.cases) {
    const std::string of_case = described(each);
    if (!message.starts_with(of_case)) continue;
    Seen seen{in_short(each, true), message.substr(of_case.size()), {}, in_short(each, false), {}};
    if (const std::size_t at = seen.what.rfind(". Note: "); at != std::string::npos) seen.note = seen.what.substr(at + 8), seen.what.resize(at);
    if (seen.what.starts_with(", launch ")) {
      const std::size_t end = std::min(seen.what.find(": "), seen.what.size());
      for (std::string* where : {&seen.where, &seen.where_in_short}) *where += seen.what.substr(0, end);
      seen.what.erase(0, end);
    }
    seen.ended = seen.what.starts_with(' ');
    seen.what = seen.ended ? "the launch" + seen.what : seen.what.substr(std::min(seen.what.find_first_not_of(": "), seen.what.size()));
    if (const std::size_t at = seen.what.rfind(" ("); at != std::string::npos && seen.what.ends_with(" cases differ)")) {
      seen.how_often = seen.what.substr(at + 2, seen.what.size() - at - 3);
      seen.what.resize(at);
    }
    return seen;
  }
  return {{}, message, {}, {}, {}};
}

// What was seen, and the finding that explains it.
void add_cause(const kernels::Finding& finding, const CheckResult& check, Seen& seen, Remark& remark) {
  const auto [what, advice] = what_and_advice(finding.message);
  const std::string times = finding.count > 1 ? counted(finding.count, "time") : "";
  const std::string in_full = finding.message + (times.empty() ? "" : fmt::format(" (seen {})", times));
  if (const std::size_t at = seen.what.find(finding.message); at == std::string::npos) {
    remark.why = fmt::format("{}: {}", kernels::name(finding.kind), what);
  } else {
    const bool counted_here = seen.what.compare(at, in_full.size(), in_full) == 0;
    seen.what.replace(at, counted_here ? in_full.size() : finding.message.size(), what);
    if (counted_here && !times.empty()) seen.how_often = times;
    remark.why = why_it_matters(finding.kind);
    // What a GPU made of it says more than what one may make of it.
    if (const std::size_t evidence = seen.what.find(". On the "); evidence != std::string::npos) {
      remark.why = "on" + seen.what.substr(evidence + 4);
      seen.what.resize(evidence);
    }
    if (const std::size_t more = seen.what.rfind("; "); more != std::string::npos && seen.what.find(" more finding", more) != std::string::npos) {
      seen.how_often += (seen.how_often.empty() ? "" : ", and ") + seen.what.substr(more + 2);
      seen.what.resize(more);
    }
  }
  if ((remark.next.empty() || !check.hint_fits) && !advice.empty()) remark.next = advice;
  if (finding.other_line > 0 && finding.other_line != finding.line) remark.places.push_back({finding.other_line, 0});
}

Remark remark_on(const LabResult& lab, const CheckResult& check) {
  Seen seen = seen_in(lab, check.message);
  Remark remark;
  remark.next = check.of_quiz && check.hint.empty() ? fmt::format("histolab quiz {} asks the questions", lab.lab) : check.hint;
  if (check.line > 0) remark.places.push_back({check.line, 0});
  if (check.cause) {
    add_cause(*check.cause, check, seen, remark);
  } else if (seen.ended || remark.next.empty()) {
    std::string advice;
    std::tie(seen.what, advice) = what_and_advice(seen.what);
    if (!advice.empty() && !check.hint_fits) remark.next = advice;
  }
  remark.what = check.cause || seen.note.empty() ? seen.what : fmt::format("{}; {}", seen.what, seen.note);
  if (remark.next.empty()) remark.next = fmt::format("histolab hint {} has hints, histolab lesson {} the lesson", lab.lab, lab.lab);
  remark.where = seen.where.empty() || seen.how_often.empty() ? seen.where : fmt::format("{}, {}", seen.where, seen.how_often);
  for (const std::string& shorter : {seen.where, seen.where_in_short})
    if (lines_of_text(remark) > most_advice_lines) remark.where = shorter;
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
    case FindingKind::shared_memory_limit: return "no thread runs: the compiler or the launch refuses it";
    case FindingKind::invalid_launch: return "a GPU refuses the launch: no thread runs";
    case FindingKind::illegal_instruction: return "the thread ends here; a GPU stops as well, or goes on with rubbish";
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
    case Verdict::infrastructure_error:
    case Verdict::needs_review: return std::nullopt;
    case Verdict::compile_error:
    case Verdict::refused:
      advice.headline = lab.status == Verdict::refused ? "the kernel was refused" : "does not compile";
      add_errors(lab, advice);
      shorten(advice);
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
  shorten(advice);
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
