#include "grader/batch/gradings.h"

#include <algorithm>
#include <filesystem>

#include "grader/batch/same_source.h"
#include "grader/checks/rivals.h"
#include "grader/files/read_file.h"
#include "grader/files/sha256.h"

namespace histolab::batch {
namespace {

namespace fs = std::filesystem;

// Joins parts unambiguously, with their lengths.
std::string joined(std::initializer_list<std::string> parts) {
  std::string all;
  for (const std::string& each : parts) all += std::to_string(each.size()) + ":" + each;
  return all;
}

// The files of a lab that a verdict may depend on. A missing file counts as empty.
Result<std::string> files_of(const grader::LabSpec& lab) {
  std::string all;
  std::vector<std::string> paths = {lab.directory + "/lab.json", lab.solution_path(),
                                    lab.read_path(), lab.directory + "/quiz.json"};
  for (std::size_t i = 0; i < lab.timed.size(); ++i)
    for (const std::string& rival : grader::rivals_of(lab, i))
      if (rival != grader::read_rival && rival != lab.name)
        paths.push_back((fs::path(lab.directory).parent_path() / rival / "solution.cu").string());
  for (const std::string& path : paths) {
    std::error_code failure;
    if (!fs::exists(path, failure)) {
      all += joined({""});
      continue;
    }
    const std::string text = TRY(grader::read_text_file(path, "lab's file"));
    all += joined({grader::sha256(text)});
  }
  return all;
}

// The GPU that a result depends on. A cluster has several: each result names its GPU, and is
// compared only with times from the same run.
std::string gpu_of(const Meta& meta) {
  if (meta.engine == "local") return meta.gpu_name;
  return meta.device == "emulator" ? "" : "any of the cluster's";
}

}  // namespace

Result<Gradings> Gradings::make(const std::vector<grader::LabSpec>& labs, const Meta& meta,
                                const std::string& figures,
                                const std::map<std::string, std::string>& rubric) {
  Gradings gradings;
  for (const grader::LabSpec& lab : labs) {
    const std::string files = TRY(files_of(lab));
    const auto changed = rubric.find(lab.name);
    gradings.by_lab_[lab.name] = {
        joined({meta.version, std::to_string(meta.seed), std::to_string(meta.data_version),
                meta.device_kind, gpu_of(meta), figures, lab.name, files,
                changed == rubric.end() ? "" : changed->second}),
        lab.source_limit};
  }
  return gradings;
}

Journal::Hashes Gradings::of(const std::string& lab, const Work& work) const {
  const OfLab& of_lab = by_lab_.at(lab);
  const std::string rest = joined({of_lab.rest, work.sheet ? "+" + *work.sheet : "", work.problem});
  if (!work.kernel) return {grader::sha256(joined({rest, "-"})), ""};
  const std::string& kernel = *work.kernel;
  // The length limit is checked first and includes comments.
  const bool too_long = kernel.size() > of_lab.source_limit;
  const std::string shared = too_long ? "too long:" + kernel : sharing_key(kernel);
  return {grader::sha256(joined({rest, "+" + kernel})), grader::sha256(joined({rest, shared}))};
}

}  // namespace histolab::batch
