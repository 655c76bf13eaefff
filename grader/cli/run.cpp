// histolab run
#include "grader/cli/devices.h"
#include "grader/cli/explain.h"
#include "grader/cli/launch.h"
#include "grader/cli/stream.h"
#include "grader/feedback/text.h"
#include "grader/report/report_json.h"
#include "reference/splitmix64.h"

namespace histolab::cli {
namespace {

struct RunFlags {
  LaunchFlags launch;
  StreamFlags how;
  std::string word, case_id;
  bool json = false, annotate = false, stream = false;
};

int run(const Context& context, const RunFlags& flags) {
  const Result<grader::LabSpec> lab = chosen_lab(context, flags.word);
  const Result<LaunchFlags> launch = !lab ? Result<LaunchFlags>{lab.error()}
                                     : flags.case_id.empty()
                                         ? flags.launch
                                         : flags_of_case(flags.launch, *lab, flags.case_id);
  if (!launch) return flags.stream ? fail_stream(launch.error()) : complain(launch.error());
  if (flags.stream) return stream(context, *launch, *lab, flags.how);
  if (flags.annotate) return explain(context, *launch, {*lab}, "");
  const Result<MadeLaunch> made = make_launch(context, *launch, *lab);
  if (!made) return complain(made.error());
  if (!made->prepared.unfit.empty()) return report_unfit(made->prepared);
  const grader::TextOptions options{
      .color = color_wanted(), .next_steps = false, .report_path = {}, .width = columns_to_use()};
  const int printed = print(flags.json ? grader::to_json(made->report)
                                       : grader::to_text(made->report, made->prepared.lab,
                                                         made->prepared.kernel.text, options));
  return printed != done ? printed : has_ended(made->report) ? done : not_passed;
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "run", "launches a kernel once: histogram, counters, findings",
                  "histolab run 02 --dataset book\n"
                  "histolab run 04 --kernel mine.cu --dataset /etc/services --json\n"
                  "histolab run 04 --case mixed-256\n"
                  "histolab run 05 --annotate --length 65536\n"
                  "histolab run 01 --schedule random --seed 7 --length 4096 --block 32\n"
                  "histolab run 01 --stream --repeat 0 | histolab view -");
  const auto flags = std::make_shared<RunFlags>();
  command->add_option("LAB", flags->word, "name, number or first letters")
      ->required()
      ->type_name("");
  add_launch_options(*command, flags->launch);
  add_case_option(*command, flags->case_id, "none");
  CLI::Option* json = command->add_flag("--json", flags->json, "as JSON (docs/run.schema.json)");
  CLI::Option* annotate = command
                              ->add_flag("--annotate", flags->annotate,
                                         "the source, with counters and findings in the margin")
                              ->excludes(json);
  CLI::Option* streamed =
      command
          ->add_flag("--stream", flags->stream,
                     "the launch while it runs, one JSON object per line (docs/stream.schema.json)")
          ->excludes(json)
          ->excludes(annotate);
  command
      ->add_option("--accesses", flags->how.accesses,
                   "with --stream: the first N memory accesses of warps")
      ->check(CLI::Range(1u, kernels::Options::most_recorded).description(""))
      ->type_name("N")
      ->needs(streamed);
  command
      ->add_option(
          "--repeat", flags->how.repeat,
          "with --stream: N launches, each with the next seed; 0 repeats until stopped (1)")
      ->check(CLI::Range(std::uint64_t{0}, reference::max_seed).description(""))
      ->type_name("N")
      ->needs(streamed);
  command
      ->add_flag("--control", flags->how.control,
                 "with --stream: reads commands from the standard input: pause, run, step N, speed "
                 "N, quit")
      ->needs(streamed);
  command->callback([&context, command, flags] {
    refuse_data_options(*command, flags->case_id);
    if (gpu_number(flags->launch.device)) context.needs = "gpu";
    context.run = [&context, flags] { return run(context, *flags); };
  });
}

}  // namespace histolab::cli
