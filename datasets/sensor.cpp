// The dataset `sensor`, one sample at a time: baseline + noise + the decaying pulses.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "datasets/generators.h"
#include "datasets/random.h"

namespace histolab::datasets {
namespace {

// Straight lines between random heights that are 2^shift samples apart. Heights are from
// -height to height.
class Drift {
 public:
  Drift(std::uint64_t key, unsigned shift, int height)
      : heights_(key), shift_(shift), height_(height) {}
  // Returns the drift at sample i, in units of 2^-8.
  [[nodiscard]] int at(std::size_t i) const {
    const std::size_t knot = i >> shift_;
    const std::int64_t a = height_at(knot), b = height_at(knot + 1);
    return static_cast<int>(
        a + ((b - a) * static_cast<std::int64_t>(i & ((std::size_t{1} << shift_) - 1)) >> shift_));
  }

 private:
  [[nodiscard]] int height_at(std::size_t knot) const {
    return static_cast<int>(heights_.at(knot) >> 48) * height_ / 128 - 256 * height_;
  }
  Positions heights_;
  unsigned shift_;
  int height_;
};

// A pulse rises by an eighth of the missing rest per sample and falls by a 48th of the level.
class Pulses {
 public:
  explicit Pulses(std::uint64_t key) : slots_(key) {}
  // Returns the level after sample i, in units of 2^-8. Must be called with i = 0, 1, 2, ...
  int next(std::size_t i) {
    if (i % slot == 0) draw(i / slot);
    if (i % slot == begins_) to_come_ += 256 * energy_;
    const int rise = to_come_ / 8;
    to_come_ -= rise;
    level_ += rise - level_ / 48;
    return level_;
  }

 private:
  static constexpr std::size_t slot = 256;
  // One slot in four has a pulse. Of 16 pulses, 7 are in one line, 6 in the other, and 3
  // have any height.
  void draw(std::size_t number) {
    const std::uint64_t bits = slots_.at(number);
    const auto kind = static_cast<std::uint32_t>(bits % 16),
               upper = static_cast<std::uint32_t>(bits >> 32);
    begins_ = (bits >> 4) % 4 == 0 ? static_cast<std::size_t>(bits >> 8) % slot : slot;
    const auto energy = kind < 7    ? 1180 + below(60, upper)
                        : kind < 13 ? 2360 + below(100, upper)
                                    : 100 + below(6000, upper);
    energy_ = static_cast<int>(energy);
  }
  Positions slots_;
  std::size_t begins_ = slot;
  int energy_ = 0, to_come_ = 0, level_ = 0;
};

}  // namespace

void fill_sensor(Samples out, std::uint64_t seed) {
  Random random("sensor", seed);
  const Drift slow(random.next(), 16, 90), quick(random.next(), 11, 8);
  Pulses pulses{random.next()};
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < out.size(); ++i, bits >>= 32) {
    if (i % 2 == 0) bits = random.next();
    // The sum of four bytes is nearly normal, with a standard deviation of 147.8.
    int noise = -2 * 255;
    for (unsigned part = 0; part < 32; part += 8) noise += static_cast<int>(bits >> part & 0xff);
    const int value = 400 * 256 + slow.at(i) + quick.at(i) + noise * 14 + pulses.next(i);
    out.set(i, static_cast<std::uint32_t>(
                   std::clamp((value + 128) >> 8, 0, static_cast<int>(sensor_levels) - 1)));
  }
}

}  // namespace histolab::datasets
