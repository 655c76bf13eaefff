// Random histogram kernels, right by construction, and mistakes put into them.
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

// Free of races: every schedule must come to the sequential histogram without a finding.
[[nodiscard]] Program generate(Random& random);

// Puts one mistake in, which may turn out to do no harm, and says what it is; nullopt where there
// is no place for it.
[[nodiscard]] std::optional<std::string> spoil(Program& program, Random& random);

}  // namespace histolab::fuzzer
