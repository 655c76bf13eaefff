// histolab run
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "datasets/datasets.h"
#include "grader/case_run.h"
#include "grader/cli/command.h"
#include "grader/launch_plan.h"
#include "grader/report_json.h"
#include "grader/submission.h"
#include "grader/text.h"
#include "grader/words.h"
#include "grader/work_folder.h"

namespace histolab::cli {
namespace {

using grader::LabSpec;

struct RunFlags {
  std::string word, kernel;
  std::string dataset = "mixed";
  std::optional<std::uint64_t> length;
  std::optional<std::uint32_t> grid;
  std::uint32_t block = 256;
  std::optional<std::uint32_t> shared;
  std::string schedule = "lockstep";
  std::uint64_t seed = 1;
  std::string device = "auto";
  bool json = false;
  std::vector<std::string> observers_off;
};

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

// What --kernel says, else the file in work/, else the solution.
Result<grader::Submission> kernel_of(const RunFlags& flags, const LabSpec& lab) {
  if (!flags.kernel.empty()) return grader::read_submission(flags.kernel);
  const std::string own = grader::work_path(lab, work_folder);
  std::error_code ignored;
  if (std::filesystem::exists(own, ignored)) return grader::read_submission(own);
  note(fmt::format("histolab: there is no {}, so this is the lab's solution\n", own));
  return grader::read_submission(lab.solution_path());
}

int finish(const RunFlags& flags, const LabSpec& lab, const grader::RunReport& report, const std::string& source) {
  const std::string out =
      flags.json
          ? grader::to_json(report)
          : grader::to_text(report, lab, source, {.color = color_wanted(), .next_steps = false, .report_path = {}});
  if (const int printed = print(out); printed != done) return printed;
  using kernels::Ending;
  const bool ended =
      report.compiled && (report.result.ending == Ending::completed || report.result.ending == Ending::stopped);
  return ended ? done : not_passed;
}

int run(const Context& context, const RunFlags& flags) {
  const Result<std::vector<LabSpec>> labs = chosen_labs(context, {flags.word});
  if (!labs) return complain(labs.error());
  LabSpec lab = labs->front();
  if (flags.shared) {
    lab.launch.dynamic_shared_bytes = *flags.shared;
    lab.launch.shared_opt_in = true;  // who asks by hand, opts in
  }
  const Result<kernels::Observers> observers = observers_of(flags.observers_off);
  if (!observers) return complain(observers.error());
  const std::optional<kernels::Schedule> schedule = kernels::schedule_from_name(flags.schedule);
  if (!schedule)
    return complain(
        {fmt::format("there is no schedule \"{}\"; known are lockstep, run_to_barrier, random and "
                     "adversarial", flags.schedule)});
  Result<grader::Bytes> data = datasets::load(flags.dataset, flags.length, flags.seed);
  if (!data) return complain(data.error());
  const Result<grader::Submission> kernel = kernel_of(flags, lab);
  if (!kernel) return complain(kernel.error());
  const Result<std::unique_ptr<kernels::Device>> device = make_device(context, flags.device);
  if (!device) return complain(device.error());

  const Result<kernels::Compiled> compiled =
      (*device)->compile({kernel->path, kernel->text}, grader::signature_of(lab));
  if (!compiled) return complain(compiled.error());
  grader::RunReport report;
  report.version = HISTOLAB_VERSION;
  report.device_kind = (*device)->kind();
  report.device_name = (*device)->name();
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
  if (!compiled->ok) return finish(flags, lab, report, kernel->text);
  Result<grader::CaseResult> result = grader::run_case(**device, lab, *compiled, shape, {std::move(*data)}, *observers);
  if (!result) return complain(result.error());
  report.result = std::move(*result);
  return finish(flags, lab, report, kernel->text);
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, "run", "one launch of a kernel: histogram, counters, findings",
                                  "histolab run 02 --dataset book\n"
                                  "histolab run 04 --kernel mine.cu --dataset /etc/services --json\n"
                                  "histolab run 01 --schedule random --seed 7 --length 4096 --block 32");
  std::string datasets = "\nDatasets:";
  for (const datasets::Dataset& each : datasets::catalogue())
    datasets += fmt::format("\n  {:<16} {}", each.name, each.description);
  command->footer(command->get_footer() + datasets);
  const auto flags = std::make_shared<RunFlags>();
  command->add_option("LAB", flags->word, "name, number or a unique beginning")->required()->type_name("");
  command->add_option("--kernel", flags->kernel, "the kernel (work/<LAB>.cu, or else the solution)")->type_name("FILE");
  command->add_option("--dataset", flags->dataset, "a generator's name, or a file: text, raw bytes or an image (mixed)")
      ->type_name("NAME|FILE");
  command->add_option("--length", flags->length, "elements (the whole file; 1 Mi of a generator)")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{0xFFFFFFFF}).description(""))
      ->type_name("N");
  command->add_option("--grid", flags->grid, "blocks (what the lab's contract gives)")
      ->check(CLI::Range(1u, 0x7FFFFFFFu).description(""))
      ->type_name("N");
  command->add_option("--block", flags->block, "threads in a block (256)")
      ->check(CLI::Range(1u, 1024u).description(""))
      ->type_name("N");
  command
      ->add_option("--shared", flags->shared,
                   "bytes of dynamic shared memory, up to what a device gives to those who opt in (the lab's)")
      ->type_name("BYTES");
  command->add_option("--schedule", flags->schedule, "lockstep, run_to_barrier, random or adversarial (lockstep)")
      ->type_name("NAME");
  add_seed_option(*command, flags->seed);
  add_device_option(*command, flags->device);
  command->add_flag("--json", flags->json, "as JSON (docs/run.schema.json)");
  command
      ->add_option("--no-observer", flags->observers_off,
                   "turn off races, bounds, initialization, alignment or traffic")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  command->callback([&context, flags] { context.run = [&context, flags] { return run(context, *flags); }; });
}

}  // namespace histolab::cli
