#include "grader/timed_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace histolab::grader {
namespace {

std::string first_error_of(const kernels::Compiled& compiled) {
  for (const kernels::Diagnostic& each : compiled.diagnostics)
    if (each.severity == kernels::Severity::error) return each.line > 0 ? fmt::format("line {}: {}", each.line, each.message) : each.message;
  return "the compiler does not say why";
}

// The labs whose solutions the checks of a timed case compare with.
std::vector<std::string> rivals_of(const LabSpec& lab, std::size_t timed_case) {
  std::vector<std::string> names;
  for (const CheckSpec& check : lab.checks) {
    if (std::find(check.timed.begin(), check.timed.end(), timed_case) == check.timed.end()) continue;
    const std::string& name = check.kind == CheckKind::speedup_over ? check.rival : lab.name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace

Result<const TimedStage::Rival*> TimedStage::rival_called(const LabSpec& lab, const std::string& name) {
  if (const auto known = rivals_.find(name); known != rivals_.end()) return &known->second;
  const std::string folder = (std::filesystem::path(lab.directory).parent_path() / name).string();
  Result<LabSpec> spec = name == lab.name ? Result<LabSpec>{lab} : load_lab(folder);
  if (!spec) return spec.error();
  if (spec->binning.bins != lab.binning.bins)
    return Error{fmt::format("{} has {} bins and {} has {}: their solutions cannot be timed against each other", lab.name, lab.binning.bins, name, spec->binning.bins)};
  Result<Submission> solution = read_submission(spec->solution_path());
  if (!solution) return solution.error();
  Result<kernels::Compiled> compiled = gpu_.compile({solution->path, solution->text}, signature_of(*spec));
  if (!compiled) return compiled.error();
  if (!compiled->ok) return Error{fmt::format("{} does not compile for the GPU: {}", solution->path, first_error_of(*compiled))};
  Result<Exports> exports = exports_of(*spec, *compiled);
  if (!exports) return Error{fmt::format("{}: {}", solution->path, exports.error().message)};
  return &rivals_.emplace(name, Rival{std::move(*spec), std::move(*compiled), std::move(*exports)}).first->second;
}

Result<std::vector<TimedCaseResult>> TimedStage::run(const LabSpec& lab, const Submission& submission, const Exports& exports) {
  std::vector<TimedCaseResult> results;
  if (lab.timed.empty()) return results;
  Result<kernels::Compiled> own = gpu_.compile({submission.path, submission.text}, signature_of(lab));
  if (!own) return own.error();
  for (std::size_t i = 0; i < lab.timed.size(); ++i) {
    const TimedCaseSpec& spec = lab.timed[i];
    TimedCaseResult& result = results.emplace_back();
    result.id = spec.id, result.dataset = spec.dataset, result.length = spec.length, result.block = spec.block;
    result.bins = lab.binning.bins, result.device = gpu_.name();
    result.grid = grid_of(lab, exports, spec.length, spec.block, spec.grid);
    if (!own->ok) {
      result.skipped = "it does not compile for the GPU: " + first_error_of(*own);
      continue;
    }
    if (i > 0 && results[i - 1].ending != kernels::Ending::completed) {
      result.ending = results[i - 1].ending;
      result.skipped = fmt::format("case {} did not complete", results[i - 1].id);
      continue;
    }
    std::vector<Contestant> contestants = {{submission.path, &lab, &*own, exports}};
    for (const std::string& name : rivals_of(lab, i)) {
      Result<const Rival*> rival = rival_called(lab, name);
      if (!rival) return rival.error();
      contestants.push_back({name, &(*rival)->lab, &(*rival)->compiled, (*rival)->exports});
    }
    const auto inputs = contest_inputs(lab, spec, seed_);
    if (!inputs) return inputs.error();
    Result<TimedCaseResult> timed = run_contest(gpu_, spec, contestants, *inputs, {});
    if (!timed) return timed.error();
    result = std::move(*timed);
  }
  return results;
}

}  // namespace histolab::grader
