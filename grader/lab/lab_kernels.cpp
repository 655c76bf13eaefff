#include "grader/lab/lab_kernels.h"

#include <algorithm>
#include <filesystem>

#include "grader/lab/work_folder.h"

namespace histolab::grader {

namespace fs = std::filesystem;

std::string_view name(KernelRole role) {
  switch (role) {
    case KernelRole::stub: return "stub";
    case KernelRole::solution: return "solution";
    case KernelRole::attempt: return "attempt";
    case KernelRole::work: return "work";
  }
  return "";
}

std::vector<std::string> attempts_of(const LabSpec& lab) {
  std::vector<std::string> folders;
  std::error_code failure;
  for (fs::directory_iterator at{lab.directory + "/attempts", failure}, end; !failure && at != end;
       at.increment(failure))
    if (at->is_directory(failure)) folders.push_back(at->path().string());
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::vector<LabKernel> kernels_of(const LabSpec& lab, const std::string& work_folder) {
  std::vector<LabKernel> kernels = {{KernelRole::stub, "stub", lab.stub_path()}};
  std::error_code ignored;
  if (fs::exists(lab.solution_path(), ignored))
    kernels.push_back({KernelRole::solution, "solution", lab.solution_path()});
  for (const std::string& folder : attempts_of(lab))
    kernels.push_back(
        {KernelRole::attempt, fs::path(folder).filename().string(), folder + "/kernel.cu"});
  const std::string own = work_path(lab, work_folder);
  if (fs::exists(own, ignored)) kernels.push_back({KernelRole::work, "work", own});
  return kernels;
}

}  // namespace histolab::grader
