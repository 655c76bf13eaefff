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
constexpr std::size_t most_rows = 60;

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
  // A loop in a program may make many steps.
  const std::size_t shown = race.launch ? most_rows : race.steps.size();
  for (std::size_t time = 0; time < std::min(shown, race.steps.size()); ++time) {
    const Step& step = race.steps[time];
    const std::string lost = remark(race.lost, time);
    out += fmt::format("{:>4}  {:<6}  {:>4}  {:<8}  {:<{}}  {:>6}  {:>5}{}{}\n", time + 1,
                       thread_name(step.thread), step.line, word_for(step.operation),
                       short_place(step), width, value(step.memory_before),
                       value(step.memory_after), lost.empty() ? "" : "  ", lost);
  }
  if (race.steps.size() > shown)
    out += fmt::format("      and {} (--json has all)\n",
                       counted(race.steps.size() - shown, "more step"));
  return race.cut ? out + "      later steps are not recorded\n" : out;
}

std::string lines(const KernelRace& race) {
  std::set<std::pair<std::string, int>> places;
  for (const Step& step : race.steps) places.emplace(step.file, step.line);
  std::string out, shown_file;
  for (const auto& [file, number] : places) {
    const auto text = race.texts.find(file);
    const std::string line = text == race.texts.end() ? "" : line_of(text->second, number);
    if (line.empty()) continue;
    if (file != shown_file) out += file + "\n";
    shown_file = file;
    out += fmt::format("{:>4} | {}\n", number, line);
  }
  return out;
}

std::string coordinates(const kernels::Dim3& at, const kernels::Dim3& size) {
  if (size.y == 1 && size.z == 1) return std::to_string(at.x);
  return size.z == 1 ? fmt::format("({}, {})", at.x, at.y)
                     : fmt::format("({}, {}, {})", at.x, at.y, at.z);
}

std::string title(const KernelRace& race) {
  const bool seeded = race.setup.schedule == kernels::Schedule::random ||
                      race.setup.schedule == kernels::Schedule::adversarial;
  const std::string schedule = fmt::format("{}{}", kernels::name(race.setup.schedule),
                                           seeded ? fmt::format(", seed {}", race.setup.seed) : "");
  if (!race.launch)
    return fmt::format("{}: {}, a letter m each; {}\n", race.kernel_path,
                       counted(race.setup.threads, "thread"), schedule);
  const KernelRace::Launch& launch = *race.launch;
  std::string threads;
  for (std::size_t i = 0; i < launch.threads.size(); ++i)
    threads += fmt::format("{} is thread {} of block {}; ", thread_name(static_cast<unsigned>(i)),
                           coordinates(launch.threads[i].thread, launch.block),
                           coordinates(launch.threads[i].block, launch.grid));
  return paragraph(fmt::format("{}: launch {}, {}", race.kernel_path, launch.number, launch.text),
                   0) +
         paragraph(threads + schedule, 0);
}

}  // namespace

std::string to_text(const KernelRace& race) {
  std::string out = title(race);
  if (!race.steps.empty()) out += "\n" + table(race) + "\n" + lines(race);
  return harmless(out + "\n" + paragraph(verdict(race), 0));
}

}  // namespace histolab::grader
