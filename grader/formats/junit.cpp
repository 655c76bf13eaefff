// JUnit XML for Jenkins, GitLab and others. The format has no standard; docs/formats/junit.xsd
// describes the common subset that is written here.
#include <fmt/format.h>

#include "grader/formats/formats.h"
#include "grader/html/html.h"

namespace histolab::formats {
namespace {

using grader::CheckResult;
using grader::Verdict;

// Escapes an attribute's value. Newlines are references, because XML readers turn literal ones into
// blanks.
std::string attribute(const std::string& text) {
  std::string out;
  for (const char c : grader::escaped_html(text))
    out += c == '\n' ? "&#10;" : c == '\t' ? "&#9;" : std::string(1, c);
  return out;
}

enum class Outcome { passed, failed, error, skipped };

Outcome outcome_of(const batch::Mark& mark, const CheckResult& check) {
  if (!has_mark(mark.result.status)) return Outcome::error;
  if (mark.result.status == Verdict::not_attempted) return Outcome::skipped;
  if (check.status == CheckResult::Status::passed) return Outcome::passed;
  return check.status == CheckResult::Status::failed ? Outcome::failed : Outcome::error;
}

void add(JunitCounts& counts, Outcome outcome) {
  ++counts.tests;
  counts.failures += outcome == Outcome::failed;
  counts.errors += outcome == Outcome::error;
  counts.skipped += outcome == Outcome::skipped;
}

std::string attributes(const JunitCounts& counts) {
  return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}")", counts.tests,
                     counts.failures, counts.errors, counts.skipped);
}

std::string test_case(const batch::Mark& mark, const CheckResult& check,
                      const std::string& class_name) {
  const std::string text = describe(check), type{name(mark.result.status)};
  std::string out =
      fmt::format(R"(    <testcase name="{}" classname="{}")",
                  attribute(check.title.empty() ? check.id : check.title), attribute(class_name));
  const auto inside = [&](const char* element) {
    return fmt::format(">\n      <{} type=\"{}\" message=\"{}\">{}</{}>\n    </testcase>\n",
                       element, type, attribute(check.seen.sentence()), grader::escaped_html(text),
                       element);
  };
  switch (outcome_of(mark, check)) {
    case Outcome::passed: return out + "/>\n";
    case Outcome::failed: return out + inside("failure");
    case Outcome::error: return out + inside("error");
    case Outcome::skipped:
      return out + fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n",
                               attribute(check.seen.sentence()));
  }
  return out;
}

std::string suite(const Graded& graded, const batch::Mark& mark) {
  const std::string& key = graded.student.key;
  JunitCounts counts;
  std::string cases;
  for (const CheckResult& check : mark.result.checks) {
    add(counts, outcome_of(mark, check));
    cases += test_case(mark, check, (key.empty() ? "histolab" : key) + "." + mark.result.lab);
  }
  std::string out = fmt::format(
      "  <testsuite name=\"{}\" {}>\n    <properties>\n",
      attribute(key.empty() ? mark.result.lab : key + ": " + mark.result.lab), attributes(counts));
  const auto property = [&](const char* what, const std::string& value) {
    out += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", what, attribute(value));
  };
  property("status", std::string{name(mark.result.status)});
  if (mark.has_score()) property("score", points_text(mark.score));
  property("max_score", fmt::format("{}", mark.result.max_score));
  out += "    </properties>\n" + cases;
  if (const std::string printed = printed_by(mark.result); !printed.empty())
    out += "    <system-out>" + grader::escaped_html(printed) + "</system-out>\n";
  return out +
         fmt::format("    <system-err>{}</system-err>\n  </testsuite>\n",
                     grader::escaped_html((mark.has_score() ? "" : std::string{no_score} + "\n") +
                                          describe(mark) + "\n" + diagnostics_of(mark.result)));
}

}  // namespace

void count(JunitCounts& counts, const Graded& graded) {
  for (const batch::Mark& mark : graded.marks)
    for (const CheckResult& check : mark.result.checks) add(counts, outcome_of(mark, check));
}

std::string junit_head(const JunitCounts& counts) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"histolab\" {}>\n",
      attributes(counts));
}

std::string junit_suites(const Graded& graded) {
  std::string suites;
  for (const batch::Mark& mark : graded.marks) suites += suite(graded, mark);
  return suites;
}

std::string to_junit(const Graded& graded) {
  JunitCounts counts;
  count(counts, graded);
  return junit_head(counts) + junit_suites(graded) + junit_tail;
}

}  // namespace histolab::formats
