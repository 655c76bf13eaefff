// histolab debug: a launch under gdb, stopped in one thread.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <regex>

#include "grader/cli/devices.h"
#include "grader/cli/gdb_session.h"
#include "grader/cli/launch.h"
#include "grader/cli/program_report.h"
#include "grader/cli/whole_program.h"
#include "grader/feedback/text.h"
#include "grader/lab/drawn_case.h"
#include "grader/lab/work_folder.h"
#include "grader/report/report_reader.h"
#include "grader/words/words.h"

namespace histolab::cli {
namespace {

namespace program = kernels::program;
using nlohmann::json;

// A user looks at few threads, and each thread adds stops that cost time.
constexpr std::uint64_t usual_length = 1024;
constexpr std::uint32_t most_labels = 4096;

struct DebugFlags {
  LaunchFlags launch;
  ProgramFlags program;
  std::string word, case_id, block = "0", thread = "0";
  std::vector<std::string> commands;
  bool batch = false;
  bool names_data = false;  // an option says which launch it is
};

// Parses "5" or "x,y,z" into a linear index. Returns an Error if it is outside `shape`.
Result<std::uint64_t> place_in(const std::string& option, const std::string& text,
                               const kernels::Dim3& shape) {
  const std::uint64_t count = shape.count();
  std::uint64_t part[3] = {};
  std::size_t parts = 0;
  const char *at = text.data(), *const end = at + text.size();
  for (; parts < 3; ++at) {
    const auto [rest, failure] = std::from_chars(at, end, part[parts]);
    if (failure != std::errc{}) break;
    ++parts;
    at = rest;
    if (at == end || *at != ',') break;
  }
  if (at != end || parts == 0 || parts == 2)
    return Error{fmt::format("{} {}: write a number, or x,y,z", option, text)};
  if (parts == 1 && part[0] < count) return part[0];
  if (parts == 3 && part[0] < shape.x && part[1] < shape.y && part[2] < shape.z)
    return (part[2] * shape.y + part[1]) * shape.x + part[0];
  return Error{
      fmt::format("{} {}: out of range; the numbers are 0 to {}", option, text, count - 1)};
}

// The case of the first failed check in the last report on this file; also sets its seed. Returns
// "" otherwise.
std::string failed_case(const grader::LabSpec& lab, const std::string& kernel,
                        std::uint64_t& seed) {
  constexpr const char* usual_report = "report.json";
  std::error_code ignored;
  if (!std::filesystem::exists(usual_report, ignored)) return {};
  const Result<grader::Report> report = grader::read_report(usual_report);
  if (!report) return {};
  const auto result = std::ranges::find(report->labs, lab.name, &grader::LabResult::lab);
  if (result == report->labs.end() || !result->submission || result->submission->path != kernel)
    return {};
  const grader::CheckResult* check = grader::first_failing(*result);
  if (check == nullptr || check->status != grader::CheckResult::Status::failed) return {};
  static const std::regex of_case(R"((?:^|, )case ([\w-]+))");
  std::smatch match;
  if (!std::regex_search(check->seen.where, match, of_case)) return {};
  const std::string id = match[1].str();
  const auto found = std::ranges::find(lab.cases, id, &grader::CaseSpec::id);
  if (found == lab.cases.end()) return {};
  seed = report->seed;
  return id;
}

// The facts about the launch that gdb's script needs.
Result<json> setup_of(const DebugFlags& flags, const PreparedLaunch& prepared,
                      const grader::RunReport& plan) {
  const kernels::LaunchConfig config = grader::config_of(prepared.lab, plan.result);
  const std::uint64_t block = TRY(place_in("--block", flags.block, config.grid));
  const std::uint64_t thread = TRY(place_in("--thread", flags.thread, config.block));
  const grader::KernelSpec& kernel = prepared.lab.kernels.at(prepared.number);
  json labels = json::array();
  for (std::uint32_t bin = 0; bin < std::min(plan.result.binning.bins, most_labels); ++bin)
    labels.push_back(kernel.task.label(plan.result.binning, bin));
  return json{
      {"title", fmt::format("{}: {}", prepared.lab.name, prepared.kernel.path)},
      {"kernel", kernel.name},
      {"path", prepared.kernel.path},
      {"what", fmt::format("{}, {}, grid {} x block {}", plan.result.dataset,
                           grader::length_of(plan.result), plan.result.grid, plan.result.block)},
      {"block", block},
      {"thread", thread},
      {"labels", std::move(labels)},
      {"sample_bytes", plan.result.binning.sample_bytes()},
      {"floats", kernel.task.word == reference::Word::f32},
      {"commands", flags.commands},
      {"batch", flags.batch},
      {"breakpoints", json::array()}};
}

// Runs gdb once. Returns the script's exit code and, if the user restarted the kernel, the state to
// keep; else null.
Result<GdbSession::End> debug_once(const Context& context, GdbSession& session,
                                   const PreparedLaunch& prepared, const grader::RunReport& plan,
                                   const grader::Bytes& data) {
  const Result<grader::RunReport> report = launch(context, prepared, plan, {data});
  if (report)
    session.send_verdict(grader::to_text(
        *report, prepared.lab, prepared.kernel.text,
        {.color = color_wanted(), .next_steps = false, .report_path = {}, .counters = false}));
  // Also after a failed launch: gdb may have been left early, or never started.
  return session.wait();
}

// The facts about a program's launch that gdb's script needs.
Result<json> setup_of(const DebugFlags& flags, const program::ReportedLaunch& launch) {
  return json{
      {"title", flags.program.files[0]},
      {"path", launch.line.file},
      {"what", fmt::format("launch {}, {}", flags.program.chosen_launch, launch_text(launch))},
      {"block", TRY(place_in("--block", flags.block, launch.grid))},
      {"thread", TRY(place_in("--thread", flags.thread, launch.block))},
      {"labels", json::array()},
      {"sample_bytes", 1},
      {"floats", false},
      {"commands", flags.commands},
      {"batch", flags.batch}};
}

std::string verdict_on(const kernels::Observation& observation, Sources& sources) {
  std::string text{kernels::name(observation.ending)};
  if (!observation.ending_detail.empty()) text += ": " + observation.ending_detail;
  text = grader::paragraph(text, 0);
  for (const kernels::Finding& finding : observation.findings)
    text += finding_text(finding, sources);
  return text;
}

int debug_program(const Context& context, DebugFlags flags) {
  if (flags.program.chosen_launch == 0) flags.program.chosen_launch = 1;
  flags.program.debugged = true;
  // `explain` reports the cost of lines, for optimized kernels.
  flags.program.observers_off.emplace_back("traffic");
  if (flags.program.input == nullptr) {  // gdb reads the terminal
    Result<kernels::Buffer> nothing = kernels::Buffer::zeroed(0);
    if (!nothing) return complain(nothing.error());
    flags.program.input = std::make_shared<const kernels::Buffer>(std::move(*nothing));
  }
  Result<PreparedProgram> prepared = prepare_program(context, flags.program);
  if (!prepared) return complain(prepared.error());
  if (!prepared->compiles()) return not_passed;
  program::ProgramSettings& settings = prepared->settings;
  json breakpoints = json::array();
  for (;;) {
    GdbSession session(context.paths.gdb_script, json{});
    prepared->paths.debugger = &session;
    bool was_debugged = false;
    settings.before_debugging = [&](const program::ReportedLaunch& launch) -> Status {
      session.setup() = TRY(setup_of(flags, launch));
      session.setup()["breakpoints"] = std::move(breakpoints);
      was_debugged = true;
      return Done{};
    };
    settings.on_launch = [&](std::uint64_t number, const program::ReportedLaunch&,
                             const kernels::Observation& observation) {
      if (number == flags.program.chosen_launch)
        session.send_verdict(verdict_on(observation, prepared->sources));
    };
    const Result<program::ProgramReport> report = run_from_the_beginning(*prepared);
    if (!was_debugged) {
      if (!report) return complain(report.error());
      return complain(no_such_launch(flags.program.files[0], flags.program.chosen_launch, *report));
    }
    // Also after a failed run: gdb may have been left early, or never started.
    const Result<GdbSession::End> end = session.wait();
    if (!end) return complain(end.error());
    if (end->again.is_null()) return end->code;
    breakpoints = end->again;
  }
}

int debug(Context context, DebugFlags flags) {
  const Result<grader::LabSpec> chosen = chosen_lab(context, flags.word);
  if (!chosen) return complain(chosen.error());
  const grader::LabSpec& lab = *chosen;
  if (flags.case_id.empty() && !flags.names_data) {
    flags.case_id = failed_case(
        lab,
        flags.launch.kernel.empty() ? grader::work_path(lab, work_folder) : flags.launch.kernel,
        flags.launch.seed);
    if (!flags.case_id.empty())
      note(fmt::format(
          "histolab: case {}, which failed in report.json; --dataset chooses other data\n",
          flags.case_id));
  }
  Result<LaunchFlags> launch_flags = flags.case_id.empty()
                                         ? Result<LaunchFlags>{flags.launch}
                                         : flags_of_case(flags.launch, lab, flags.case_id);
  if (!launch_flags) return complain(launch_flags.error());
  std::error_code ignored;
  if (!launch_flags->length && !std::filesystem::exists(launch_flags->dataset, ignored))
    launch_flags->length = usual_length;
  if (access(context.paths.gdb_script.c_str(), R_OK) != 0)
    return complain(
        {fmt::format("{} is missing; gdb needs this script", context.paths.gdb_script)});

  const Result<LaunchData> data = load_data(lab, *launch_flags);
  if (!data) return complain(data.error());
  if (lab.program) {
    Result<ProgramFlags> program = program_of_lab(*launch_flags, lab, data->bytes, flags.program);
    if (!program) return complain(program.error());
    flags.program = std::move(*program);
    return debug_program(context, std::move(flags));
  }
  if (const Status fits = refuse_program_options(flags.program); !fits)
    return complain(fits.error());
  // `explain` reports the cost of lines, for optimized kernels.
  launch_flags->observers_off.emplace_back("traffic");
  json breakpoints = json::array();
  for (;;) {
    GdbSession session(context.paths.gdb_script, json{});
    context.debugger = &session;
    const Result<PreparedLaunch> prepared = prepare_launch(context, *launch_flags, lab);
    if (!prepared) return complain(prepared.error());
    if (!prepared->unfit.empty()) return report_unfit(*prepared);
    const grader::RunReport plan =
        plan_launch(*prepared, data->name, data->length, launch_flags->seed);
    if (!plan.compiled) {
      const int printed =
          print(grader::to_text(plan, prepared->lab, prepared->kernel.text,
                                {.color = color_wanted(), .next_steps = false, .report_path = {}}));
      return printed != done ? printed : not_passed;
    }
    Result<json> setup = setup_of(flags, *prepared, plan);
    if (!setup) return complain(setup.error());
    session.setup() = std::move(*setup);
    session.setup()["breakpoints"] = std::move(breakpoints);
    const Result<GdbSession::End> end = debug_once(context, session, *prepared, plan, data->bytes);
    if (!end) return complain(end.error());
    if (end->again.is_null()) return end->code;
    breakpoints = end->again;
  }
}

}  // namespace

void add_debug(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "debug", "runs a kernel under gdb: any thread, its locals, shared memory",
                  "histolab debug 01\n"
                  "histolab debug 04 --block 1 --thread 5\n"
                  "histolab debug main.cu --launch 3 --thread 5\n"
                  "histolab debug 04 --case mixed-256 --command 'break 13'\n"
                  "histolab debug 02 --dataset text:hello --batch --command 'info locals'");
  const auto flags = std::make_shared<DebugFlags>();
  command
      ->add_option("LAB|FILE.cu", flags->word,
                   "a lab's name, number or first letters; or a whole program, whose arguments "
                   "follow --")
      ->required()
      ->type_name("");
  add_launch_options(*command, flags->launch);
  // In this command --block is the block to stop in. The schedule is always lockstep, with blocks
  // in ascending order, on the emulator.
  for (const char* option : {"--block", "--schedule", "--block-order", "--device"})
    command->remove_option(command->get_option(option));
  command->get_option("--length")->description("elements (the whole file; 1024 of a generator)");
  command
      ->add_option("--block-size", flags->launch.block,
                   "threads per block (256); `run` names this --block")
      ->check(CLI::Range(1u, 1024u).description(""))
      ->type_name("N");
  command
      ->add_option("--block", flags->block,
                   "the block to stop in, not its size: its number, or x,y,z (0)")
      ->type_name("B");
  command
      ->add_option("--thread", flags->thread, "the thread of that block: its number, or x,y,z (0)")
      ->type_name("T");
  add_case_option(*command, flags->case_id, "the case that failed in report.json");
  command
      ->add_option("--command", flags->commands,
                   "a command for gdb, before the first prompt; repeatable")
      ->type_name("CMD")
      ->expected(1)
      ->take_all();
  command->add_flag("--batch", flags->batch,
                    "no prompt: ends after the --commands; exit code 2 if one of them fails");
  add_program_options(*command, flags->program);
  command->callback([&context, command, flags] {
    if (takes_program(context, *command, flags->word, flags->launch,
                      {"--block", "--thread", "--command", "--batch"}, flags->program)) {
      context.run = [&context, flags] { return debug_program(context, *flags); };
      return;
    }
    refuse_data_options(*command, flags->case_id);
    for (const char* option : {"--dataset", "--length", "--grid", "--block-size", "--offset",
                               "--bins", "--function", "--seed"})
      flags->names_data |= command->count(option) > 0;
    context.run = [&context, flags] { return debug(context, *flags); };
  });
}

}  // namespace histolab::cli
