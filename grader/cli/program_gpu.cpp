#include "grader/cli/program_gpu.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "grader/cli/console.h"
#include "grader/cli/cuda_toolkit.h"
#include "grader/cli/devices.h"
#include "kernels/gpu/gpu.h"
#include "kernels/worker/compiling/compiler_command.h"
#include "kernels/worker/processes/process.h"
#include "kernels/worker/processes/temporary_folder.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
using kernels::worker::ProcessResult;
using kernels::worker::ProcessSpec;

constexpr std::chrono::minutes longest_run{10};

Result<std::string> find_nvcc() {
  for (const std::string& folder : {built_with_cuda().folder, std::string{"/usr/local/cuda"}}) {
    const std::string nvcc = folder + "/bin/nvcc";
    if (!folder.empty() && access(nvcc.c_str(), X_OK) == 0) return nvcc;
  }
  return Error{
      "--device gpu compiles the program with nvcc, which was not found: install a CUDA toolkit, "
      "or leave --device out to run the program on the emulator"};
}

// The GPU's architecture, as in sm_90. The toolkit's own program lists those of all GPUs: 90,75.
Result<std::string> architecture_of(const std::string& nvcc, int number) {
  std::istringstream list(kernels::worker::first_line_of(
      {(fs::path(nvcc).parent_path() / "__nvcc_device_query").string()}));
  std::string digits;
  for (int i = 0; i <= number && std::getline(list, digits, ','); ++i)
    if (i == number && !digits.empty() &&
        digits.find_first_not_of("0123456789") == std::string::npos)
      return "sm_" + digits;
  return Error{fmt::format(
      "--device gpu needs an NVIDIA GPU with number {}, but CUDA finds none here: leave --device "
      "out to run the program on the emulator",
      number)};
}

std::string absolute(const std::string& path) {
  return fs::absolute(path.empty() ? "." : path).lexically_normal().string();
}

ProcessSpec compilation(const kernels::program::Build& build, const kernels::EmulatorPaths& paths,
                        const std::string& nvcc, const std::string& architecture,
                        const std::string& folder) {
  std::vector<std::string> command = {
      nvcc, "-std=" + build.standard, "-O2", "-arch=" + architecture, "-o", "program"};
  std::vector<std::string> reads = {fs::path(nvcc).parent_path().parent_path().string()};
  for (const std::string& each : build.readable) reads.push_back(absolute(each));
  for (const std::string& each : build.include_dirs) {
    reads.push_back(absolute(each));
    command.insert(command.end(), {"-I", reads.back()});
  }
  for (const std::string& define : build.defines) command.push_back("-D" + define);
  for (const std::string& source : build.sources) {
    command.push_back(absolute(source));
    reads.push_back(fs::path(command.back()).parent_path().string());
  }
  ProcessSpec spec = kernels::worker::compiler_process(paths, std::move(command), folder);
  spec.reads = std::move(reads);
  spec.limits.cpu_seconds = 300;
  spec.limits.wall = longest_run;
  spec.limits.data_bytes = 8ull << 30;
  return spec;
}

}  // namespace

Result<int> run_on_gpu(const Context& context, const kernels::program::Build& build,
                       const kernels::program::ProgramSettings& settings, int number) {
  const std::string nvcc = TRY(find_nvcc());
  const std::string architecture = TRY(architecture_of(nvcc, number));
  const kernels::EmulatorPaths paths = TRY(emulator_paths(context));
  const kernels::worker::Unfinished folder_is_there;
  if (!folder_is_there.may_begin()) return Error{"interrupted"};
  const auto folder = TRY(kernels::worker::TemporaryFolder::make());
  const ProcessResult compiled = TRY(
      kernels::worker::run_process(compilation(build, paths, nvcc, architecture, folder.path())));
  if (compiled.end == ProcessResult::End::cancelled) return Error{"interrupted"};
  note(compiled.output + compiled.errors);
  if (compiled.end != ProcessResult::End::exited || compiled.code != 0) return int{not_passed};

  ProcessSpec spec;
  spec.command = {folder.path() + "/program"};
  spec.command.insert(spec.command.end(), settings.arguments.begin(), settings.arguments.end());
  spec.name = settings.started_as;
  spec.environment = kernels::gpu_environment();
  spec.environment.insert(spec.environment.end(),
                          {"HOME=" + folder.path(), "TMPDIR=" + folder.path(),
                           fmt::format("CUDA_VISIBLE_DEVICES={}", number)});
  spec.directory = folder.path();
  spec.starts_in = settings.directory;
  spec.reads = settings.reads;
  spec.reads.push_back(settings.directory);
  spec.input = settings.input;
  spec.limits.wall = longest_run;
  spec.limits.cpu_seconds = 600;
  spec.limits.data_bytes = ~0ull;  // the driver reserves memory that it never uses
  spec.limits.output_bytes = 64ull << 20;
  spec.on_output = settings.on_output;
  spec.on_errors = settings.on_errors;
  spec.confinement = paths.confinement;
  spec.purpose = kernels::worker::Purpose::gpu;
  const ProcessResult ran = TRY(kernels::worker::run_process(spec));
  if (ran.end == ProcessResult::End::cancelled) return Error{"interrupted"};
  if (ran.end == ProcessResult::End::timed_out)
    return Error{"the program did not end within its time limit on the GPU"};
  return ran.end == ProcessResult::End::exited ? ran.code : 128 + ran.code;
}

}  // namespace histolab::cli
