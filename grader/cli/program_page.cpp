#include <fmt/format.h>

#include <algorithm>

#include "grader/cli/program_page.css.h"
#include "grader/cli/program_page.html.h"
#include "grader/cli/program_report.h"
#include "grader/html/html_page.h"
#include "grader/words/words.h"

namespace histolab::cli {
namespace {

using grader::counted;
using grader::html;
using grader::Html;
using grader::piece;
using kernels::Finding;

constexpr std::size_t most_findings_shown = 200, most_groups_shown = 200;

Html tile(const std::string& what, const std::string& value) {
  return html(piece(embedded::program_page_html, "tile"), what, value);
}

// The line with its neighbours, marked.
Html excerpt(const std::string& file, int line, Sources& sources) {
  constexpr int around = 2;
  const std::string where = fmt::format("{}:{}", file, line);
  Html lines;
  int number = 1;
  const std::string& text = sources.text(file);
  for (std::size_t begin = 0; begin < text.size() && number <= line + around; ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (number >= line - around) {
      const std::string here = text.substr(begin, end - begin);
      lines += number == line ? html("<i>{}</i><mark>{}</mark>\n", number, here)
                              : html("<i>{}</i>{}\n", number, here);
    }
    begin = end + 1;
  }
  if (number <= line) return html("<p class=\"where\">{}</p>\n", where);
  return html(piece(embedded::program_page_html, "excerpt"), where, lines);
}

Html finding_card(const Finding& finding, Sources& sources) {
  const bool is_note = finding.severity == kernels::Severity::note;
  Html where;
  if (finding.line > 0) where += excerpt(finding.file, finding.line, sources);
  const std::string& other = finding.other_file.empty() ? finding.file : finding.other_file;
  if (finding.other_line > 0 && (finding.other_line != finding.line || other != finding.file))
    where += excerpt(other, finding.other_line, sources);
  const Html times =
      finding.count > 1 ? html(" <small>{} times</small>", grader::grouped(finding.count)) : Html{};
  return html(piece(embedded::program_page_html, "finding"), is_note ? "note" : "error",
              std::string{title(finding.kind)}, times, finding.message, where);
}

Html findings_section(const ExecReport& exec, Sources& sources) {
  Html cards;
  std::size_t shown = 0;
  for (const auto* list : {&exec.run.findings, &exec.run.host_findings})
    for (const Finding& finding : *list)
      if (shown++ < most_findings_shown) cards += finding_card(finding, sources);
  if (shown > most_findings_shown)
    cards += html("<p class=\"aside\">and {} more</p>\n", shown - most_findings_shown);
  return shown == 0 ? Html{} : html(piece(embedded::program_page_html, "findings"), cards);
}

Html launches_section(const ExecReport& exec) {
  const std::vector<LaunchGroup> groups = groups_of(exec.run);
  if (groups.empty()) return {};
  Html rows, more;
  for (std::size_t i = 0; i < groups.size() && i < most_groups_shown; ++i) {
    const kernels::program::ReportedLaunch& launch = *groups[i].first;
    const bool is_modelled = !exec.modelled_device.empty() && groups[i].modelled_ms > 0;
    const Html ending = groups[i].ending.empty() ? Html{} : html("<b>{}</b>", groups[i].ending);
    rows +=
        html(piece(embedded::program_page_html, "launch"), launch.kernel, shape_text(launch.grid),
             shape_text(launch.block), grader::grouped(groups[i].count),
             is_modelled ? grader::duration(groups[i].modelled_ms) : std::string{},
             fmt::format("{}:{}", launch.line.file, launch.line.line), ending);
  }
  if (groups.size() > most_groups_shown)
    more = html("<p class=\"aside\">and {} more shapes</p>\n", groups.size() - most_groups_shown);
  return html(piece(embedded::program_page_html, "launches"), rows, more);
}

Html output_section(const ExecReport& exec) {
  if (exec.output.empty()) return {};
  const Html note = exec.output_is_cut ? html("<p class=\"aside\">only the first {} bytes</p>\n",
                                              grader::grouped(exec.output.size()))
                                       : Html{};
  return html(piece(embedded::program_page_html, "output"), exec.output, note);
}

}  // namespace

std::string to_page(const ExecReport& exec, Sources& sources) {
  const kernels::program::ProgramReport& run = exec.run;
  const std::size_t findings = run.findings.size() + run.host_findings.size();
  const bool is_good = !run.has_errors() && run.end.exited && run.end.status == 0;
  const std::string name = fmt::format("{}", fmt::join(exec.sources, " "));
  const std::string verdict =
      findings == 0 ? is_good ? "no findings" : ending_text(run) : counted(findings, "finding");
  Html tiles = tile("launches", grader::grouped(run.launch_count)) +
               tile("findings", grader::grouped(findings));
  if (!exec.modelled_device.empty() && run.launch_count > 0)
    tiles += tile("modelled time", grader::duration(run.modelled_ms));
  tiles += run.end.exited ? tile("exit status", fmt::format("{}", run.end.status))
                          : tile("ended by signal", fmt::format("{}", run.end.status));
  const std::string arguments = exec.arguments.empty()
                                    ? "without arguments"
                                    : fmt::format("arguments: {}", fmt::join(exec.arguments, " "));
  const Html body =
      html(piece(embedded::program_page_html, "page"), name, arguments, is_good ? "good" : "bad",
           verdict, tiles,
           findings_section(exec, sources) + launches_section(exec) + output_section(exec),
           HISTOLAB_VERSION, exec.schedule, exec.seed, exec.profile,
           exec.modelled_device.empty() ? std::string{} : " for " + exec.modelled_device);
  return grader::to_html({.title = name + " - histolab exec",
                          .style = std::string{embedded::program_page_css},
                          .script = {},
                          .body = body});
}

}  // namespace histolab::cli
