#include "grader/cli/launch.h"

#include <fmt/format.h>

#include <filesystem>

#include "datasets/datasets.h"
#include "grader/case_run.h"
#include "grader/contest.h"
#include "grader/launch_plan.h"
#include "grader/modelled.h"
#include "grader/submission.h"
#include "grader/words.h"
#include "grader/work_folder.h"
#include "reference/device_profile.h"

namespace histolab::cli {

using grader::LabSpec;

namespace {

Result<kernels::Observers> observers_of(const std::vector<std::string>& off) {
  kernels::Observers on;
  for (const std::string& name : off) {
    bool* which = name == "races"            ? &on.races
                  : name == "bounds"         ? &on.bounds
                  : name == "initialization" ? &on.initialization
                  : name == "alignment"      ? &on.alignment
                  : name == "traffic"        ? &on.traffic
                                             : nullptr;
    if (which == nullptr)
      return Error{fmt::format(
          "there is no observer \"{}\"; known are races, bounds, initialization, alignment and traffic", name)};
    *which = false;
  }
  return on;
}

std::string profiles() {
  std::vector<std::string> names;
  for (const reference::DeviceProfile& profile : reference::device_profiles) names.emplace_back(profile.name);
  return grader::either(names);
}

// What --kernel says, else the file in work/, else the solution.
Result<grader::Submission> kernel_of(const LaunchFlags& flags, const LabSpec& lab) {
  if (!flags.kernel.empty()) return grader::read_submission(flags.kernel);
  const std::string own = grader::work_path(lab, work_folder);
  std::error_code ignored;
  if (std::filesystem::exists(own, ignored)) return grader::read_submission(own);
  note(fmt::format("histolab: there is no {}, so this is the lab's solution\n", own));
  return grader::read_submission(lab.solution_path());
}

// What runs the kernel; `gpu` is the same device where it is one.
struct Machine {
  std::unique_ptr<kernels::Device> device;
  kernels::TimedDevice* gpu = nullptr;
};

// The emulator sees more, so it is what "auto" means here.
Result<Machine> machine_of(const Context& context, const LaunchFlags& flags) {
  if (!gpu_number(flags.device)) {
    Result<std::unique_ptr<kernels::Device>> emulator = make_emulator(context);
    if (!emulator) return emulator.error();
    return Machine{std::move(*emulator), nullptr};
  }
  if (flags.schedule != LaunchFlags{}.schedule || !flags.observers_off.empty())
    return Error{"--schedule and --no-observer are the emulator's: a GPU schedules as it likes and has no observers"};
  Result<std::unique_ptr<kernels::TimedDevice>> gpu = make_gpu(context, flags.device);
  if (!gpu) return gpu.error();
  kernels::TimedDevice* timed = gpu->get();
  return Machine{std::move(*gpu), timed};
}

// The kernel's time, from launches on ever changed data; a wrong one among them makes the run wrong.
Status add_time(kernels::TimedDevice& gpu, const LabSpec& lab, const kernels::Compiled& compiled, const grader::Exports& exports,
                const std::vector<grader::Bytes>& inputs, grader::CaseResult& result) {
  grader::TimedCaseSpec spec{"run", result.dataset, result.length, result.length, result.block, result.grid};
  Result<grader::TimedCaseResult> timed = grader::run_contest(gpu, spec, {{compiled.path, &lab, &compiled, exports}}, inputs, {.grid = result.grid});
  if (!timed) return timed.error();
  result.ending = timed->ending, result.ending_detail = timed->ending_detail;
  grader::merge_findings(result.findings, timed->findings);
  result.correct = result.correct && timed->correct();
  if (timed->completed()) result.timing = timed->timing;
  return Done{};
}

int finish(const std::string& out, const grader::RunReport& report) {
  if (const int printed = print(out); printed != done) return printed;
  using kernels::Ending;
  const bool ended =
      report.compiled && (report.result.ending == Ending::completed || report.result.ending == Ending::stopped);
  return ended ? done : not_passed;
}

}  // namespace

void add_launch_options(CLI::App& command, LaunchFlags& flags) {
  std::string datasets = "\nDatasets:";
  for (const datasets::Dataset& each : datasets::catalogue())
    datasets += fmt::format("\n  {:<16} {}", each.name, each.description);
  command.footer(command.get_footer() + datasets);
  command.add_option("--kernel", flags.kernel, "the kernel (work/<LAB>.cu, or else the solution)")->type_name("FILE");
  command.add_option("--dataset", flags.dataset, "a generator's name, or a file: text, raw bytes or an image (mixed)")
      ->type_name("NAME|FILE");
  command.add_option("--length", flags.length, "elements (the whole file; 1 Mi of a generator)")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{0xFFFFFFFF}).description(""))
      ->type_name("N");
  command.add_option("--grid", flags.grid, "blocks (what the lab's contract gives)")
      ->check(CLI::Range(1u, 0x7FFFFFFFu).description(""))
      ->type_name("N");
  command.add_option("--block", flags.block, "threads in a block (256)")
      ->check(CLI::Range(1u, 1024u).description(""))
      ->type_name("N");
  command
      .add_option("--shared", flags.shared,
                  "bytes of dynamic shared memory, up to what a device gives to those who opt in (the lab's)")
      ->type_name("BYTES");
  command.add_option("--profile", flags.profile, fmt::format("the GPU whose limits hold: {} ({})", profiles(), flags.profile))->type_name("NAME");
  command.add_option("--schedule", flags.schedule, "lockstep, run_to_barrier, random or adversarial (lockstep)")
      ->type_name("NAME");
  add_seed_option(command, flags.seed);
  add_device_option(command, flags.device);
  command
      .add_option("--no-observer", flags.observers_off,
                   "turn off races, bounds, initialization, alignment or traffic")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
}

