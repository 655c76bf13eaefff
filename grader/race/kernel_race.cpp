#include "grader/race/kernel_race.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "grader/lab/launch_buffers.h"
#include "grader/lab/launch_plan.h"
#include "grader/race/race_words.h"
#include "reference/histogram.h"

namespace histolab::grader {
namespace {

using kernels::Ending;
using kernels::Operation;
using kernels::RecordedStep;
using reference::LostUpdate;
using reference::UpdateLedger;
using Step = KernelRace::Step;
using Element = std::pair<std::string, std::uint64_t>;  // a variable's name and an element's index

constexpr std::uint8_t letter = 'm';

Element element_of(const RecordedStep& step) { return {step.variable, step.index}; }
bool writes(const RecordedStep& step) { return step.operation != Operation::load; }
bool changes(const Step& step) { return step.memory_after != step.memory_before; }

// Elements in which some thread stored a nonzero value.
std::set<Element> filled_elements(const std::vector<RecordedStep>& recorded) {
  std::set<Element> filled;
  for (const RecordedStep& step : recorded)
    if (writes(step) && step.after != 0) filled.insert(element_of(step));
  return filled;
}

// Written elements that several threads use, or else all written elements.
std::set<Element> shared_elements(const std::vector<RecordedStep>& recorded) {
  std::map<Element, std::set<std::uint32_t>> users;
  std::set<Element> written, shared;
  for (const RecordedStep& step : recorded) {
    users[element_of(step)].insert(step.thread);
    if (writes(step)) written.insert(element_of(step));
  }
  for (const Element& each : written)
    if (users[each].size() > 1) shared.insert(each);
  return shared.empty() ? written : shared;
}

// The steps at these elements.
std::vector<Step> steps_of(const std::vector<RecordedStep>& recorded,
                           const std::set<Element>& shown) {
  std::vector<Step> steps;
  std::set<Element> set;
  std::map<std::pair<std::uint32_t, Element>, std::uint64_t> registers;
  for (const RecordedStep& from : recorded) {
    const Element place = element_of(from);
    if (!shown.contains(place)) continue;
    Step& step = steps.emplace_back();
    step.thread = from.thread;
    step.line = from.line;
    step.operation = from.operation;
    step.space = from.space;
    step.variable = from.variable;
    step.index = from.index;
    const bool is_set = from.space != kernels::Space::shared || set.contains(place);
    if (is_set) step.memory_before = from.before;
    if (is_set || writes(from)) step.memory_after = from.after;
    if (writes(from)) set.insert(place);
    const auto known = registers.find({from.thread, place});
    if (known != registers.end()) step.register_before = known->second;
    step.register_after =
        from.operation == Operation::store ? step.memory_after : step.memory_before;
    if (step.register_after) registers[{from.thread, place}] = *step.register_after;
  }
  return steps;
}

std::vector<LostUpdate> lost_updates(const std::vector<Step>& steps) {
  std::map<Element, UpdateLedger> ledgers;
  for (std::size_t time = 0; time < steps.size(); ++time) {
    const Step& step = steps[time];
    const Element place{step.variable, step.index};
    UpdateLedger& ledger = ledgers[place];
    switch (step.operation) {
      case Operation::load: ledger.load(step.thread, time); break;
      case Operation::store: ledger.store(step.thread, time); break;
      case Operation::exchange: ledger.set(time); break;
      case Operation::atomic:
      case Operation::compare_and_swap:
        if (changes(step)) ledger.add(step.thread, time);
        break;
    }
  }
  std::vector<LostUpdate> lost;
  for (const auto& [place, ledger] : ledgers)
    for (const LostUpdate& update : ledger.lost()) lost.push_back(update);
  std::ranges::sort(lost, {}, &LostUpdate::stored_at);
  return lost;
}

// For each address that threads update by a separate load and store: the threads that do so.
std::map<Element, std::set<std::uint32_t>> storing_threads(const std::vector<Step>& steps) {
  std::map<Element, std::set<std::uint32_t>> loaded, updated;
  for (const Step& step : steps) {
    const Element place{step.variable, step.index};
    if (step.operation == Operation::load) loaded[place].insert(step.thread);
    if (step.operation == Operation::store && loaded[place].contains(step.thread))
      updated[place].insert(step.thread);
  }
  return updated;
}

bool takes_turns_by_luck(const std::vector<Step>& steps) {
  return std::ranges::any_of(storing_threads(steps),
                             [](const auto& of_place) { return of_place.second.size() > 1; });
}

// Each thread's steps, in order.
std::map<std::uint32_t, std::vector<const Step*>> by_thread(const KernelRace& race) {
  std::map<std::uint32_t, std::vector<const Step*>> of_thread;
  for (const Step& step : race.steps) of_thread[step.thread].push_back(&step);
  return of_thread;
}

bool adds_one(const Step& step) {
  return step.operation == Operation::atomic && step.memory_before &&
         step.memory_after == *step.memory_before + 1;
}

// True for a load followed by a store of the loaded value plus one.
bool is_increment(const Step& load, const Step& store) {
  return load.operation == Operation::load && store.operation == Operation::store &&
         load.memory_after && store.memory_after == *load.memory_after + 1;
}

std::uint64_t linear(const kernels::Dim3& at, const kernels::Dim3& size) {
  return (std::uint64_t{at.z} * size.y + at.y) * size.x + at.x;
}
kernels::Dim3 place_in(std::uint64_t linear, const kernels::Dim3& size) {
  return {static_cast<std::uint32_t>(linear % size.x),
          static_cast<std::uint32_t>(linear / size.x % size.y),
          static_cast<std::uint32_t>(linear / size.x / size.y)};
}

// Returns the first data race, within a block if there is one, or nullptr.
const kernels::Finding* race_to_show(const kernels::Observation& observation) {
  const kernels::Finding* first = nullptr;
  for (const kernels::Finding& each : observation.findings) {
    if (each.kind != kernels::FindingKind::data_race || !each.thread || !each.other_thread ||
        each.severity != kernels::Severity::error)
      continue;
    if (each.thread->block == each.other_thread->block) return &each;
    if (first == nullptr) first = &each;
  }
  return first;
}

std::optional<Element> element_of(const kernels::Finding* race) {
  if (race == nullptr || !race->index) return std::nullopt;
  return Element{race->variable, static_cast<std::uint64_t>(*race->index)};
}

std::string no_count_because(const std::string& why) {
  return fmt::format(
      "the interleavings of this kernel cannot be counted: {}. They can if each thread's only "
      "steps in shared memory and the output are to load a bin, add one and store it, or one "
      "atomic operation that adds one; run it without --enumerate",
      why);
}

}  // namespace

bool KernelRace::only_atomic() const { return storing_threads(steps).empty(); }

std::string Step::place() const { return fmt::format("{}[{}]", variable, index); }

Result<KernelRace> race_of_kernel(kernels::Device& emulator, const LabSpec& lab,
                                  const kernels::Compiled& compiled, const std::string& source,
                                  const KernelRace::Setup& setup) {
  if (lab.kernels.front().task.quantity != reference::Quantity::count)
    return Error{fmt::format(
        "a race shows the steps of a kernel that counts, but {} of {} does something else",
        lab.kernels.front().name, lab.name)};
  const std::vector<std::uint8_t> data(setup.threads, letter);
  LaunchShape shape = shape_of(lab, 0, {}, data.size(), setup.threads);
  shape.grid = 1;
  LaunchBuffers buffers = TRY(LaunchBuffers::make(lab, shape, data));
  kernels::Options options;
  options.schedule = setup.schedule;
  options.seed = setup.seed;
  options.steps_per_thread = step_budget(data.size(), setup.threads);
  options.recorded_steps = kernels::Options::most_recorded;
  std::vector<kernels::Observation> observed = TRY(
      emulator.launch(compiled, config_of(lab, shape), {buffers.arguments(lab, shape)}, options));
  if (observed.size() != 1)
    return Error{"the device returned no observation for a launch; this is a bug in histolab"};
  const kernels::Observation& launch = observed.front();
  const std::vector<std::uint64_t> truth = reference::histogram(data, shape.binning);
  const auto bin = static_cast<std::size_t>(std::ranges::max_element(truth) - truth.begin());
  KernelRace race;
  race.setup = setup;
  race.kernel_path = compiled.path;
  race.texts[""] = source;
  for (const KernelArgument& argument : lab.kernels.front().arguments)
    if (argument.kind == KernelArgument::Kind::output)
      race.counter = fmt::format("{}[{}]", argument.name, bin);
  race.expected = truth[bin];
  race.final_value = static_cast<std::uint64_t>(buffers.values()[bin]);
  race.steps = steps_of(launch.steps, filled_elements(launch.steps));
  race.cut = launch.steps.size() == options.recorded_steps;
  race.ending = launch.ending;
  race.ending_detail = launch.ending_detail;
  if (!race.right()) race.lost = lost_updates(race.steps);
  return race;
}

std::vector<std::uint64_t> threads_to_show(const kernels::Observation& observation,
                                           const KernelRace::Launch& launch, std::uint32_t count) {
  const std::uint64_t of_block = launch.block.count();
  std::vector<std::uint64_t> chosen;
  const auto add = [&](std::uint64_t block, std::uint64_t thread) {
    const std::uint64_t number = block * of_block + thread;
    if (chosen.size() < count && std::ranges::find(chosen, number) == chosen.end())
      chosen.push_back(number);
  };
  const kernels::Finding* const race = race_to_show(observation);
  std::optional<Element> element = element_of(race);
  std::uint64_t block = 0;
  if (race != nullptr) {
    block = linear(race->thread->block, launch.grid);
    for (const kernels::ThreadId& id : {*race->thread, *race->other_thread})
      add(linear(id.block, launch.grid), linear(id.thread, launch.block));
  } else {
    std::map<std::pair<std::uint32_t, Element>, std::uint32_t> writer;
    for (const RecordedStep& step : observation.steps) {
      if (!writes(step)) continue;
      const auto [first, is_new] = writer.try_emplace({step.block, element_of(step)}, step.thread);
      if (is_new || first->second == step.thread) continue;
      element = element_of(step), block = step.block;
      break;
    }
  }
  for (const bool at_element : {true, false})
    for (const RecordedStep& step : observation.steps)
      if (step.block == block && (!at_element || element_of(step) == element))
        add(block, step.thread);
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, of_block); ++i) add(block, i);
  std::ranges::sort(chosen);
  return chosen;
}

