#include "grader/listing/listing_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "grader/html/html_page.h"
#include "grader/listing/annotated.h"
#include "grader/listing/listing.css.h"
#include "grader/listing/listing.h"
#include "grader/listing/listing.html.h"
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
    Column{"lane", "participating threads of a warp, of 32"},
    Column{"same", "most threads of one atomic request on one address"},
};

// Returns each figure's darkness, from 0 to 1. Waste is weighted by the line's share of all
// requests.
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

// `busiest`: the most requests of any line; 0 leaves out the background.
Html cells(const LineCost& cost, std::uint64_t busiest) {
  if (cost.requests == 0 && cost.barriers == 0)
    return html("<td class=\"none\" colspan=\"5\"></td>");
  if (cost.requests == 0)
    return html("<td class=\"n barrier\" colspan=\"5\">{} at barrier</td>",
                counted(cost.barriers, "warp"));
  const auto shown = [](const auto& number) { return number ? compact(*number) : std::string{}; };
  const std::array<std::string, 5> texts = {compact(cost.requests), shown(cost.sectors),
                                            shown(cost.conflicts), compact(cost.lanes),
                                            shown(cost.degree)};
  const std::array<double, 5> hot = heat(cost, busiest);
  Html out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool is_hot = hot[i] >= 0.01 && !texts[i].empty();
    out += html("<td class=\"n{}\" data-title=\"{}\"{}>{}</td>", i == 0 ? " volume" : "",
                columns_shown[i].title, is_hot ? html(" style=\"--heat:{:.2f}\"", hot[i]) : Html{},
                texts[i]);
  }
  return out;
}

Html note(const char* kind, const std::string& text) {
  return html("<tr class=\"note {}\"><td colspan=\"7\"><p>{}</p></td></tr>\n", kind, text);
}

Html note(const kernels::Finding& finding) {
  return note(finding.severity == kernels::Severity::error ? "error" : "hint", full_text(finding));
}

Html row(const AnnotatedLine& line, const std::string& file, std::size_t kernel,
         std::uint64_t busiest) {
  Html below;
  bool error = false;
  for (const kernels::Finding* finding : line.findings) {
    error |= finding->severity == kernels::Severity::error;
    below += finding->line == line.number && finding->file == file
                 ? note(*finding)
                 : note(error ? "error" : "hint", reference_to(*finding, file));
  }
  for (const CounterGap* remark : line.remarks) below += note("remark", remark->sentence);
  const Html look{error ? " class=\"wrong\"" : line.remarks.empty() ? "" : " class=\"dear\""};
  const Html barrier = line.cost.requests == 0 || line.cost.barriers == 0
                           ? Html{}
                           : html(" <i>{} at barrier</i>", counted(line.cost.barriers, "warp"));
  return html("<tr id=\"k{}l{}\"{}>{}<th scope=\"row\">{}</th>", kernel, line.number, look,
              cells(line.cost, busiest), line.number) +
         html("<td class=\"code\"><code>{}</code>{}</td></tr>\n", line.code, barrier) + below;
}

Html total(const LineCost& cost, const char* what) {
  return html("<tr>{}<th></th><td class=\"code\">{}</td></tr>\n", cells(cost, 0), what);
}

Html table(const Annotated& source, std::size_t kernel) {
  std::uint64_t busiest = 0;
  for (const AnnotatedLine& line : source.lines) busiest = std::max(busiest, line.cost.requests);
  Html headings, rows, totals, unplaced;
  for (const Column& column : columns_shown)
    headings +=
        html("<th class=\"n\" scope=\"col\" title=\"{}\">{}</th>", column.meaning, column.title);
  for (const AnnotatedLine& line : source.lines) rows += row(line, source.file, kernel, busiest);
  if (source.elsewhere) totals += total(*source.elsewhere, "elsewhere, line unknown");
  totals += total(source.all, "in all");
  if (source.solution) totals += total(*source.solution, "the solution");
  for (const kernels::Finding* finding : source.unplaced)
    unplaced += html("<p class=\"unplaced\">{}</p>\n", full_text(*finding));
  return html(piece(embedded::listing_html, "table"), headings, rows, totals) + unplaced;
}

