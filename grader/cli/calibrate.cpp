// histolab calibrate
#include <fmt/format.h>
#include <unistd.h>

#include "grader/cli/command.h"
#include "grader/cli/devices.h"
#include "grader/files/write_file.h"
#include "grader/pipeline/profile_json.h"
#include "kernels/gpu/gpu.h"
#include "kernels/worker/processes/process.h"

namespace histolab::cli {
namespace {

struct CalibrateFlags {
  std::string device = "gpu", file;
};

// "h100" for "NVIDIA H100 80GB HBM3". The first word with a digit names the chip.
std::string short_name(const std::string& device) {
  std::string word;
  for (const char c : device + " ") {
    if (c != ' ') {
      word += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
      continue;
    }
    if (word.find_first_of("0123456789") != std::string::npos) return word;
    word.clear();
  }
  return "gpu";
}

Status calibrate(const Context& context, const CalibrateFlags& flags) {
  const int number = TRY(gpu_to_measure(flags.device == "auto" ? "gpu" : flags.device));
  TRY(has_program(context.paths.calibrate));
  if (!flags.file.empty()) TRY(grader::check_writable(flags.file));
  if (gpu_may_be_there())
    note("histolab: measuring the GPU, about ten seconds; nothing else should run on it\n");
  kernels::worker::ProcessSpec spec;
  spec.command = {context.paths.calibrate, std::to_string(number)};
  spec.environment = kernels::gpu_environment();
  spec.limits.wall = std::chrono::minutes{5};
  spec.limits.cpu_seconds = 300;
  spec.limits.data_bytes = std::uint64_t{1} << 40;  // the driver maps the GPU's memory
  const kernels::worker::ProcessResult ran = TRY(kernels::worker::run_process(spec));
  using End = kernels::worker::ProcessResult::End;
  if (ran.end == End::timed_out)
    return Error{
        "the GPU took more than five minutes; is something else running on it? (nvidia-smi shows "
        "what)"};
  const std::string last = ran.errors.substr(0, ran.errors.find_last_not_of('\n') + 1);
  if (ran.end != End::exited || ran.code == 1)
    return Error{fmt::format("measuring failed: {}", last.substr(last.rfind('\n') + 1))};
  if (ran.code != 0)
    return Error{fmt::format(
        "{}; `histolab doctor` lists the hardware, and profiles of measured GPUs are in {}", last,
        context.paths.profiles)};
  const reference::TimingProfile profile = TRY(grader::parse_profile(ran.output, "of this GPU"));
  const std::string file = flags.file.empty()
                               ? context.paths.profiles + "/" + short_name(profile.device) + ".json"
                               : flags.file;
  TRY(grader::write_file(file, ran.output));
  if (file != "-")
    note(fmt::format("histolab: the profile of {} (driver {}) is in {}\n", profile.device,
                     profile.driver, file));
  return Done{};
}

}  // namespace

void add_calibrate(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "calibrate", "measures this machine's GPU, for modelled times",
                  "histolab calibrate\n"
                  "histolab calibrate --device gpu:1 --json mine.json");
  const auto flags = std::make_shared<CalibrateFlags>();
  command->add_option("--device", flags->device, "gpu or gpu:N (gpu)")->type_name("DEVICE");
  command
      ->add_option("--json", flags->file,
                   "output file; - is the standard output (profiles/<GPU>.json)")
      ->type_name("FILE");
  command->callback([&context, flags] {
    context.needs = "gpu_tools";
    context.run = [&context, flags] {
      const Status status = calibrate(context, *flags);
      return status ? static_cast<int>(done) : complain(status.error());
    };
  });
}

}  // namespace histolab::cli