KernelRace race_of_launch(const kernels::Observation& observation, KernelRace::Launch launch,
                          const std::vector<std::uint64_t>& threads, const std::string& path,
                          const KernelRace::Setup& setup) {
  const std::uint64_t of_block = launch.block.count();
  const bool is_one_block = threads.front() / of_block == threads.back() / of_block;
  std::vector<RecordedStep> recorded;
  for (RecordedStep step : observation.steps) {
    const auto at = std::ranges::find(threads, step.block * of_block + step.thread);
    if (at == threads.end()) continue;
    if (step.space == kernels::Space::shared && !is_one_block) continue;
    step.thread = static_cast<std::uint32_t>(at - threads.begin());
    recorded.push_back(std::move(step));
  }
  const kernels::Finding* const found = race_to_show(observation);
  const std::optional<Element> element = element_of(found);
  std::set<Element> shown = shared_elements(recorded);
  if (element) shown.insert(*element);

  KernelRace race;
  race.setup = setup;
  race.setup.threads = static_cast<std::uint32_t>(threads.size());
  race.kernel_path = path;
  race.steps = steps_of(recorded, shown);
  std::erase_if(recorded, [&](const auto& step) { return !shown.contains(element_of(step)); });
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    race.steps[i].file = observation.file_name(recorded[i].file);
    if (race.steps[i].file == path) race.steps[i].file.clear();
  }
  race.cut = observation.steps.size() == kernels::Options::most_recorded;
  race.ending = observation.ending;
  race.ending_detail = observation.ending_detail;
  const auto is_counter = [&](const Step& step) {
    return !element || (step.variable == element->first && step.index == element->second);
  };
  auto counter = std::ranges::find_if(race.steps, is_counter);
  if (counter == race.steps.end()) counter = race.steps.begin();
  if (counter != race.steps.end()) race.counter = counter->place();
  for (const Step& step : race.steps)
    if (step.place() == race.counter) race.final_value = step.memory_after.value_or(0);
  if (found != nullptr) {
    race.lost = lost_updates(race.steps);
    std::erase_if(race.lost, [&](const LostUpdate& lost) {
      return !lost.lost_loaded_at || race.steps[lost.stored_at].variable != found->variable;
    });
    launch.race = found->message;
  }
  for (const std::uint64_t number : threads)
    launch.threads.push_back(
        {place_in(number / of_block, launch.grid), place_in(number % of_block, launch.block)});
  race.launch = std::move(launch);
  return race;
}

