#include "grader/race/race_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "grader/words/words.h"

namespace histolab::grader {
namespace {

using reference::Enumeration;
using reference::Increments;
using reference::LostUpdate;
using reference::Steps;
using reference::Trace;
using reference::TraceStep;
using OrderedJson = nlohmann::ordered_json;

template <class T>
OrderedJson or_null(const std::optional<T>& value) {
  return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson json_of_race(const std::vector<LostUpdate>& lost) {
  OrderedJson json = OrderedJson::array();
  for (const LostUpdate& update : lost)
    json.push_back({{"thread", update.thread + 1},
                    {"stored_at", update.stored_at + 1},
                    {"overwritten_at", update.lost_at + 1},
                    {"loaded_at", update.lost_loaded_at ? OrderedJson(*update.lost_loaded_at + 1)
                                                        : OrderedJson(nullptr)}});
  return json;
}

OrderedJson json_of_race(const Trace& trace) {
  OrderedJson steps = OrderedJson::array();
  for (std::size_t time = 0; time < trace.steps.size(); ++time) {
    const TraceStep& step = trace.steps[time];
    steps.push_back(
        {{"time", time + 1},
         {"thread", step.thread + 1},
         {"operation", name(step.step)},
         {"register", {{"before", or_null(step.register_before)}, {"after", step.register_after}}},
         {"memory", {{"before", step.memory_before}, {"after", step.memory_after}}}});
  }
  return {{"steps", std::move(steps)},
          {"final_value", trace.final_value},
          {"lost", json_of_race(trace.lost)},
          {"message", verdict(trace)}};
}

OrderedJson json_of_race(const KernelRace& race) {
  OrderedJson steps = OrderedJson::array();
  for (std::size_t time = 0; time < race.steps.size(); ++time) {
    const KernelRace::Step& step = race.steps[time];
    steps.push_back(
        {{"time", time + 1},
         {"thread", step.thread + 1},
         {"line", step.line},
         {"operation", name(step.operation)},
         {"space", name(step.space)},
         {"variable", step.variable},
         {"index", step.index},
         {"register",
          {{"before", or_null(step.register_before)}, {"after", or_null(step.register_after)}}},
         {"memory",
          {{"before", or_null(step.memory_before)}, {"after", or_null(step.memory_after)}}}});
  }
  return {{"counter", race.counter},
          {"steps", std::move(steps)},
          {"cut", race.cut},
          {"ending", name(race.ending)},
          {"final_value", race.final_value},
          {"lost", json_of_race(race.lost)},
          {"message", verdict(race)}};
}

OrderedJson json_of_race(const RaceReport::Counted& counted) {
  OrderedJson increment = OrderedJson::array(), values = OrderedJson::array();
  for (const reference::IncrementStep step :
       reference::steps_of_increment(counted.steps == Steps::atomic_add))
    if (counted.steps != Steps::load_store || step != reference::IncrementStep::add)
      increment.push_back(name(step));
  for (const auto& [value, interleavings] : counted.all.final_values)
    values.push_back({{"value", value}, {"interleavings", interleavings}});
  return {{"increment", std::move(increment)},
          {"interleavings", counted.all.interleavings},
          {"losing", counted.all.losing},
          {"final_values", std::move(values)}};
}

bool countable(std::uint32_t threads, std::uint32_t increments, Steps steps) {
  return reference::merged_orders(threads, number_of(steps) * increments).has_value();
}

// The largest feasible shapes: with this number of threads, and with this number of increments.
std::string largest(const Increments& shape, Steps steps) {
  std::uint32_t increments = shape.increments, threads = shape.threads;
  while (increments > 0 && !countable(shape.threads, increments, steps)) --increments;
  while (!countable(threads, shape.increments, steps))
    // One thread has only one interleaving.
    --threads;
  const std::string fewer_threads =
      fmt::format("with {} each, at most {}", counted(shape.increments, "increment"),
                  counted(threads, "thread"));
  if (increments == 0) return fewer_threads;
  return fmt::format("with {}, at most {} each; {}", counted(shape.threads, "thread"),
                     counted(increments, "increment"), fewer_threads);
}

RaceReport report_of(const Increments& shape) {
  RaceReport report;
  report.version = HISTOLAB_VERSION;
  report.shape = shape;
  return report;
}

Result<RaceReport> count(RaceReport report, const std::vector<Steps>& kinds) {
  const Increments& shape = report.shape;
  for (const Steps steps : kinds) {
    std::optional<Enumeration> all = enumerate(shape, steps);
    if (!all)
      return Error{fmt::format(
          "{} with {} each have more than 2^53 interleavings, too many to count exactly; {}",
          counted(shape.threads, "thread"), counted(shape.increments, "increment"),
          largest(shape, steps))};
    report.counted.push_back({steps, std::move(*all)});
  }
  return report;
}

}  // namespace

RaceReport race_of_seed(const Increments& shape, std::uint64_t seed) {
  RaceReport report = report_of(shape);
  report.seed = seed;
  report.trace = play(shape, random_interleaving(shape, seed));
  return report;
}

RaceReport race_of_scenario(int number) {
  RaceReport report = report_of({});
  report.scenario = number;
  report.trace = reference::play(
      {}, reference::lecture_scenarios().at(static_cast<std::size_t>(number) - 1).order);
  return report;
}

RaceReport race_of(KernelRace race) {
  const std::uint32_t each = static_cast<std::uint32_t>(race.expected / race.setup.threads);
  RaceReport report = report_of({race.setup.threads, each, race.only_atomic()});
  report.seed = race.setup.seed;
  report.kernel = std::move(race);
  return report;
}

Result<RaceReport> all_races(const Increments& shape) {
  return count(report_of(shape), shape.atomic
                                     ? std::vector{Steps::atomic_add}
                                     : std::vector{Steps::load_add_store, Steps::load_store});
}

Result<RaceReport> all_races(KernelRace race) {
  const Increments shape = TRY(increments_of(race));
  RaceReport report = report_of(shape);
  report.kernel = std::move(race);
  // The add itself was not recorded, and its position has no effect.
  return count(std::move(report), {shape.atomic ? Steps::atomic_add : Steps::load_store});
}

std::string to_json(const RaceReport& report) {
  OrderedJson json;
  json["schema"] = "histolab/race/1";
  json["version"] = report.version;
  json["threads"] = report.shape.threads;
  json["increments"] = report.shape.increments;
  json["atomic"] = report.shape.atomic;
  json["expected"] = report.shape.expected();
  json["seed"] = or_null(report.seed);
  json["scenario"] = or_null(report.scenario);
  json["kernel"] = report.kernel ? OrderedJson(report.kernel->kernel_path) : OrderedJson(nullptr);
  json["schedule"] =
      report.kernel ? OrderedJson(name(report.kernel->setup.schedule)) : OrderedJson(nullptr);
  const bool counts = !report.counted.empty();
  json["trace"] = nullptr;
  if (!counts)
    json["trace"] = report.kernel ? json_of_race(*report.kernel) : json_of_race(*report.trace);
  json["enumeration"] = counts ? OrderedJson::array() : OrderedJson(nullptr);
  for (const RaceReport::Counted& counted : report.counted)
    json["enumeration"].push_back(json_of_race(counted));
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace histolab::grader
