#include "grader/race/race_report.h"

#include <fmt/format.h>

#include "grader/files/json_fields.h"
#include "grader/words/words.h"
#include "kernels/finding_fields.h"

namespace histolab::grader {
namespace {

using reference::Enumeration;
using reference::Increments;
using reference::Steps;
using reference::Trace;

template <class Step>
OrderedJson json_of_steps(const std::vector<Step>& steps) {
  OrderedJson list = OrderedJson::array();
  for (const Step& step : steps) {
    FieldWriter f;
    f("time", list.size() + 1);
    fields(f, step);
    f.group("register", [&](auto& value) {
      value.or_null("before", step.register_before);
      value.or_null("after", std::optional{step.register_after});
    });
    f.group("memory", [&](auto& value) {
      value.or_null("before", std::optional{step.memory_before});
      value.or_null("after", std::optional{step.memory_after});
    });
    list.push_back(std::move(f.json));
  }
  return list;
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

template <std::same_as<FieldWriter> F, Describes<reference::LostUpdate> Value>
void fields(F& f, Value& lost) {
  f("thread", lost.thread + 1), f("stored_at", lost.stored_at + 1);
  f("overwritten_at", lost.lost_at + 1);
  f.or_null("loaded_at", lost.lost_loaded_at ? *lost.lost_loaded_at + 1 : 0);
}
template <std::same_as<FieldWriter> F, Describes<reference::TraceStep> Value>
void fields(F& f, Value& step) {
  f("thread", step.thread + 1), f("operation", step.step);
}
template <std::same_as<FieldWriter> F, Describes<Trace> Value>
void fields(F& f, Value& trace) {
  f("steps", json_of_steps(trace.steps)), f("final_value", trace.final_value);
  f("lost", trace.lost), f("message", verdict(trace));
}
template <std::same_as<FieldWriter> F, Describes<KernelRace::Step> Value>
void fields(F& f, Value& step) {
  f("thread", step.thread + 1), f("line", step.line), f("operation", step.operation);
  f("space", step.space), f("variable", step.variable), f("index", step.index);
  f.if_set("file", step.file);
}
template <std::same_as<FieldWriter> F, Describes<KernelRace::Launch> Value>
void fields(F& f, Value& launch) {
  f("number", launch.number), f("kernel", launch.kernel);
  f.row("grid", launch.grid.x, launch.grid.y, launch.grid.z);
  f.row("block", launch.block.x, launch.block.y, launch.block.z);
  f("threads", launch.threads);
}
template <std::same_as<FieldWriter> F, Describes<KernelRace> Value>
void fields(F& f, Value& race) {
  f.or_null("counter", race.counter), f("steps", json_of_steps(race.steps)), f("cut", race.cut);
  f("ending", race.ending);
  f.or_null("final_value", race.counter.empty() ? std::nullopt : std::optional{race.final_value});
  f("lost", race.lost);
  f("message", verdict(race));
}
template <std::same_as<FieldWriter> F, Describes<RaceReport::Counted> Value>
void fields(F& f, Value& counted) {
  std::vector<std::string> increment;
  for (const reference::IncrementStep step :
       reference::steps_of_increment(counted.steps == Steps::atomic_add))
    if (counted.steps != Steps::load_store || step != reference::IncrementStep::add)
      increment.emplace_back(name(step));
  OrderedJson values = OrderedJson::array();
  for (const auto& [value, interleavings] : counted.all.final_values)
    values.push_back({{"value", value}, {"interleavings", interleavings}});
  f("increment", increment), f("interleavings", counted.all.interleavings);
  f("losing", counted.all.losing), f("final_values", values);
}
template <std::same_as<FieldWriter> F, Describes<RaceReport> Value>
void fields(F& f, Value& report) {
  const bool counts = !report.counted.empty();
  f.schema("histolab/race/1");
  f("version", report.version), f("threads", report.shape.threads);
  f.or_null("increments", report.shape.increments), f("atomic", report.shape.atomic);
  f.or_null("expected", report.shape.expected());
  f.or_null("seed", report.seed), f.or_null("scenario", report.scenario);
  f.or_null("kernel", report.kernel ? report.kernel->kernel_path : "");
  if (report.kernel) f.if_set("launch", report.kernel->launch);
  f("schedule", report.kernel ? OrderedJson(name(report.kernel->setup.schedule)) : OrderedJson());
  f("trace", counts          ? OrderedJson()
             : report.kernel ? f.written(*report.kernel)
                             : f.written(*report.trace));
  f.or_null("enumeration", report.counted);
}

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
  return FieldWriter::written(report).dump(2, ' ', false, OrderedJson::error_handler_t::replace) +
         "\n";
}

}  // namespace histolab::grader
