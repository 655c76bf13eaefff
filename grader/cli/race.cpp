// histolab race
#include "grader/race/race_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grader/cli/launch.h"
#include "grader/cli/program_report.h"
#include "grader/cli/whole_program.h"
#include "grader/files/read_file.h"
#include "grader/files/write_file.h"
#include "grader/lab/attempt.h"
#include "grader/lab/catalogue.h"
#include "grader/lab/lab_kernels.h"
#include "grader/words/words.h"
#include "kernels/code_tokens.h"
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
  ProgramFlags program;  // without files, if --kernel names a lab or its kernel
};

namespace program = kernels::program;
using grader::KernelRace;

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

bool has_main(const std::string& path) {
  const Result<std::string> text = grader::read_text_file(path, "source", 4 << 20);
  if (!text) return false;
  const std::vector<kernels::CodeToken> tokens = kernels::code_tokens(*text);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
    if (tokens[i].is("main") && tokens[i + 1].is("(")) return true;
  return false;
}

// Runs a whole program and records threads of one launch: the chosen one, or else the first one
// with a data race, or else the first one. Returns nullopt if the program does not compile.
Result<std::optional<KernelRace>> recorded_program(const Context& context, const RaceFlags& flags,
                                                   const ProgramFlags& program_flags) {
  PreparedProgram prepared = TRY(prepare_program(context, program_flags));
  if (!prepared.compiles()) return std::optional<KernelRace>{};
  program::ProgramSettings& settings = prepared.settings;
  settings.on_output = settings.on_errors;
  settings.options.recorded_steps = kernels::Options::most_recorded;
  struct Seen {
    KernelRace::Launch launch;
    kernels::Observation observation;
  };
  std::optional<Seen> first, racing;
  const auto has_race = [](const kernels::Finding& finding) {
    return finding.kind == kernels::FindingKind::data_race &&
           finding.severity == kernels::Severity::error;
  };
  settings.on_launch = [&](std::uint64_t number, const program::ReportedLaunch& launch,
                           const kernels::Observation& observation) {
    if (settings.chosen_launch != 0 && number != settings.chosen_launch) return;
    const bool races = !racing && std::ranges::any_of(observation.findings, has_race);
    if (first && !races) return;
    const Seen seen{.launch = {.number = number,
                               .text = launch_text(launch),
                               .kernel = launch.kernel,
                               .grid = launch.grid,
                               .block = launch.block},
                    .observation = observation};
    if (!first) first = seen;
    if (races) racing = seen;
  };
  const std::string& source = program_flags.files[0];
  const program::ProgramReport report = TRY(run_from_the_beginning(prepared));
  if (!first) return no_such_launch(source, settings.chosen_launch, report);
  Seen& seen = racing ? *racing : *first;
  if (settings.chosen_launch == 0 && report.launch_count > 1)
    note(fmt::format(
        "histolab: {}; --launch N shows another one\n",
        racing ? fmt::format("launch {} is the first one with a data race", seen.launch.number)
               : "no launch has a data race, so this is launch 1"));
  const std::vector<std::uint64_t> threads =
      grader::threads_to_show(seen.observation, seen.launch, flags.shape.threads);
  if (threads.size() < KernelRace::least_threads)
    return Error{fmt::format("launch {}, {}, has a single thread: choose another one with --launch",
                             seen.launch.number, seen.launch.text)};
  if (seen.observation.steps.size() == settings.options.recorded_steps) {
    // Other threads fill the recording: record only these.
    settings.chosen_launch = seen.launch.number;
    settings.options.recorded_threads = threads;
    settings.on_output = settings.on_errors = [](std::string_view) {};
    settings.on_launch = [&](std::uint64_t number, const program::ReportedLaunch&,
                             const kernels::Observation& observation) {
      if (number == settings.chosen_launch) seen.observation = observation;
    };
    TRY(run_from_the_beginning(prepared));
  }
  KernelRace race = grader::race_of_launch(
      seen.observation, seen.launch, threads, source,
      {.threads = flags.shape.threads, .schedule = settings.options.schedule, .seed = flags.seed});
  race.texts[""] = prepared.sources.text(source);
  for (const KernelRace::Step& step : race.steps)
    if (!step.file.empty()) race.texts[step.file] = prepared.sources.text(step.file);
  return std::optional{std::move(race)};
}

// Returns nullopt if the kernel cannot be launched; the reason has been printed.
Result<std::optional<KernelRace>> recorded(const Context& context, const RaceFlags& flags) {
  const std::uint32_t threads = flags.shape.threads;
  if (threads < KernelRace::least_threads || threads > KernelRace::most_threads)
    return Error{fmt::format("--threads {}: a kernel's race is shown with {} to {} threads",
                             threads, KernelRace::least_threads, KernelRace::most_threads)};
  const Named what = TRY(named(context, flags.kernel));
  const LaunchFlags launch{.kernel = what.file,
                           .block = threads,
                           .schedule = flags.schedule,
                           .seed = flags.seed,
                           .device = "emulator"};
  if (what.lab.program && context.program_words.empty()) {
    const grader::Bytes letters(threads, 'm');
    return recorded_program(context, flags,
                            TRY(program_of_lab(launch, what.lab, letters, flags.program)));
  }
  if (!flags.program.files.empty()) return recorded_program(context, flags, flags.program);
  TRY(refuse_program_options(flags.program));
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
    if (const Status fits = refuse_program_options(flags.program); !fits)
      return complain(fits.error());
    if (flags.enumerate) return show(grader::all_races(flags.shape), flags.json);
    if (flags.scenario != 0) return show(grader::race_of_scenario(flags.scenario), flags.json);
    return show(grader::race_of_seed(flags.shape, flags.seed), flags.json);
  }
  Result<std::optional<KernelRace>> kernel = recorded(context, flags);
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
                  "histolab race --kernel work/01-race.cu --threads 3 --seed 4\n"
                  "histolab race --kernel main.cu --launch 3 -- 1000");
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
              "records 2 to 4 threads of this kernel instead; for a LAB, yours or the solution; "
              "FILE may be a whole program, whose arguments follow --")
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
  add_program_options(*command, flags->program);
  command->get_option("--launch")
      ->description(
          "for a whole program: number of the launch, from 1 (the first one with a data race, "
          "or else the first one)");
  command->callback([&context, command, flags, json = command->get_option("--json")] {
    const LaunchFlags launch{
        .kernel = flags->kernel, .schedule = flags->schedule, .seed = flags->seed};
    const bool is_program = is_source(flags->kernel) && has_main(flags->kernel);
    static_cast<void>(takes_program(context, *command, is_program ? flags->kernel : "", launch,
                                    {"--kernel", "--threads", "--enumerate", "--json"},
                                    flags->program));
    if (json->count() > 0 && flags->json.empty()) flags->json = "-";
    context.run = [&context, flags] { return race(context, *flags); };
  });
}

}  // namespace histolab::cli
