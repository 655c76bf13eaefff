#include "grader/lessons/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "grader/lab/submission.h"
#include "grader/pipeline/pipeline.h"
#include "grader/words/words.h"

namespace histolab::grader::lessons {
namespace {

std::string path_of(const LabSpec& lab, const std::string& kernel) {
  if (kernel == "solution") return lab.solution_path();
  if (kernel == "stub") return lab.stub_path();
  return lab.directory + "/attempts/" + kernel + "/kernel.cu";
}

// Returns the lab with only that case and without checks.
Result<LabSpec> lab_with_case(const LabSpec& lab, const std::string& id) {
  LabSpec small = lab;
  std::erase_if(small.cases, [&](const CaseSpec& spec) { return spec.id != id; });
  small.checks.clear();
  small.timed.clear();
  if (!small.cases.empty()) return small;
  std::vector<std::string> ids;
  for (const CaseSpec& spec : lab.cases) ids.push_back(spec.id);
  return Error{fmt::format("{} has no case \"{}\"{}", lab.name, id, did_you_mean(id, ids))};
}

}  // namespace

Result<Runs> run_cases(kernels::Device& device, const std::vector<LabSpec>& labs,
                       const std::vector<RunKey>& keys, unsigned jobs) {
  Runs runs;
  std::deque<LabSpec> small_labs;  // jobs point into it
  std::vector<GradeJob> wanted;
  std::vector<RunKey> wanted_keys;
  for (const RunKey& key : keys) {
    if (runs.contains(key) ||
        std::find(wanted_keys.begin(), wanted_keys.end(), key) != wanted_keys.end())
      continue;
    const auto lab = std::find_if(labs.begin(), labs.end(),
                                  [&](const LabSpec& each) { return each.name == key.lab; });
    if (lab == labs.end()) {
      runs.emplace(key, Error{fmt::format("there is no lab {}", key.lab)});
      continue;
    }
    Result<LabSpec> small = lab_with_case(*lab, key.test);
    Result<Submission> kernel = read_submission(path_of(*lab, key.kernel));
    if (!small || !kernel) {
      runs.emplace(key, small ? kernel.error() : small.error());
      continue;
    }
    small_labs.push_back(std::move(*small));
    wanted.push_back({&small_labs.back(), std::move(*kernel)});
    wanted_keys.push_back(key);
  }
  GradeOptions options;
  options.jobs = jobs;
  const std::vector<LabResult> results = grade_labs(device, wanted, options);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const LabResult& got = results[i];
    const std::string& file = wanted[i].submission->path;
    if (got.status == Verdict::infrastructure_error)
      return Error{fmt::format("{}: {}", file, got.message)};
    if (got.cases.empty() || !got.cases.front().skipped.empty())
      runs.emplace(wanted_keys[i],
                   Error{fmt::format("{} was not run: {}", file,
                                     got.cases.empty() ? got.message : got.cases.front().skipped)});
    else
      runs.emplace(wanted_keys[i], got.cases.front());
  }
  return runs;
}

}  // namespace histolab::grader::lessons
