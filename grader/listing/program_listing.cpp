#include "grader/listing/program_listing.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/listing/listing.h"
#include "grader/words/painter.h"
#include "grader/words/words.h"

namespace histolab::grader {

void add_launch(ExplainedProgram& program, std::uint64_t number,
                const kernels::Observation& observation) {
  for (const reference::LineCounters& each : observation.lines) {
    const std::string file = observation.file_name(each.file);
    (file.empty() ? program.lines[program.name][0] : program.lines[file][each.line]) +=
        each.counters;
  }
  if (observation.ending != kernels::Ending::completed)
    program.endings.push_back(
        fmt::format("launch {}: {}{}{}", number, kernels::name(observation.ending),
                    observation.ending_detail.empty() ? "" : ": ", observation.ending_detail));
}

std::vector<std::string> files_of(const ExplainedProgram& program) {
  std::vector<std::string> files{program.name};
  const auto add = [&](const std::string& file) {
    if (!file.empty() && std::ranges::find(files, file) == files.end()) files.push_back(file);
  };
  for (const auto& [file, lines] : program.lines) add(file);
  for (const kernels::Finding& finding : program.findings) add(finding.file);
  return files;
}

std::vector<Annotated> annotated_files(const ExplainedProgram& program) {
  std::vector<Annotated> files;
  for (const std::string& file : files_of(program)) {
    const auto text = program.texts.find(file);
    if (text == program.texts.end() || text->second.empty()) continue;
    std::vector<reference::LineCounters> lines;
    reference::Traffic all;
    if (const auto counted = program.lines.find(file); counted != program.lines.end())
      for (const auto& [line, traffic] : counted->second) {
        lines.push_back({.line = line, .counters = traffic});
        all += traffic;
      }
    files.push_back(annotated(text->second, file, lines, all, program.findings));
  }
  return files;
}

std::string listing(const ExplainedProgram& program, const TextOptions& options) {
  const Painter paint{options.color};
  std::string out = fmt::format("{}: {}\n", paint.bold(harmless(program.name)), program.what);
  for (const std::string& ending : program.endings) out += paint.red(paragraph(ending, 0));
  Legend legend = Legend::shown;
  for (const Annotated& each : annotated_files(program)) {
    out += "\n";
    if (each.file != program.name) out += paint.bold(harmless(each.file)) + "\n";
    out += listing(each, options, legend);
    legend = Legend::left_out;
  }
  return out;
}

}  // namespace histolab::grader
