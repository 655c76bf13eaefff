#include "grader/cli/program_stream.h"

#include <algorithm>
#include <map>
#include <utility>

#include "grader/cli/program_report.h"
#include "grader/cli/stream.h"
#include "grader/listing/program_listing.h"
#include "grader/pipeline/modelled.h"
#include "grader/pipeline/profile_json.h"
#include "grader/stream/stream.h"
#include "kernels/worker/client.h"

namespace histolab::cli {
namespace {

namespace program = kernels::program;
using grader::StreamedLaunch;

constexpr std::size_t most_listed = 1000;      // launches
constexpr std::size_t most_text = 1024 << 10;  // bytes of a file

// The texts of all files that the launch or the diagnostics name, as StreamedLaunch::sources orders
// them. Executables and object files have no text.
std::vector<StreamedLaunch::SourceText> sources_of(const StreamedLaunch& launch, Sources& sources) {
  grader::ExplainedProgram explained{.name = launch.program};
  add_launch(explained, launch.number, launch.observation);
  explained.findings = launch.observation.findings;
  std::map<std::string, std::uint64_t> weights;
  for (const std::string& file : files_of(explained)) weights[file];
  for (const auto& [file, lines] : explained.lines)
    for (const auto& [line, traffic] : lines) weights[file] += traffic.requests();
  for (const auto& [file, diagnostic] : launch.diagnostics) {
    const bool is_error = diagnostic.severity == kernels::Severity::error;
    if (!file.empty()) weights[file] += is_error ? 1 : 0;
  }
  std::vector<StreamedLaunch::SourceText> texts;
  for (const auto& [file, weight] : weights) {
    const std::string& text = sources.text(file);
    const bool is_text = text.size() <= most_text && text.find('\0') == std::string::npos;
    if (!text.empty() && is_text) texts.push_back({file, text});
  }
  std::ranges::stable_sort(texts, std::ranges::greater{}, [&](const auto& each) {
    return std::pair{weights[each.file], each.file == launch.program};
  });
  return texts;
}

Result<int> stream(const Context& context, const ProgramFlags& flags, std::uint32_t accesses) {
  StreamedLaunch streamed;
  streamed.program = flags.files[0];
  streamed.number = flags.chosen_launch;
  for (const std::string& file : watched_files(flags.files)) streamed.files.push_back(file);
  PreparedProgram prepared = TRY(prepare_program(context, flags));
  program::ProgramSettings& settings = prepared.settings;
  streamed.schedule = settings.options.schedule;
  streamed.seed = flags.seed;
  streamed.device_name = kernels::emulator_name;
  if (!prepared.compiles()) {
    for (auto& [file, diagnostic] : prepared.built.diagnostics)
      streamed.diagnostics.push_back({file, diagnostic});
    streamed.sources = sources_of(streamed, prepared.sources);
    put_events(launch_lines(streamed));
    return int{not_passed};
  }
  if (accesses > 0 && !settings.options.observers.traffic) return Error{accesses_need_traffic};
  settings.on_output = settings.on_errors;
  settings.options.recorded_accesses = accesses;
  if (const Result<reference::TimingProfile> profile =
          grader::load_profile(context.paths.profiles, flags.profile)) {
    streamed.profile = flags.profile;
    settings.modelled_ms = grader::launch_model(*profile);
  }
  settings.on_launch = [&](std::uint64_t number, const program::ReportedLaunch& launch,
                           const kernels::Observation& observation) {
    if (number != flags.chosen_launch) return;
    streamed.kernel = launch.kernel;
    streamed.grid = launch.grid;
    streamed.block = launch.block;
    streamed.modelled_ms = launch.modelled_ms;
    streamed.observation = observation;
  };
  const program::ProgramReport report = TRY(run_from_the_beginning(prepared));
  if (streamed.kernel.empty()) return no_such_launch(streamed.program, flags.chosen_launch, report);
  for (std::size_t i = 0; i < std::min(most_listed, report.launches.size()); ++i)
    streamed.launches.push_back(launch_text(report.launches[i]));
  streamed.launch_count = report.launch_count;
  (report.end.exited ? streamed.exit_status : streamed.signal) = report.end.status;
  streamed.program_ending = report.ending_detail;
  std::vector<kernels::Finding>& findings = streamed.observation.findings;
  findings.insert(findings.end(), report.host_findings.begin(), report.host_findings.end());
  streamed.sources = sources_of(streamed, prepared.sources);
  put_events(launch_lines(streamed));
  return report.has_errors() ? not_passed : done;
}

}  // namespace

int stream_program(const Context& context, ProgramFlags flags, std::uint32_t accesses) {
  if (flags.chosen_launch == 0) flags.chosen_launch = 1;
  const Result<int> code = stream(context, flags, accesses);
  return code ? *code : fail_stream(code.error());
}

}  // namespace histolab::cli
