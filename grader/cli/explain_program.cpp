#include "grader/cli/explain_program.h"

#include <fmt/format.h>

#include "grader/cli/program_report.h"
#include "grader/cli/signals.h"
#include "grader/files/write_file.h"
#include "grader/listing/listing_html.h"
#include "grader/listing/program_listing.h"
#include "grader/words/words.h"

namespace histolab::cli {
namespace {

namespace program = kernels::program;
using grader::counted;

std::string launches_in_words(const program::ProgramReport& report,
                              std::uint64_t counted_launches) {
  const std::string all = counted(report.launch_count, "launch", "launches");
  if (counted_launches == report.launch_count) return all;
  return fmt::format("{}; the counters are those of {}, the first ones of each kernel and shape",
                     all, grader::grouped(counted_launches));
}

}  // namespace

int explain_program(const Context& context, const ProgramFlags& flags, const std::string& html) {
  if (!html.empty())
    if (Status writable = grader::check_writable(html); !writable)
      return complain(writable.error());
  Result<PreparedProgram> prepared = prepare_program(context, flags);
  if (!prepared) return complain(prepared.error());
  if (!prepared->compiles()) return not_passed;
  program::ProgramSettings& settings = prepared->settings;
  settings.on_output = settings.on_errors;

  grader::ExplainedProgram explained{.name = flags.files.front()};
  std::uint64_t counted_launches = 0;
  settings.on_launch = [&](std::uint64_t number, const program::ReportedLaunch& launch,
                           const kernels::Observation& observation) {
    if (flags.chosen_launch != 0 && number != flags.chosen_launch) return;
    if (launch.watched) ++counted_launches;
    add_launch(explained, number, observation);
    if (flags.chosen_launch == 0) return;
    explained.what = fmt::format("launch {}, {}", number, launch_text(launch));
    explained.findings = observation.findings;
  };
  const Result<program::ProgramReport> report = program::run_program(settings, prepared->paths);
  if (!report) return complain(report.error());
  if (flags.chosen_launch > report->launch_count)
    return complain(no_such_launch(explained.name, flags.chosen_launch, *report));
  if (flags.chosen_launch == 0) {
    explained.what = launches_in_words(*report, counted_launches);
    explained.findings = report->findings;
    explained.findings.insert(explained.findings.end(), report->host_findings.begin(),
                              report->host_findings.end());
  }
  for (const std::string& file : files_of(explained))
    explained.texts[file] = prepared->sources.text(file);

  wait_if_interrupted();
  const int code = report->has_errors() ? not_passed : done;
  if (html.empty()) {
    const int printed = print(grader::listing(explained, {.color = color_wanted(),
                                                          .next_steps = false,
                                                          .report_path = {},
                                                          .width = columns_to_use()}));
    return printed != done ? printed : code;
  }
  if (Status written = grader::write_file(html, grader::listing_html(explained)); !written)
    return complain(written.error());
  if (html != "-") note(fmt::format("histolab: wrote {}; open it in a browser\n", html));
  return code;
}

}  // namespace histolab::cli
