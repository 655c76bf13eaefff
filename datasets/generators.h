// Generators: one function per dataset and element width. Each fills the bytes or samples of `out`.
//
// An element depends on seed and position alone, so a shorter output is a prefix of a longer one.
// `sorted` is the exception. Letters are a-z. The letter labs count only letters; other labs count
// all 256 values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace histolab::datasets {

using Bytes = std::span<std::uint8_t>;

// Elements of 16 bits. Each is written as two bytes, low byte first, on every machine.
class Samples {
 public:
  explicit Samples(Bytes bytes) : bytes_(bytes) {}  // an even number of bytes
  [[nodiscard]] Bytes bytes() const { return bytes_; }
  [[nodiscard]] std::size_t size() const { return bytes_.size() / 2; }
  [[nodiscard]] std::uint32_t operator[](std::size_t i) const {
    return bytes_[2 * i] + (bytes_[2 * i + 1] << 8u);
  }
  void set(std::size_t i, std::uint32_t value) const {
    bytes_[2 * i] = static_cast<std::uint8_t>(value);
    bytes_[2 * i + 1] = static_cast<std::uint8_t>(value >> 8);
  }

 private:
  Bytes bytes_;
};

// Scales a byte to 16 bits: 255 (white) becomes 65 535. Both bytes of the result are `byte`.
constexpr std::uint32_t widened(std::uint8_t byte) { return byte * 257u; }

// A percentage, exact to six decimals: 99.9 is 99'900'000 millionths.
struct Percent {
  std::uint32_t millionths = 0;  // up to 100'000'000
};
// Parses a number from 0 to 100 with up to six decimals: "0", "50", "99.9". Returns nullopt for any
// other text, also with blanks around the number.
[[nodiscard]] std::optional<Percent> percent_from(std::string_view text);

// Each letter is equally likely.
void fill_uniform_letters(Bytes out, std::uint64_t seed);

// Words, sentences and paragraphs with the letter frequencies and word lengths of English books. A
// capital follows each full stop. Lines have about 72 characters. 81 % of the bytes are a-z. The
// letters of a word are independent.
void fill_english(Bytes out, std::uint64_t seed);

// One letter only, chosen by the seed. 16-bit samples are that letter, widened().
void fill_constant(Bytes out, std::uint64_t seed);
void fill_constant(Samples out, std::uint64_t seed);

// Runs of one letter (16 bits: of any value). The next run has a different value. Run lengths are
// geometric with mean 2048.
void fill_runs(Bytes out, std::uint64_t seed);
void fill_runs(Samples out, std::uint64_t seed);

// The bytes of fill_uniform_letters(), or the samples of fill_values(), of the same length and
// seed, sorted in ascending order.
void fill_sorted(Bytes out, std::uint64_t seed);
void fill_sorted(Samples out, std::uint64_t seed);

// Each of the 256 values is equally likely.
void fill_bytes(Bytes out, std::uint64_t seed);

// Each of the 65 536 values is equally likely. With elements of one byte, `values` is `bytes`.
void fill_values(Samples out, std::uint64_t seed);

// The probability of rank k = 1..256 is proportional to k^-1.2. Rank k is the byte
// 'e' + 5 (k - 1) modulo 256. So the five most frequent values are e, j, o, t and y, and more than
// half of all bytes are letters. Any 32 neighbouring ranks are in 32 different banks of a 256-bin
// histogram. So contention slows a kernel down, but bank conflicts do not.
void fill_zipf(Bytes out, std::uint64_t seed);

// The probability of rank k = 1..65 536 is proportional to k^-1.2. Rank k is the value 40 503 k
// modulo 65 536, a step of the golden ratio. So a few neighbouring ranks are spread evenly over the
// range, and 32 of them over the banks.
inline constexpr std::uint32_t zipf_step = 40503;
void fill_zipf(Samples out, std::uint64_t seed);

// `m` or `M`, equally likely. 'm' - 'M' is 32, so with 256 bins they are different words of one
// bank. (Two lowercase letters cannot be 32 apart. The letter labs count only the m.)
void fill_two_bins(Bytes out, std::uint64_t seed);

// `m` with probability `percent`, otherwise any letter or any of the 256 values, which may also be
// m. The catalogue has no dataset with Others::bytes. An element that is hot at one percentage is
// hot at all higher ones of the same seed.
enum class Others { letters, bytes };
void fill_hot(Bytes out, std::uint64_t seed, Percent percent, Others others = Others::letters);
// widened('m') with probability `percent`, otherwise any of the 65 536 values, which
// may be the same.
void fill_hot(Samples out, std::uint64_t seed, Percent percent);

// All edge cases of a bounds test. Every 31 bytes have, at random positions: y, z, `, {, a capital,
// a digit, a letter with its top bit set, any byte of 128 or more, and one other non-letter. The
// rest are letters. The first byte of every 31 is a letter, so that a length of 1 counts something.
void fill_mixed(Bytes out, std::uint64_t seed);

// The book's example, repeated without a gap. The seed is ignored.
inline constexpr std::string_view book_text = "programming massively parallel processors";
void fill_book(Bytes out, std::uint64_t seed);

// A synthetic photograph: sky with a sun and clouds, hills, towers, balls on a meadow, camera
// noise. Rows of 1024 pixels from the top. After 1024 rows, another such picture begins. The bytes
// are the upper bytes of the samples.
inline constexpr std::size_t picture_width = 1024, picture_height = 1024;
void fill_image(Bytes out, std::uint64_t seed);
void fill_image(Samples out, std::uint64_t seed);

// The signal of a detector with a 12-bit converter, 0 to 4095. The baseline is near 400 and drifts
// slowly. The noise has a standard deviation of 8. There is a pulse every 1024 samples on average;
// it rises within about 20 samples and falls over about 100. Most pulses belong to one of two
// lines, 900 and 1800 high. A few are too high for the converter and give 4095.
inline constexpr std::uint32_t sensor_levels = 4096;
void fill_sensor(Samples out, std::uint64_t seed);

// The text, repeated without a gap. `text` must not be empty unless `out` is.
void fill_text(Bytes out, std::string_view text);

}  // namespace histolab::datasets
