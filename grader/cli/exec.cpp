// histolab exec
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <tuple>

#include "grader/cli/command.h"
#include "grader/cli/devices.h"
#include "grader/cli/launch.h"
#include "grader/files/json_fields.h"
#include "grader/files/read_file.h"
#include "grader/files/write_file.h"
#include "grader/pipeline/profile_json.h"
#include "grader/report/report_json.h"
#include "grader/words/source_excerpt.h"
#include "grader/words/words.h"
#include "kernels/finding_fields.h"
#include "kernels/program/build/build.h"
#include "kernels/program/run/program_run.h"
#include "reference/fields.h"
#include "reference/time_model.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
namespace program = kernels::program;
using grader::counted;
using grader::harmless;
using grader::OrderedJson;
using kernels::Finding;

struct ExecFlags {
  std::vector<std::string> files, include_dirs, defines, observers_off;
  std::string standard = program::Build{}.standard;
  std::string profile = kernels::LaunchConfig{}.profile;
  std::string schedule = "lockstep";
  std::uint64_t seed = 1;
  std::uint32_t watched_launches = program::ProgramSettings{}.watched_launches;
  std::string json;
};

// Reads the sources that messages quote, each once.
class Sources {
 public:
  std::string excerpt(const std::string& file, int line, int column = 0) {
    const auto [known, is_new] = texts_.try_emplace(file);
    if (is_new)
      if (Result<std::string> text = grader::read_text_file(file, "source", most_bytes))
        known->second = std::move(*text);
    return grader::source_excerpt(file, known->second, line, column);
  }

 private:
  static constexpr std::size_t most_bytes = 4 << 20;
  std::map<std::string, std::string> texts_;
};

// A program that was built before has no suffix.
bool is_built(const ExecFlags& flags) {
  return flags.files.size() == 1 && fs::path(flags.files[0]).extension().empty();
}

void note_diagnostics(const std::vector<kernels::worker::FileDiagnostic>& diagnostics,
                      Sources& sources) {
  for (const auto& [file, diagnostic] : diagnostics) {
    const bool is_error = diagnostic.severity == kernels::Severity::error;
    note(grader::paragraph(
        fmt::format("{}: {}", is_error ? "error" : "warning", diagnostic.message), 0));
    note(sources.excerpt(file, diagnostic.line, diagnostic.column));
  }
}

// Launches of one kernel and shape from one line.
struct LaunchGroup {
  const program::ReportedLaunch* first = nullptr;
  std::uint64_t count = 0;
  double modelled_ms = 0;
  std::string ending;  // of the first launch that did not complete
};

std::string shape_text(const kernels::Dim3& size) {
  std::string text = fmt::format("{}", size.x);
  if (size.y > 1 || size.z > 1) text += fmt::format("x{}", size.y);
  if (size.z > 1) text += fmt::format("x{}", size.z);
  return text;
}

std::vector<LaunchGroup> groups_of(const program::ProgramReport& report) {
  const auto key = [](const program::ReportedLaunch& launch) {
    return std::tuple(launch.kernel, shape_text(launch.grid), shape_text(launch.block),
                      launch.dynamic_shared_bytes, launch.line.file, launch.line.line);
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
    std::string line =
        fmt::format("  {}<<<{}, {}>>> at {}:{}", launch.kernel, shape_text(launch.grid),
                    shape_text(launch.block), launch.line.file, launch.line.line);
    if (group.count > 1) line += fmt::format(", {} times", grader::grouped(group.count));
    if (is_modelled && group.modelled_ms > 0)
      line += fmt::format(", modelled time {}", grader::duration(group.modelled_ms));
    text += harmless(line) + "\n";
    if (launch.too_much_data)
      text += "    not watched for races in its largest buffers: too much data\n";
    if (!group.ending.empty()) text += grader::paragraph(group.ending, 4);
  }
  if (groups.size() > most_shown)
    text += fmt::format("  and {} more shapes\n", groups.size() - most_shown);
  return text;
}

std::string finding_text(const Finding& finding, Sources& sources) {
  const std::string times =
      finding.count > 1 ? fmt::format(" ({} times)", grader::grouped(finding.count)) : "";
  const char* is_note = finding.severity == kernels::Severity::note ? ", a note" : "";
  std::string text = grader::paragraph(
      fmt::format("{}{}{}: {}", kernels::name(finding.kind), is_note, times, finding.message), 2);
  text += sources.excerpt(finding.file, finding.line);
  const std::string& other = finding.other_file.empty() ? finding.file : finding.other_file;
  if (finding.other_line > 0 && (finding.other_line != finding.line || other != finding.file))
    text += sources.excerpt(other, finding.other_line);
  return text;
}

