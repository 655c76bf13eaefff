// histolab compare
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "datasets/datasets.h"
#include "grader/cli/devices.h"
#include "grader/cli/launch.h"
#include "grader/cli/program_report.h"
#include "grader/cli/whole_program.h"
#include "grader/comparison/comparison.h"
#include "grader/lab/lab_kernels.h"
#include "grader/pipeline/modelled.h"
#include "grader/pipeline/profile_json.h"

namespace histolab::cli {
namespace {

struct CompareFlags {
  LaunchFlags launch;
  std::vector<std::string> kernels, datasets;
  ProgramFlags program;
  std::vector<std::uint64_t> launches;  // of the programs among the kernels
  bool json = false;
};

namespace program = kernels::program;
using grader::ComparedLaunch;

// One of the two launches.
struct Side {
  grader::LabSpec lab;
  LaunchFlags flags;
};

// "04", "04=mine.cu", "04=stub": a lab, optionally followed by = and the name of one of its kernels
// or a file.
Result<Side> side_of(const Context& context, const LaunchFlags& flags, const std::string& words,
                     const std::string& dataset) {
  const std::size_t sign = words.find('=');
  grader::LabSpec lab = TRY(chosen_lab(context, words.substr(0, sign)));
  Side side{.lab = std::move(lab), .flags = flags};
  side.flags.dataset = dataset;
  if (sign == std::string::npos) return side;
  side.flags.kernel = words.substr(sign + 1);
  if (side.flags.kernel.empty())
    return Error{fmt::format(
        "\"{}\": after the = give a file, stub, solution, work or the name of an attempt", words)};
  for (const grader::LabKernel& kernel : grader::kernels_of(side.lab, work_folder))
    if (kernel.name == side.flags.kernel) {
      side.flags.kernel = grader::shown(kernel.path);
      break;
    }
  return side;
}

// "A" or "A,B". A "text:" dataset extends to the end of the argument, commas included.
std::vector<std::string> names_in(const std::vector<std::string>& given) {
  std::vector<std::string> names;
  for (std::string_view rest : given)
    for (std::size_t comma = 0; comma != rest.npos;) {
      comma = datasets::typed_text(rest) ? rest.npos : rest.find(',');
      names.emplace_back(rest.substr(0, comma));
      if (comma != rest.npos) rest.remove_prefix(comma + 1);
    }
  return names;
}

Result<std::pair<Side, Side>> sides_of(const Context& context, const CompareFlags& flags) {
  const std::vector<std::string>& kernels = flags.kernels;
  const std::vector<std::string> datasets = names_in(flags.datasets);
  if (datasets.size() > 2) return Error{"--dataset: at most two datasets can be compared"};
  if (kernels.size() == 1 && datasets.size() < 2)
    return Error{
        "there is only one kernel on one dataset: name a second LAB or LAB=FILE, or --dataset A,B"};
  if (kernels.size() == 2 && kernels[0] != kernels[1] && datasets.size() == 2)
    return Error{
        "two kernels on two datasets differ in two things: give one kernel with --dataset A,B, or "
        "two kernels with one dataset"};
  const std::string first = datasets.empty() ? flags.launch.dataset : datasets.front();
  Side a = TRY(side_of(context, flags.launch, kernels.front(), first));
  Side b = TRY(
      side_of(context, flags.launch, kernels.back(), datasets.empty() ? first : datasets.back()));
  return std::pair{std::move(a), std::move(b)};
}

// Loads the same number of elements for both. For two files this is the length of the shorter one.
Status load_both(Side& a, Side& b, LaunchData& of_a, LaunchData& of_b) {
  for (const auto& [side, into] : {std::pair{&a, &of_a}, {&b, &of_b}})
    *into = TRY(load_data(side->lab, side->flags));
  if (of_a.length == of_b.length) return Done{};
  a.flags.length = b.flags.length = std::min(of_a.length, of_b.length);
  return load_both(a, b, of_a, of_b);
}

Result<grader::RunReport> run_side(const Context& context, const PreparedLaunch& prepared,
                                   const Side& side, LaunchData data) {
  grader::RunReport plan = plan_launch(prepared, data.name, data.length, side.flags.seed);
  if (!plan.compiled) return plan;
  return launch(context, prepared, std::move(plan), {std::move(data.bytes)});
}

int show(ComparedLaunch a, ComparedLaunch b, bool json) {
  const bool both_ended = has_ended(a.run) && has_ended(b.run);
  const grader::Comparison both = grader::compared(std::move(a), std::move(b));
  const grader::TextOptions options{
      .color = color_wanted(), .next_steps = false, .report_path = {}, .width = columns_to_use()};
  const int printed = print(json ? grader::to_json(both) : grader::to_text(both, options));
  return printed != done ? printed : both_ended ? done : not_passed;
}

// Runs the program once and returns one of its launches.
Result<ComparedLaunch> run_program_side(const Context& context, PreparedProgram& prepared,
                                        std::uint64_t number) {
  program::ProgramSettings& settings = prepared.settings;
  const Result<reference::TimingProfile> profile =
      grader::load_profile(context.paths.profiles, prepared.flags.profile);
  grader::ModelledTime modelled;
  if (profile)
    settings.modelled_ms = [&](const kernels::Observation& observation, std::uint64_t bytes) {
      modelled = {
          .profile = profile->name,
          .device = profile->device,
          .estimate = reference::estimate(*profile, grader::workload_of(observation, bytes))};
      return modelled.estimate.total_ns / 1e6;
    };
  settings.chosen_launch = number;
  std::optional<ComparedLaunch> chosen;
  settings.on_launch = [&](std::uint64_t at, const program::ReportedLaunch& launch,
                           const kernels::Observation& observation) {
    if (at != number) return;
    ComparedLaunch& found = chosen.emplace();
    found.program = {.number = number,
                     .text = launch_text(launch),
                     .kernel = launch.kernel,
                     .grid = launch.grid,
                     .block = launch.block,
                     .file = launch.line.file,
                     .line = launch.line.line};
    found.run.version = HISTOLAB_VERSION;
    found.run.kernel_path = prepared.flags.files[0];
    found.run.compiled = true;
    grader::CaseResult& result = found.run.result;
    result.ending = observation.ending;
    result.ending_detail = observation.ending_detail;
    result.totals = observation.counters;
    result.counters = reference::values(observation.counters);
    result.pressure = observation.pressure;
    result.findings = observation.findings;
    const auto is_error = [](const kernels::Finding& finding) {
      return finding.severity == kernels::Severity::error;
    };
    result.correct = result.completed() && std::ranges::none_of(result.findings, is_error);
    if (!result.completed()) return;
    if (profile && settings.options.observers.traffic)
      result.modelled = modelled;
    else if (!profile)
      result.modelled_reason = profile.error().message;
  };
  const program::ProgramReport report = TRY(run_from_the_beginning(prepared));
  if (!chosen) return no_such_launch(prepared.flags.files[0], number, report);
  return std::move(*chosen);
}

// A launch of a lab's kernel, to compare with a program's.
Result<grader::RunReport> run_lab_side(const Context& context, const CompareFlags& flags,
                                       const std::string& words) {
  const std::vector<std::string> datasets = names_in(flags.datasets);
  if (datasets.size() > 1)
    return Error{"--dataset: a program has its own data, so give one dataset for the lab"};
  const Side side = TRY(side_of(context, flags.launch, words,
                                datasets.empty() ? flags.launch.dataset : datasets.front()));
  LaunchData data = TRY(load_data(side.lab, side.flags));
  const PreparedLaunch prepared = TRY(prepare_launch(context, side.flags, side.lab));
  if (!prepared.unfit.empty()) return Error{prepared.unfit};
  return run_side(context, prepared, side, std::move(data));
}

// Names of two launches, at least one of which is a program's.
std::pair<std::string, std::string> labels_of(const ComparedLaunch& a, const ComparedLaunch& b) {
  const auto name = [&](const ComparedLaunch& launch) {
    if (!launch.program) return launch.run.lab.substr(0, launch.run.lab.find('-'));
    return a.run.kernel_path == b.run.kernel_path
               ? fmt::format("launch {}", launch.program->number)
               : std::filesystem::path(launch.run.kernel_path).stem().string();
  };
  std::string of_a = name(a), of_b = name(b);
  if (of_a == of_b) return {"A", "B"};
  return {std::move(of_a), std::move(of_b)};
}

int compare_programs(const Context& context, const CompareFlags& flags) {
  std::vector<std::string> sides = flags.kernels;
  if (sides.size() == 1 && flags.launches.size() == 2) sides.push_back(sides.front());
  if (sides.size() == 1)
    return complain(
        {fmt::format("there is only one launch: name a second program or LAB, or two "
                     "launches of {} with --launch A,B",
                     sides.front())});
  if (flags.launches.size() > static_cast<std::size_t>(std::ranges::count_if(sides, is_source)))
    return complain({"--launch: more numbers than programs"});
  std::map<std::string, PreparedProgram> built;
  std::vector<ComparedLaunch> both;
  std::size_t next = 0;  // in flags.launches
  for (const std::string& words : sides) {
    if (!is_source(words)) {
      Result<grader::RunReport> run = run_lab_side(context, flags, words);
      if (!run) return complain(run.error());
      both.push_back({.label = {}, .run = std::move(*run)});
      continue;
    }
    auto known = built.find(words);
    if (known == built.end()) {
      ProgramFlags program = flags.program;
      program.files = {words};
      Result<PreparedProgram> prepared = prepare_program(context, program);
      if (!prepared) return complain(prepared.error());
      if (!prepared->compiles()) return not_passed;
      prepared->settings.on_output = prepared->settings.on_errors;
      known = built.emplace(words, std::move(*prepared)).first;
    }
    const std::uint64_t number = next < flags.launches.size() ? flags.launches[next++] : 1;
    Result<ComparedLaunch> launch = run_program_side(context, known->second, number);
    if (!launch) return complain(launch.error());
    both.push_back(std::move(*launch));
    // The program prints the same in each run.
    known->second.settings.on_output = known->second.settings.on_errors = [](std::string_view) {};
  }
  std::tie(both[0].label, both[1].label) = labels_of(both[0], both[1]);
  return show(std::move(both[0]), std::move(both[1]), flags.json);
}

int compare(const Context& context, const CompareFlags& flags) {
  Result<std::pair<Side, Side>> sides = sides_of(context, flags);
  if (!sides) return complain(sides.error());
  auto& [a, b] = *sides;
  LaunchData of_a, of_b;
  if (Status loaded = load_both(a, b, of_a, of_b); !loaded) return complain(loaded.error());
  std::vector<PreparedLaunch> prepared;
  for (const Side* side : {&a, &b}) {
    if (side == &b && flags.kernels.front() == flags.kernels.back())
      break;  // one kernel, compiled once
    Result<PreparedLaunch> one = prepare_launch(context, side->flags, side->lab);
    if (!one) return complain(one.error());
    if (!one->unfit.empty()) return report_unfit(*one);
    prepared.push_back(std::move(*one));
  }
  Result<grader::RunReport> run_a = run_side(context, prepared.front(), a, std::move(of_a));
  if (!run_a) return complain(run_a.error());
  Result<grader::RunReport> run_b = run_side(context, prepared.back(), b, std::move(of_b));
  if (!run_b) return complain(run_b.error());
  const auto [label_a, label_b] = grader::labels_of(*run_a, *run_b);
  return show({label_a, std::move(*run_a)}, {label_b, std::move(*run_b)}, flags.json);
}

}  // namespace

void add_compare(CLI::App& app, Context& context) {
  CLI::App* command = add_command(
      app, "compare", "compares two kernels, or one on two datasets: times, counters, and why",
      "histolab compare 02 04\n"
      "histolab compare 04=work 04=solution --dataset english\n"
      "histolab compare 04=mine.cu 05 --length 100000 --json\n"
      "histolab compare naive.cu --launch 1 tiled.cu --launch 2\n"
      "histolab compare main.cu --launch 1,4 -- 1000\n"
      "histolab compare 02 --dataset hot:0,hot:100");
  const auto flags = std::make_shared<CompareFlags>();
  command
      ->add_option(
          "LAB|FILE.cu", flags->kernels,
          "a lab, or LAB=KERNEL: a file, stub, solution, work or the name of an attempt "
          "(work/<LAB>.cu, or else the solution); or a whole program, whose arguments follow "
          "--")
      ->required()
      ->expected(1, 2)
      ->type_name("");
  command
      ->add_option("--dataset", flags->datasets,
                   "a generator's name or a file; two separated by a comma (mixed)")
      ->expected(1)
      ->take_all()
      ->type_name("A[,B]");
  add_shape_options(*command, flags->launch);
  command->add_flag("--json", flags->json, "as JSON (docs/compare.schema.json)");
  add_program_options(*command, flags->program);
  command->remove_option(command->get_option("--launch"));
  command
      ->add_option(
          "--launch", flags->launches,
          "for a whole program: number of the launch, from 1 (1); one for each program, or two "
          "for one")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40).description(""))
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->delimiter(',')
      ->type_name("N[,N]");
  command->callback([&context, command, flags] {
    const bool has_programs = std::ranges::any_of(flags->kernels, is_source);
    std::vector<std::string> more{"--json"};
    if (!std::ranges::all_of(flags->kernels, is_source))  // the other options are for the lab
      for (const CLI::Option* each : command->get_options())
        if (!each->get_positional()) more.push_back("--" + each->get_lnames().front());
    const auto program = std::ranges::find_if(flags->kernels, is_source);
    static_cast<void>(takes_program(context, *command, has_programs ? *program : "", flags->launch,
                                    more, flags->program));
    if (has_programs) {
      context.run = [&context, flags] { return compare_programs(context, *flags); };
      return;
    }
    if (gpu_number(flags->launch.device)) context.needs = "gpu";
    context.run = [&context, flags] {
      const Status fits = refuse_program_options(flags->program);
      return fits ? compare(context, *flags) : complain(fits.error());
    };
  });
}

}  // namespace histolab::cli
