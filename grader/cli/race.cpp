// histolab race
#include "grader/race_report.h"

#include "grader/cli/command.h"
#include "grader/write_file.h"

namespace histolab::cli {
namespace {

struct RaceFlags {
  reference::Increments shape;
  std::uint64_t seed = 1;
  int scenario = 0;
  bool enumerate = false;
  std::string json;
};

int race(const RaceFlags& flags) {
  const Result<grader::RaceReport> report = flags.enumerate       ? grader::all_races(flags.shape)
                                            : flags.scenario != 0 ? grader::race_of_scenario(flags.scenario)
                                                                  : grader::race_of_seed(flags.shape, flags.seed);
  if (!report) return complain(report.error());
  if (flags.json == "-") return print(grader::to_json(*report));
  if (!flags.json.empty())
    if (const Status written = grader::write_file(flags.json, grader::to_json(*report)); !written)
      return complain(written.error());
  return print(grader::to_text(*report));
}

}  // namespace

void add_race(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, "race", "how threads that do histo[b]++ lose updates, step by step",
                                  "histolab race --seed 7\n"
                                  "histolab race --scenario 3\n"
                                  "histolab race --threads 3 --increments 2 --enumerate\n"
                                  "histolab race --atomic");
  std::string scenarios = "\nScenarios, of two threads with one increment each:";
  for (std::size_t i = 0; i < reference::lecture_scenarios().size(); ++i)
    scenarios += "\n  " + std::to_string(i + 1) + "  " + reference::lecture_scenarios()[i].title;
  command->footer(command->get_footer() + scenarios);
  const auto flags = std::make_shared<RaceFlags>();
  CLI::Option* threads = command->add_option("--threads", flags->shape.threads, "threads, T1 to TN (2)")
                             ->check(CLI::Range(1u, reference::max_threads).description(""))
                             ->type_name("N");
  CLI::Option* increments = command->add_option("--increments", flags->shape.increments, "of each thread (1)")
                                ->check(CLI::Range(1u, reference::max_increments).description(""))
                                ->type_name("N");
  CLI::Option* atomic =
      command->add_flag("--atomic", flags->shape.atomic, "atomicAdd(&histo[b], 1) instead of histo[b]++");
  CLI::Option* seed = command->add_option("--seed", flags->seed, "which interleaving (1); each is equally likely")
                          ->check(CLI::Range(std::uint64_t{0}, max_seed).description(""))
                          ->type_name("N");
  CLI::Option* scenario = command->add_option("--scenario", flags->scenario, "one of a lecture's four interleavings")
                              ->check(CLI::Range(1, 4).description(""))
                              ->type_name("N");
  CLI::Option* enumerate =
      command->add_flag("--enumerate", flags->enumerate, "count every interleaving instead of showing one");
  for (CLI::Option* other : {threads, increments, atomic, seed, enumerate}) scenario->excludes(other);
  enumerate->excludes(seed);
  command
      ->add_option("--json", flags->json, "as JSON (docs/race.schema.json), to FILE besides the text or, alone, to -")
      ->type_name("FILE|-")
      ->expected(0, 1);
  command->callback([&context, flags, json = command->get_option("--json")] {
    if (json->count() > 0 && flags->json.empty()) flags->json = "-";
    context.run = [flags] { return race(*flags); };
  });
}

}  // namespace histolab::cli
