// histolab exec
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "grader/cli/devices.h"
#include "grader/cli/launch.h"
#include "grader/cli/whole_program.h"
#include "grader/files/json_fields.h"
#include "grader/files/write_file.h"
#include "grader/pipeline/profile_json.h"
#include "grader/report/report_json.h"
#include "grader/words/words.h"
#include "kernels/finding_fields.h"
#include "kernels/program/build/build.h"
#include "kernels/program/run/program_run.h"
#include "reference/fields.h"
#include "reference/time_model.h"

namespace histolab::cli {
namespace {

namespace program = kernels::program;
using grader::counted;
using grader::harmless;
using grader::OrderedJson;
using kernels::Finding;

struct ExecFlags : ProgramFlags {
  std::string json;
};

// Launches of one kernel and shape from one line.
struct LaunchGroup {
  const program::ReportedLaunch* first = nullptr;
  std::uint64_t count = 0;
  double modelled_ms = 0;
  std::string ending;  // of the first launch that did not complete
};

std::vector<LaunchGroup> groups_of(const program::ProgramReport& report) {
  const auto key = [](const program::ReportedLaunch& launch) {
    return std::pair(launch_text(launch), launch.dynamic_shared_bytes);
  };
  std::map<decltype(key(report.launches[0])), std::size_t> known;
  std::vector<LaunchGroup> groups;
  for (const program::ReportedLaunch& launch : report.launches) {
    const auto [at, is_new] = known.try_emplace(key(launch), groups.size());
    if (is_new) groups.push_back({&launch, 0, 0, {}});
    LaunchGroup& group = groups[at->second];
    ++group.count;
    group.modelled_ms += launch.modelled_ms;
    if (group.ending.empty() && launch.ending != kernels::Ending::completed)
      group.ending = fmt::format("{}{}{}", kernels::name(launch.ending),
                                 launch.ending_detail.empty() ? "" : ": ", launch.ending_detail);
  }
  return groups;
}

std::string launches_text(const program::ProgramReport& report, bool is_modelled) {
  constexpr std::size_t most_shown = 20;
  std::string text = fmt::format("\n{}\n", counted(report.launch_count, "launch", "launches"));
  const std::vector<LaunchGroup> groups = groups_of(report);
  for (std::size_t i = 0; i < groups.size() && i < most_shown; ++i) {
    const LaunchGroup& group = groups[i];
    const program::ReportedLaunch& launch = *group.first;
    std::string line = "  " + launch_text(launch);
    if (group.count > 1) line += fmt::format(", {} times", grader::grouped(group.count));
    if (is_modelled && group.modelled_ms > 0)
      line += fmt::format(", modelled time {}", grader::duration(group.modelled_ms));
    text += harmless(line) + "\n";
    if (launch.too_much_data)
      text += "    not watched for races and uninitialized reads: too much data\n";
    if (!group.ending.empty()) text += grader::paragraph(group.ending, 4);
  }
  if (groups.size() > most_shown)
    text += fmt::format("  and {} more shapes\n", groups.size() - most_shown);
  return text;
}

std::string ending_text(const program::ProgramReport& report) {
  if (!report.ending_detail.empty()) return report.ending_detail;
  std::string text = report.end.exited ? fmt::format("exit status {}", report.end.status)
                                       : fmt::format("ended by signal {} ({})", report.end.status,
                                                     strsignal(report.end.status));
  if (report.end.status != 0 && report.findings.empty() && report.host_findings.empty())
    text +=
        ". If it could not write a file: it may write only to $TMPDIR, and to a folder that "
        "--write "
        "names";
  return text;
}

std::string summary_text(const program::ProgramReport& report, const std::string& device,
                         Sources& sources) {
  std::string text = launches_text(report, !device.empty());
  const std::size_t findings = report.findings.size() + report.host_findings.size();
  text += fmt::format("\n{}\n", findings == 0 ? "no findings" : counted(findings, "finding"));
  for (const auto* list : {&report.findings, &report.host_findings})
    for (const Finding& finding : *list) text += finding_text(finding, sources);
  if (!device.empty() && report.launch_count > 0)
    text +=
        fmt::format("\nmodelled time on {}: {}\n", device, grader::duration(report.modelled_ms));
  return text + grader::paragraph("program: " + ending_text(report), 0);
}

OrderedJson json_of_launch(const program::ReportedLaunch& launch) {
  OrderedJson counters = OrderedJson::object();
  if (launch.watched)
    for (const reference::CounterValue& each : reference::values(launch.counters))
      if (each.value != 0) counters[std::string{each.name}] = grader::json_number(each.value);
  const auto size = [](const kernels::Dim3& of) { return OrderedJson{of.x, of.y, of.z}; };
  return {{"kernel", launch.kernel},
          {"grid", size(launch.grid)},
          {"block", size(launch.block)},
          {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
          {"file", launch.line.file},
          {"line", launch.line.line},
          {"watched", launch.watched},
          {"too_much_data", launch.too_much_data},
          {"ending", kernels::name(launch.ending)},
          {"ending_detail", launch.ending_detail},
          {"modelled_ms", grader::json_number(launch.modelled_ms)},
          {"counters", std::move(counters)}};
}

std::string exec_json(const program::ProgramReport& report, const ExecFlags& flags,
                      const std::vector<std::string>& arguments, const std::string& device) {
  OrderedJson launches = OrderedJson::array();
  for (const program::ReportedLaunch& each : report.launches)
    launches.push_back(json_of_launch(each));
  const OrderedJson json = {
      {"schema", "histolab/exec/1"},
      {"version", HISTOLAB_VERSION},
      {"sources", flags.files},
      {"arguments", arguments},
      {"schedule", flags.schedule},
      {"seed", flags.seed},
      {"profile", flags.profile},
      {"modelled_device", device.empty() ? OrderedJson(nullptr) : OrderedJson(device)},
      {"modelled_ms", grader::json_number(report.modelled_ms)},
      {"exit_status", report.end.exited ? OrderedJson(report.end.status) : OrderedJson(nullptr)},
      {"signal", report.end.exited ? OrderedJson(nullptr) : OrderedJson(report.end.status)},
      {"ending_detail", report.ending_detail},
      {"launch_count", report.launch_count},
      {"launches", std::move(launches)},
      {"findings", grader::FieldWriter::written(report.findings)},
      {"host_findings", grader::FieldWriter::written(report.host_findings)}};
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

int exec(const Context& context, const ExecFlags& flags) {
  const Result<kernels::EmulatorPaths> paths = emulator_paths(context);
  if (!paths) return complain(paths.error());
  Result<program::ProgramSettings> settings = program_settings(context, flags);
  if (!settings) return complain(settings.error());
  Sources sources;
  const Result<program::Built> built = built_program(context, flags, *paths, sources);
  if (!built) return complain(built.error());
  if (built->executable.empty()) return not_passed;
  settings->executable = built->executable;

  const Result<reference::TimingProfile> profile =
      grader::load_profile(context.paths.profiles, flags.profile);
  if (profile)
    settings->modelled_ms = [&](const kernels::Observation& observation, std::uint64_t bytes) {
      const std::uint64_t loaded = observation.counters.global_load.bytes;
      return reference::estimate(*profile, {.counters = observation.counters,
                                            .pressure = observation.pressure,
                                            .input_bytes = std::min(bytes, loaded)})
                 .total_ns /
             1e6;
    };
  const Result<program::ProgramReport> report = program::run_program(*settings, *paths);
  if (!report) return complain(report.error());
  const std::string device = profile ? profile->device : "";
  note(summary_text(*report, device, sources));
  if (!flags.json.empty())
    if (const Status written =
            grader::write_file(flags.json, exec_json(*report, flags, settings->arguments, device));
        !written)
      return complain(written.error());
  if (!report->end.exited) return 128 + report->end.status;
  if (report->end.status != 0) return report->end.status;
  return report->has_errors() ? not_passed : done;
}

}  // namespace

void add_exec(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "exec", "runs a whole CUDA program on the emulator (docs/programs.md)",
                  "histolab exec histogram.cu\n"
                  "histolab exec main.cu kernels.cu --include headers --json run.json");
  const auto flags = std::make_shared<ExecFlags>();
  command
      ->add_option("FILE", flags->files,
                   "CUDA and C++ sources, objects, archives; words after -- are the program's")
      ->required()
      ->type_name("");
  add_build_options(*command, *flags);
  command->add_option("--json", flags->json, "writes launches and findings to a file")
      ->type_name("FILE");
  command
      ->add_option("--watched-launches", flags->watched_launches,
                   "watch the first N launches of each kernel and shape (3)")
      ->type_name("N");
  command
      ->add_option("--profile", flags->profile,
                   "the GPU whose limits and times apply (" + flags->profile + ")")
      ->type_name("NAME");
  command
      ->add_option("--schedule", flags->schedule, grader::either(schedule_names()) + " (lockstep)")
      ->type_name("NAME");
  command->add_option("--seed", flags->seed, "seed for random schedules (1)")->type_name("N");
  command->add_option("--no-observer", flags->observers_off, "turn off an observer")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  command->callback(
      [&context, flags] { context.run = [&context, flags] { return exec(context, *flags); }; });
}

}  // namespace histolab::cli
