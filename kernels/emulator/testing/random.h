// Random: seeded numbers for tests, the same on every machine.
#pragma once

#include <cstdint>
#include <random>

namespace histolab::kernels::emulator::testing {

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t bits() { return static_cast<std::uint32_t>(engine_()); }
  std::uint32_t below(std::uint32_t end) { return bits() % end; }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  // Returns lanes of a warp, at least one: all, about half, few, one, the first ones or the last
  // ones.
  std::uint32_t lanes() {
    std::uint32_t mask = 0;
    switch (below(6)) {
      case 0: mask = ~0u; break;
      case 1: mask = bits(); break;
      case 2: mask = bits() & bits() & bits(); break;
      case 3: mask = (2u << below(31)) - 1; break;
      case 4: mask = ~0u << below(32); break;
      default: break;
    }
    return mask != 0 ? mask : 1u << below(32);
  }

 private:
  std::mt19937 engine_;
};

}  // namespace histolab::kernels::emulator::testing
