#include <fmt/format.h>

#include "grader/race/race_report.h"
#include "grader/race/race_words.h"
#include "grader/words/words.h"

namespace histolab::grader {
namespace {

using reference::Increments;
using reference::Steps;
using reference::Trace;
using reference::TraceStep;

std::string what(const Increments& shape) {
  return fmt::format("{}, {} each, on one bin", counted(shape.threads, "thread"),
                     counted(shape.increments, shape.atomic ? "atomicAdd" : "increment"));
}

// ---- one interleaving ---------------------------------------------------------------------------

std::string row(const Trace& trace, std::size_t time) {
  const TraceStep& step = trace.steps[time];
  const std::string lost = remark(trace.lost, time);
  return fmt::format(
      "{:>4}  {:<6}  {:<9}  {:>5}  {:>5}  {:>6}  {:>5}{}{}\n", time + 1, thread_name(step.thread),
      name(step.step), step.register_before ? std::to_string(*step.register_before) : "-",
      step.register_after, step.memory_before, step.memory_after, lost.empty() ? "" : "   ", lost);
}

std::string scenarios() {
  std::string out = "\nthe four scenarios of a lecture (--scenario N steps through one)\n";
  const auto& all = reference::lecture_scenarios();
  for (std::size_t i = 0; i < all.size(); ++i)
    out += fmt::format("  {}  {:<34}  histo[b] is {}\n", i + 1, all[i].title,
                       reference::play({}, all[i].order).final_value);
  return out;
}

std::string trace_text(const RaceReport& report) {
  const Trace& trace = *report.trace;
  std::string out = what(report.shape);
  if (report.scenario)
    out += fmt::format(
        "; scenario {}\n{}\n", *report.scenario,
        reference::lecture_scenarios().at(static_cast<std::size_t>(*report.scenario) - 1).title);
  else
    out += fmt::format("; the interleaving of seed {}\n", *report.seed);
  out +=
      "\n                           register        histo[b]\n"
      "time  thread  operation    old    new  before  after\n";
  for (std::size_t time = 0; time < trace.steps.size(); ++time) out += row(trace, time);
  out += "\n" + paragraph(verdict(trace), 0);
  const bool like_a_lecture =
      report.shape.expected() == 2 && report.shape.threads == 2 && !report.shape.atomic;
  return like_a_lecture && !report.scenario ? out + scenarios() : out;
}

// ---- all of them --------------------------------------------------------------------------------

using Counted = RaceReport::Counted;

const char* title(Steps steps) {
  switch (steps) {
    case Steps::load_add_store: return "load, add, store";
    case Steps::load_store: return "load, store";
    case Steps::atomic_add: return "atomicAdd";
  }
  return "";
}

std::string number(std::uint64_t value) { return fmt::format("{:>22}{:10}", grouped(value), ""); }
// A number with its percentage of all interleavings.
std::string share(std::uint64_t part, const Counted& of) {
  return fmt::format("{:>22}{:>10}", grouped(part), percent(part, of.all.interleavings));
}

template <class Cell>
std::string line(const std::string& label, const std::vector<Counted>& columns, Cell&& cell) {
  std::string text = fmt::format("{:<16}", label);
  for (const Counted& column : columns) text += cell(column);
  return text.erase(text.find_last_not_of(' ') + 1) + "\n";
}

// "6! / (3!)^2".
std::string closed_form(const std::string& label, const Increments& shape, std::uint32_t steps) {
  const std::uint32_t each = steps * shape.increments;
  std::string formula = fmt::format("{}!", each * shape.threads);
  if (each > 1) formula += fmt::format(" / ({}!)^{}", each, shape.threads);
  const std::optional<std::uint64_t> value = reference::merged_orders(shape.threads, each);
  return fmt::format("  {:<36}{:<16} = {}\n", label, formula,
                     value ? grouped(*value) : "more than 2^53");
}

std::string all_text(const RaceReport& report) {
  const std::vector<Counted>& columns = report.counted;
  std::string out = fmt::format("every interleaving of {}\n", what(report.shape));
  if (report.kernel) out += fmt::format("as {} makes them\n", harmless(report.kernel->kernel_path));
  out += "\n";
  out += line("an increment is", columns,
              [](const Counted& c) { return fmt::format("{:>22}{:10}", title(c.steps), ""); });
  out +=
      line("interleavings", columns, [](const Counted& c) { return number(c.all.interleavings); });
  out += line("lose no update", columns,
              [](const Counted& c) { return share(c.all.interleavings - c.all.losing, c); });
  out += line("lose an update", columns, [](const Counted& c) { return share(c.all.losing, c); });
  out += fmt::format("\nhisto[b] at the end ({} is right)\n", report.shape.expected());
  for (const auto& [final_value, ignored] : columns.front().all.final_values) {
    const std::uint32_t value = final_value;
    out += line(fmt::format("{:>16}", value), columns,
                [value](const Counted& c) { return share(c.all.final_values.at(value), c); });
  }
  out += "\nby the closed forms\n";
  for (const Counted& column : columns)
    out += closed_form(fmt::format("interleavings, {}", title(column.steps)), report.shape,
                       number_of(column.steps));
  out += closed_form("that lose no update", report.shape, 1);
  return out + "\n" +
         paragraph(report.shape.atomic ? "An atomicAdd is one step: nothing comes between its load "
                                         "and its store, so no interleaving "
                                         "loses an update."
                                       : "An interleaving loses no update only if each increment "
                                         "is complete, from its load to its store, "
                                         "before the next one loads. The add is private to its "
                                         "thread: as a step of its own it changes "
                                         "how many interleavings there are, but no outcome.",
                   0);
}

}  // namespace

std::string verdict(const Trace& trace) {
  const std::uint32_t expected = trace.shape.expected();
  const std::size_t lost = trace.lost.size();
  if (lost == 0)
    return fmt::format(
        "No update is lost: {}; histo[b] is {}, as it should be.",
        trace.shape.atomic
            ? "an atomicAdd is one step, so nothing comes between its load and its store"
            : "no thread stored between another thread's load and store",
        expected);
  std::string text =
      expected == 2
          ? fmt::format("{}'s update is lost: ", thread_name(trace.lost[0].thread))
          : fmt::format("{} of {} updates {} lost: ", lost, expected, lost == 1 ? "is" : "are");
  text += describe_lost(trace.lost, [&](std::size_t time) {
    return RaceMoment{trace.steps[time].thread, trace.steps[time].memory_after};
  });
  return text + fmt::format("histo[b] is {} and should be {}.", trace.final_value, expected);
}

std::string to_text(const RaceReport& report) {
  if (!report.counted.empty()) return all_text(report);
  return report.kernel ? to_text(*report.kernel) : trace_text(report);
}

}  // namespace histolab::grader
