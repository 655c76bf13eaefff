#include "grader/formats/graded.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/html/html.h"
#include "grader/words/words.h"

namespace histolab::formats {

using grader::has_mark;
using grader::shown_text;

Graded graded_of(const grader::Report& report) {
  Graded graded;
  for (const grader::LabResult& lab : report.labs) {
    batch::Mark& mark = graded.marks.emplace_back();
    mark.result = lab;
    mark.score = lab.score;
    if (!has_mark(lab.status)) mark.note = lab.message;
  }
  return graded;
}

std::vector<batch::Lab> labs_of(const grader::Report& report) {
  std::vector<batch::Lab> labs;
  for (const grader::LabResult& lab : report.labs)
    labs.push_back({lab.lab, lab.title, lab.max_score, {}, {}});
  return labs;
}

double rounded(double points) { return std::round(points * 100) / 100; }

std::string display_name(const batch::Student& student) {
  const std::string name = shown_text(student.name.empty() ? student.key : student.name);
  return name == student.key ? name : fmt::format("{} ({})", name, student.key);
}

std::string points_text(double points) { return fmt::format("{}", rounded(points)); }

std::optional<double> score_of(const Graded& graded) {
  double sum = 0;
  for (const batch::Mark& mark : graded.marks) {
    if (!mark.has_score()) return std::nullopt;
    sum += mark.weight * mark.score;
  }
  return rounded(sum);
}

double max_score_of(const Graded& graded) {
  double sum = 0;
  for (const batch::Mark& mark : graded.marks) sum += mark.weight * mark.result.max_score;
  return rounded(sum);
}

std::string test_name(const grader::LabResult& lab, const grader::CheckResult& check) {
  return shown_text(lab.lab + ": " + (check.title.empty() ? check.id : check.title));
}

std::string describe(const grader::CheckResult& check) {
  std::string text = check.seen.sentence();
  if (check.line > 0) text += fmt::format("{}(line {})", text.empty() ? "" : " ", check.line);
  if (!check.hint.empty()) text += fmt::format("{}Hint: {}", text.empty() ? "" : "\n", check.hint);
  return shown_text(text);
}

std::string weight_text(const batch::Mark& mark) {
  return mark.weight == 1 ? std::string{} : fmt::format(" x {}", points_text(mark.weight));
}

std::string describe(const batch::Mark& mark) {
  std::string text =
      fmt::format("{}: {}", mark.result.lab, grader::in_words(name(mark.result.status)));
  if (mark.has_score())
    text += fmt::format(", {} of {} points{}", points_text(mark.score), mark.result.max_score,
                        weight_text(mark));
  if (!mark.result.message.empty()) text += ". " + mark.result.message;
  if (!mark.note.empty() && mark.note != mark.result.message) text += ". " + mark.note;
  return shown_text(text);
}

std::string summary_of(const Graded& graded) {
  std::string text;
  if (!graded.problem.empty()) text += shown_text(graded.problem) + "\n";
  for (const batch::Mark& mark : graded.marks) text += describe(mark) + "\n";
  return text;
}

std::string diagnostics_of(const grader::LabResult& lab) {
  std::string text;
  for (const kernels::Diagnostic& each : lab.diagnostics) {
    text += lab.lab + ".cu";
    if (each.line > 0) text += fmt::format(":{}", each.line);
    if (each.line > 0 && each.column > 0) text += fmt::format(":{}", each.column);
    text +=
        fmt::format(": {}: {}\n", each.severity == kernels::Severity::error ? "error" : "warning",
                    each.message);
  }
  return shown_text(text);
}

std::string printed_by(const grader::LabResult& lab) {
  std::string text;
  for (const grader::CaseResult& each : lab.cases) text += each.printed;
  return shown_text(text);
}

std::string cut(const std::string& text, std::size_t characters, const std::string& mark) {
  if (grader::columns(text) <= characters) return text;
  const std::size_t kept = characters - std::min(characters, grader::columns(mark));
  std::size_t at = 0, seen = 0;
  const auto begins = [&](std::size_t byte) {
    return (static_cast<unsigned char>(text[byte]) & 0xC0) != 0x80;
  };
  for (; at < text.size(); ++at)
    if (begins(at) && seen++ == kept) break;
  return text.substr(0, at) + mark;
}

}  // namespace histolab::formats
