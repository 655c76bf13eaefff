#include "grader/feedback/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "grader/report/case_text.h"
#include "grader/words/source_excerpt.h"
#include "grader/words/words.h"

namespace histolab::grader {
namespace {

using kernels::FindingKind;

std::size_t lines_of_text(const Remark& remark) {
  const std::string text = to_text(remark);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Shortens a remark that long names, types or hints make too long: drops its reason, then cuts its
// sentences.
bool shorten(Remark& remark) {
  if (lines_of_text(remark) <= most_advice_lines) return false;
  remark.why.clear();
  for (std::string* part : {&remark.what, &remark.next})
    for (std::size_t length = part->size();
         lines_of_text(remark) > most_advice_lines && length > 80;)
      *part = shortened(*part, length -= 40);
  return true;
}

void shorten(Advice& advice) {
  for (Remark& remark : advice.remarks) advice.shortened |= shorten(remark);
}

Remark remark_from(const kernels::Diagnostic& diagnostic) {
  kernels::MessageParts parts = kernels::parts_of(diagnostic.message);
  Remark remark{.what = std::move(parts.what), .next = std::move(parts.next)};
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
    advice.remarks.push_back(remark_from(each));
  }
  if (advice.remarks.empty())
    advice.remarks.push_back(remark_from({kernels::Severity::error, 0, 0, lab.message}));
}

// The compiler's warnings often name the cause of a failure, so they come before its description.
void add_warnings(const LabResult& lab, Advice& advice) {
  std::size_t left = 2;
  for (const kernels::Diagnostic& each : lab.diagnostics) {
    if (each.severity != kernels::Severity::note || each.line == 0 || left == 0) continue;
    --left;
    advice.remarks.push_back(remark_from(each));
    advice.remarks.back().what.insert(0, "the compiler warns: ");
  }
}

// Adds the failure behind the warnings, or before them if that would be too long: without a line of
// its own, its text directly follows that of a warning.
void add_failure(Remark failure, Advice& advice) {
  const auto fits = [&] {
    return advice.remarks.empty() || !failure.places.empty() ||
           lines_of_text(advice.remarks.back()) + lines_of_text(failure) <= most_advice_lines;
  };
  std::string why;
  if (!fits()) why = std::exchange(failure.why, {});
  const bool behind = fits();
  if (!behind) failure.why = std::move(why);
  advice.remarks.insert(behind ? advice.remarks.end() : advice.remarks.begin(), std::move(failure));
}

// A case in the space that a remark has. The dataset is dropped, or cut and kept if the case's id
// does not name it. The order of threads and blocks is kept only with `with_order`.
std::string in_short(const CaseResult& result, std::size_t launch, bool with_dataset,
                     bool with_order) {
  CaseResult named = result;
  if (!with_order) named.schedule = {}, named.block_order = {};
  const bool once = with_dataset && result.id.find(result.dataset) == std::string::npos;
  named.dataset = once ? shortened(result.dataset, 27) : std::string{};
  std::string text = described(named, launch);
  if (const std::size_t at = text.find("(, "); !once && at != std::string::npos)
    text.erase(at + 1, 2);
  return text;
}

std::vector<CaseResult>::const_iterator case_of(const LabResult& lab, const CheckResult& check) {
  return std::ranges::find_if(lab.cases, [&](const CaseResult& each) {
    return described(each, check.launch) == check.seen.where;
  });
}

// The case's description in several lengths, longest first.
std::vector<std::string> places_of(const LabResult& lab, const CheckResult& check) {
  const auto of_it = case_of(lab, check);
  if (of_it == lab.cases.end()) return {check.seen.where};
  return {in_short(*of_it, check.launch, true, true), in_short(*of_it, check.launch, false, true),
          in_short(*of_it, check.launch, false, false)};
}

std::string why_of(const CheckResult& check) {
  if (!check.seen.why.empty() || !check.cause) return check.seen.why;
  if (check.tells_cause) return std::string{why_it_matters(*check.cause)};
  return fmt::format("{}: {}", kernels::name(check.cause->kind),
                     kernels::parts_of(check.cause->message).what);
}

std::string next_of(const LabResult& lab, const CheckResult& check) {
  const std::string of_cause = check.cause && !check.tells_cause
                                   ? kernels::parts_of(check.cause->message).next
                                   : std::string{};
  const std::string own = of_cause.empty() ? check.seen.next : of_cause;
  if (!own.empty() && !check.hint_fits) return own;
  if (!check.hint.empty()) return check.hint;
  if (!own.empty()) return own;
  if (check.of_quiz) return fmt::format("histolab quiz {} asks the questions", lab.lab);
  return fmt::format("histolab hint {} prints a hint, histolab lesson {} the lesson", lab.lab,
                     lab.lab);
}

Remark remark_on(const LabResult& lab, const CheckResult& check) {
  const Seen& seen = check.seen;
  Remark remark{.what = seen.of_where ? "the launch " + seen.what : seen.what,
                .why = why_of(check),
                .next = next_of(lab, check)};
  if (!seen.note.empty()) {
    if (!check.cause)
      remark.what += "; " + seen.note;
    else if (check.cause->kind == FindingKind::out_of_bounds)
      remark.why = seen.note;  // it explains the cause
  }
  if (check.line > 0) remark.places.push_back({check.line, 0});
  if (const auto& cause = check.cause;
      cause && cause->other_line > 0 && cause->other_line != cause->line)
    remark.places.push_back({cause->other_line, 0});
  const std::vector<std::string> places = places_of(lab, check);
  remark.where = seen.aside.empty() || seen.where.empty()
                     ? places.front()
                     : fmt::format("{}; {}", places.front(), seen.aside);
  const auto is_too_long = [&] { return lines_of_text(remark) > most_advice_lines; };
  for (const std::string& shorter : places)
    if (is_too_long()) remark.where = shorter;
  if (is_too_long() && check.tells_cause)
    remark.why.clear();  // why a finding of this kind matters in general
  // The line to blame matters more than a separate "why" line.
  if (is_too_long() && !check.cause)
    remark.what = Seen{.what = remark.what, .why = std::exchange(remark.why, {})}.sentence();
  return remark;
}

}  // namespace

std::string debug_words(const LabResult& lab) {
  const CheckResult* check = first_failing(lab);
  if (check == nullptr || check->of_quiz || check->status != CheckResult::Status::failed) return {};
  const auto of_it = case_of(lab, *check);
  if (of_it == lab.cases.end()) return {};
  std::string words = fmt::format("debug {} --case {}", lab.lab, of_it->id);
  if (!check->cause || !check->cause->thread) return words;
  const auto number = [](const kernels::Dim3& at) {
    return at.y == 0 && at.z == 0 ? fmt::format("{}", at.x)
                                  : fmt::format("{},{},{}", at.x, at.y, at.z);
  };
  return words + fmt::format(" --block {} --thread {}", number(check->cause->thread->block),
                             number(check->cause->thread->thread));
}

std::string_view why_it_matters(const kernels::Finding& finding) {
  if (kernels::waits_for_another_block(finding))
    return "the emulator runs blocks in turn; a GPU runs as many at once as fit";
  return kernels::why_it_matters(finding.kind);
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
      advice.headline =
          lab.status == Verdict::refused ? "the kernel was refused" : "does not compile";
      add_errors(lab, advice);
      shorten(advice);
      return advice;
    case Verdict::failed:
    case Verdict::timeout:
    case Verdict::crashed: break;
  }
  if (check == nullptr) return std::nullopt;
  advice.headline =
      fmt::format("{} {} ({} of {} points)", check->id,
                  check->status == CheckResult::Status::not_run ? "was not run" : "failed",
                  check->score, check->max_score);
  advice.of_quiz = check->of_quiz;
  if (!check->of_quiz) add_warnings(lab, advice);
  add_failure(remark_on(lab, *check), advice);
  shorten(advice);
  return advice;
}

Remark remark_for(const LabResult& lab, const CheckResult& check) {
  Remark remark = remark_on(lab, check);
  shorten(remark);
  return remark;
}

std::string to_text(const Remark& remark, std::size_t width) {
  constexpr std::size_t indent = 2;
  std::string text =
      remark.where.empty() ? std::string{} : paragraph("in " + remark.where, indent, width);
  text += paragraph(remark.what, indent, width);
  if (!remark.why.empty()) text += paragraph("why: " + remark.why, indent, width);
  if (!remark.next.empty()) text += paragraph("try: " + remark.next, indent, width);
  return text;
}

std::string to_text(const Advice& advice, const Submission& submission, std::size_t width) {
  std::string text;
  for (const Remark& remark : advice.remarks) {
    for (const Remark::Place& place : remark.places)
      text += source_excerpt(submission.path, submission.text, place.line, place.column, width);
    text += to_text(remark, width);
  }
  if (advice.more > 0) text += fmt::format("  and {}\n", counted(advice.more, "more error"));
  return text;
}

}  // namespace histolab::grader
