// JUnit XML, as Jenkins, GitLab and most others read it; nobody has standardised it: docs/formats/junit.xsd is the common part that this keeps to.
#include <fmt/format.h>

#include "grader/formats/formats.h"
#include "grader/html/html.h"

namespace histolab::formats {
namespace {

using grader::CheckResult;
using grader::Verdict;

// Of an attribute's value: a reader makes blanks of newlines that are not written as references.
std::string attribute(const std::string& text) {
  std::string out;
  for (const char c : grader::escaped_html(text)) out += c == '\n' ? "&#10;" : c == '\t' ? "&#9;" : std::string(1, c);
  return out;
}

enum class Outcome { passed, failed, error, skipped };

Outcome outcome_of(const batch::Mark& mark, const CheckResult& check) {
  if (!has_mark(mark.result.status)) return Outcome::error;
  if (mark.result.status == Verdict::not_attempted) return Outcome::skipped;
  if (check.status == CheckResult::Status::passed) return Outcome::passed;
  return check.status == CheckResult::Status::failed ? Outcome::failed : Outcome::error;
}

struct Counts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  void add(Outcome outcome) {
    ++tests;
    failures += outcome == Outcome::failed, errors += outcome == Outcome::error, skipped += outcome == Outcome::skipped;
  }
  [[nodiscard]] std::string attributes() const { return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}")", tests, failures, errors, skipped); }
};

std::string test_case(const batch::Mark& mark, const CheckResult& check, const std::string& class_name) {
  const std::string text = told(check), type{name(mark.result.status)};
  std::string out = fmt::format(R"(    <testcase name="{}" classname="{}")", attribute(check.title.empty() ? check.id : check.title), attribute(class_name));
  const auto inside = [&](const char* element) { return fmt::format(">\n      <{} type=\"{}\" message=\"{}\">{}</{}>\n    </testcase>\n", element, type, attribute(check.seen.sentence()), grader::escaped_html(text), element); };
  switch (outcome_of(mark, check)) {
    case Outcome::passed: return out + "/>\n";
    case Outcome::failed: return out + inside("failure");
    case Outcome::error: return out + inside("error");
    case Outcome::skipped: return out + fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", attribute(check.seen.sentence()));
  }
  return out;
}

std::string suite(const Graded& graded, const batch::Mark& mark, Counts& all) {
  const std::string& key = graded.student.key;
  Counts counts;
  std::string cases;
  for (const CheckResult& check : mark.result.checks) {
    const Outcome outcome = outcome_of(mark, check);
    counts.add(outcome), all.add(outcome);
    cases += test_case(mark, check, (key.empty() ? "histolab" : key) + "." + mark.result.lab);
  }
  std::string out = fmt::format("  <testsuite name=\"{}\" {}>\n    <properties>\n", attribute(key.empty() ? mark.result.lab : key + ": " + mark.result.lab), counts.attributes());
  const auto property = [&](const char* what, const std::string& value) { out += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", what, attribute(value)); };
  property("status", std::string{name(mark.result.status)});
  if (has_mark(mark.result.status)) property("score", points_text(mark.score));
  property("max_score", fmt::format("{}", mark.result.max_score));
  out += "    </properties>\n" + cases;
  if (const std::string printed = printed_by(mark.result); !printed.empty()) out += "    <system-out>" + grader::escaped_html(printed) + "</system-out>\n";
  return out + fmt::format("    <system-err>{}</system-err>\n  </testsuite>\n", grader::escaped_html((has_mark(mark.result.status) ? "" : std::string{no_score} + "\n") + told(mark) + "\n" + diagnostics_of(mark.result)));
}

}  // namespace

std::string to_junit(const std::vector<Graded>& students) {
  Counts counts;
  std::string suites;
  for (const Graded& graded : students)
    for (const batch::Mark& mark : graded.marks) suites += suite(graded, mark, counts);
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"histolab\" {}>\n{}</testsuites>\n", counts.attributes(), suites);
}

}  // namespace histolab::formats
