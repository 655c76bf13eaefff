#include "reference/two_step_updates.h"

#include <array>
#include <cassert>

namespace histolab::reference {
namespace {

// Plays all interleavings. `look` and `write` change the person's state and the shared state. Both
// are copied for each branch.
template <class State, class Look, class Write, class End>
void each_interleaving(std::uint32_t people, const State& state, std::array<int, max_people>& steps,
                       const Look& look, const Write& write, const End& end) {
  bool over = true;
  for (std::uint32_t who = 0; who < people; ++who) {
    if (steps[who] == 2) continue;
    over = false;
    State next = state;
    steps[who] == 0 ? look(next, who) : write(next, who);
    ++steps[who];
    each_interleaving(people, next, steps, look, write, end);
    --steps[who];
  }
  if (over) end(state);
}

struct Shared {
  std::int64_t value = 0;                       // the balance, or the seats sold
  std::array<std::int64_t, max_people> seen{};  // the value that each person read
};

}  // namespace

std::map<std::int64_t, std::uint64_t> final_balances(std::int64_t balance,
                                                     std::span<const std::int64_t> amounts) {
  assert(amounts.size() <= max_people);
  std::map<std::int64_t, std::uint64_t> found;
  std::array<int, max_people> steps{};
  each_interleaving(
      static_cast<std::uint32_t>(amounts.size()), Shared{.value = balance}, steps,
      [](Shared& state, std::uint32_t who) { state.seen[who] = state.value; },
      [&](Shared& state, std::uint32_t who) { state.value = state.seen[who] + amounts[who]; },
      [&](const Shared& state) { ++found[state.value]; });
  return found;
}

std::map<std::uint32_t, std::uint64_t> seats_sold(std::uint32_t agencies, std::uint32_t seats) {
  assert(agencies <= max_people);
  std::map<std::uint32_t, std::uint64_t> found;
  std::array<int, max_people> steps{};
  each_interleaving(
      agencies, Shared{}, steps,
      [](Shared& state, std::uint32_t who) { state.seen[who] = state.value; },
      [&](Shared& state, std::uint32_t who) { state.value += state.seen[who] < seats ? 1 : 0; },
      [&](const Shared& state) { ++found[static_cast<std::uint32_t>(state.value)]; });
  return found;
}

}  // namespace histolab::reference