Result<reference::Increments> increments_of(const KernelRace& race) {
  if (race.ending != kernels::Ending::completed)
    return Error{no_count_because("the launch did not end well")};
  if (race.cut) return Error{no_count_because("it makes too many steps")};
  if (race.steps.empty())
    return Error{no_count_because(fmt::format("no thread changes {}", race.counter))};
  for (const Step& step : race.steps)
    if (step.place() != race.steps.front().place())
      return Error{no_count_because(
          fmt::format("its threads use {} and {}", race.steps.front().place(), step.place()))};
  const auto of_thread = by_thread(race);
  if (of_thread.size() != race.setup.threads)
    return Error{no_count_because(fmt::format("only {} of {} threads update {}", of_thread.size(),
                                              race.setup.threads, race.steps.front().place()))};
  reference::Increments shape{race.setup.threads, 0,
                              race.steps.front().operation == Operation::atomic};
  const std::size_t steps = of_thread.begin()->second.size(), each = shape.atomic ? 1 : 2;
  for (const auto& [thread, own] : of_thread) {
    if (own.size() != steps)
      return Error{no_count_because("its threads make different numbers of steps")};
    for (std::size_t i = 0; i < steps; i += each)
      if (i + each > steps ||
          !(shape.atomic ? adds_one(*own[i]) : is_increment(*own[i], *own[i + 1])))
        return Error{no_count_because(
            fmt::format("{} does something else on line {}", thread_name(thread), own[i]->line))};
  }
  shape.increments = static_cast<std::uint32_t>(steps / each);
  if (shape.increments > reference::max_increments)
    return Error{no_count_because("it makes too many steps")};
  return shape;
}

