#include "grader/listing/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "grader/listing/annotated.h"
#include "grader/report/case_text.h"
#include "grader/words/code_text.h"
#include "grader/words/painter.h"
#include "grader/words/words.h"

namespace histolab::grader {
namespace {

using kernels::Finding;

constexpr const char* legend =
    "reqs: requests of warps to memory; sect: 32-byte sectors per global request;\n"
    "conf: shared bank conflicts; lane: active of 32; same: most on one address\n";
constexpr const char* titles = "reqs sect conf lane same";
constexpr std::size_t margin_width = 24;

std::string at_barrier(std::uint64_t warps) {
  return fmt::format("{:>4} warps at barrier", compact(warps));
}

std::string margin_of(const LineCost& cost) {
  if (cost.requests == 0) return cost.barriers == 0 ? std::string{} : at_barrier(cost.barriers);
  const auto cell = [](const auto& number) { return number ? compact(*number) : std::string{}; };
  return fmt::format("{:>4} {:>4} {:>4} {:>4} {:>4}", compact(cost.requests), cell(cost.sectors),
                     cell(cost.conflicts), compact(cost.lanes), cell(cost.degree));
}

class Listing {
 public:
  Listing(const Annotated& source, const TextOptions& options)
      : source_(source), paint_(options.color), width_(options.width) {
    number_width_ = std::max<std::size_t>(std::to_string(source.lines.size()).size(), 2);
  }

  [[nodiscard]] std::string text(Legend wanted) const {
    std::string out = wanted == Legend::shown ? paint_.dim(legend) + "\n" : "";
    out += paint_.bold(titles) + "\n";
    for (const AnnotatedLine& each : source_.lines) out += line(each);
    if (source_.elsewhere)
      out += row(margin_of(*source_.elsewhere), "", ' ', "elsewhere, line unknown");
    out += row(margin_of(source_.all), "", ' ', paint_.bold("in all"));
    if (source_.solution)
      out += row(margin_of(*source_.solution), "", ' ', paint_.bold("the solution"));
    for (const Finding* finding : source_.unplaced) out += text_of(*finding);
    return out;
  }

 private:
  [[nodiscard]] std::string line(const AnnotatedLine& each) const {
    std::string below;
    bool error = false;
    for (const Finding* finding : each.findings) {
      below += finding->line == each.number && finding->file == source_.file
                   ? text_of(*finding)
                   : marked(paint_for(*finding), reference_to(*finding, source_.file));
      error |= finding->severity == kernels::Severity::error;
    }
    for (const CounterGap* remark : each.remarks) below += marked("*", remark->sentence);
    std::string out;
    for (const CodeRow& part : rows_of(each.code, width_ - margin_width - number_width_ - 4))
      out +=
          row(out.empty() ? margin_of(each.cost) : "",
              out.empty() ? std::to_string(each.number) : "", error ? '!' : '|',
              std::string(part.indent, ' ') + each.code.substr(part.begin, part.end - part.begin));
    if (each.cost.requests != 0 && each.cost.barriers != 0)
      out += row(at_barrier(each.cost.barriers), "", '|', "");
    return out + below;
  }

  [[nodiscard]] std::string row(const std::string& margin, const std::string& number, char mark,
                                const std::string& code) const {
    const std::string bar(1, mark);
    std::string out = fmt::format("{:<{}} {:>{}} {} {}", margin, margin_width, number,
                                  number_width_, mark == '!' ? paint_.red(bar) : bar, code);
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
  }

  [[nodiscard]] std::string paint_for(const Finding& finding) const {
    return finding.severity == kernels::Severity::error ? paint_.red("!") : "-";
  }

  [[nodiscard]] std::string text_of(const Finding& finding) const {
    return marked(paint_for(finding), full_text(finding));
  }

  [[nodiscard]] std::string marked(const std::string& mark, const std::string& text) const {
    std::string out;
    for (const std::string& words : wrapped(harmless(text), width_ - 4))
      out += fmt::format("  {} {}\n", mark, words);
    return out;
  }

  const Annotated& source_;
  Painter paint_;
  std::size_t width_;
  std::size_t number_width_ = 0;
};

}  // namespace

std::string reference_to(const Finding& finding, const std::string& file) {
  return finding.file == file
             ? fmt::format("{}: see line {}", name(finding.kind), finding.line)
             : fmt::format("{}: see {}:{}", name(finding.kind), finding.file, finding.line);
}

std::string listing(const Annotated& source, const TextOptions& options, Legend legend) {
  return Listing(source, options).text(legend);
}

std::string full_text(const Finding& finding) {
  return fmt::format("{}{}: {}", name(finding.kind),
                     finding.count > 1 ? fmt::format(" ({} times)", grouped(finding.count)) : "",
                     finding.message);
}

std::string compact(std::uint64_t number) {
  if (number < 10'000) return std::to_string(number);
  double scaled = static_cast<double>(number);
  const char* unit = "";
  for (const char* next : {"k", "M", "G", "T", "P", "E"}) {
    if (scaled < 999.5) break;
    scaled /= 1000;
    unit = next;
  }
  return fmt::format("{:.{}f}{}", scaled, scaled < 9.95 ? 1 : 0, unit);
}

std::string compact(double number) {
  std::string text = fmt::format("{:.{}f}", number, number < 9.995 ? 2 : number < 99.95 ? 1 : 0);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string result_in_words(const CaseResult& result, const reference::Task& task) {
  const std::string_view several = task.results();
  return result.correct ? fmt::format("every {} is right", several.substr(0, several.size() - 1))
                        : fmt::format("wrong in {} of {} {}", result.mismatches.size(),
                                      result.binning.bins, several);
}

std::string listing(const RunReport& run, const LabSpec& lab, const std::string& source,
                    const CaseResult* solution, const TextOptions& options) {
  if (!run.compiled) return to_text(run, lab, source, options);
  const Painter paint{options.color};
  const CaseResult& result = run.result;
  const reference::Task& task = lab.kernels.at(result.kernel).task;
  std::string out = fmt::format("{}: {}\n", paint.bold(run.kernel_path), described(result));
  if (result.ending != kernels::Ending::completed)
    out += paint.red(std::string{kernels::name(result.ending)}) +
           (result.ending_detail.empty() ? "" : ": " + result.ending_detail) + "\n";
  else
    out += (result.correct ? paint.green(result_in_words(result, task))
                           : paint.red(result_in_words(result, task))) +
           "\n";
  return out + "\n" + listing(annotated(run, source, solution), options);
}

}  // namespace histolab::grader
