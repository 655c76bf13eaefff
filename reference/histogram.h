// Sequential reference histograms. Every kernel is compared with them.
//
// A Binning maps some samples to a bin. `letters` bins a-z by their distance from 'a' and ignores
// all other values, capitals included. `bytes` bins all 256 values of a byte, `shorts` all 65 536
// of a 16-bit sample (little-endian). The last bin may be narrower (y-z has two letters).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::reference {

enum class Domain { letters, bytes, shorts };
inline constexpr std::array all_domains = {Domain::letters, Domain::bytes, Domain::shorts};
[[nodiscard]] std::string_view name(Domain domain);  // as in lab.json and the stream

struct Binning {
  Domain domain = Domain::letters;
  std::uint32_t bins = 7;   // number of bins, >= 1
  std::uint32_t width = 4;  // values per bin, >= 1

  [[nodiscard]] std::uint32_t sample_bytes() const { return domain == Domain::shorts ? 2 : 1; }
  // Returns nullopt if the sample is outside the domain or beyond the last bin.
  [[nodiscard]] std::optional<std::uint32_t> bin_of(std::uint32_t sample) const;
  // Returns the smallest width with which this number of bins covers all values of the domain.
  [[nodiscard]] std::uint32_t width_for(std::uint32_t number_of_bins) const;
  // Returns a name for people: "m-p", "y-z", "64-127"; "nothing" if the bin is beyond the domain.
  [[nodiscard]] std::string label(std::uint32_t bin) const;
  friend bool operator==(const Binning&, const Binning&) = default;
};

// Returns the sample that begins at data[byte]. `byte` + sample_bytes must be <= data.size().
[[nodiscard]] inline std::uint32_t sample_at(std::span<const std::uint8_t> data, std::size_t byte,
                                             std::uint32_t sample_bytes) {
  return sample_bytes == 1 ? data[byte]
                           : data[byte] | static_cast<std::uint32_t>(data[byte + 1]) << 8;
}

// Returns one count per bin. Samples without a bin are ignored, and so is an incomplete sample at
// the end.
[[nodiscard]] std::vector<std::uint64_t> histogram(std::span<const std::uint8_t> data,
                                                   const Binning& binning);

}  // namespace histolab::reference
