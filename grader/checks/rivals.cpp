#include "grader/checks/rivals.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grader/lab/submission.h"

namespace histolab::grader {

std::string first_error_of(const kernels::Compiled& compiled) {
  for (const kernels::Diagnostic& each : compiled.diagnostics)
    if (each.severity == kernels::Severity::error)
      return each.line > 0 ? fmt::format("line {}: {}", each.line, each.message) : each.message;
  return "the compiler gives no reason";
}

std::string rival_of(const LabSpec& lab, const CheckSpec& check) {
  if (check.kind == CheckKind::share_of_read_limit) return std::string{read_rival};
  return check.kind == CheckKind::speedup_over ? check.rival : lab.name;
}

std::vector<std::string> rivals_of(const LabSpec& lab, std::size_t timed_case) {
  std::vector<std::string> names;
  for (const CheckSpec& check : lab.checks) {
    if (std::find(check.timed.begin(), check.timed.end(), timed_case) == check.timed.end())
      continue;
    const std::string name = rival_of(lab, check);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

namespace {

std::string folder_of(const LabSpec& lab, const std::string& name) {
  return (std::filesystem::path(lab.directory).parent_path() / name).string();
}

}  // namespace

std::string rival_path(const LabSpec& lab, const std::string& name) {
  if (name == read_rival) return lab.read_path();
  return name == lab.name ? lab.solution_path() : folder_of(lab, name) + "/solution.cu";
}

Result<Rival> load_rival(kernels::Device& device, const LabSpec& lab, const std::string& name) {
  const bool reads = name == read_rival;
  LabSpec spec =
      TRY(name == lab.name || reads ? Result<LabSpec>{lab} : load_lab(folder_of(lab, name)));
  Submission solution = TRY(read_submission(rival_path(lab, name)));
  kernels::Compiled compiled =
      TRY(device.compile({solution.path, solution.text}, signatures_of(spec)));
  if (!compiled.ok)
    return Error{fmt::format("{} does not compile for the {}: {}", solution.path, device.kind(),
                             first_error_of(compiled))};
  Result<Exports> exports = exports_of(spec, compiled);
  if (!exports) return Error{fmt::format("{}: {}", solution.path, exports.error().message)};
  return Rival{std::move(spec), std::move(compiled), std::move(*exports)};
}

Result<LaunchShape> shape_for(const Rival& rival, const LabSpec& lab, const TimedCaseSpec& spec,
                              std::uint32_t multiprocessors) {
  if (rival.lab.name == lab.name) return shape_of(rival.lab, spec, rival.exports, multiprocessors);
  const KernelSpec& kernel = rival.lab.kernels.front();
  if (kernel.binning != spec.binning &&
      !(kernel.takes(KernelArgument::Kind::bins) && kernel.binning.domain == spec.binning.domain))
    return Error{fmt::format(
        "the solution of {} uses other bins than case {} of {}, so their times cannot be compared",
        rival.lab.name, spec.id, lab.name)};
  TimedCaseSpec own = spec;
  own.kernel = 0;
  return shape_of(rival.lab, own, rival.exports, multiprocessors);
}

}  // namespace histolab::grader
