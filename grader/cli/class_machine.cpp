#include "grader/cli/class_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grader/cli/command.h"
#include "grader/cluster/task.h"
#include "grader/lab/catalogue.h"
#include "grader/pipeline/profile_json.h"
#include "kernels/worker/compiling/compiler.h"
#include "kernels/worker/compiling/precompiled_shim.h"

namespace histolab::cli {

namespace fs = std::filesystem;
using grader::LabSpec;

namespace {

// All files in a folder and its subfolders, sorted. Returns an empty list if the folder is missing.
Result<std::vector<std::string>> kit_files_below(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failure;
  for (fs::recursive_directory_iterator at{folder, failure}, end; !failure && at != end;
       at.increment(failure))
    if (std::error_code unknown; at->is_regular_file(unknown)) files.push_back(at->path().string());
  if (failure && failure != std::errc::no_such_file_or_directory)
    return Error{fmt::format("{}: cannot be read: {}", folder, failure.message())};
  std::ranges::sort(files);
  return files;
}

}  // namespace

batch::Meta ClassMachine::meta(const std::string& device_word, const std::string& rubric) const {
  batch::Meta meta;
  meta.version = HISTOLAB_VERSION;
  meta.seed = grading.seed;
  meta.device = device_word;
  meta.rubric = rubric;
  meta.device_kind = device->kind();
  meta.device_name = device->name();
  meta.sandbox = device->sandbox();
  if (const std::string version = kernels::worker::compiler_version(); !version.empty())
    meta.compiler = "g++ " + version;
  if (grading.gpu != nullptr) {
    meta.gpu_name = grading.gpu->name();
    meta.gpu_driver = grading.gpu->driver();
  }
  return meta;
}

batch::Meta meta_of_tasks(std::uint64_t seed, const std::string& device_word,
                          const std::string& rubric) {
  batch::Meta meta;
  meta.version = HISTOLAB_VERSION;
  meta.seed = seed;
  meta.engine = "slurm";
  meta.device = device_word;
  meta.device_kind = "emulator";
  meta.rubric = rubric;
  return meta;
}

Result<ClassMachine> make_class_machine(const Context& context, const std::string& device,
                                        std::uint64_t seed, unsigned jobs) {
  kernels::EmulatorPaths paths = TRY(emulator_paths(context));
  paths.shim = std::make_shared<kernels::worker::PrecompiledShim>(paths);
  Clock clock = TRY(make_clock(context, device));
  ClassMachine machine{make_emulator(context, std::move(paths)), std::move(clock), {}, {}};
  machine.grading.seed = seed;
  machine.grading.gpu = machine.clock.gpu.get();
  machine.grading.jobs =
      machine.grading.gpu != nullptr ? 1 : jobs;  // kernels that run side by side cannot be timed
  machine.grading.gpu_compiler = gpu_compiler(context, device, machine.grading.gpu);
  machine.grading.profile = machine.clock.profile;
  machine.figures = TRY(hash_of_figures(context, machine.grading.profile));
  if (machine.grading.gpu == nullptr && machine.grading.gpu_compiler)
    machine.figures += ", and what a compiler for the GPU says";
  return machine;
}

Result<std::string> hash_of_figures(const Context& context,
                                    const std::optional<reference::TimingProfile>& profile) {
  std::vector<std::string> files = TRY(kit_files_below(context.paths.measurements));
  if (profile) files.push_back(grader::profile_path(context.paths.profiles, profile->name));
  return cluster::hash_of_files(files);
}

Result<std::string> hash_of_kit(const grader::Paths& paths) {
  std::vector<std::string> files = {grader::own_executable(), paths.worker, paths.confine};
  if (std::error_code ignored; fs::exists(paths.runtime_library, ignored))
    files.push_back(paths.runtime_library);
  if (std::error_code ignored; fs::exists(paths.gpu_worker, ignored))
    files.push_back(paths.gpu_worker);
  for (const std::string& folder : {paths.include_dir, paths.profiles, paths.measurements}) {
    const std::vector<std::string> inside = TRY(kit_files_below(folder));
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return cluster::hash_of_files(files);
}

Result<std::vector<LabSpec>> class_labs(const Context& context,
                                        const std::vector<std::string>& words,
                                        const batch::Rubric& rubric, const std::string& file) {
  const std::vector<LabSpec> all = TRY(chosen_labs(context, {}));
  const std::vector<LabSpec> chosen =
      TRY(chosen_labs(context, words.empty() ? rubric.chosen : words));
  return batch::with_rubric(chosen, grader::names_of(all), rubric, file);
}

Result<std::vector<LabSpec>> class_labs(const Context& context,
                                        const std::vector<std::string>& words,
                                        const std::string& rubric_file) {
  if (rubric_file.empty()) return chosen_labs(context, words);
  return class_labs(context, words, TRY(batch::load_rubric(rubric_file)), rubric_file);
}

}  // namespace histolab::cli
