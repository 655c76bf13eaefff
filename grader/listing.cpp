#include "grader/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "grader/checks.h"
#include "grader/code_text.h"
#include "grader/painter.h"
#include "grader/words.h"

namespace histolab::grader {
namespace {

using kernels::Finding;
using reference::LineCounters;
using reference::Traffic;

constexpr const char* legend =
    "reqs: requests of warps to memory; sect: 32-byte sectors per global request;\n"
    "conf: shared bank conflicts; lane: active of 32; same: most on one address\n";
constexpr const char* titles = "reqs sect conf lane same";
constexpr std::size_t margin_width = 24;

std::string margin_of(const Traffic& t) {
  if (t.requests() == 0) return t.barriers == 0 ? std::string{} : fmt::format("{:>4} warps at barrier", compact(t.barriers));
  const auto cell = [](bool there, auto number) { return there ? compact(number) : std::string{}; };
  const std::uint64_t global = t.global_load.requests + t.global_store.requests + t.global_atomic.requests;
  const std::uint64_t sectors = t.global_load.sectors + t.global_store.sectors + t.global_atomic.sectors;
  const std::uint64_t conflicts =
      t.shared_load.bank_conflicts + t.shared_store.bank_conflicts + t.shared_atomic.bank_conflicts;
  const std::uint64_t degree = std::max(t.global_contention.degree_max(), t.shared_contention.degree_max());
  const double requests = static_cast<double>(t.requests());
  return fmt::format("{:>4} {:>4} {:>4} {:>4} {:>4}", compact(t.requests()),
                     cell(global != 0, static_cast<double>(sectors) / static_cast<double>(global)),
                     cell(t.requests() != global, conflicts), compact(static_cast<double>(t.lanes()) / requests),
                     cell(degree != 0, degree));
}

class Listing {
 public:
  Listing(const RunReport& run, const std::string& source, const TextOptions& options)
      : result_(run.result), source_(source), paint_(options.color), width_(options.width) {
    lines_ = static_cast<int>(std::count(source.begin(), source.end(), '\n')) + (source.ends_with('\n') ? 0 : 1);
    number_width_ = std::max<std::size_t>(std::to_string(lines_).size(), 2);
  }

  [[nodiscard]] std::string text() const {
    std::string out = paint_.dim(legend) + "\n" + paint_.bold(titles) + "\n";
    for (int number = 1; number <= lines_; ++number) out += line(number);
    Traffic elsewhere;
    for (const LineCounters& each : result_.lines)
      if (each.line < 1 || each.line > lines_) elsewhere += each.counters;
    if (elsewhere.requests() + elsewhere.barriers != 0) out += row(margin_of(elsewhere), "", ' ', "elsewhere, in no line that is known");
    out += row(margin_of(result_.totals), "", ' ', paint_.bold("in all"));
    for (const Finding& finding : result_.findings)
      if (finding.line < 1 || finding.line > lines_) out += told(finding);
    return out;
  }

 private:
  [[nodiscard]] std::string line(int number) const {
    Traffic here;
    for (const LineCounters& each : result_.lines)
      if (each.line == number) here += each.counters;
    std::string findings;
    bool error = false;
    for (const Finding& finding : result_.findings) {
      if (finding.line != number && finding.other_line != number) continue;
      findings += finding.line == number ? told(finding) : marked(finding, fmt::format("{}: see line {}", name(finding.kind), finding.line));
      error |= finding.severity == kernels::Severity::error;
    }
    const std::string code = flat(line_of(source_, number));
    std::string out;
    for (const CodeRow& part : rows_of(code, width_ - margin_width - number_width_ - 4))
      out += row(out.empty() ? margin_of(here) : "", out.empty() ? std::to_string(number) : "", error ? '!' : '|',
                 std::string(part.indent, ' ') + code.substr(part.begin, part.end - part.begin));
    if (here.requests() != 0 && here.barriers != 0) {
      Traffic barrier;
      barrier.barriers = here.barriers;
      out += row(margin_of(barrier), "", '|', "");
    }
    return out + findings;
  }

  [[nodiscard]] std::string row(const std::string& margin, const std::string& number, char mark, const std::string& code) const {
    const std::string bar(1, mark);
    std::string out = fmt::format("{:<{}} {:>{}} {} {}", margin, margin_width, number, number_width_, mark == '!' ? paint_.red(bar) : bar, code);
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
  }

  [[nodiscard]] std::string told(const Finding& finding) const {
    const std::string times = finding.count > 1 ? fmt::format(" ({} times)", grouped(finding.count)) : "";
    return marked(finding, fmt::format("{}{}: {}", name(finding.kind), times, finding.message));
  }

  [[nodiscard]] std::string marked(const Finding& finding, const std::string& text) const {
    const bool error = finding.severity == kernels::Severity::error;
    std::string out;
    for (const std::string& words : wrapped(harmless(text), width_ - 4)) out += fmt::format("  {} {}\n", error ? paint_.red("!") : "-", words);
    return out;
  }

  const CaseResult& result_;
  const std::string& source_;
  Painter paint_;
  std::size_t width_;
  int lines_ = 0;
  std::size_t number_width_ = 0;
};

}  // namespace

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

std::string listing(const RunReport& run, const LabSpec& lab, const std::string& source, const TextOptions& options) {
  if (!run.compiled) return to_text(run, lab, source, options);
  const Painter paint{options.color};
  const CaseResult& result = run.result;
  std::string out = fmt::format("{}: {}\n", paint.bold(run.kernel_path), described(result));
  if (result.ending != kernels::Ending::completed)
    out += paint.red(std::string{kernels::name(result.ending)}) + (result.ending_detail.empty() ? "" : ": " + result.ending_detail) + "\n";
  else
    out += result.correct ? paint.green("every bin is right\n") : paint.red(fmt::format("wrong in {} of {} bins\n", result.mismatches.size(), result.binning.bins));
  return out + "\n" + Listing(run, source, options).text();
}

}  // namespace histolab::grader
