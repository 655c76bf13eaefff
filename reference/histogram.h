// The truth: sequential histograms that every kernel is compared with.
//
// A Binning maps a byte to a bin or to none. `letters` bins a-z by their distance from 'a' (capitals and everything
// else are ignored); `bytes` bins all 256 values. The last bin may be narrower than the others (y-z is two letters
// wide).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace histolab::reference {

enum class Domain { letters, bytes };

struct Binning {
  Domain domain = Domain::letters;
  std::uint32_t bins = 7;   // number of bins, >= 1
  std::uint32_t width = 4;  // values a bin covers, >= 1

  [[nodiscard]] std::optional<std::uint32_t> bin_of(std::uint8_t byte) const;
  // What a person calls the bin: "m-p", "y-z", "64-127".
  [[nodiscard]] std::string label(std::uint32_t bin) const;
};

// Shape: one count per bin. Bytes that fall beyond the last bin are ignored.
[[nodiscard]] std::vector<std::uint64_t> histogram(std::span<const std::uint8_t> data, const Binning& binning);

}  // namespace histolab::reference
