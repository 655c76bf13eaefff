#include "reference/interleavings.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace histolab::reference {
namespace {

static_assert(
    3 * max_increments < 256,
    "a thread's steps fit into a byte; so does the bin, where there are few enough interleavings");

struct ThreadState {
  std::uint8_t steps = 0;
  std::uint8_t loaded = 0;  // 0 if the thread will load again before its next store

  friend auto operator<=>(const ThreadState&, const ThreadState&) = default;
};

struct State {
  std::uint8_t bin = 0;
  std::vector<ThreadState> threads;  // sorted: threads are interchangeable
};

std::string key_of(const State& state) {
  std::string key(1, static_cast<char>(state.bin));
  for (const ThreadState& thread : state.threads) {
    key += static_cast<char>(thread.steps);
    key += static_cast<char>(thread.loaded);
  }
  return key;
}

State state_of(const std::string& key) {
  State state{static_cast<std::uint8_t>(key[0]), {}};
  for (std::size_t at = 1; at < key.size(); at += 2)
    state.threads.push_back(
        {static_cast<std::uint8_t>(key[at]), static_cast<std::uint8_t>(key[at + 1])});
  return state;
}

void make_step(ThreadState& thread, std::uint8_t& bin, std::uint32_t steps) {
  const std::uint32_t step = thread.steps++ % steps;
  if (step == 0) thread.loaded = bin;
  if (step == steps - 1)
    bin = static_cast<std::uint8_t>(std::exchange(thread.loaded, std::uint8_t{0}) + 1);
}

}  // namespace

std::uint32_t number_of(Steps steps) {
  return steps == Steps::load_add_store ? 3 : steps == Steps::load_store ? 2 : 1;
}

std::optional<std::uint64_t> merged_orders(std::uint32_t parts, std::uint32_t size) {
  __extension__ using Wide = unsigned __int128;
  std::uint64_t orders = 1;
  // Product over the rows of the binomial (items so far choose size), each built up item by item.
  for (std::uint32_t part = 1; part < parts; ++part) {
    Wide binomial = 1;
    for (std::uint32_t item = 1; item <= size; ++item) {
      binomial = binomial * (part * size + item) / item;
      if (binomial > max_interleavings) return std::nullopt;
    }
    if (binomial * orders > max_interleavings) return std::nullopt;
    orders = static_cast<std::uint64_t>(binomial * orders);
  }
  return orders;
}

std::optional<Enumeration> enumerate(const Increments& shape, Steps kind) {
  const std::uint32_t steps = number_of(kind);
  if (!merged_orders(shape.threads, steps * shape.increments)) return std::nullopt;
  // Number of ways to each state that is reachable in `time` steps.
  std::unordered_map<std::string, std::uint64_t> ways;
  ways[key_of({0, std::vector<ThreadState>(shape.threads)})] = 1;
  for (std::uint32_t time = 0; time < steps * shape.expected(); ++time) {
    std::unordered_map<std::string, std::uint64_t> next;
    for (const auto& [key, count] : ways) {
      const State state = state_of(key);
      for (std::size_t who = 0; who < state.threads.size(); ++who) {
        if (state.threads[who].steps == steps * shape.increments) continue;
        State then = state;
        make_step(then.threads[who], then.bin, steps);
        std::sort(then.threads.begin(), then.threads.end());
        next[key_of(then)] += count;
      }
    }
    ways = std::move(next);
  }
  Enumeration result;
  for (const auto& [key, count] : ways) {
    const std::uint32_t value = state_of(key).bin;
    result.final_values[value] += count;
    result.interleavings += count;
    if (value < shape.expected()) result.losing += count;
  }
  return result;
}

}  // namespace histolab::reference
