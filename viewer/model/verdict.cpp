#include "viewer/model/verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/words/seen_fields.h"
#include "grader/words/words.h"
#include "viewer/model/run_fields.h"

namespace histolab::viewer {

template <class F, Describes<VerdictCheck> Value>
void fields(F& f, Value& check) {
  f("id", check.id), f("title", check.title), f("status", check.status), f("seen", check.seen);
  f("hint", check.hint), f("score", check.score), f("max_score", check.max_score);
  f("line", check.line);
}
template <class F, Describes<Verdict> Value>
void fields(F& f, Value& verdict) {
  f("lab", verdict.lab), f("status", verdict.status), f("message", verdict.message);
  f.group("submission", [&](auto& submission) { submission("sha256", verdict.sha256); });
  f("score", verdict.score), f("max_score", verdict.max_score), f("checks", verdict.checks);
  f("findings", verdict.findings), f("diagnostics", verdict.diagnostics);
}

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
  auto verdict = read_leniently<Verdict>(labs[0]);
  verdict.quick = flag(report, "quick");
  for (VerdictCheck& each : verdict.checks)
    if (each.title.empty()) each.title = each.id;
  return verdict;
}

}  // namespace histolab::viewer
