#include "viewer/model/verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/words/words.h"
#include "viewer/model/json_access.h"

namespace histolab::viewer {
namespace {

grader::Seen seen_in(const Json& json) {
  return {.where = text(json, "where"),
          .what = text(json, "what"),
          .of_where = flag(json, "of_where"),
          .aside = text(json, "aside"),
          .why = text(json, "why"),
          .next = text(json, "next"),
          .note = text(json, "note")};
}

VerdictCheck check_in(const Json& json) {
  VerdictCheck check{text(json, "id"),
                     text(json, "title"),
                     text(json, "status"),
                     seen_in(at(json, "seen")),
                     text(json, "hint"),
                     number<int>(json, "score"),
                     number<int>(json, "max_score"),
                     number<int>(json, "line")};
  if (check.title.empty()) check.title = check.id;
  return check;
}

}  // namespace

const VerdictCheck* Verdict::first_failure() const {
  for (const char* outcome : {"failed", "not_run"})
    if (const auto found = std::ranges::find(checks, outcome, &VerdictCheck::status);
        found != checks.end())
      return &*found;
  return nullptr;
}

std::string Verdict::headline() const {
  if (status == "compile_error") return "does not compile";
  if (status == "infrastructure_error" || !score)
    return "not graded: this machine was at fault, so there is no score";
  const std::string points =
      fmt::format("{} of {}", *score,
                  grader::counted(static_cast<std::uint64_t>(std::max(0, max_score)), "point"));
  return fmt::format("{}: {}", status == "timeout" ? "took too long" : status, points);
}

Result<Verdict> verdict_in(const Json& report) {
  const Json& labs = at(report, "labs");
  if (!labs.is_array() || labs.size() != 1)
    return Error{"`histolab grade` did not print a report of one lab"};
  const Json& lab = labs[0];
  Verdict verdict{text(lab, "lab"),
                  text(lab, "status"),
                  text(lab, "message"),
                  text(at(lab, "submission"), "sha256"),
                  {},
                  number<int>(lab, "max_score"),
                  flag(report, "quick"),
                  {},
                  findings_in(lab),
                  diagnostics_in(lab)};
  if (at(lab, "score").is_number()) verdict.score = number<int>(lab, "score");
  for (const Json& each : at(lab, "checks")) verdict.checks.push_back(check_in(each));
  return verdict;
}

}  // namespace histolab::viewer
