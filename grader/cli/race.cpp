// histolab race
#include "grader/race/race_report.h"

#include <fmt/format.h>

#include <filesystem>

#include "grader/cli/launch.h"
#include "grader/files/write_file.h"
#include "grader/lab/attempt.h"
#include "grader/lab/catalogue.h"
#include "grader/lab/lab_kernels.h"
#include "grader/words/words.h"
#include "reference/splitmix64.h"

namespace histolab::cli {
namespace {

struct RaceFlags {
  reference::Increments shape;
  std::uint64_t seed = 1;
  int scenario = 0;
  bool enumerate = false;
  std::string kernel, schedule = std::string(name(grader::KernelRace::Setup{}.schedule));
  std::string json;
};

// The kernel that --kernel names. For a lab, the kernel is chosen as in `run`. A file is judged by
// the lab that it belongs to, or else by the first lab.
struct Named {
  grader::LabSpec lab;
  std::string file;  // empty if a lab was named
};

Result<Named> named(const Context& context, const std::string& word) {
  std::vector<grader::LabSpec> labs = TRY(grader::load_catalogue(context.paths.labs));
  std::error_code ignored;
  if (std::filesystem::is_regular_file(grader::stored_path(word), ignored)) {
    for (const grader::LabSpec& lab : labs)
      for (const grader::LabKernel& known : grader::kernels_of(lab, work_folder))
        if (std::filesystem::equivalent(grader::stored_path(known.path), grader::stored_path(word),
                                        ignored))
          return Named{lab, word};
    return Named{labs.front(), word};
  }
  const Result<const grader::LabSpec*> lab = grader::find_lab(labs, word);
  if (!lab)
    return Error{fmt::format("--kernel {}: there is no such file, and no such lab: {}", word,
                             lab.error().message)};
  return Named{**lab, ""};
}

// Returns nullopt if the kernel cannot be launched; the reason has been printed.
Result<std::optional<grader::KernelRace>> recorded(const Context& context, const RaceFlags& flags) {
  using grader::KernelRace;
  const std::uint32_t threads = flags.shape.threads;
  if (threads < KernelRace::least_threads || threads > KernelRace::most_threads)
    return Error{fmt::format("--threads {}: a kernel's race is shown with {} to {} threads",
                             threads, KernelRace::least_threads, KernelRace::most_threads)};
  const Named what = TRY(named(context, flags.kernel));
  if (what.lab.program)
    return Error{
        fmt::format("{} has whole programs, and race shows single kernels", what.lab.name)};
  const LaunchFlags launch{.kernel = what.file,
                           .block = threads,
                           .schedule = flags.schedule,
                           .seed = flags.seed,
                           .device = "emulator"};
  const PreparedLaunch prepared = TRY(prepare_launch(context, launch, what.lab));
  const grader::Submission& kernel = prepared.kernel;
  if (!prepared.unfit.empty()) note(fmt::format("histolab: {}\n", prepared.unfit));
  for (const kernels::Diagnostic& each : prepared.compiled.diagnostics)
    if (each.severity == kernels::Severity::error)
      note(fmt::format("{}:{}:{}: {}\n", kernel.path, each.line, each.column,
                       grader::harmless(each.message)));
  if (!prepared.compiled.ok || !prepared.unfit.empty()) return std::optional<KernelRace>{};
  return std::optional{
      TRY(grader::race_of_kernel(*prepared.machine.device, prepared.lab, prepared.compiled,
                                 kernel.text, {threads, prepared.schedule, flags.seed}))};
}

int show(const Result<grader::RaceReport>& report, const std::string& json) {
  if (!report) return complain(report.error());
  if (json == "-") return print(grader::to_json(*report));
  if (!json.empty())
    if (const Status written = grader::write_file(json, grader::to_json(*report)); !written)
      return complain(written.error());
  return print(grader::to_text(*report));
}

int race(const Context& context, const RaceFlags& flags) {
  if (flags.kernel.empty()) {
    if (flags.enumerate) return show(grader::all_races(flags.shape), flags.json);
    if (flags.scenario != 0) return show(grader::race_of_scenario(flags.scenario), flags.json);
    return show(grader::race_of_seed(flags.shape, flags.seed), flags.json);
  }
  Result<std::optional<grader::KernelRace>> kernel = recorded(context, flags);
  if (!kernel) return complain(kernel.error());
  if (!*kernel) return not_passed;
  return show(flags.enumerate ? grader::all_races(std::move(**kernel))
                              : grader::race_of(std::move(**kernel)),
              flags.json);
}

}  // namespace

void add_race(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "race", "shows how threads that do histo[b]++ lose updates, step by step",
                  "histolab race --seed 7\n"
                  "histolab race --scenario 3\n"
                  "histolab race --threads 3 --increments 2 --enumerate\n"
                  "histolab race --atomic\n"
                  "histolab race --kernel work/01-race.cu --threads 3 --seed 4");
  std::string scenarios = "\nScenarios, of two threads with one increment each:";
  for (std::size_t i = 0; i < reference::lecture_scenarios().size(); ++i)
    scenarios += "\n  " + std::to_string(i + 1) + "  " + reference::lecture_scenarios()[i].title;
  command->footer(command->get_footer() + scenarios);
  const auto flags = std::make_shared<RaceFlags>();
  CLI::Option* threads =
      command->add_option("--threads", flags->shape.threads, "threads, T1 to TN (2)")
          ->check(CLI::Range(1u, reference::max_threads).description(""))
          ->type_name("N");
  CLI::Option* increments =
      command->add_option("--increments", flags->shape.increments, "increments per thread (1)")
          ->check(CLI::Range(1u, reference::max_increments).description(""))
          ->type_name("N");
  CLI::Option* atomic = command->add_flag("--atomic", flags->shape.atomic,
                                          "atomicAdd(&histo[b], 1) instead of histo[b]++");
  CLI::Option* seed = command
                          ->add_option("--seed", flags->seed,
                                       "chooses the interleaving (1); all are equally likely")
                          ->check(CLI::Range(std::uint64_t{0}, reference::max_seed).description(""))
                          ->type_name("N");
  CLI::Option* scenario =
      command->add_option("--scenario", flags->scenario, "one of a lecture's four interleavings")
          ->check(CLI::Range(1, 4).description(""))
          ->type_name("N");
  CLI::Option* enumerate = command->add_flag("--enumerate", flags->enumerate,
                                             "count every interleaving instead of showing one");
  CLI::Option* kernel =
      command
          ->add_option(
              "--kernel", flags->kernel,
              "records 2 to 4 threads of this kernel instead; for a LAB, yours or the solution")
          ->type_name("FILE|LAB");
  command
      ->add_option("--schedule", flags->schedule,
                   "schedule of --kernel: random, lockstep, run_to_barrier or adversarial (random)")
      ->needs(kernel)
      ->type_name("NAME");
  for (CLI::Option* other : {increments, atomic}) kernel->excludes(other);
  for (CLI::Option* other : {threads, increments, atomic, seed, enumerate, kernel})
    scenario->excludes(other);
  enumerate->excludes(seed);
  command
      ->add_option("--json", flags->json,
                   "writes JSON (docs/race.schema.json) to FILE, in addition to the text; - prints "
                   "only JSON")
      ->type_name("FILE|-")
      ->expected(0, 1);
  command->callback([&context, flags, json = command->get_option("--json")] {
    if (json->count() > 0 && flags->json.empty()) flags->json = "-";
    context.run = [&context, flags] { return race(context, *flags); };
  });
}

}  // namespace histolab::cli
