#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "grader/race/kernel_race.h"
#include "grader/race/race_words.h"
#include "grader/words/words.h"

namespace histolab::grader {
namespace {

using Step = KernelRace::Step;

// A row may end with a remark on a lost update, and must fit 80 columns.
constexpr std::size_t place_columns = 16;

const char* word_for(kernels::Operation operation) {
  switch (operation) {
    case kernels::Operation::load: return "load";
    case kernels::Operation::store: return "store";
    case kernels::Operation::atomic: return "atomic";
    case kernels::Operation::compare_and_swap: return "CAS";
    case kernels::Operation::exchange: break;
  }
  return "exchange";
}

std::string short_place(const Step& step) {
  const std::string index = fmt::format("[{}]", step.index);
  if (step.variable.size() + index.size() <= place_columns) return step.variable + index;
  return step.variable.substr(0, place_columns - std::min(place_columns - 1, index.size() + 1)) +
         "~" + index;
}

std::string value(const std::optional<std::uint64_t>& value) {
  return value ? std::to_string(*value) : "unset";
}

std::string table(const KernelRace& race) {
  std::size_t width = 6;
  for (const Step& step : race.steps) width = std::max(width, short_place(step).size());
  std::string out =
      fmt::format("time  thread  line  step      {:<{}}  before  after\n", "memory", width);
  for (std::size_t time = 0; time < race.steps.size(); ++time) {
    const Step& step = race.steps[time];
    const std::string lost = remark(race.lost, time);
    out += fmt::format("{:>4}  {:<6}  {:>4}  {:<8}  {:<{}}  {:>6}  {:>5}{}{}\n", time + 1,
                       thread_name(step.thread), step.line, word_for(step.operation),
                       short_place(step), width, value(step.memory_before),
                       value(step.memory_after), lost.empty() ? "" : "  ", lost);
  }
  return race.cut ? out + "      later steps are not recorded\n" : out;
}

std::string lines(const KernelRace& race) {
  std::set<int> numbers;
  for (const Step& step : race.steps)
    if (!line_of(race.source, step.line).empty()) numbers.insert(step.line);
  std::string out;
  for (const int number : numbers)
    out += fmt::format("{:>4} | {}\n", number, line_of(race.source, number));
  return out;
}

std::string title(const KernelRace& race) {
  const bool seeded = race.setup.schedule == kernels::Schedule::random ||
                      race.setup.schedule == kernels::Schedule::adversarial;
  return fmt::format("{}: {}, a letter m each; {}{}\n", race.kernel_path,
                     counted(race.setup.threads, "thread"), kernels::name(race.setup.schedule),
                     seeded ? fmt::format(", seed {}", race.setup.seed) : "");
}

}  // namespace

std::string to_text(const KernelRace& race) {
  std::string out = title(race);
  if (!race.steps.empty()) out += "\n" + table(race) + "\n" + lines(race);
  return harmless(out + "\n" + paragraph(verdict(race), 0));
}

}  // namespace histolab::grader
