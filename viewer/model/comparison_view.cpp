#include "viewer/model/comparison_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "datasets/datasets.h"
#include "grader/words/words.h"
#include "viewer/model/run_fields.h"

namespace histolab::viewer {

template <class F, Describes<ComparisonView::Side> Value>
void fields(F& f, Value& side) {
  f("label", side.label), f("run", side.run);
}
template <class F, Describes<ComparisonView::Time> Value>
void fields(F& f, Value& time) {
  std::string kind;
  f("kind", kind);
  time.measured = kind == "measured";
  f("alike", time.alike), f("device", time.device);
  f("a_ms", time.a_ms), f("b_ms", time.b_ms), f("ratio", time.ratio);
}
template <class F, Describes<ComparisonView::Counter> Value>
void fields(F& f, Value& counter) {
  f("name", counter.name), f("title", counter.title), f("unit", counter.unit);
  f("a", counter.a), f("b", counter.b), f("ratio", counter.ratio);
}
template <class F, Describes<ComparisonView> Value>
void fields(F& f, Value& view) {
  f("a", view.a), f("b", view.b), f("sentence", view.sentence);
  f("time_reason", view.time_reason), f("time", view.time), f("counters", view.counters);
}

namespace {

std::string updates(double count) {
  return grader::counted(static_cast<std::uint64_t>(std::clamp(count, 0.0, 1e18)), "update");
}

// Returns an empty text if nothing is wrong.
std::string problem_of(const RunSummary& run) {
  if (run.correct) return {};
  if (!run.compiled())
    return run.diagnostics.empty()
               ? "it does not compile"
               : fmt::format("it does not compile: line {}: {}", run.diagnostics.front().line,
                             run.diagnostics.front().message);
  if (run.ending != "completed")
    return run.ending_detail.empty() ? run.ending
                                     : fmt::format("{}: {}", run.ending, run.ending_detail);
  const double lost = run.counter("histolab__updates_lost.sum"),
               invented = run.counter("histolab__updates_invented.sum");
  if (lost > 0 && invented > 0)
    return fmt::format("the histogram is wrong: {} lost, {} too many", updates(lost),
                       updates(invented));
  if (lost > 0) return fmt::format("the histogram is wrong: {} lost", updates(lost));
  if (invented > 0) return fmt::format("the histogram is wrong: {} too many", updates(invented));
  return "the histogram is wrong";
}

std::string kernel_words(const LaunchChoice& choice) {
  return choice.kernel.empty() ? choice.lab : fmt::format("{}={}", choice.lab, choice.kernel);
}

// Splits "A,B" at the comma.
std::pair<std::string, std::string> halves(const std::string& words) {
  const std::size_t comma = words.find(',');
  return comma == std::string::npos ? std::pair{words, words}
                                    : std::pair{words.substr(0, comma), words.substr(comma + 1)};
}

}  // namespace

void CompareChoice::settle(bool changed_a) {
  if (!same_kernel()) (changed_a ? b : a).dataset = (changed_a ? a : b).dataset;
  b.length = a.length;
}

CompareChoice usual_comparison(const Catalogue& catalogue) {
  const auto choose_solution = [&](LaunchChoice& launch, std::string_view strategy) {
    const auto lab = std::ranges::find(catalogue.labs, strategy, &Lab::strategy);
    if (lab != catalogue.labs.end()) choose_kernel(launch, lab->name, catalogue);
  };
  CompareChoice choice;
  choose_solution(choice.a, "global");
  choose_solution(choice.b, "shared");
  choose_datasets(choice, "constant");
  choice.a.length = choice.b.length = 1 << 20;
  return choice;
}

void choose_kernel(LaunchChoice& choice, const std::string& words, const Catalogue& catalogue) {
  const std::size_t sign = words.find('=');
  const std::string kernel = sign == std::string::npos ? "solution" : words.substr(sign + 1);
  choice.lab = words.substr(0, sign);
  choice.kernel = kernel;
  const Lab* const lab = catalogue.find(choice.lab);
  if (lab == nullptr) return;
  choice.lab = lab->name;
  const KernelFile* file = lab->kernel(kernel);
  if (file == nullptr && sign == std::string::npos) file = lab->preferred();
  if (file != nullptr) choice.kernel = file->path;
}

void choose_datasets(CompareChoice& choice, const std::string& words) {
  std::tie(choice.a.dataset, choice.b.dataset) = halves(words);
}

std::vector<std::string> compare_command(const CompareChoice& choice) {
  const LaunchChoice &a = choice.a, &b = choice.b;
  std::vector<std::string> command{
      "compare", kernel_words(a), kernel_words(b), "--dataset",
      a.dataset == b.dataset ? a.dataset : fmt::format("{},{}", a.dataset, b.dataset)};
  if (datasets::is_generator(a.dataset) || datasets::is_generator(b.dataset))
    command.insert(command.end(), {"--length", fmt::format("{}", a.length)});
  if (a.device != "emulator") command.insert(command.end(), {"--device", a.device});
  command.emplace_back("--json");
  return command;
}

std::string ComparisonView::headline() const {
  if (!right()) {
    if (!a.run.correct && !b.run.correct)
      return "A and B are both wrong: their times are meaningless";
    return fmt::format("{} is wrong: its time is meaningless", a.run.correct ? "B" : "A");
  }
  if (!time) return time_reason.empty() ? "no time" : fmt::format("no time: {}", time_reason);
  if (time->alike)
    return fmt::format("A and B are equally fast within the accuracy of {}",
                       time->measured ? "the measurement" : "the model");
  return fmt::format("{} is {} faster", time->a_ms < time->b_ms ? "A" : "B",
                     ratio_text(time->ratio));
}

std::vector<std::string> ComparisonView::problems() const {
  std::vector<std::string> all;
  if (const std::string problem = problem_of(a.run); !problem.empty())
    all.push_back(fmt::format("A: {}", problem));
  if (const std::string problem = problem_of(b.run); !problem.empty())
    all.push_back(fmt::format("B: {}", problem));
  return all;
}

double ComparisonView::lean(const Counter& counter) const {
  if (counter.a == counter.b) return 0;
  const double sign = counter.b > counter.a ? 1 : -1;
  double most = 2;
  for (const Counter& each : counters)
    if (each.ratio && std::isfinite(*each.ratio)) most = std::max(most, *each.ratio);
  if (!counter.ratio || !(*counter.ratio >= 1)) return sign;
  return sign * std::clamp(std::log(*counter.ratio) / std::log(most), 0.0, 1.0);
}

std::optional<ComparisonView> comparison_in(const Json& json) {
  if (!text(json, "schema").starts_with("histolab/compare/")) return {};
  auto view = read_leniently<ComparisonView>(json);
  return view;
}

std::string ratio_text(const std::optional<double>& ratio) {
  if (!ratio || !std::isfinite(*ratio)) return "-";
  return *ratio < 99.95
             ? fmt::format("{:.3g}x", *ratio)
             : grader::grouped(static_cast<std::uint64_t>(std::min(*ratio + 0.5, 1e18))) + "x";
}

}  // namespace histolab::viewer
