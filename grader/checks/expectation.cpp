#include "grader/checks/expectation.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/files/json_reader.h"
#include "reference/fields.h"

namespace histolab::grader {
namespace {

using kernels::Finding;

constexpr long long max_line = 1'000'000;

bool fits(const ExpectedFinding& expected, const Finding& finding) {
  if (finding.kind != expected.kind) return false;
  if (!expected.variable.empty() && finding.variable != expected.variable) return false;
  if (expected.other_line == 0)
    return expected.line == finding.line || expected.line == finding.other_line;
  return (expected.line == finding.line && expected.other_line == finding.other_line) ||
         (expected.line == finding.other_line && expected.other_line == finding.line);
}

std::string describe(const Finding& finding) {
  std::string text{kernels::name(finding.kind)};
  if (!finding.variable.empty()) text += " on " + finding.variable;
  text += fmt::format(", line {}", finding.line);
  if (finding.other_line > 0 && finding.other_line != finding.line)
    text += fmt::format("/{}", finding.other_line);
  return text;
}

std::string describe(const std::vector<Finding>& findings) {
  if (findings.empty()) return "no findings";
  std::vector<std::string> all;
  for (const Finding& finding : findings) all.push_back(describe(finding));
  return fmt::format("{}", fmt::join(all, ", "));
}

// Returns the errors that count against a kernel in this lab: those that no check excepts or asks
// for.
std::vector<Finding> counted_errors(const LabSpec& lab, const std::vector<Finding>& findings) {
  std::vector<Finding> kept;
  for (const Finding& finding : findings) {
    const bool wanted =
        std::any_of(lab.checks.begin(), lab.checks.end(), [&](const CheckSpec& check) {
          return check.finding == finding.kind ||
                 std::find(check.except.begin(), check.except.end(), finding.kind) !=
                     check.except.end();
        });
    if (finding.severity == kernels::Severity::error && !wanted) kept.push_back(finding);
  }
  return kept;
}

}  // namespace

Result<Expectation> load_expectation(const std::string& file, const LabSpec& lab) {
  Json json = TRY(read_json_file(file, "description of an attempt"));
  Problems problems{file};
  ObjectReader root{json, "", problems};
  Expectation read;
  read.status = root.text("status");
  const std::vector<std::string> known = {"passed",  "failed",  "compile_error",
                                          "timeout", "crashed", "refused"};
  if (!read.status.empty() && std::find(known.begin(), known.end(), read.status) == known.end())
    root.unknown_word("status", read.status, known);
  read.check = root.text_or("check", "");
  const bool exists = std::any_of(lab.checks.begin(), lab.checks.end(),
                                  [&](const CheckSpec& check) { return check.id == read.check; });
  if (!read.check.empty() && !exists)
    root.problem("check", fmt::format("{} has no check \"{}\"", lab.name, read.check));
  if (read.status == "failed" && !root.has("check"))
    root.problem("check", "is missing; expected the id of the first check that fails");
  if (read.status == "passed" && root.has("check"))
    root.problem("check", "an attempt that passes has no failing check");
  if (root.has("finding")) {
    ObjectReader finding{root.object("finding"), "/finding", problems};
    ExpectedFinding wanted;
    const std::string kind = finding.text("kind");
    if (const auto found = value_named<kernels::FindingKind>(kind))
      wanted.kind = *found;
    else if (!kind.empty()) {
      std::vector<std::string> kinds;
      for (const kernels::FindingKind each : kernels::all_finding_kinds)
        kinds.emplace_back(kernels::name(each));
      finding.unknown_word("kind", kind, kinds);
    }
    wanted.variable = finding.text_or("variable", "");
    wanted.line = static_cast<int>(finding.integer("line", 1, max_line));
    wanted.other_line = static_cast<int>(finding.integer_or("other_line", 0, 1, max_line));
    finding.done();
    read.finding = wanted;
  }
  read.line = static_cast<int>(root.integer_or("line", 0, 1, max_line));
  read.why = root.text("why");
  root.done();
  if (!problems.empty()) return problems.error();
  return read;
}

std::vector<std::string> unmet(const Expectation& expected, const LabResult& got,
                               const LabSpec& lab) {
  std::vector<std::string> list;
  if (name(got.status) != expected.status) {
    std::string text =
        fmt::format("expected the verdict {}, got {}", expected.status, name(got.status));
    if (const CheckResult* check = first_failing(got))
      text += fmt::format(" ({}: {})", check->id, check->seen.sentence());
    if (!got.message.empty()) text += ": " + got.message;
    list.push_back(text);
    // The other sentences would only repeat this one.
    return list;
  }
  const CheckResult* check = first_failing(got);
  if (!expected.check.empty() && (check == nullptr || check->id != expected.check))
    list.push_back(fmt::format("expected {} to be the first check that fails, it is {}",
                               expected.check, check == nullptr ? "none" : check->id));
  if (expected.finding) {
    const bool found = std::any_of(got.findings.begin(), got.findings.end(),
                                   [&](const Finding& f) { return fits(*expected.finding, f); });
    Finding wanted;
    wanted.kind = expected.finding->kind;
    wanted.variable = expected.finding->variable;
    wanted.line = expected.finding->line;
    wanted.other_line = expected.finding->other_line;
    if (!found)
      list.push_back(
          fmt::format("expected the finding {}, got {}", describe(wanted), describe(got.findings)));
  } else if (const std::vector<Finding> kept = counted_errors(lab, got.findings); !kept.empty()) {
    list.push_back(fmt::format("expected no finding, got {}", describe(kept)));
  }
  if (expected.line > 0 && !expected.check.empty()) {
    if (check != nullptr && check->line != expected.line)
      list.push_back(fmt::format("expected {} to name line {}, it names {}: {}", check->id,
                                 expected.line, check->line, check->seen.sentence()));
  } else if (expected.line > 0) {
    const bool there = std::any_of(
        got.diagnostics.begin(), got.diagnostics.end(), [&](const kernels::Diagnostic& d) {
          return d.severity == kernels::Severity::error && d.line == expected.line;
        });
    if (!there) list.push_back(fmt::format("expected a compiler error on line {}", expected.line));
  }
  return list;
}

}  // namespace histolab::grader