Html more_than_the_solution(const Annotated& source, std::size_t kernel) {
  Html items;
  for (const CounterGap& gap : source.gaps)
    items += html("<li><a href=\"#k{}l{}\">line {}</a> {}</li>\n", kernel, gap.line, gap.line,
                  gap.sentence);
  return items.empty() ? items : html(piece(embedded::listing_html, "gaps"), items);
}

Html verdict(bool is_good, const std::string& text) {
  return html("<p class=\"verdict {}\">{}</p>\n", is_good ? "good" : "bad", text);
}

Html verdict(const CaseResult& result, const reference::Task& task) {
  if (result.ending == kernels::Ending::completed)
    return verdict(result.correct, result_in_words(result, task));
  return verdict(false,
                 fmt::format("{}{}{}", kernels::name(result.ending),
                             result.ending_detail.empty() ? "" : ": ", result.ending_detail));
}

Html errors(const RunReport& run) {
  Html items;
  for (const kernels::Diagnostic& each : run.diagnostics)
    if (each.severity == kernels::Severity::error)
      items +=
          html("<li>{}{}</li>\n",
               each.line > 0 ? fmt::format("line {}: ", each.line) : std::string{}, each.message);
  return verdict(false, run.refused ? "the kernel was refused" : "does not compile") +
         html("<ul class=\"gaps\">\n{}</ul>\n", items);
}

Html section(const ExplainedKernel& kernel, std::size_t number) {
  const RunReport& run = kernel.run;
  const auto filled = [&](const Html& summary, const Html& body) {
    return html(piece(embedded::listing_html, "section"), run.lab, run.kernel_path,
                described(run.result), summary, body);
  };
  if (!run.compiled) return filled(errors(run), {});
  const Annotated source =
      annotated(run, kernel.source, kernel.solution ? &*kernel.solution : nullptr);
  return filled(verdict(run.result, kernel.task),
                more_than_the_solution(source, number) + table(source, number));
}

// `what`: a lab, a program, or "3 kernels".
std::string page(const std::string& what, const Html& sections, const std::string& version,
                 const std::string& device_kind, const std::string& device_name) {
  Html legend;
  for (const Column& column : columns_shown)
    legend += html("<div><dt>{}</dt><dd>{}</dd></div>\n", column.title, column.meaning);
  const Html end =
      html(piece(embedded::listing_html, "end"), legend, version, device_kind, device_name);
  return to_html({.title = what + " - histolab explain",
                  .style = std::string{embedded::listing_css},
                  .script = {},
                  .body = html("<main>\n{}{}</main>\n", sections, end),
                  .style_attributes = true});
}

}  // namespace

std::string listing_html(const std::vector<ExplainedKernel>& kernels) {
  Html sections;
  for (std::size_t i = 0; i < kernels.size(); ++i) sections += section(kernels[i], i + 1);
  const RunReport first = kernels.empty() ? RunReport{} : kernels.front().run;
  return page(kernels.size() == 1 ? first.lab : counted(kernels.size(), "kernel"), sections,
              first.version, first.device_kind, first.device_name);
}

std::string listing_html(const ExplainedProgram& program) {
  Html sections;
  std::size_t number = 0;
  for (const Annotated& file : annotated_files(program)) {
    Html endings;
    if (number == 0)
      for (const std::string& ending : program.endings) endings += verdict(false, ending);
    sections += html(piece(embedded::listing_html, "section"), "program", file.file, program.what,
                     endings, table(file, ++number));
  }
  return page(program.name, sections, HISTOLAB_VERSION, "emulator", "histolab emulator");
}

}  // namespace histolab::grader
