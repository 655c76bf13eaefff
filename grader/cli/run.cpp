// histolab run
#include "grader/cli/launch.h"
#include "grader/listing.h"
#include "grader/text.h"

namespace histolab::cli {
namespace {

struct RunFlags {
  LaunchFlags launch;
  std::string word;
  bool json = false, annotate = false;
};

int run(const Context& context, const RunFlags& flags) {
  const Result<std::vector<grader::LabSpec>> labs = chosen_labs(context, {flags.word});
  if (!labs) return complain(labs.error());
  return launch_and_print(context, flags.launch, labs->front(),
                          [&](const grader::LabSpec& lab, const grader::RunReport& run, const std::string& source) {
                            if (flags.json) return grader::to_json(run);
                            const grader::TextOptions options{
                                .color = color_wanted(), .next_steps = false, .report_path = {}, .width = columns_to_use()};
                            return flags.annotate ? grader::listing(run, lab, source, options)
                                                  : grader::to_text(run, lab, source, options);
                          });
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, "run", "one launch of a kernel: histogram, counters, findings",
                                  "histolab run 02 --dataset book\n"
                                  "histolab run 04 --kernel mine.cu --dataset /etc/services --json\n"
                                  "histolab run 05 --annotate --length 65536\n"
                                  "histolab run 01 --schedule random --seed 7 --length 4096 --block 32");
  const auto flags = std::make_shared<RunFlags>();
  command->add_option("LAB", flags->word, "name, number or a unique beginning")->required()->type_name("");
  add_launch_options(*command, flags->launch);
  CLI::Option* json = command->add_flag("--json", flags->json, "as JSON (docs/run.schema.json)");
  command->add_flag("--annotate", flags->annotate, "the source, with counters and findings in the margin")
      ->excludes(json);
  command->callback([&context, flags] { context.run = [&context, flags] { return run(context, *flags); }; });
}

}  // namespace histolab::cli
