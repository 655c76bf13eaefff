#include "grader/feedback/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "grader/checks/quiz_check.h"
#include "grader/checks/rivals.h"
#include "grader/feedback/advice.h"
#include "grader/report/case_text.h"
#include "grader/words/painter.h"
#include "grader/words/source_excerpt.h"
#include "grader/words/words.h"
#include "reference/occupancy.h"

namespace histolab::grader {
namespace {

constexpr std::size_t width = 80;
constexpr std::size_t max_bars = 64;  // `run` draws at most this many bars

std::string table(const Report& report, const Painter& paint) {
  std::string out = paint.bold(fmt::format("{:<28}{:<22}{:>9}   {}", "lab", "verdict", "score",
                                           "checks passed")) +
                    "\n";
  for (const LabResult& lab : report.labs) {
    const auto passed =
        std::count_if(lab.checks.begin(), lab.checks.end(),
                      [](const CheckResult& c) { return c.status == CheckResult::Status::passed; });
    const std::string verdict = padded(in_words(name(lab.status)), 22);
    const bool judged = has_mark(lab.status);
    out +=
        fmt::format("{:<28}{}{:>9}   {}\n", shortened(lab.lab, 27),
                    lab.status == Verdict::passed ? paint.green(verdict) : paint.red(verdict),
                    fmt::format("{}/{}", judged ? std::to_string(lab.score) : "-", lab.max_score),
                    fmt::format("{} of {}", passed, lab.checks.size()));
  }
  if (report.labs.size() > 1)
    out += paint.bold(fmt::format(
               "{:<50}{:>9}", "total",
               fmt::format("{}/{}", report.machine_failed() ? "-" : std::to_string(report.score()),
                           report.max_score()))) +
           "\n";
  return out;
}

bool several_timed(const LabResult& lab) { return lab.timed.size() > 1; }

// The time of each timed case, and of the solutions that it was compared with.
std::string times(const Report& report, const Painter& paint) {
  std::string out;
  for (const LabResult& lab : report.labs)
    for (const TimedCaseResult& each : lab.timed) {
      if (!each.timing || !each.correct()) continue;
      const std::string what =
          several_timed(lab) ? lab.lab.substr(0, lab.lab.find('-')) + " " + each.id : lab.lab;
      std::string line =
          fmt::format("  {:<22} {:>8}", shortened(what, 22), duration(each.timing->median_ms));
      for (const TimedCaseResult::Rival& rival : each.rivals) {
        const bool reads = rival.lab == read_rival;
        std::string of = "that of " + rival.lab;
        if (reads) of = "the read limit";
        if (rival.lab == lab.lab) of = "the solution";
        line += fmt::format(", {} {}", of, duration(rival.ms()));
        if (reads)
          line += fmt::format(": {:.1f} % of it", 100 * rival.ms() / each.timing->median_ms);
      }
      out += line + "\n";
      if (each.longest_launch != 0 && each.longest_launch < each.length)
        out += paragraph(fmt::format("ran on at most {} of its {}", grouped(each.longest_launch),
                                     length_of(each)),
                         4);
      if (each.timing->by_host_clock)
        out += paragraph("by the host's clock: the GPU's own disagreed with it", 4);
      if (!each.timing->throttled_by.empty())
        out += paragraph("the GPU was slowed down by " + each.timing->throttled_by, 4);
    }
  if (out.empty()) return out;
  const std::string where = report.gpu_name.empty()
                                ? "modelled, not measured: histolab glossary modelled-time"
                                : fmt::format("{}, driver {}", report.gpu_name, report.gpu_driver);
  return fmt::format("\n{}{}\n{}", paint.bold("times"), paint.dim(" (" + where + ")"), out);
}

// In an unanswered quiz, the questions' ids are of no use.
std::string quiz_line(const LabResult& lab) {
  const std::size_t all = lab.quiz->questions.size();
  if (lab.quiz->count(quiz::Standing::unanswered) != all)
    return paragraph(fmt::format("{}: {}", lab.lab, described(*lab.quiz)), 2);
  if (lab.status == Verdict::not_attempted) return {};
  return paragraph(fmt::format("{}: 0 of {} are answered; histolab quiz {} asks them", lab.lab,
                               counted(all, "question"), lab.lab.substr(0, lab.lab.find('-'))),
                   2);
}

std::string quizzes(const Report& report, const Painter& paint) {
  std::string out;
  for (const LabResult& lab : report.labs)
    if (lab.quiz) out += quiz_line(lab);
  return out.empty() ? out : fmt::format("\n{}\n{}", paint.bold("quiz"), out);
}

// The next commands to type: at most two.
std::string next_steps_of(const LabResult& lab, const Advice& advice, const TextOptions& options,
                          std::uint64_t seed) {
  if (advice.of_quiz)
    return paragraph(fmt::format("next: {} quiz {}", options.program, lab.lab), 2);
  std::string text =
      paragraph(fmt::format("next: edit {}, then {} grade {}{}", lab.submission->path,
                            options.program, lab.lab, options.options),
                2);
  if (const std::string debug = debug_words(lab); !debug.empty())
    text += paragraph(fmt::format("or: {} {}{}", options.program, debug,
                                  seed == 1 ? "" : fmt::format(" --seed {}", seed)),
                      2);
  return text;
}

std::string explained(const LabResult& lab, const Painter& paint, const TextOptions& options,
                      std::uint64_t seed) {
  if (!has_mark(lab.status))
    return fmt::format("\n{}: not graded, this machine could not run it\n", paint.bold(lab.lab)) +
           paragraph(lab.message, 2) +
           "  there is no mark; `histolab doctor` says what is missing\n";
  const std::optional<Advice> advice = advice_for(lab);
  if (!advice || !lab.submission) return {};
  std::string out = fmt::format("\n{}: {}\n", paint.bold(lab.lab), advice->headline) +
                    to_text(*advice, *lab.submission);
  return options.next_steps ? out + next_steps_of(lab, *advice, options, seed) : out;
}

std::string bars(const RunReport& run, const LabSpec& lab) {
  const LaunchResult& launch = run.result.runs.front();
  const std::size_t shown = std::min(launch.histogram.size(), max_bars);
  const auto label = [&](std::size_t bin) {
    return lab.kernels.at(run.result.kernel)
        .task.label(run.result.binning, static_cast<std::uint32_t>(bin));
  };
  double largest = 1;
  std::size_t label_width = 3, number_width = 1;
  for (std::size_t bin = 0; bin < shown; ++bin) {
    if (launch.histogram[bin] > largest) largest = launch.histogram[bin];
    number_width = std::max(number_width, grouped_value(launch.histogram[bin]).size());
    label_width = std::max(label_width, label(bin).size());
  }
  const std::size_t room = width - label_width - number_width - 6;
  std::string out;
  for (std::size_t bin = 0; bin < shown; ++bin) {
    const double value = launch.histogram[bin];
    const auto length =
        value > 0 ? static_cast<std::size_t>(value / largest * static_cast<double>(room) + 0.5) : 0;
    out += fmt::format("  {:<{}}  {:>{}}  {}", label(bin), label_width, grouped_value(value),
                       number_width, std::string(length, '#'));
    while (out.back() == ' ') out.pop_back();
    out += '\n';
  }
  if (shown < launch.histogram.size())
    out += fmt::format("  and {} (--json has all)\n",
                       counted(launch.histogram.size() - shown, "more bin"));
  return out;
}

std::string counters_table(const RunReport& run) {
  std::string out;
  for (const reference::CounterValue& counter : run.result.counters) {
    if (counter.value == 0) continue;
    std::string unit{counter.unit};
    if (unit.find('/') != std::string::npos) unit.clear();  // the title has the unit
    if (counter.value == 1 && unit.ends_with('s')) unit.pop_back();
    out += fmt::format("  {}{:>18} {}", padded(shortened(std::string{counter.title}, 46), 47),
                       plain(counter.value), unit);
    while (out.back() == ' ') out.pop_back();
    out += '\n';
  }
  return out;
}

// The distribution of atomic operations, and the few elements with most of them.
std::string pressure_table(const RunReport& run) {
  constexpr std::size_t named = 3;
  std::string out;
  for (const reference::AtomicPressure& each : run.result.pressure) {
    std::vector<std::string> most;
    for (const auto& element : each.top)
      if (most.size() < named)
        most.push_back(
            fmt::format("[{}] {}", element.index, percent(element.updates, each.updates)));
    out += paragraph(
        fmt::format("{}, {}: {} of {}: {}{}", each.variable, each.shared ? "shared" : "global",
                    counted(each.updates, "update"), counted(each.elements, "element"),
                    fmt::join(most, ", "), each.elements > named ? ", ..." : ""),
        2);
  }
  return out;
}

std::string time_table(const RunReport& run) {
  const kernels::Timing& timing = *run.result.timing;
  std::string out = fmt::format(
      "  {}, median of {} on changing data; between {} and {} with 95 % confidence\n",
      duration(timing.median_ms), counted(timing.samples_ms.size(), "launch", "launches"),
      duration(timing.low_ms), duration(timing.high_ms));
  if (timing.median_ms > 0)
    out += fmt::format("  {:.4g} thousand million elements a second\n",
                       static_cast<double>(run.result.length) / timing.median_ms / 1e6);
  if (timing.by_host_clock) out += "  by the host's clock: the GPU's own disagreed with it\n";
  if (timing.sm_clock_mhz > 0)
    out +=
        fmt::format("  SM clock {} MHz{}\n", timing.sm_clock_mhz,
                    timing.throttled_by.empty() ? "" : "; slowed down by: " + timing.throttled_by);
  return out;
}

std::string occupancy_table(const RunReport& run) {
  const reference::Counters& totals = run.result.totals;
  std::string out;
  for (const reference::DeviceProfile& device : reference::device_profiles) {
    const reference::Occupancy found = reference::occupancy(
        device, totals.block_size, totals.static_shared_bytes + totals.dynamic_shared_bytes);
    const std::string limit =
        found.limited_by == "shared_mem" ? "shared memory" : std::string{found.limited_by};
    out += fmt::format("  {:<24} {:>4.0f} %   {} of {} warps in {}; limit: {}\n", device.title,
                       found.percent, found.warps, device.max_warps_per_multiprocessor(),
                       counted(found.blocks, "block"), limit);
  }
  return out;
}

}  // namespace

std::string left_out_text(const LabResult& lab, std::size_t columns) {
  std::string out;
  for (const LeftOut& each : lab.left_out)
    out +=
        paragraph(fmt::format("not judged here: {} ({}): {}", each.check,
                              counted(static_cast<std::uint64_t>(each.points), "point"), each.why),
                  2, columns);
  return out;
}

std::string to_text(const Report& report, const TextOptions& options) {
  const Painter paint{options.color};
  std::string out = table(report, paint) + times(report, paint) + quizzes(report, paint);
  for (const LabResult& lab : report.labs)
    if (lab.submission && !lab.left_out.empty())
      out += fmt::format("\n{}\n{}", paint.bold(lab.lab), left_out_text(lab, width));
  std::vector<std::string> missing;
  for (const LabResult& lab : report.labs) {
    out += explained(lab, paint, options, report.seed);
    if (lab.status == Verdict::not_attempted) missing.push_back(lab.lab);
  }
  if (!missing.empty()) {
    out += fmt::format("\n{}",
                       paragraph(fmt::format("not attempted: {}", fmt::join(missing, ", ")), 0));
    const std::string which = missing.size() == 1 ? " " + missing.front() : "";
    if (options.next_steps)
      out += fmt::format("next: {} start{}   puts the {} to edit into work/\n", options.program,
                         which, missing.size() == 1 ? "stub" : "stubs");
  }
  if (options.next_steps && !report.quick && report.all_passed() && !report.labs.empty())
    out += "\nnext: histolab pack   makes the file to hand in\n";
  if (report.quick)
    out += "\nquick: some cases were left out; grade without --quick for the mark\n";
  out += fmt::format("\n{} ({}), seed {}", report.device_kind, report.device_name, report.seed);
  if (!options.report_path.empty()) out += fmt::format("; report in {}", options.report_path);
  return out + "\n";
}

std::string to_text(const RunReport& run, const LabSpec& lab, const std::string& source,
                    const TextOptions& options) {
  const Painter paint{options.color};
  const CaseResult& result = run.result;
  std::string out = fmt::format("{}: {}\n", paint.bold(run.kernel_path), described(result));
  if (!run.compiled) {
    out += run.refused ? "the kernel was refused\n" : "does not compile\n";
    for (const kernels::Diagnostic& each : run.diagnostics)
      if (each.severity == kernels::Severity::error)
        out += paragraph(each.message, 2) +
               source_excerpt(run.kernel_path, source, each.line, each.column);
    return out;
  }
  if (result.ending != kernels::Ending::completed)
    out += paint.red(std::string{kernels::name(result.ending)}) +
           (result.ending_detail.empty() ? "" : ": " + result.ending_detail) + "\n";
  out += fmt::format("\n{}", bars(run, lab));
  const LaunchResult& launch = result.runs.front();
  const reference::Task& task = lab.kernels.at(result.kernel).task;
  const bool counts = task.quantity == reference::Quantity::count;
  const double sum = std::accumulate(launch.histogram.begin(), launch.histogram.end(), 0.0);
  std::string verdict = result.correct
                            ? "right"
                            : fmt::format("wrong in {} of {} {}", result.mismatches.size(),
                                          result.binning.bins, task.results());
  if (counts)
    verdict += result.correct ? fmt::format(": {} counted",
                                            counted(static_cast<std::uint64_t>(sum), "element"))
                              : fmt::format(": {} counted, {} expected", grouped_value(sum),
                                            grouped(launch.updates_expected));
  out += result.correct ? paint.green("  " + verdict + "\n") : paint.red("  " + verdict + "\n");
  if (result.timing) out += fmt::format("\n{}\n{}", paint.bold("time"), time_table(run));
  const bool on_gpu = run.device_kind == "gpu";  // without counters
  const bool shows_counters = !on_gpu && options.counters;
  if (shows_counters)
    out += fmt::format("\n{}{}\n{}", paint.bold("counters"), paint.dim(" (zeros left out)"),
                       counters_table(run));
  if (!result.pressure.empty())
    out +=
        fmt::format("\n{}\n{}", paint.bold("where the atomic updates went"), pressure_table(run));
  if (shows_counters)
    out += fmt::format("\n{}{}\n{}", paint.bold("theoretical occupancy"),
                       paint.dim(" (if the register count, unknown here, permits it)"),
                       occupancy_table(run));
  out += fmt::format(
      "\n{}\n", paint.bold(result.findings.empty() ? "no findings"
                                                   : counted(result.findings.size(), "finding")));
  for (const kernels::Finding& finding : result.findings) {
    const std::string times =
        finding.count > 1 ? fmt::format(" ({} times)", grouped(finding.count)) : "";
    const char* note = finding.severity == kernels::Severity::note ? ", a note" : "";
    out += paragraph(
        fmt::format("{}{}{}: {}", kernels::name(finding.kind), note, times, finding.message), 2);
    out += source_excerpt(run.kernel_path, source, finding.line, 0);
    if (finding.other_line > 0 && finding.other_line != finding.line)
      out += source_excerpt(run.kernel_path, source, finding.other_line, 0);
  }
  if (!result.printed.empty())
    out += fmt::format("\n{}\n{}{}", paint.bold("printed by the kernel"), harmless(result.printed),
                       result.printed.back() == '\n' ? "" : "\n");
  return out;
}

}  // namespace histolab::grader
