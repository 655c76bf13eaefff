#include "tools/fuzzer/hidden_rounds.h"

#include <algorithm>

namespace histolab::fuzzer {

// Two positions per statement, because it may make two accesses.
void HiddenRounds::number(const Body& body) {
  for (const Stmt& s : body) {
    place_[&s] = places_ += 2;
    const bool is_loop = s.what == Stmt::What::loop;
    if (is_loop) loops_[&s] = {places_ + 1, 0};
    number(s.body);
    number(s.otherwise);
    if (is_loop) loops_[&s].last = places_ + 1;
  }
}

bool HiddenRounds::is_hidden(std::uint32_t from, std::uint32_t to, const Stmt* round) const {
  const Loop& loop = loops_.at(round);
  if (!loop.holds(to)) return false;
  if (!loop.holds(from) || to > from) return true;
  return std::ranges::any_of(loops_, [&](const auto& other) {
    const bool within =
        loop.first <= other.second.first && other.second.last <= loop.last && other.first != round;
    return within && other.second.holds(from) && other.second.holds(to);
  });
}

bool HiddenRounds::accesses(std::size_t thread, const Stmt& statement, bool again) {
  Steps& steps = of_thread_[thread];
  const std::uint32_t to = place_.at(&statement) + (again ? 1 : 0);
  bool hidden = false;
  for (const Stmt* round : steps.rounds) {
    const bool twice = std::ranges::count(steps.rounds, round) > 1 && loops_.at(round).holds(to);
    hidden = hidden || twice || is_hidden(steps.place, to, round);
  }
  steps = {to, {}};
  return hidden;
}

}  // namespace histolab::fuzzer
