// Random histogram kernels that are correct by construction, and mistakes to insert.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reference/splitmix64.h"
#include "tools/fuzzer/program.h"

namespace histolab::fuzzer {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() { return reference::next_random(state_); }
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(next() % bound); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  template <class... T>
  std::uint32_t pick(T... choices) {
    const std::uint32_t all[] = {static_cast<std::uint32_t>(choices)...};
    return all[below(sizeof...(choices))];
  }

 private:
  std::uint64_t state_;
};

// Returns a program without races: every schedule must give the sequential histogram without
// findings.
[[nodiscard]] Program generate(Random& random);

// Inserts one mistake, which may be harmless, and describes it. Returns nullopt if the program has
// no place for a mistake.
[[nodiscard]] std::optional<std::string> spoil(Program& program, Random& random);

}  // namespace histolab::fuzzer