int launch_and_print(const Context& context, const LaunchFlags& flags, const LabSpec& of_the_course, const Show& show) {
  LabSpec lab = of_the_course;
  if (flags.shared) {
    lab.launch.dynamic_shared_bytes = *flags.shared;
    lab.launch.shared_opt_in = true;  // who asks by hand, opts in
  }
  if (reference::find_device_profile(flags.profile) == nullptr)
    return complain({fmt::format("there is no profile \"{}\"; it may be {}", flags.profile, profiles())});
  lab.launch.profile = flags.profile;
  const Result<kernels::Observers> observers = observers_of(flags.observers_off);
  if (!observers) return complain(observers.error());
  const std::optional<kernels::Schedule> schedule = kernels::schedule_from_name(flags.schedule);
  if (!schedule)
    return complain(
        {fmt::format("there is no schedule \"{}\"; known are lockstep, run_to_barrier, random and adversarial",
                     flags.schedule)});
  Result<grader::Bytes> data = datasets::load(flags.dataset, flags.length, flags.seed);
  if (!data) return complain(data.error());
  Result<Machine> machine = machine_of(context, flags);
  if (!machine) return complain(machine.error());
  const Result<grader::Submission> kernel = kernel_of(flags, lab);
  if (!kernel) return complain(kernel.error());
  kernels::Device* device = machine->device.get();

  const Result<kernels::Compiled> compiled = device->compile({kernel->path, kernel->text}, grader::signature_of(lab));
  if (!compiled) return complain(compiled.error());
  grader::RunReport report;
  report.version = HISTOLAB_VERSION;
  report.device_kind = device->kind();
  report.device_name = device->name();
  report.sandbox = "process";
  report.lab = lab.name;
  report.kernel_path = kernel->path;
  report.seed = flags.seed;
  report.compiled = compiled->ok;
  report.refused = compiled->refused;
  report.diagnostics = compiled->diagnostics;
  grader::CaseResult& shape = report.result;
  shape.dataset = flags.dataset;
  shape.length = data->size();
  shape.bins = lab.binning.bins;
  shape.block = flags.block;
  shape.schedule = *schedule;
  shape.seed = flags.seed;
  const Result<grader::Exports> exports = compiled->ok ? grader::exports_of(lab, *compiled) : grader::Exports{};
  if (!exports) {
    complain({fmt::format("{}: {}", kernel->path, exports.error().message)});
    return not_passed;  // the student's doing, like a compile error
  }
  const std::uint32_t fixed = grader::default_fixed_grid(shape.length, shape.block);
  shape.grid = flags.grid.value_or(grader::grid_of(lab, *exports, shape.length, shape.block, fixed));
  if (!compiled->ok) return finish(show(lab, report, kernel->text), report);
  const std::vector<grader::Bytes> inputs = {std::move(*data)};
  Result<grader::CaseResult> result = grader::run_case(*device, lab, *compiled, shape, inputs, *observers);
  if (!result) return complain(result.error());
  report.result = std::move(*result);
  if (machine->gpu == nullptr) {
    if (observers->traffic) grader::add_modelled(report.result, context.paths.profiles, flags.profile);
  } else if (report.result.completed()) {
    if (Status timed = add_time(*machine->gpu, lab, *compiled, *exports, inputs, report.result); !timed) return complain(timed.error());
  }
  return finish(show(lab, report, kernel->text), report);
}

}  // namespace histolab::cli
