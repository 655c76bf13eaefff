// The cost of one warp-level access to the memory system, as Nsight Compute counts it. Pure
// functions; traffic.h adds up their results. For the rules see docs/counters.md.
//
// Global memory: 32-byte sectors. Shared memory: wavefronts over 32 four-byte banks. Atomic
// operations on one address are serialized.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator {

inline constexpr std::uint32_t banks = 32;
inline constexpr std::uint32_t sector_shift = 5;  // a sector has 32 bytes

// Returns the number of distinct sectors. A misaligned access may reach into the next sector.
[[nodiscard]] std::uint32_t sectors_of(const WarpAccess& access);

// The same for local memory, in which one word of all lanes is one line.
[[nodiscard]] std::uint32_t local_sectors_of(const WarpAccess& access);

// Returns the number of distinct addresses of the lanes.
[[nodiscard]] std::uint32_t addresses_of(const WarpAccess& access);

// Returns the largest number of active lanes whose accesses begin at one byte.
[[nodiscard]] std::uint32_t same_byte_degree(const WarpAccess& access);

struct Wavefronts {
  std::uint32_t made, needed;
};

// For shared memory. Wavefronts beyond the needed ones are bank conflicts.
[[nodiscard]] Wavefronts wavefronts_of(const WarpAccess& access);

// The next two functions are fast checks for accesses that cost 1.
inline bool all_in_one_sector(const WarpAccess& access) {
  // mutant - -> +: checks the sectors one by one: the same count, only slower
  return access.lowest >> sector_shift == (access.highest + access.bytes - 1) >> sector_shift;
}

inline bool all_in_one_wavefront(const WarpAccess& access) {
  const auto base = static_cast<std::uint32_t>(access.region->bank_base);
  // mutant <= -> <: the slow path also counts 1
  return access.bytes <= 4 && (access.highest + base) / 4 - (access.lowest + base) / 4 < banks;
}

// The cost of an atomic operation. Add each word once, in any order. In shared memory a bank takes
// one lane per wavefront or, if `shares`, one word. In global memory a sector takes as many passes
// as lanes are on its busiest word.
class InTurn {
 public:
  InTurn(Space space, bool shares) : shared_(space == Space::shared), shares_(shares) {}
  void add(std::uint64_t word, std::uint32_t lanes) {
    if (shared_) {
      std::uint8_t& bank = taken_[word % banks];  // it does not matter which one is bank 0
      bank = static_cast<std::uint8_t>(bank + (shares_ ? 1 : lanes));
      parts_ = std::max<std::uint32_t>(parts_, bank);
      // mutant > -> >=: adds nothing if they are equal
    } else if (std::uint8_t& sector = taken_[slot_of(word * 4 >> sector_shift)]; lanes > sector) {
      parts_ += lanes - sector;
      sector = static_cast<std::uint8_t>(lanes);
    }
  }
  // Returns the wavefronts or sectors so far.
  [[nodiscard]] std::uint32_t parts() const { return parts_; }

 private:
  // Returns the slot of the sector, or the next free one. A warp accesses at most 32 sectors here.
  std::uint32_t slot_of(std::uint64_t sector) {
    std::uint32_t slot = sector % 64;
    while (taken_[slot] != 0 && sector_[slot] != sector) slot = (slot + 1) % 64;
    sector_[slot] = sector;
    return slot;
  }

  const bool shared_, shares_;
  // Per bank: number of lanes or words. Per sector: maximum number of lanes on one of its words.
  // mutant 64 -> 65: adds one entry, which is never used
  std::array<std::uint8_t, 64> taken_{};
  // mutant 64 -> 65: adds one entry, which is never used
  std::array<std::uint64_t, 64> sector_;  // where something is taken
  std::uint32_t parts_ = 0;
};

}  // namespace histolab::kernels::emulator
