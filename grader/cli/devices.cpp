#include "grader/cli/devices.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "grader/cli/console.h"
#include "grader/cli/cuda_toolkit.h"
#include "grader/pipeline/modelled.h"
#include "grader/pipeline/profile_json.h"
#include "kernels/gpu/gpu.h"
#include "kernels/program/run/submission_device.h"
#include "kernels/worker/compiling/precompiled_shim.h"
#include "kernels/worker/processes/worker_pool.h"
#include "reference/fields.h"

namespace histolab::cli {

std::optional<int> gpu_number(const std::string& device) {
  constexpr std::string_view numbered = "gpu:";
  if (device == "gpu") return 0;
  if (!device.starts_with(numbered)) return std::nullopt;
  const std::string number = device.substr(numbered.size());
  if (number.empty() || number.size() > 3 ||
      number.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoi(number);
}

Result<int> gpu_to_measure(const std::string& device) {
  if (const std::optional<int> number = gpu_number(device)) return *number;
  return Error{
      fmt::format("--device {}: this command measures a GPU; choose gpu or gpu:N", device)};
}

bool gpu_may_be_there() {
  std::error_code ignored;
  return std::filesystem::exists("/proc/driver/nvidia/version", ignored) ||
         std::filesystem::exists("/dev/nvidiactl", ignored);
}

Status has_program(const std::string& path) {
  if (access(path.c_str(), X_OK) == 0) return Done{};
  return Error{
      fmt::format("{} is missing: it is built in a source tree, with nvcc of a CUDA toolkit 12.8 "
                  "or later; `./histolab setup cuda` in that tree fetches one",
                  path)};
}

Result<std::unique_ptr<kernels::TimedDevice>> make_gpu(const Context& context,
                                                       const std::string& device) {
  const std::optional<int> asked_for = gpu_number(device);
  if (device == "emulator" || (!asked_for && !gpu_may_be_there()))
    return std::unique_ptr<kernels::TimedDevice>{};
  const sandbox::Sandbox* sandbox = TRY(sandbox_of(context));
  Result<std::unique_ptr<kernels::TimedDevice>> gpu =
      kernels::make_gpu({.worker = context.paths.gpu_worker,
                         .number = asked_for.value_or(0),
                         .confinement = sandbox});
  if (gpu || asked_for) return gpu;
  note(fmt::format("histolab: the GPU is not used: {}\n", gpu.error().message));
  return std::unique_ptr<kernels::TimedDevice>{};
}

namespace {

// The folders where the GPU worker's loader searches for CUDA's libraries.
std::vector<std::string> cuda_places() {
  std::vector<std::string> places{built_with_cuda().folder};
  const char* listed = std::getenv("LD_LIBRARY_PATH");
  std::istringstream folders(listed == nullptr ? "" : listed);
  for (std::string folder; std::getline(folders, folder, ':');) places.push_back(folder);
  std::erase(places, "");
  return places;
}

}  // namespace

Result<const sandbox::Sandbox*> sandbox_of(const Context& context) {
  sandbox::Tier wanted = sandbox::Tier::full;
#ifdef HISTOLAB_SANITIZED
  wanted = sandbox::Tier::none;  // the sanitizers read files and their own process
#endif
  const char* asked = std::getenv("HISTOLAB_SANDBOX");
  const bool demanded = asked != nullptr && *asked != 0;
  if (demanded) {
    const std::optional<sandbox::Tier> tier = value_named<sandbox::Tier>(asked);
    if (!tier)
      return Error{fmt::format(
          "HISTOLAB_SANDBOX={}: there is no such sandbox; choose full, reduced or none", asked)};
    wanted = *tier;
  }
  static const sandbox::Sandbox sandbox =
      sandbox::Sandbox::best({.confine = context.paths.confine,
                              .worker = context.paths.worker,
                              .include_dir = context.paths.include_dir,
                              .cuda = cuda_places()},
                             wanted);
  // A demanded tier is never replaced by a weaker one.
  if (demanded && sandbox.tier() != wanted && !sandbox.obstacles().empty())
    return Error{fmt::format("HISTOLAB_SANDBOX={} is not available here: {}", sandbox::name(wanted),
                             why_no_better(sandbox))};
  return &sandbox;
}

std::string why_no_better(const sandbox::Sandbox& sandbox) {
  if (sandbox.obstacles().empty()) return "HISTOLAB_SANDBOX says so";
  const sandbox::Obstacle& met = sandbox.obstacles().front();
  return fmt::format("{}. To fix it: {}", met.what, met.remedy);
}

Status may_run_strangers(const sandbox::Sandbox& sandbox, bool unsafe) {
  if (sandbox.tier() != sandbox::Tier::none || unsafe) return Done{};
  return Error{fmt::format(
      "confines kernels only by limits: {}. If you trust all students, --unsafe grades them anyway",
      why_no_better(sandbox))};
}

Status may_run_strangers(const Context& context, bool unsafe) {
  const sandbox::Sandbox* sandbox = TRY(sandbox_of(context));
  if (Status safe = may_run_strangers(*sandbox, unsafe); !safe)
    return Error{"this machine " + safe.error().message};
  return Done{};
}

Result<kernels::EmulatorPaths> emulator_paths(const Context& context) {
  for (const std::string& program : {context.paths.worker, context.paths.confine})
    if (access(program.c_str(), X_OK) != 0)
      return Error{fmt::format("{} is missing; ./histolab builds it", program)};
  if (access(context.paths.include_dir.c_str(), R_OK) != 0)
    return Error{fmt::format("{} is missing; it holds the CUDA headers of the emulator",
                             context.paths.include_dir)};
  const sandbox::Sandbox* sandbox = TRY(sandbox_of(context));
  return kernels::EmulatorPaths{.worker = context.paths.worker,
                                .include_dir = context.paths.include_dir,
                                .debugger = context.debugger,
                                .confinement = sandbox};
}

Result<std::unique_ptr<kernels::Device>> make_emulator(const Context& context) {
  return make_emulator(context, TRY(emulator_paths(context)));
}

std::unique_ptr<kernels::Device> make_emulator(const Context& context,
                                               kernels::EmulatorPaths paths) {
  kernels::program::ProgramParts parts;
  parts.runtime_library = context.paths.runtime_library;
  // Without a profile, times of programs are unknown.
  if (const auto profile =
          grader::load_profile(context.paths.profiles, kernels::LaunchConfig{}.profile))
    parts.modelled_ms = grader::launch_model(*profile);
  return kernels::program::make_submission_device(std::move(paths), std::move(parts));
}

decltype(grader::GradeOptions::gpu_compiler) gpu_compiler(const Context& context,
                                                          const std::string& device,
                                                          kernels::TimedDevice* gpu) {
  constexpr int of_the_profile = 90;  // an H200's compute capability, 9.0
  if (gpu != nullptr)
    return [gpu](const kernels::Source& source,
                 const std::vector<kernels::KernelSignature>& signatures) {
      return gpu->compile(source, signatures);
    };
  if (device == "emulator" || access(context.paths.gpu_worker.c_str(), X_OK) != 0) return {};
  const Result<const sandbox::Sandbox*> sandbox = sandbox_of(context);
  const kernels::GpuOptions options{.worker = context.paths.gpu_worker,
                                    .confinement = sandbox ? *sandbox : nullptr};
  return [options](const kernels::Source& source,
                   const std::vector<kernels::KernelSignature>& signatures) {
    return kernels::compile_for_gpu(options, of_the_profile, source, signatures);
  };
}

Result<Clock> make_clock(const Context& context, const std::string& device) {
  Clock clock;
  clock.gpu = TRY(make_gpu(context, device));
  if (clock.gpu != nullptr) return clock;
  clock.profile =
      TRY(grader::load_profile(context.paths.profiles, kernels::LaunchConfig{}.profile));
  return clock;
}

Result<std::unique_ptr<grader::GradingQueue>> make_gradings(const Context& context, unsigned jobs) {
  kernels::EmulatorPaths paths = TRY(emulator_paths(context));
  paths.worker_pool =
      std::make_shared<kernels::worker::WorkerPool>(paths.worker, paths.confinement);
  paths.shim = std::make_shared<kernels::worker::PrecompiledShim>(paths);
  Clock clock = TRY(make_clock(context, "emulator"));
  grader::GradeOptions options;
  options.jobs = jobs;
  options.profile = std::move(clock.profile);
  return std::make_unique<grader::GradingQueue>(
      [&context, paths = std::move(paths)](const kernels::Cancellation& cancellation) {
        kernels::EmulatorPaths own = paths;
        own.cancellation = &cancellation;
        return make_emulator(context, own);
      },
      std::move(options), 1);
}

}  // namespace histolab::cli