std::string ending_text(const program::ProgramReport& report) {
  if (!report.ending_detail.empty()) return report.ending_detail;
  if (report.end.exited) return fmt::format("exit status {}", report.end.status);
  return fmt::format("ended by signal {} ({})", report.end.status, strsignal(report.end.status));
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

// Writes at once: the program may wait for an answer to its prompt.
void pass_on(std::string_view text, std::FILE* to) {
  std::fwrite(text.data(), 1, text.size(), to);
  std::fflush(to);
}

std::string absolute_folder(const std::string& file) {
  return fs::absolute(file).lexically_normal().parent_path().string();
}

Result<program::ProgramSettings> settings_of(const Context& context, const ExecFlags& flags) {
  program::ProgramSettings settings;
  settings.name = fs::path(flags.files[0]).stem().string();
  settings.arguments = context.program_words;
  settings.directory = fs::current_path().string();
  for (const std::string& file : flags.files) settings.reads.push_back(absolute_folder(file));
  settings.input = STDIN_FILENO;
  settings.profile = flags.profile;
  settings.watched_launches = flags.watched_launches;
  settings.options.observers = TRY(observers_of(flags.observers_off));
  settings.options.seed = flags.seed;
  settings.options.time_limit = std::chrono::minutes{2};
  const auto schedule = value_named<kernels::Schedule>(flags.schedule);
  if (!schedule)
    return Error{fmt::format("there is no schedule \"{}\"; the schedules are {}", flags.schedule,
                             fmt::join(schedule_names(), ", "))};
  settings.options.schedule = *schedule;
  settings.on_output = [](std::string_view text) { pass_on(text, stdout); };
  settings.on_errors = [](std::string_view text) { pass_on(text, stderr); };
  return settings;
}

// Builds the program. Returns an empty path if it does not compile; the messages are printed.
Result<program::Built> build_for(const ExecFlags& flags, const kernels::EmulatorPaths& paths,
                                 const std::string& runtime_library, Sources& sources) {
  if (is_built(flags)) {
    program::Built built;
    built.executable = fs::absolute(flags.files[0]).string();
    return built;
  }
  program::Build build;
  build.sources = flags.files;
  build.include_dirs = flags.include_dirs;
  build.readable = {".."};
  build.defines = flags.defines;
  build.standard = flags.standard;
  program::Built built = TRY(program::build_program(build, paths, runtime_library));
  note_diagnostics(built.diagnostics, sources);
  return built;
}

int exec(const Context& context, const ExecFlags& flags) {
  const Result<kernels::EmulatorPaths> paths = emulator_paths(context);
  if (!paths) return complain(paths.error());
  Result<program::ProgramSettings> settings = settings_of(context, flags);
  if (!settings) return complain(settings.error());
  Sources sources;
  const Result<program::Built> built =
      build_for(flags, *paths, context.paths.runtime_library, sources);
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
      add_command(app, "exec", "runs a whole CUDA program on the emulator",
                  "histolab exec histogram.cu\n"
                  "histolab exec main.cu kernels.cu --include headers --json run.json");
  const auto flags = std::make_shared<ExecFlags>();
  command
      ->add_option("FILE", flags->files,
                   "CUDA and C++ sources, objects, archives; words after -- are the program's")
      ->required()
      ->type_name("");
  const auto list = [&](const char* name, std::vector<std::string>& values, const char* help) {
    return command->add_option(name, values, help)->expected(1)->take_all();
  };
  list("-I,--include", flags->include_dirs, "folder of headers")->type_name("DIR");
  list("-D,--define", flags->defines, "defines a macro: NAME or NAME=VALUE")->type_name("NAME");
  command->add_option("--std", flags->standard, "C++ standard, c++11 or later (c++17)")
      ->type_name("NAME");
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
  list("--no-observer", flags->observers_off, "turn off an observer")->type_name("NAME");
  command->callback(
      [&context, flags] { context.run = [&context, flags] { return exec(context, *flags); }; });
}

}  // namespace histolab::cli
