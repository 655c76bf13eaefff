#include "grader/cli/program_report.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <utility>

#include "grader/words/words.h"

namespace histolab::cli {
namespace {

namespace program = kernels::program;
using grader::counted;
using grader::harmless;
using kernels::Finding;

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
      text += "    not watched for races in its largest buffers: too much data\n";
    if (!group.ending.empty()) text += grader::paragraph(group.ending, 4);
  }
  if (groups.size() > most_shown)
    text += fmt::format("  and {} more shapes\n", groups.size() - most_shown);
  if (report.repeated_launches > 0)
    text += grader::paragraph(
        fmt::format(
            "{} had the same kernel, arguments and memory as an earlier launch, and got its "
            "result without a run",
            counted(report.repeated_launches, "launch", "launches")),
        2);
  return text;
}

}  // namespace

std::string shape_text(const kernels::Dim3& size) {
  std::string text = fmt::format("{}", size.x);
  if (size.y > 1 || size.z > 1) text += fmt::format("x{}", size.y);
  if (size.z > 1) text += fmt::format("x{}", size.z);
  return text;
}

std::string launch_text(const program::ReportedLaunch& launch) {
  return fmt::format("{}<<<{}, {}>>> at {}:{}", launch.kernel, shape_text(launch.grid),
                     shape_text(launch.block), launch.line.file, launch.line.line);
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

std::string ending_text(const program::ProgramReport& report) {
  if (!report.ending_detail.empty()) return report.ending_detail;
  std::string text = report.end.exited ? fmt::format("exit status {}", report.end.status)
                                       : fmt::format("ended by signal {} ({})", report.end.status,
                                                     strsignal(report.end.status));
  if (report.write_refused)
    text +=
        ". It could not write a file: it may write only to $TMPDIR, and to a folder that --write "
        "names";
  return text;
}

std::string summary_text(const ExecReport& exec, Sources& sources) {
  const program::ProgramReport& report = exec.run;
  const std::string& device = exec.modelled_device;
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

}  // namespace histolab::cli
