#include "grader/class_report/mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "grader/class_report/code_view.h"
#include "grader/class_report/mistake_words.h"
#include "grader/feedback/advice.h"
#include "grader/words/words.h"

namespace histolab::class_report {
namespace {

using grader::CheckResult;
using grader::LabResult;
using grader::Verdict;
using kernels::Finding;
using kernels::FindingKind;

// One mistake of one kernel.
struct Seen {
  std::string key;  // the same for all students with this mistake
  std::string title, why, next;
  std::vector<int> lines;
};

Seen seen(std::string title, std::string why, std::vector<int> lines) {
  return {title, title, std::move(why), {}, std::move(lines)};
}

// Returns the advice that `grade` prints, or nothing if it contains the student's own words.
std::string advice_to(const LabResult& result, const CourseWords& words) {
  const std::optional<grader::Advice> advice = grader::advice_for(result);
  if (!advice || !result.submission) return {};
  const std::string& next = advice->remarks.front().next;
  return has_own_words(next, words, result.submission->text) ? std::string{} : next;
}

bool is_of_the_lab(const Finding& finding, const LabResult& solution) {
  return std::any_of(solution.findings.begin(), solution.findings.end(), [&](const Finding& own) {
    return own.kind == finding.kind && own.variable == finding.variable;
  });
}

// True for a finding about threads that went different ways. Other findings may only follow from
// it.
bool ends_the_launch(const Finding& finding) {
  return finding.kind == FindingKind::barrier_divergence || finding.kind == FindingKind::deadlock ||
         finding.kind == FindingKind::step_limit;
}

std::vector<Seen> seen_in_findings(const LabResult& result, const LabResult& solution,
                                   const CourseWords& words) {
  std::vector<const Finding*> errors;
  for (const Finding& finding : result.findings)
    if (finding.severity == kernels::Severity::error && !is_of_the_lab(finding, solution))
      errors.push_back(&finding);
  if (std::any_of(errors.begin(), errors.end(),
                  [](const Finding* each) { return ends_the_launch(*each); }))
    std::erase_if(errors, [](const Finding* each) { return !ends_the_launch(*each); });
  const CheckResult* const check = grader::first_failing(result);
  const auto is_advised = [&](const Finding& finding) {
    return check != nullptr && check->cause && check->cause->kind == finding.kind &&
           check->cause->line == finding.line && check->cause->variable == finding.variable;
  };
  std::vector<Seen> all;
  for (const Finding* each : errors) {
    all.push_back(seen(mistake_of(*each, words), std::string{grader::why_it_matters(*each)},
                       {each->line, each->other_line}));
    if (is_advised(*each)) all.back().next = advice_to(result, words);
  }
  return all;
}

Seen seen_by_the_compiler(const LabResult& result, const CourseWords& words) {
  const auto first = std::ranges::find(result.diagnostics, kernels::Severity::error,
                                       &kernels::Diagnostic::severity);
  const bool placed = first != result.diagnostics.end();
  const std::string what = kernels::parts_of(placed ? first->message : result.message).what;
  const std::string source = result.submission ? result.submission->text : std::string{};
  const auto title = [&](Numbers numbers) {
    return fmt::format("{}: {}", result.status == Verdict::refused ? "refused" : "does not compile",
                       anonymous_message(what, words, source, numbers));
  };
  return {title(Numbers::as_n),
          title(Numbers::shown),
          {},
          advice_to(result, words),
          {placed ? first->line : 0}};
}

std::vector<Seen> seen_in(const LabResult& result, const LabResult& solution,
                          const CourseWords& words) {
  switch (result.status) {
    case Verdict::compile_error:
    case Verdict::refused: return {seen_by_the_compiler(result, words)};
    case Verdict::failed:
    case Verdict::timeout:
    case Verdict::crashed: break;
    default: return {};
  }
  if (std::vector<Seen> all = seen_in_findings(result, solution, words); !all.empty()) return all;
  const auto with_advice = [&](Seen found) {
    found.next = advice_to(result, words);
    return std::vector<Seen>{std::move(found)};
  };
  if (result.status == Verdict::timeout) return with_advice(seen("does not end in time", {}, {}));
  if (result.status == Verdict::crashed) return with_advice(seen("crashes", {}, {}));
  const CheckResult* check = grader::first_failing(result);
  if (check == nullptr) return {};
  const std::string wrong = check->of_quiz ? std::string{} : wrong_counts(result);
  const std::string what = check->title.empty() ? check->id : check->title;
  return with_advice(seen(wrong.empty() ? fmt::format("{}, check failed: {}", result.lab, what)
                                        : fmt::format("{}: {}", result.lab, wrong),
                          {}, {check->line}));
}

// Returns the lines with two lines around each, without blank lines at the ends.
std::vector<ExcerptLine> excerpt(const std::vector<std::string>& code,
                                 const std::vector<int>& marked) {
  constexpr int around = 2;
  std::set<int> shown;
  const int count = std::min(static_cast<int>(code.size()), CodeView::most_lines);
  for (const int line : marked)
    if (line >= 1 && line <= count)
      for (int each = std::max(1, line - around); each <= std::min(count, line + around); ++each)
        shown.insert(each);
  std::vector<ExcerptLine> lines;
  for (const int number : shown)
    lines.push_back({number, code[static_cast<std::size_t>(number) - 1],
                     std::find(marked.begin(), marked.end(), number) != marked.end()});
  while (!lines.empty() && lines.front().code.empty()) lines.erase(lines.begin());
  while (!lines.empty() && lines.back().code.empty()) lines.pop_back();
  std::size_t indent = std::string::npos;
  for (const ExcerptLine& line : lines) indent = std::min(indent, line.code.find_first_not_of(' '));
  for (ExcerptLine& line : lines)
    line.code = grader::shortened(
        line.code.substr(indent == std::string::npos ? 0 : std::min(indent, line.code.size())),
        CodeView::most_columns);
  return lines;
}

// Keeps `to` sorted and free of duplicates.
void insert(std::vector<std::size_t>& to, std::size_t number) {
  const auto at = std::ranges::lower_bound(to, number);
  if (at == to.end() || *at != number) to.insert(at, number);
}

}  // namespace

Mistakes::Mistakes(const batch::ClassResults& results) : results_(results) {
  for (const batch::Lab& lab : results.labs) {
    words_.learn(lab.stub);
    if (lab.solution.submission) words_.learn(lab.solution.submission->text);
  }
}

void Mistakes::add(std::size_t number, const batch::Entry& entry) {
  for (std::size_t l = 0; l < std::min(entry.marks.size(), results_.labs.size()); ++l) {
    const LabResult& result = entry.marks[l].result;
    for (const Seen& seen : seen_in(result, results_.labs[l].solution, words_)) {
      const auto [at, is_new] = known_.try_emplace(seen.key, mistakes_.size());
      if (is_new) mistakes_.push_back({seen.title, seen.why, seen.next, {}, {}, {}});
      Mistake& mistake = mistakes_[at->second];
      insert(mistake.entries, number);
      insert(mistake.labs, l);
      if (mistake.next.empty()) mistake.next = seen.next;
      if (mistake.excerpt.empty() && result.submission)
        mistake.excerpt = excerpt(anonymous_code(result.submission->text, words_), seen.lines);
    }
  }
}

std::vector<Mistake> Mistakes::sorted() && {
  std::stable_sort(mistakes_.begin(), mistakes_.end(), [](const Mistake& a, const Mistake& b) {
    return a.entries.size() > b.entries.size();
  });
  return std::move(mistakes_);
}

}  // namespace histolab::class_report
