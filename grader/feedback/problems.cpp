#include "grader/feedback/problems.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/words/words.h"

namespace histolab::grader {
namespace {

// On one line, so that a message cannot pass for a separate problem.
std::string one_line(std::string text) {
  text = harmless(text);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return text;
}

class ProblemLines {
 public:
  explicit ProblemLines(const std::string& file) : file_(one_line(file)) {}
  void add(int line, int column, const char* severity, const std::string& message) {
    text_ += fmt::format("{}:{}:{}: {}: {}\n", file_, std::max(line, 1), std::max(column, 1),
                         severity, one_line(message));
  }
  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  std::string file_, text_;
};

std::string in_one_line(const kernels::Finding& finding) {
  return fmt::format("{}: {}", kernels::name(finding.kind), finding.message);
}

void add_other_line(ProblemLines& problems, const kernels::Finding& finding) {
  if (finding.other_line > 0 && finding.other_line != finding.line)
    problems.add(finding.other_line, 0, "note", "the other access, by another thread");
}

// Returns whether a diagnostic explains why the kernel cannot run.
bool add_diagnostics(ProblemLines& problems, const LabResult& lab) {
  bool refused = false;
  for (const kernels::Diagnostic& each : lab.diagnostics) {
    const bool error = each.severity == kernels::Severity::error;
    problems.add(each.line, each.column, error ? "error" : "warning", each.message);
    refused |= error;
  }
  return refused;
}

void add_check(ProblemLines& problems, const CheckResult& check) {
  const int line = check.line > 0 || !check.cause ? check.line : check.cause->line;
  // Changing the kernel does not fix a quiz answer.
  problems.add(line, 0, check.of_quiz ? "note" : "error",
               fmt::format("{}: {}", check.id, check.seen.sentence()));
  if (check.cause) {
    if (!check.tells_cause) problems.add(check.cause->line, 0, "note", in_one_line(*check.cause));
    add_other_line(problems, *check.cause);
  }
  if (!check.hint.empty()) problems.add(line, 0, "note", "try: " + check.hint);
}

std::string problems_of(const LabResult& lab) {
  if (!lab.submission || !has_mark(lab.status)) return {};
  ProblemLines problems{lab.submission->path};
  const bool refused = add_diagnostics(problems, lab);
  const CheckResult* check = first_failing(lab);
  if (lab.status == Verdict::compile_error || lab.status == Verdict::refused) {
    if (!refused) problems.add(0, 0, "error", lab.message);
  } else if (check != nullptr) {
    add_check(problems, *check);
  }
  for (const kernels::Finding& finding : lab.findings)
    if (finding.severity == kernels::Severity::note) {
      problems.add(finding.line, 0, "note", in_one_line(finding));
      add_other_line(problems, finding);
    }
  return std::move(problems).text();
}

}  // namespace

std::string to_problems(const Report& report) {
  std::string out;
  for (const LabResult& lab : report.labs) out += problems_of(lab);
  return out;
}

std::string to_summary(const Report& report) {
  std::string out;
  for (const LabResult& lab : report.labs)
    if (lab.submission && has_mark(lab.status))
      out += fmt::format("histolab: {}: {}, {} of {}\n", lab.lab, name(lab.status), lab.score,
                         counted(static_cast<std::uint64_t>(lab.max_score), "point"));
  const bool all_missing =
      std::all_of(report.labs.begin(), report.labs.end(),
                  [](const LabResult& lab) { return lab.status == Verdict::not_attempted; });
  const std::string which = report.labs.size() == 1 ? " " + report.labs.front().lab : "";
  if (all_missing)
    out += fmt::format("histolab: nothing to grade: histolab start{} puts the {} into work/\n",
                       which, which.empty() ? "stubs" : "stub");
  return out;
}

}  // namespace histolab::grader
