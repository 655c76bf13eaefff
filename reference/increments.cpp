#include "reference/increments.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <random>

namespace histolab::reference {
namespace {

constexpr IncrementStep plain_steps[] = {IncrementStep::load, IncrementStep::add,
                                         IncrementStep::store};
constexpr IncrementStep atomic_steps[] = {IncrementStep::atomic_add};

struct Thread {
  std::size_t steps = 0;
  std::optional<std::uint32_t> value;
};

}  // namespace

const char* name(IncrementStep step) {
  switch (step) {
    case IncrementStep::load: return "load";
    case IncrementStep::add: return "add";
    case IncrementStep::store: return "store";
    case IncrementStep::atomic_add: return "atomicAdd";
  }
  return "";
}

std::span<const IncrementStep> steps_of_increment(bool atomic) {
  return atomic ? std::span<const IncrementStep>{atomic_steps}
                : std::span<const IncrementStep>{plain_steps};
}

Interleaving random_interleaving(const Increments& shape, std::uint64_t seed) {
  const std::size_t each = shape.increments * steps_of_increment(shape.atomic).size();
  std::vector<std::size_t> left(shape.threads, each);
  std::mt19937_64 generator{seed};
  Interleaving order;
  // Among the possible continuations, the share that starts with a thread is its share of the
  // remaining steps.
  for (std::size_t all = each * shape.threads; all > 0; --all) {
    std::size_t pick = generator() % all;
    std::uint32_t thread = 0;
    while (pick >= left[thread]) pick -= left[thread++];
    --left[thread];
    order.push_back(thread);
  }
  return order;
}

const std::vector<Scenario>& lecture_scenarios() {
  static const std::vector<Scenario> scenarios = {
      {"T1 entirely before T2", {0, 0, 0, 1, 1, 1}},
      {"T2 entirely before T1", {1, 1, 1, 0, 0, 0}},
      {"interleaved, T1's update is lost", {0, 0, 1, 0, 1, 1}},
      {"interleaved, T2's update is lost", {1, 1, 0, 1, 0, 0}}};
  return scenarios;
}

Trace play(const Increments& shape, const Interleaving& order) {
  const std::span<const IncrementStep> cycle = steps_of_increment(shape.atomic);
  assert(order.size() == cycle.size() * shape.expected());
  std::vector<Thread> threads(shape.threads);
  UpdateLedger bin;
  Trace trace{.shape = shape, .steps = {}, .lost = {}, .final_value = 0};
  for (std::size_t time = 0; time < order.size(); ++time) {
    Thread& thread = threads[order[time]];
    TraceStep step;
    step.thread = order[time];
    step.step = cycle[thread.steps++ % cycle.size()];
    step.register_before = thread.value;
    step.memory_before = bin.held();
    switch (step.step) {
      case IncrementStep::load:
        bin.load(step.thread, time);
        thread.value = bin.held();
        break;
      case IncrementStep::add: ++*thread.value; break;
      case IncrementStep::store: bin.store(step.thread, time); break;
      case IncrementStep::atomic_add:
        thread.value = bin.held();
        bin.add(step.thread, time);
        break;
    }
    step.register_after = *thread.value;
    step.memory_after = bin.held();
    trace.steps.push_back(step);
  }
  trace.lost = bin.lost();
  trace.final_value = bin.held();
  return trace;
}

}  // namespace histolab::reference
