// The truth: sequential histograms that every kernel is compared with.
//
// A Binning maps a sample to a bin or to none. `letters` bins a-z by their distance from 'a' (capitals and everything
// else are ignored); `bytes` bins all 256 values of a byte, `shorts` all 65 536 of a 16-bit sample. The last bin may be
// narrower than the others (y-z is two letters wide). Samples of 16 bits lie in memory as on a GPU: little-endian.
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
[[nodiscard]] std::string_view name(Domain domain);  // as lab.json and the stream have it

struct Binning {
  Domain domain = Domain::letters;
  std::uint32_t bins = 7;   // number of bins, >= 1
  std::uint32_t width = 4;  // values a bin covers, >= 1

  [[nodiscard]] std::uint32_t sample_bytes() const { return domain == Domain::shorts ? 2 : 1; }
  [[nodiscard]] std::optional<std::uint32_t> bin_of(std::uint32_t sample) const;
  // The width with which so many bins hold all values.
  [[nodiscard]] std::uint32_t width_for(std::uint32_t number_of_bins) const;
  // What a person calls the bin: "m-p", "y-z", "64-127".
  [[nodiscard]] std::string label(std::uint32_t bin) const;
  friend bool operator==(const Binning&, const Binning&) = default;
};

// The sample that begins at data[byte]; `byte` + sample_bytes <= data.size().
[[nodiscard]] inline std::uint32_t sample_at(std::span<const std::uint8_t> data, std::size_t byte, std::uint32_t sample_bytes) {
  return sample_bytes == 1 ? data[byte] : data[byte] | static_cast<std::uint32_t>(data[byte + 1]) << 8;
}

// Shape: one count per bin. Samples that fall beyond the last bin are ignored, and so is half a sample at the end.
[[nodiscard]] std::vector<std::uint64_t> histogram(std::span<const std::uint8_t> data, const Binning& binning);

}  // namespace histolab::reference