std::string verdict(const KernelRace& race) {
  const std::string value = fmt::format("{} is {}", race.counter, race.final_value);
  const std::string result =
      race.launch ? race.steps.empty() ? "No thread changed anything that the others see" : value
                  : fmt::format("{} and should be {}", value, race.expected);
  if (race.ending != kernels::Ending::completed)
    return fmt::format("The launch did not end well ({}{}{}): these are the steps until then. {}.",
                       kernels::name(race.ending), race.ending_detail.empty() ? "" : ": ",
                       race.ending_detail, result);
  const std::string why_none_is_lost =
      takes_turns_by_luck(race.steps)
          ? "in this order no thread stored between another thread's load and store"
          : "no two threads update the same element except by atomic operations, or one after "
            "the other";
  if (race.launch && !race.launch->race.empty() && race.lost.empty())
    return fmt::format("None of these threads loses an update in this order, but they race: {}.",
                       race.launch->race);
  if (race.right() || (race.launch && race.lost.empty() && !race.steps.empty()))
    return fmt::format("No update is lost: {}; {}{}.", why_none_is_lost, value,
                       race.launch ? "" : ", as it should be");
  if (race.launch && race.steps.empty()) return result + ".";
  if (race.steps.empty())
    return fmt::format("No thread changed anything that others see: {}.", result);
  if (race.lost.empty())
    return fmt::format(
        "No thread overwrote another thread's update, but {}: look at which bin is updated, and "
        "how "
        "often.",
        result);
  const std::string opening =
      race.lost.size() == 1 ? fmt::format("{}'s update is lost: ", thread_name(race.lost[0].thread))
                            : fmt::format("{} updates are lost: ", race.lost.size());
  return opening +
         describe_lost(race.lost,
                       [&](std::size_t time) {
                         const Step& step = race.steps[time];
                         return RaceMoment{step.thread, step.memory_after.value_or(0),
                                           step.place() != race.counter ? step.place() : ""};
                       }) +
         result + ".";
}

}  // namespace histolab::grader
