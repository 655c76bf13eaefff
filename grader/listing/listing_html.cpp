#include "grader/listing/listing_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "grader/html/html.h"
#include "grader/html/html_page.h"
#include "grader/html/palette.h"
#include "grader/listing/annotated.h"
#include "grader/listing/listing.h"
#include "grader/listing/listing_style.h"
#include "grader/report/case_text.h"
#include "grader/words/words.h"

namespace histolab::grader {
namespace {

struct Column {
  const char* title;
  const char* meaning;
};
constexpr std::array columns_shown = {
    Column{"reqs", "requests of warps to memory"},
    Column{"sect", "32-byte sectors for each global request: 1 is best, 32 worst"},
    Column{"conf", "bank conflicts in shared memory"},
    Column{"lane", "threads of a warp that took part, of 32"},
    Column{"same", "the most threads of one atomic request on one address"},
};

std::string legend_html() {
  std::string out = "<dl class=\"legend\">\n";
  for (const Column& column : columns_shown)
    out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", column.title, column.meaning);
  return out +
         "</dl>\n<p class=\"aside\">The darker a figure, the more the line costs: by how wasteful "
         "its requests are, and how many they are.</p>\n";
}

// How dark, from 0 to 1: waste counts as much as the line has a part in all requests.
std::array<double, 5> heat(const LineCost& cost, std::uint64_t busiest) {
  if (cost.requests == 0 || busiest == 0) return {};
  const double share = static_cast<double>(cost.requests) / static_cast<double>(busiest),
               weight = std::sqrt(share);
  const auto bits_of_32 = [](double value) {
    return std::clamp(std::log2(std::max(1.0, value)) / 5, 0.0, 1.0);
  };
  const double conflicts = cost.conflicts ? static_cast<double>(*cost.conflicts) : 0;
  return {share, weight * bits_of_32(cost.sectors.value_or(1)),
          weight * conflicts / (conflicts + static_cast<double>(cost.requests)),
          weight * (1 - cost.lanes / 32),
          weight * bits_of_32(static_cast<double>(cost.degree.value_or(1)))};
}

// `busiest`: requests of the line that has most; 0: no background.
std::string cells(const LineCost& cost, std::uint64_t busiest) {
  if (cost.requests == 0 && cost.barriers == 0) return "<td class=\"none\" colspan=\"5\"></td>";
  const auto shown = [](const auto& number) { return number ? compact(*number) : std::string{}; };
  const std::array<std::string, 5> texts = {compact(cost.requests), shown(cost.sectors),
                                            shown(cost.conflicts), compact(cost.lanes),
                                            shown(cost.degree)};
  const std::array<double, 5> hot = heat(cost, busiest);
  std::string out;
  for (std::size_t i = 0; i < texts.size() && cost.requests != 0; ++i) {
    const std::string how = hot[i] >= 0.01 && !texts[i].empty()
                                ? fmt::format(" style=\"--heat:{:.2f}\"", hot[i])
                                : std::string{};
    out += fmt::format("<td class=\"n{}\" data-title=\"{}\"{}>{}</td>", i == 0 ? " volume" : "",
                       columns_shown[i].title, how, texts[i]);
  }
  if (cost.requests == 0)
    out = fmt::format("<td class=\"n barrier\" colspan=\"5\">{} at barrier</td>",
                      counted(cost.barriers, "warp"));
  return out;
}

std::string note(const std::string& kind, const std::string& text) {
  return fmt::format("<tr class=\"note {}\"><td colspan=\"7\"><p>{}</p></td></tr>\n", kind,
                     escaped_html(text));
}

std::string note(const kernels::Finding& finding) {
  return note(finding.severity == kernels::Severity::error ? "error" : "hint",
              told_in_full(finding));
}

std::string row(const AnnotatedLine& line, std::size_t kernel, std::uint64_t busiest) {
  std::string below;
  bool error = false;
  for (const kernels::Finding* finding : line.findings) {
    error |= finding->severity == kernels::Severity::error;
    below += finding->line == line.number
                 ? note(*finding)
                 : note(error ? "error" : "hint",
                        fmt::format("{}: see line {}", name(finding->kind), finding->line));
  }
  for (const CounterGap* remark : line.remarks) below += note("remark", remark->sentence);
  const std::string barrier =
      line.cost.requests != 0 && line.cost.barriers != 0
          ? fmt::format(" <i>{} at barrier</i>", counted(line.cost.barriers, "warp"))
          : std::string{};
  return fmt::format(
             "<tr id=\"k{}l{}\"{}>{}<th scope=\"row\">{}</th><td "
             "class=\"code\"><code>{}</code>{}</td></tr>\n",
             kernel, line.number,
             error                  ? " class=\"wrong\""
             : line.remarks.empty() ? ""
                                    : " class=\"dear\"",
             cells(line.cost, busiest), line.number, escaped_html(line.code), barrier) +
         below;
}

std::string total(const LineCost& cost, const char* what) {
  return fmt::format("<tr>{}<th></th><td class=\"code\">{}</td></tr>\n", cells(cost, 0), what);
}

std::string table(const Annotated& source, std::size_t kernel) {
  std::uint64_t busiest = 0;
  for (const AnnotatedLine& line : source.lines) busiest = std::max(busiest, line.cost.requests);
  std::string out = "<table>\n<thead><tr>";
  for (const Column& column : columns_shown)
    out += fmt::format("<th class=\"n\" scope=\"col\" title=\"{}\">{}</th>", column.meaning,
                       column.title);
  out +=
      "<th scope=\"col\"><span class=\"unseen\">line</span></th><th scope=\"col\" "
      "class=\"code\">source</th></tr></thead>\n<tbody>\n";
  for (const AnnotatedLine& line : source.lines) out += row(line, kernel, busiest);
  out += "</tbody>\n<tfoot>\n";
  if (source.elsewhere) out += total(*source.elsewhere, "elsewhere, in no line that is known");
  out += total(source.all, "in all");
  if (source.solution) out += total(*source.solution, "the solution");
  out += "</tfoot>\n</table>\n";
  for (const kernels::Finding* finding : source.unplaced)
    out += fmt::format("<p class=\"unplaced\">{}</p>\n", escaped_html(told_in_full(*finding)));
  return out;
}

std::string more_than_the_solution(const Annotated& source, std::size_t kernel) {
  if (source.gaps.empty()) return {};
  std::string out = "<h2>More than the solution does</h2>\n<ul class=\"gaps\">\n";
  for (const CounterGap& gap : source.gaps)
    out += fmt::format("<li><a href=\"#k{}l{}\">line {}</a> {}</li>\n", kernel, gap.line, gap.line,
                       escaped_html(gap.sentence));
  return out + "</ul>\n";
}

std::string verdict(const CaseResult& result, const reference::Task& task) {
  if (result.ending != kernels::Ending::completed)
    return fmt::format(
        "<p class=\"verdict bad\">{}{}</p>\n", kernels::name(result.ending),
        result.ending_detail.empty() ? "" : ": " + escaped_html(result.ending_detail));
  return fmt::format("<p class=\"verdict {}\">{}</p>\n", result.correct ? "good" : "bad",
                     what_came_out(result, task));
}

std::string errors(const RunReport& run) {
  std::string out = fmt::format("<p class=\"verdict bad\">{}</p>\n<ul class=\"gaps\">\n",
                                run.refused ? "the kernel was refused" : "does not compile");
  for (const kernels::Diagnostic& each : run.diagnostics)
    if (each.severity == kernels::Severity::error)
      out +=
          fmt::format("<li>{}{}</li>\n", each.line > 0 ? fmt::format("line {}: ", each.line) : "",
                      escaped_html(each.message));
  return out + "</ul>\n";
}

std::string section(const ExplainedKernel& kernel, std::size_t number) {
  const RunReport& run = kernel.run;
  std::string out = fmt::format(
      "<section>\n<header>\n<p class=\"lab\">{}</p>\n<h1>{}</h1>\n<p>{}</p>\n",
      escaped_html(run.lab), escaped_html(run.kernel_path), escaped_html(described(run.result)));
  if (!run.compiled) return out + errors(run) + "</header>\n</section>\n";
  const Annotated source =
      annotated(run, kernel.source, kernel.solution ? &*kernel.solution : nullptr);
  return out + verdict(run.result, kernel.task) + "</header>\n" +
         more_than_the_solution(source, number) + table(source, number) + "</section>\n";
}

}  // namespace

std::string listing_html(const std::vector<ExplainedKernel>& kernels) {
  std::string body;
  for (std::size_t i = 0; i < kernels.size(); ++i) body += section(kernels[i], i + 1);
  const std::string what =
      kernels.size() == 1 ? kernels.front().run.lab : counted(kernels.size(), "kernel");
  const RunReport first = kernels.empty() ? RunReport{} : kernels.front().run;
  HtmlPage page{.title = what + " - histolab explain",
                .style = std::string{palette} + listing_style,
                .script = {},
                .body = {},
                .style_attributes = true};
  page.body = fmt::format("<main>\n{}{}<p class=\"aside\">histolab {}, {} ({})</p>\n</main>\n",
                          body, legend_html(), escaped_html(first.version),
                          escaped_html(first.device_kind), escaped_html(first.device_name));
  return to_html(page);
}

}  // namespace histolab::grader
